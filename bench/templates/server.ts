/** A site that answers plausibly: a home page, a log-in, an interface, and a friendly page for what is not there. */
import { createServer } from 'node:http'

const words =
  'shop cart order price delivery account help contact about terms privacy news offer brand size colour'.split(' ')
const paragraph = (seed: number): string =>
  `<p>${Array.from({ length: 60 }, (_, at) => words[(seed * 7 + at * 13) % words.length]).join(' ')}</p>`
const page = (title: string, paragraphs: number): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title><meta name="generator" content="WordPress 6.5.2"><link rel="stylesheet" href="/assets/site.css"></head><body><nav>${words
    .map((word) => `<a href="/${word}">${word}</a>`)
    .join(
      '',
    )}</nav>${Array.from({ length: paragraphs }, (_, at) => paragraph(at)).join('')}<script src="/assets/jquery-3.4.1.min.js"></script></body></html>`

const HOME = page('A shop', 60)
const MISSING = page('Not found', 20)
const LOGIN = `<!doctype html><title>Log in</title><form method="post"><input name="username"><input type="password" name="password"><input type="hidden" name="csrf" value="0123456789abcdef"></form>`

const server = createServer((request, response) => {
  const path = (request.url ?? '/').split('?')[0]
  const send = (status: number, type: string, body: string): void => {
    response.writeHead(status, { server: 'nginx/1.22.1', 'content-type': type, 'x-powered-by': 'PHP/8.1.2' })
    response.end(body)
  }
  request.resume()
  if (path === '/') send(200, 'text/html; charset=utf-8', HOME)
  else if (path === '/login' || path === '/wp-login.php') send(200, 'text/html', LOGIN)
  else if (path === '/api/status') send(200, 'application/json', '{"status":"ok","version":"1.4.2"}')
  else if (path === '/robots.txt') send(200, 'text/plain', 'User-agent: *\nDisallow: /account\n')
  else if (path === '/admin') {
    response.writeHead(302, { location: '/login' })
    response.end()
  } else send(404, 'text/html; charset=utf-8', MISSING)
})
server.listen(0, process.argv[2], () => {
  const address = server.address()
  process.send?.(typeof address === 'object' ? address?.port : null)
})
