/** The pages for people: the browsable interface and what each error code means. Nothing inline, nothing from outside. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { PROBLEM_CODES, PROBLEMS } from '../contract/problem.ts'

interface Page {
  readonly type: string
  readonly load: () => Promise<string | Buffer>
}

const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const HTML = 'text/html; charset=utf-8'
const SCRIPT = 'text/javascript; charset=utf-8'
const STYLE = 'text/css; charset=utf-8'

/** Relative to this file, so that a path prefix of a reverse proxy does no harm. */
const INDEX = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sonde: HTTP interface</title>
<link rel="icon" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="interface"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`
const START = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#interface',
  deepLinking: true,
  validatorUrl: null,
  persistAuthorization: false,
  tryItOutEnabled: false,
})
`
const PROBLEM_STYLE = `body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
h2 { font: 600 1.1rem ui-monospace, monospace; margin: 2rem 0 0 }
h2:target { background: #fff3bf }
p { margin: .3rem 0 }
`

const BLAME = {
  person: 'Change the request, then send it again.',
  policy: "The operator's rules decide this. Ask the operator.",
  us: 'Try again later. If it stays, give the operator the request_id.',
} as const

/** Pure: the page that a problem's `type` leads to. */
const problemsPage = (): string => {
  const sections = PROBLEM_CODES.map((code) => {
    const { status, title, blame } = PROBLEMS[code]
    return `<h2 id="${code}">${code}</h2>\n<p>HTTP ${status}. ${title}.</p>\n<p>${BLAME[blame]}</p>`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sonde: error codes</title>
<link rel="stylesheet" href="problems.css">
</head>
<body>
<h1>Error codes</h1>
<p>Every error is a problem document (RFC 9457) with one of these in <code>code</code>.</p>
${sections.join('\n')}
</body>
</html>
`
}

const asset = (name: string) => async (): Promise<Buffer> => {
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  return readFile(join(folder, name))
}
const text = (content: string) => async (): Promise<string> => content

const PAGES: Readonly<Record<string, Page>> = {
  '/docs': { type: HTML, load: text(INDEX) },
  '/docs/start.js': { type: SCRIPT, load: text(START) },
  '/docs/swagger-ui.css': { type: STYLE, load: asset('swagger-ui.css') },
  '/docs/swagger-ui-bundle.js': { type: SCRIPT, load: asset('swagger-ui-bundle.js') },
  '/docs/favicon-32x32.png': { type: 'image/png', load: asset('favicon-32x32.png') },
  '/docs/problems': { type: HTML, load: text(problemsPage()) },
  '/docs/problems.css': { type: STYLE, load: text(PROBLEM_STYLE) },
}
export const DOC_PATHS: readonly string[] = Object.keys(PAGES)

export const registerDocs = (app: FastifyInstance): void => {
  for (const [url, page] of Object.entries(PAGES)) {
    let content: string | Buffer | null = null
    app.get(url, async (_, reply) => {
      content ??= await page.load()
      return reply
        .type(page.type)
        .headers({ 'Content-Security-Policy': CSP, 'Cache-Control': 'public, max-age=300' })
        .send(content)
    })
  }
}
