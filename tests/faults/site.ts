/** A small real site on loopback with something to find for most modules, so that what a fault costs the others would show. */
import type { RequestListener } from 'node:http'
import { type CaseServers, serveCase } from '../../src/modules/testing/collecting.ts'

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><title>${title}</title>
  <nav><a href="/">Home</a> <a href="/search?q=tent">Search</a> <a href="/item?id=7">Item</a> <a href="/about">About</a> <a href="/map">Map</a></nav>
  <main>${body} Tents, packs and stoves for everybody who walks far.</main></html>`

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** Cookies without flags, an error message of MySQL for a quote in `id`, an echo of `q`, a file of version control. */
const listener: RequestListener = (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop.test')
  const html = (title: string, body: string, status = 200): void => {
    response.writeHead(status, {
      'Content-Type': 'text/html; charset=utf-8',
      'Set-Cookie': 'session=abc123def456',
      Server: 'Apache/2.4.10',
      'X-Powered-By': 'PHP/5.6.40',
    })
    response.end(page(title, body))
  }
  if (pathname === '/') return html('Shop', '<form action="/search"><input name="q" value="tent"></form>')
  if (pathname === '/about') return html('About', '<!-- TODO: remove the test account --> Since 1998.')
  if (pathname === '/search') return html('Search', `You looked for ${escaped(searchParams.get('q') ?? '')}.`)
  if (pathname === '/item') {
    const id = searchParams.get('id') ?? ''
    const broken = (id.split("'").length - 1) % 2 === 1
    if (broken) return html('Item', "You have an error in your SQL syntax near ''' at line 1")
    return html('Item', `Item ${/^\d+/.exec(id)?.[0] ?? 'unknown'}.`)
  }
  // A script for the crawl's browser to run.
  if (pathname === '/map')
    return html('Map', '<p id=map></p><script>fetch("/about").then(() => { map.textContent = "Here" })</script>')
  if (pathname === '/.git/HEAD') return void response.writeHead(200).end('ref: refs/heads/main\n')
  return html('Not found', 'Nothing here.', 404)
}

export const serveFaultSite = (last: number): Promise<CaseServers> =>
  serveCase(last, { http: listener, https: listener })
