/** The web application's files, and its one page for every address that is its own. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** What stands in the page itself, by the sources that a policy names it by (CSP Level 3, "hash-source"). */
export interface Inline {
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
}

/** Of elements without attributes: a script of another type, or one of a file, is none of these. */
export const inlineOf = (page: string): Inline => {
  const hashes = (element: string): string[] =>
    [...page.matchAll(new RegExp(`<${element}>(.*?)</${element}>`, 'gs'))].map(
      ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
    )
  return { scripts: hashes('script'), styles: hashes('style') }
}

/** Nothing inline but what it names by its hash, nothing from outside; pictures of evidence may lie in the operator's bucket. */
export const webPolicy = (fileOrigin: string | null, inline: Inline = { scripts: [], styles: [] }): string =>
  [
    "default-src 'none'",
    ["script-src 'self'", ...inline.scripts].join(' '),
    ["style-src 'self'", ...inline.styles].join(' '),
    "font-src 'self'",
    `img-src 'self' blob: data:${fileOrigin === null ? '' : ` ${fileOrigin}`}`,
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

const PERMISSIONS =
  'accelerometer=(), browsing-topics=(), camera=(), display-capture=(), fullscreen=(), geolocation=(), gyroscope=(), ' +
  'microphone=(), payment=(), usb=(), clipboard-write=(self)'

interface File {
  readonly type: string
  readonly body: Buffer
  /** Made at the build; null where it would not pay. */
  readonly gzip: Buffer | null
  readonly brotli: Buffer | null
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
}

export interface WebApp {
  readonly register: (app: FastifyInstance) => void
  /** Sends the page when a person's browser asks for an address that is not the interface's; false otherwise. */
  readonly page: (request: FastifyRequest, reply: FastifyReply) => boolean
}

/** Reads the whole build once: it is about a megabyte. Throws when the folder has no index.html. */
export const openWebApp = (folder: string, fileOrigin: string | null): WebApp => {
  const files = readFiles(folder)
  const index = files.get('/index.html')
  if (index === undefined) throw new Error(`${folder} holds no index.html: npm run build:web makes it`)
  const policy = webPolicy(fileOrigin, inlineOf(index.body.toString('utf8')))

  const send = (request: FastifyRequest, reply: FastifyReply, file: File, hashed: boolean): FastifyReply => {
    const [encoding, body] = encoded(file, request.headers['accept-encoding'])
    return reply
      .type(file.type)
      .headers({
        'Cache-Control': hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
        Vary: 'Accept-Encoding',
        ...(encoding === null ? {} : { 'Content-Encoding': encoding }),
        'Cross-Origin-Resource-Policy': 'same-origin',
        ...(file.type.startsWith('text/html')
          ? {
              'Content-Security-Policy': policy,
              'Cross-Origin-Opener-Policy': 'same-origin',
              'Permissions-Policy': PERMISSIONS,
              'X-Frame-Options': 'DENY',
            }
          : {}),
      })
      .send(body)
  }

  return {
    register: (app) => {
      for (const [path, file] of files) {
        if (path === '/index.html') continue
        app.get(path, (request, reply) => send(request, reply, file, path.startsWith('/assets/')))
      }
    },
    page: (request, reply) => {
      if (request.method !== 'GET' && request.method !== 'HEAD') return false
      const path = request.url.split('?', 1)[0] ?? ''
      if (!wantsPage(request) || RESERVED.test(path)) return false
      reply.code(OWN.test(path) ? 200 : 404)
      send(request, reply, index, false)
      return true
    },
  }
}

/** The interface's own: their absence is a problem document, whoever asks. */
const RESERVED = /^\/(?:v1|files|docs|assets|healthz|readyz|metrics|openapi\.json)(?:\/|$)/
/** Addresses that the application has a page for; it has one for every other too, which says so. */
const OWN = /^\/(?:$|(?:sign-in|findings|runs|batches|hypotheses|domains|settings)(?:\/|$))/

/** Programs say application/json or anything; a browser that shows a page says text/html. The bare address shows it to all. */
const wantsPage = (request: FastifyRequest): boolean =>
  /\btext\/html\b/.test(request.headers.accept ?? '') || /^\/(?:\?|$)/.test(request.url)

const encoded = (file: File, accepted: string | string[] | undefined): [string | null, Buffer] => {
  const names = String(accepted ?? '')
    .split(',')
    .filter((part) => !/;\s*q=0(?:\.0*)?\s*$/.test(part))
    .map((part) => part.split(';')[0]?.trim().toLowerCase())
  if (file.brotli !== null && names.includes('br')) return ['br', file.brotli]
  if (file.gzip !== null && names.includes('gzip')) return ['gzip', file.gzip]
  return [null, file.body]
}

const readFiles = (folder: string): ReadonlyMap<string, File> => {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.') && !/\.(?:gz|br)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  const packed = (path: string): Buffer | null => (existsSync(path) ? readFileSync(path) : null)
  return new Map(
    paths.map((path) => [
      `/${relative(folder, path).split(sep).join('/')}`,
      {
        type: TYPES[extname(path)] ?? 'application/octet-stream',
        body: readFileSync(path),
        gzip: packed(`${path}.gz`),
        brotli: packed(`${path}.br`),
      },
    ]),
  )
}
