/**
 * A host with many services, for templates of other protocols than http: ports that greet and answer plausibly, or, when
 * told "hostile", hang up, fall silent, drip, flood and send noise.
 */
import { execFileSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer, type Socket } from 'node:net'
import packet, { type Answer } from 'dns-packet'

const [address = '127.93.4.2', list = '', mood = 'plausible'] = process.argv.slice(2)

const GREETINGS: Readonly<Record<number, string>> = {
  21: '220 ProFTPD 1.3.5 Server ready.\r\n',
  22: 'SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u3\r\n',
  23: '\xff\xfd\x18\xff\xfd\x20router login: ',
  25: '220 mail.shop.test ESMTP Exim 4.96\r\n',
  110: '+OK Dovecot ready.\r\n',
  143: '* OK [CAPABILITY IMAP4rev1] Dovecot ready.\r\n',
  465: '220 mail.shop.test ESMTP Exim 4.96\r\n',
  587: '220 mail.shop.test ESMTP Exim 4.96\r\n',
  873: '@RSYNCD: 31.0\n',
  3306: 'J\0\0\0\n5.5.5-10.11.6-MariaDB-0+deb12u1\0',
  5900: 'RFB 003.008\n',
}
const ANSWERS: Readonly<Record<number, string>> = {
  21: '331 Password required\r\n',
  25: '250 mail.shop.test Hello\r\n',
  110: '+OK\r\nTOP\r\nUIDL\r\n.\r\n',
  6379: '$23\r\nredis_version:7.0.15\r\n\r\n',
  11211: 'VERSION 1.6.18\r\n',
  5432: 'N',
  3389: '\x03\0\0\x13\x0e\xd0\0\0\x124\0\x02\0\x08\0\x02\0\0\0',
}

const plausible = (socket: Socket, port: number): void => {
  socket.on('error', () => undefined)
  const greeting = GREETINGS[port]
  if (greeting !== undefined) socket.write(greeting, 'latin1')
  socket.on('data', (data: Buffer) => {
    socket.write(ANSWERS[port] ?? `you said ${data.length} bytes\r\n`, 'latin1')
  })
}

const FLOOD = Buffer.alloc(256 * 1024, 'A{{7*7}}\r\n\0\xff')
let turn = 0
const hostile = (socket: Socket): void => {
  socket.on('error', () => undefined)
  turn += 1
  switch (turn % 5) {
    case 0:
      socket.resetAndDestroy()
      return
    case 1:
      return
    case 2: {
      const timer = setInterval(() => socket.write('x'), 300)
      socket.once('close', () => clearInterval(timer))
      return
    }
    case 3: {
      const pour = (): void => {
        while (!socket.destroyed && socket.write(FLOOD)) if (socket.writableLength > 4 * FLOOD.length) break
      }
      socket.on('drain', pour)
      pour()
      return
    }
    default:
      socket.end(Buffer.from(Array.from({ length: 4_096 }, (_, at) => (at * 37 + turn) & 0xff)))
  }
}

const PAGE = `<!doctype html><title>A shop</title><body><h1>Shop</h1><form><input name="q"></form><script>document.title+='!'</script></body>`
const page: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', server: 'nginx/1.22.1' })
  response.end(PAGE)
}

const pair = execFileSync(
  'openssl',
  [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30'],
    ...['-subj', '/CN=shop.test', '-addext', 'subjectAltName=DNS:shop.test', '-keyout', '-'],
  ],
  { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 20_000 },
)

const record = (type: string, name: string): readonly Answer[] => {
  const values: Readonly<Record<string, unknown>> = {
    A: address,
    AAAA: '::1',
    CNAME: 'shop.azurewebsites.net',
    TXT: 'v=spf1 include:_spf.shop.test ~all',
    MX: { preference: 10, exchange: 'mail.shop.test' },
    NS: 'ns1.shop.test',
    CAA: { flags: 0, tag: 'issue', value: 'ca.test' },
    SOA: { mname: 'ns1.shop.test', rname: 'h.shop.test', serial: 1, refresh: 1, retry: 1, expire: 1, minimum: 1 },
  }
  return type in values ? [{ type, name, ttl: 60, data: values[type] } as Answer] : []
}

const resolver = createSocket('udp4')
resolver.on('message', (message, peer) => {
  const { id, questions } = packet.decode(message)
  const [question] = questions ?? []
  const answers = question ? [...record(question.type, question.name)] : []
  const flags = packet.RECURSION_DESIRED | packet.RECURSION_AVAILABLE
  const reply = packet.encode({ type: 'response', id: id ?? 0, flags, questions: questions ?? [], answers })
  resolver.send(mood === 'hostile' && (id ?? 0) % 3 === 0 ? reply.subarray(0, 20) : reply, peer.port, peer.address)
})

const listening: Promise<unknown>[] = [new Promise<void>((done) => resolver.bind(9, address, done))]
for (const port of list.split(',').map(Number)) {
  const server = createServer((socket) => {
    if (mood === 'hostile') hostile(socket)
    else plausible(socket, port)
  })
  listening.push(new Promise<void>((done) => server.listen(port, address, done)))
}
const tls = mood === 'hostile' ? createServer(hostile) : createHttpsServer({ key: pair, cert: pair }, page)
listening.push(new Promise<void>((done) => tls.listen(443, address, done)))
const web = createHttpServer(page)
listening.push(new Promise<void>((done) => web.listen(80, address, done)))
await Promise.all(listening)
process.send?.('ready')
