/** Forty small sites on loopback, each at an address of its own, over http and https, with a name server for all of them. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type Answer, decode, encode, type Question } from 'dns-packet'
import { makeIdentities } from '../../testbed/certificates.ts'

export interface SmallSite {
  readonly host: string
  readonly address: string
}

export interface SmallSites {
  readonly sites: readonly SmallSite[]
  /** `address:port` of the name server. */
  readonly resolver: string
  readonly close: () => Promise<void>
}

const DNS_PORT = 53
const TTL = 300

/** `network`: the first three numbers of their addresses. */
export const startSmallSites = async (network: string, count: number): Promise<SmallSites> => {
  const sites = Array.from({ length: count }, (_, n) => ({
    host: `site-${n + 1}.small.test`,
    address: `${network}.${n + 1}`,
  }))
  const { fixed } = await makeIdentities({ flawed: 'none.test', fixed: '*.small.test', now: Date.now() })
  const servers = sites.flatMap(({ address }, n) => {
    const plain = createServer(siteOf(n)).listen(80, address)
    return [plain, createSecureServer(fixed, siteOf(n)).listen(443, address)]
  })
  const names = createSocket('udp4')
  const at = `${network}.250`
  names.on('message', (message, { port, address }) => {
    const query = decode(message)
    const answers = (query.questions ?? []).flatMap((question) => answersTo(question, sites, at))
    names.send(
      encode({ type: 'response', id: query.id ?? 0, flags: 0x0580, questions: query.questions ?? [], answers }),
      port,
      address,
    )
  })
  names.bind(DNS_PORT, at)
  await Promise.all([...servers, names].map((server) => once(server, 'listening')))
  return {
    sites,
    resolver: `${at}:${DNS_PORT}`,
    close: async () => {
      names.close()
      for (const server of servers) {
        server.closeAllConnections()
        server.close()
      }
    },
  }
}

const answersTo = ({ name, type }: Question, sites: readonly SmallSite[], server: string): Answer[] => {
  const site = sites.find(({ host }) => host === name.toLowerCase())
  if (type === 'A' && name === 'ns.small.test') return [{ name, type, ttl: TTL, data: server }]
  if (type === 'NS' && name === 'small.test') return [{ name, type, ttl: TTL, data: 'ns.small.test' }]
  if (site === undefined) return []
  if (type === 'A') return [{ name, type, ttl: TTL, data: site.address }]
  if (type === 'TXT') return [{ name, type, ttl: TTL, data: ['v=spf1 -all'] }]
  return []
}

/** Each third has a cookie, each fourth few headers, each fifth an inline script; all have pages, a form, a script and a style. */
const siteOf =
  (n: number): RequestListener =>
  (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site.test')
    if (n % 4 !== 0)
      response.setHeaders(
        new Map([
          ['x-content-type-options', 'nosniff'],
          ['referrer-policy', 'strict-origin'],
        ]),
      )
    if (n % 2 === 0) response.setHeader('content-security-policy', "default-src 'self'; frame-ancestors 'none'")
    if (n % 3 === 0) response.setHeader('set-cookie', 'visit=1; Path=/')
    response.setHeader('server', n % 2 === 0 ? 'nginx/1.24.0' : 'Apache')
    const file = FILES[pathname]
    if (file !== undefined) return void response.setHeader('content-type', file.type).end(file.text)
    const page = PAGES.find((one) => one.path === pathname)
    response.statusCode = page === undefined ? 404 : 200
    response
      .setHeader('content-type', 'text/html; charset=utf-8')
      .end(pageOf(n, page ?? { path: '', title: 'Not found' }))
  }

const PAGES = [
  { path: '/', title: 'Welcome' },
  { path: '/about', title: 'About us' },
  { path: '/offers', title: 'What we offer' },
  { path: '/contact', title: 'Write to us' },
]
const FILES: Readonly<Record<string, { readonly type: string; readonly text: string }>> = {
  '/style.css': { type: 'text/css', text: 'body { font: 16px/1.5 sans-serif; margin: 2rem auto; max-width: 40rem }' },
  '/menu.js': {
    type: 'text/javascript',
    text: "document.querySelector('nav')?.addEventListener('click', (event) => event.target.classList.add('here'))",
  },
  '/robots.txt': { type: 'text/plain', text: 'User-agent: *\nDisallow: /private\n' },
}

const pageOf = (
  n: number,
  { path, title }: { readonly path: string; readonly title: string },
): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title} - Workshop ${n}</title>
<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/style.css"><script src="/menu.js" defer></script></head>
<body><nav>${PAGES.map((one) => `<a href="${one.path}">${one.title}</a>`).join(' ')}</nav><main><h1>${title}</h1>
${'<p>We mend bicycles, chairs and clocks, on weekdays from nine to five.</p>\n'.repeat(5 + (n % 7))}
${path === '/contact' ? '<form action="/contact" method="get"><label>Your question <input name="q"></label><button>Send</button></form>' : ''}
${n % 5 === 0 ? '<script>window.opened = Date.now()</script>' : ''}</main></body></html>`
