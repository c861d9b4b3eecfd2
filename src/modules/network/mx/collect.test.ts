import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { type SecureContextOptions, TLSSocket } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import { caseLookup } from '../../passive/dns/testing/dns-facts.ts'
import { caseHost, caseMail } from '../../passive/mail/testing/mail-facts.ts'
import { caseAddress, collectContext } from '../../testing/collecting.ts'
import { casePair } from '../tls-deep/testing/survey-case.ts'
import { collectMx } from './collect.ts'
import type { MxFacts } from './facts.ts'
import { mx } from './module.ts'

const address = caseAddress(46)
const cleanups: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** A mail server at port 25; `answer` gets each line and may take the connection over. */
const serve = async (greeting: string, answer: (line: string, socket: Socket) => void): Promise<void> => {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.write(greeting)
    socket.on('data', (chunk: Buffer) => answer(chunk.toString('latin1'), socket))
  })
  server.listen(25, address)
  await once(server, 'listening')
  cleanups.push(() => new Promise((resolve) => server.close(resolve)))
}

const collect = async (where: string = address): Promise<MxFacts> => {
  const { ctx, close } = collectContext(address, { module: 'mx' })
  cleanups.push(close)
  return collectMx(ctx, caseMail({ hosts: [caseHost({ a: caseLookup('mx.shop.test', 'A', [where]) })] }))
}

const upgrading =
  (options: SecureContextOptions) =>
  (line: string, socket: Socket): void => {
    if (/^EHLO/.test(line)) socket.write('250-mx.shop.test\r\n250 STARTTLS\r\n')
    if (!/^STARTTLS/.test(line)) return
    socket.removeAllListeners('data')
    socket.write('220 go ahead\r\n')
    const { keyPem, certPem } = casePair('ec')
    new TLSSocket(socket, { isServer: true, key: keyPem, cert: certPem, ...options }).on('error', () => undefined)
  }

describe('collectMx', () => {
  it.each([
    ['TLS 1.2 and 1.3', {}, ['TLSv1.2', 'TLSv1.3']],
    ['TLS 1.3 alone', { minVersion: 'TLSv1.3' }, ['TLSv1.3']],
    ['old versions', { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' }, ['TLSv1', 'TLSv1.1']],
  ] as const)('%s', async (_name, options, expected) => {
    await serve('220 mx.shop.test ESMTP\r\n', upgrading(options))
    const facts = await collect()
    expect(JSON.parse(JSON.stringify(facts))).toEqual(facts)
    const [server] = facts.servers
    expect(server).toMatchObject({ name: 'mx.shop.test', starttls: 'offered', says: ['mx.shop.test'], reverse: [] })
    expect(server?.versions.filter(({ state }) => state === 'offered').map(({ version }) => version)).toEqual(expected)
    expect(server?.certificate).toMatchObject({ subject: 'CN=shop.test', isNamed: false, trust: 'self-signed' })
  })

  const cases: [trick: string, greeting: string, answer: (line: string, socket: Socket) => void, state: string][] = [
    ['no STARTTLS', '220 mx\r\n', (_line, socket) => socket.write('250 mx\r\n'), 'absent'],
    [
      'an EHLO that is refused says nothing',
      '220 mx\r\n',
      (_line, socket) => socket.write('550 not from you\r\n'),
      'silent',
    ],
    ['a server that is busy', '421 later\r\n', () => undefined, 'silent'],
    [
      'STARTTLS that is refused',
      '220 mx\r\n',
      (line, socket) => socket.write(/^EHLO/.test(line) ? '250-mx\r\n250 STARTTLS\r\n' : '454 no\r\n'),
      'refused',
    ],
  ]
  it.each(cases)('%s', async (_trick, greeting, answer, state) => {
    await serve(greeting, answer)
    expect((await collect()).servers).toMatchObject([{ starttls: state, versions: [], certificate: null }])
  })

  it('is called what it calls itself, and what the DNS calls its address', async () => {
    await serve('220 Mail7.Hosting.example ESMTP ready\r\n', (_line, socket) =>
      socket.write('250 [192.0.2.7] at your service\r\n'),
    )
    const { ctx, close } = collectContext(address, { module: 'mx' })
    cleanups.push(close)
    const name = `${address.split('.').toReversed().join('.')}.in-addr.arpa`
    const record = { name, type: 'PTR', ttl: 60, data: 'Static-7.Pool.example.' }
    const dns: typeof ctx.egress.dns = async (question) => {
      expect(question).toMatchObject({ name, type: 'PTR' })
      const empty = { rcode: 'NOERROR', authoritative: false, authenticated: false, authorities: [], additionals: [] }
      return { ...empty, server: '192.0.2.53', answers: [record] }
    }
    const mail = caseMail({ hosts: [caseHost({ a: caseLookup('mx.shop.test', 'A', [address]) })] })
    const facts = await collectMx({ ...ctx, egress: { ...ctx.egress, dns } }, mail)
    const names = { says: ['mail7.hosting.example', '[192.0.2.7]'], reverse: ['static-7.pool.example'] }
    expect(facts.servers).toMatchObject([names])
    const [table] = mx.tables?.(facts) ?? []
    expect(table?.rows[0]?.slice(2, 4)).toEqual(['mail7.hosting.example, [192.0.2.7]', 'static-7.pool.example'])
  })

  it('port 25 is closed', async () => {
    expect((await collect()).servers).toMatchObject([{ starttls: 'unreachable' }])
  })

  it('an address that may not be asked is left out', async () => {
    expect(await collect('10.1.2.3')).toMatchObject({ servers: [], leftOut: ['mx.shop.test'] })
  })
})
