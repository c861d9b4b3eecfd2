import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { createSecureContext, TLSSocket } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import type { EndpointFacts } from '../../../protocols/tls/endpoint.ts'
import { PRELUDES, type Service } from '../../../protocols/tls/wire/starttls.ts'
import { CASE_ADDRESS, casePair, caseProber, surveyCase } from './testing/survey-case.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

interface Script {
  readonly greeting: string | Buffer
  /** Answers in turn; the last one is followed by the handshake. */
  readonly answers: readonly { readonly to: RegExp; readonly say: string | Buffer }[]
  /** Keeps what came behind the request and obeys it inside TLS. */
  readonly injectable?: boolean
}

/** The rest of a connection. A client that needs no answer sends its hello in the same segment as its request. */
const streamFrom = (socket: Socket, start: string): Duplex => {
  const stream = new Duplex({
    read: () => undefined,
    write: (chunk: Buffer, _encoding, done) => void socket.write(chunk, () => done()),
    final: (done) => void socket.end(() => done()),
  })
  if (start.startsWith('\x16')) stream.push(Buffer.from(start, 'latin1'))
  socket.on('data', (chunk) => stream.push(chunk)).on('close', () => stream.push(null))
  return stream
}

const serve = async (script: Script): Promise<number> => {
  const sockets = new Set<Socket>()
  const { keyPem: key, certPem: cert } = casePair()
  const secureContext = createSecureContext({ key, cert })
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => sockets.delete(socket))
    if (script.greeting.length > 0) socket.write(script.greeting)
    let step = 0
    let received = ''
    const onData = (chunk: Buffer) => {
      received += chunk.toString('latin1')
      const expected = script.answers[step]
      const found = expected?.to.exec(received)
      if (!expected || !found) return
      const rest = received.slice(found.index + found[0].length)
      received = rest
      step += 1
      if (expected.say.length > 0) socket.write(expected.say)
      if (step < script.answers.length) return
      socket.off('data', onData)
      const secured = new TLSSocket(streamFrom(socket, rest), { isServer: true, secureContext })
      secured.on('error', () => socket.destroy())
      secured.on('secure', () => {
        if (script.injectable && /NOOP/.test(rest)) secured.write('250 2.0.0 Ok\r\n')
      })
      secured.on('data', (line) => {
        if (!/NOOP/.test(String(line))) return
        secured.write(script.greeting.toString().startsWith('+') ? '+OK\r\n' : '250 2.0.0 Ok\r\n')
      })
    }
    socket.on('data', onData)
  })
  server.listen(0, CASE_ADDRESS)
  await once(server, 'listening')
  cleanups.push(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  return (server.address() as AddressInfo).port
}

const mysqlGreeting = (): Buffer => {
  const body = Buffer.concat([
    Buffer.from([10]),
    Buffer.from('8.0.36\0'),
    Buffer.alloc(4 + 8 + 1),
    Buffer.from([0xff, 0xff, 33, 2, 0, 0xff, 0xff, 21]),
    Buffer.alloc(10 + 13),
  ])
  const head = Buffer.alloc(4)
  head.writeUIntLE(body.length, 0, 3)
  return Buffer.concat([head, body])
}

const smtp: Script = {
  greeting: '220-mail.test\r\n220 ESMTP\r\n',
  answers: [
    { to: /EHLO [^\r]+\r\n/, say: '250-mail.test\r\n250-PIPELINING\r\n250-STARTTLS\r\n250 8BITMIME\r\n' },
    { to: /STARTTLS\r\n/, say: '220 2.0.0 Ready\r\n' },
  ],
}

const SCRIPTS: Partial<Record<Service, Script>> = {
  smtp,
  imap: { greeting: '* OK IMAP4 ready\r\n', answers: [{ to: /a1 STARTTLS\r\n/, say: 'a1 OK begin\r\n' }] },
  pop3: { greeting: '+OK ready\r\n', answers: [{ to: /STLS\r\n/, say: '+OK begin\r\n' }] },
  ftp: { greeting: '220-Hello\r\n220 there\r\n', answers: [{ to: /AUTH TLS\r\n/, say: '234 go\r\n' }] },
  ldap: {
    greeting: '',
    answers: [{ to: /1\.3\.6\.1\.4\.1\.1466\.20037/, say: Buffer.from('300c02010178070a010004000400', 'hex') }],
  },
  postgresql: { greeting: '', answers: [{ to: /^[\s\S]{8}/, say: 'S' }] },
  mysql: { greeting: mysqlGreeting(), answers: [{ to: /^[\s\S]{36}/, say: '' }] },
  xmpp: {
    greeting: '',
    answers: [
      {
        to: /<stream:stream [^>]*>/,
        say: "<stream:stream id='1'><stream:features><starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/></stream:features>",
      },
      { to: /<starttls[^>]*>/, say: "<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>" },
    ],
  },
}

const survey = async (script: Script, service: Service): Promise<EndpointFacts> => {
  const facts = await surveyCase(await serve(script), service)
  if (facts === null) throw new Error('no TLS behind the prelude')
  return facts
}

describe('services that switch to TLS', () => {
  it.each(Object.entries(SCRIPTS) as [Service, Script][])('%s', async (service, script) => {
    const facts = await survey(script, service)
    const offered = facts.protocols.filter((one) => one.state === 'offered').map((one) => one.protocol)
    expect(offered).toEqual(['TLSv1.2', 'TLSv1.3'])
    const speaksBehind = ['smtp', 'imap', 'pop3'].includes(service)
    expect(facts.starttlsInjection.verdict).toBe(speaksBehind ? 'safe' : 'not_applicable')
  })

  it('a command behind STARTTLS that is obeyed inside TLS', async () => {
    const facts = await survey({ ...smtp, injectable: true }, 'smtp')
    expect(facts.starttlsInjection).toMatchObject({ verdict: 'vulnerable', notes: [expect.stringContaining('250')] })
  })

  const REFUSALS: readonly (readonly [string, Service, Script])[] = [
    [
      'SMTP without STARTTLS',
      'smtp',
      { ...smtp, answers: [{ to: /EHLO [^\r]+\r\n/, say: '250-mail.test\r\n250 8BITMIME\r\n' }] },
    ],
    [
      'IMAP that says no',
      'imap',
      { greeting: '* OK ready\r\n', answers: [{ to: /a1 STARTTLS\r\n/, say: 'a1 BAD unknown\r\n' }] },
    ],
    ['PostgreSQL that says no', 'postgresql', { greeting: '', answers: [{ to: /^[\s\S]{8}/, say: 'N' }] }],
    [
      'MySQL without SSL',
      'mysql',
      {
        greeting: Buffer.from(mysqlGreeting().toString('hex').replace('ffff2102', '00002102'), 'hex'),
        answers: [{ to: /never/, say: '' }],
      },
    ],
    [
      'something else on the port',
      'imap',
      { greeting: 'SSH-2.0-OpenSSH_9.2\r\n', answers: [{ to: /never/, say: '' }] },
    ],
  ]

  it.each(REFUSALS)('%s', async (_name, service, script) => {
    const port = await serve(script)
    const { prober, close } = caseProber(port, 'tls')
    cleanups.push(close)
    const refusal = await prober.converse((channel) => PRELUDES[service](channel, 'shop.test', prober.deadline(2_000)))
    expect(refusal).toMatch(/not announced|was refused|greeting/)
  })
})
