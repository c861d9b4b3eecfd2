/** The privacy testbed: its sites and the third parties that they load from, on one loopback address with the usual ports. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import { Readable } from 'node:stream'
import { type DnsListening, listenDns } from '../../src/egress/testing/dns-server.ts'
import { THIRD_PARTIES } from './hosts/hosts.ts'
import { draw, drawPath } from './layout.ts'
import { type Answer, type Ask, hostOf, type PrivacyPage, type Serve } from './page.ts'

export interface PrivacyTestbed {
  readonly address: string
  /** Static name table of a run: every host but the aliases. */
  readonly hosts: Readonly<Record<string, readonly string[]>>
  /** Resolver that knows the aliases. */
  readonly resolver: string
  /** Requests that were served: method, host with path, oldest first. */
  readonly served: readonly string[]
  readonly close: () => Promise<void>
}

/** `address` is a loopback address whose ports 80 and 443 are free. */
export const startPrivacyTestbed = async (address: string, pages: readonly PrivacyPage[]): Promise<PrivacyTestbed> => {
  const sites = new Map(pages.map((page) => [hostOf(page), page]))
  const below = new Map(
    pages.flatMap((page) =>
      Object.entries(page.below ?? {}).map(([name, host]) => [`${name}.${hostOf(page)}` as string, host] as const),
    ),
  )
  const served: string[] = []

  const answerTo = (ask: Ask): Answer => {
    const { hostname, pathname } = ask.url
    const page = sites.get(hostname)
    const table = page ? (page.paths ?? {}) : (THIRD_PARTIES[hostname] ?? below.get(hostname)?.paths ?? {})
    const serve: Serve | null = table[pathname] ?? (page ? null : (table['*'] ?? null))
    if (serve !== null) return typeof serve === 'function' ? serve(ask) : serve
    const own = page && (pathname === '/' ? draw(page) : drawPath(page, pathname))
    return own ?? { status: 404, type: 'text/html', body: '<!doctype html><title>Not found</title><p>Not found</p>' }
  }
  const listener =
    (scheme: 'http' | 'https'): http.RequestListener =>
    (request, response) => {
      const url = URL.parse(request.url ?? '/', `${scheme}://${request.headers.host ?? 'unknown.test'}`)
      if (url === null) {
        response.writeHead(400).end()
        return
      }
      served.push(`${request.method} ${url.hostname}${url.pathname}`)
      request.resume()
      const { status = 200, type, headers = [], body = '', flood = 0, never = false } = answerTo(askOf(request, url))
      if (never) return
      response.writeHead(status, [...(type ? [['Content-Type', type] as const] : []), ...headers].flat())
      if (flood > 0)
        Readable.from(floodOf(flood))
          .on('error', () => undefined)
          .pipe(response)
      else response.end(request.method === 'HEAD' ? undefined : body)
    }

  const servers: http.Server[] = []
  let dns: DnsListening | null = null
  const close = async (): Promise<void> => {
    await Promise.all(servers.map(stop))
    await dns?.close()
  }
  try {
    servers.push(await listen(http.createServer(listener('http')), address, 80))
    servers.push(await listen(https.createServer(certificate(), listener('https')), address, 443))
    dns = await listenDns(({ name, type }) => {
      const alias = below.get(name)?.alias
      if (alias === undefined) return { rcode: 3 }
      const chain = [{ type: 'CNAME' as const, name, ttl: 60, data: alias }]
      return { answers: type === 'A' ? [...chain, { type: 'A' as const, name: alias, ttl: 60, data: address }] : chain }
    })
  } catch (error) {
    await close()
    throw error
  }
  const named = [
    ...sites.keys(),
    ...Object.keys(THIRD_PARTIES),
    ...[...below].flatMap(([name, { alias }]) => (alias ? [] : [name])),
  ]
  return {
    address,
    hosts: Object.fromEntries(named.map((name) => [name, [address]])),
    resolver: dns.server,
    served,
    close,
  }
}

const floodOf = function* (bytes: number): Generator<Buffer> {
  const chunk = Buffer.from('/* water */ '.repeat(5_000))
  for (let sent = 0; sent < bytes; sent += chunk.length) yield chunk
}

const askOf = (request: http.IncomingMessage, url: URL): Ask => {
  const cookies = new Map(
    (request.headers.cookie ?? '').split(/; */).map((pair) => pair.split('=', 2) as [string, string]),
  )
  return {
    url,
    method: request.method ?? 'GET',
    header: (name) => {
      const value = request.headers[name]
      return typeof value === 'string' ? value : null
    },
    cookie: (name) => cookies.get(name) ?? null,
  }
}

const listen = async (server: http.Server, address: string, port: number): Promise<http.Server> => {
  server.listen(port, address)
  await once(server, 'listening')
  return server
}

const stop = async (server: http.Server): Promise<void> => {
  if (!server.listening) return
  server.close()
  server.closeAllConnections()
  await once(server, 'close')
}

/** Of nobody's trust: the browser's door does not ask for any. */
const certificate = (): { readonly key: string; readonly cert: string } => {
  const pem = execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30'],
      ...['-subj', '/CN=privacy testbed', '-keyout', '-'],
    ],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 10_000 },
  )
  const part = (name: string): string => {
    const end = `-----END ${name}-----`
    return pem.slice(pem.indexOf(`-----BEGIN ${name}-----`), pem.indexOf(end) + end.length)
  }
  return { key: part('PRIVATE KEY'), cert: part('CERTIFICATE') }
}
