/** The hosts of the bed: a web server with flaws that passive modules find, and a host that has services and no website. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer as createHttpServer, type Server as HttpServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer, type Server } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'

const PAGE = `<!doctype html><html lang="en"><head><title>Shop</title>
<script src="https://cdn.example.net/lib/jquery-1.8.0.min.js"></script></head>
<body><a href="/login">Sign in</a><!-- TODO: remove the debug password --></body></html>`
const LOGIN =
  '<!doctype html><title>Sign in</title><form method=post action="http://shop.test/in"><input name=u><input type=password name=p></form>'

const site: RequestListener = (request, response) => {
  const page = request.url === '/' ? PAGE : request.url === '/login' ? LOGIN : null
  response.writeHead(page === null ? 404 : 200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Set-Cookie': 'session=0123456789abcdef; Path=/',
    Server: 'nginx/1.10.0',
  })
  response.end(page ?? 'not here')
}

const listening = async (server: Server | HttpServer, port: number, address: string): Promise<void> => {
  server.listen(port, address)
  await once(server, 'listening')
}

const pair = (): { readonly key: string; readonly cert: string } => {
  const pem = execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30'],
      ...['-subj', '/CN=shop.test', '-addext', 'subjectAltName=DNS:shop.test', '-keyout', '-'],
    ],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 30_000 },
  )
  const part = (name: string): string => {
    const end = `-----END ${name}-----`
    return pem.slice(pem.indexOf(`-----BEGIN ${name}-----`), pem.indexOf(end) + end.length)
  }
  return { key: part('PRIVATE KEY'), cert: part('CERTIFICATE') }
}

/** Ports 80 and 443. Listens until the process ends. */
export const serveWebsite = async (address: string): Promise<void> => {
  await listening(createHttpServer(site), 80, address)
  await listening(createHttpsServer(pair(), site), 443, address)
}

/** SSH on 22, FTP on 21, IMAP over TLS on 993; nothing on 80 and 443. Listens until the process ends. */
export const serveServices = async (address: string): Promise<void> => {
  const greeting = (text: string): Server =>
    createServer((socket) => {
      socket.on('error', () => socket.destroy())
      socket.write(text)
    })
  await listening(greeting('SSH-2.0-OpenSSH_7.4\r\n'), 22, address)
  await listening(greeting('220 (vsFTPd 2.3.4)\r\n'), 21, address)
  const imap = createTlsServer(pair(), (socket) => {
    socket.on('error', () => socket.destroy())
    socket.write('* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN] Dovecot ready.\r\n')
  })
  imap.on('tlsClientError', (_error, socket) => socket.destroy())
  await listening(imap, 993, address)
}

/** Takes connections and says nothing. Listens until the process ends. */
export const serveSilence = (address: string, port: number): Promise<void> =>
  listening(
    createServer((socket) => {
      socket.on('error', () => socket.destroy())
    }),
    port,
    address,
  )
