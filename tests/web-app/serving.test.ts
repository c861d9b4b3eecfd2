/** How the application comes over the wire: its page for people, problem documents for programs, and its weight. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openApi, type TestApi } from '../support/api.ts'
import { builtWebApp } from '../support/web-app.ts'

let api: TestApi
let folder = ''
beforeAll(async () => {
  folder = await builtWebApp()
  api = await openApi({ webFolder: folder })
}, 120_000)
afterAll(() => api?.close())

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'accept-encoding': 'gzip, deflate, br' }
const get = (url: string, headers: Readonly<Record<string, string>> = BROWSER) =>
  api.send('GET', url, { secret: null, headers })

describe('the page', () => {
  test.each(['/', '/runs', '/runs/x/findings/y', '/domains', '/settings/keys', '/sign-in?next=/runs'])(
    '%s is the application',
    async (url) => {
      const response = await get(url)
      expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    },
  )

  test('an unknown address shows it to a browser, as a 404', async () => {
    const response = await get('/nothing')
    expect([response.statusCode, response.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
  })

  test.each([
    ['/v1/nothing', BROWSER],
    ['/v1/runs', BROWSER],
    ['/files', BROWSER],
    ['/assets/nothing.js', BROWSER],
    ['/nothing', { accept: '*/*' }],
    ['/runs', { accept: 'application/json' }],
  ])('%s stays a problem document (%j)', async (url, headers) => {
    const response = await get(url, headers)
    expect(response.statusCode).toBe(404)
    expect(response.json().code).toBe('not_found')
  })

  test('a change is never answered with it', async () => {
    const response = await api.send('POST', '/runs', { secret: null, headers: BROWSER })
    expect(response.json().code).toBe('not_found')
  })

  test('the frame of a page waits for nothing but the page, and the style sheet of everything stands below it', async () => {
    const { body } = await get('/', { accept: 'text/html' })
    const sheets = [...body.matchAll(/<link rel="stylesheet"[^>]*href="([^"]+)"/g)]
    expect(sheets.map(([, path]) => path)).toEqual([expect.stringMatching(/^\/assets\//)])
    expect(body.indexOf('<div class="early"')).toBeGreaterThan(body.indexOf('<style>'))
    expect(body.indexOf('<div class="early"')).toBeLessThan(sheets[0]?.index ?? 0)
    // A script of a file that is no module would be waited for.
    expect(body).not.toMatch(/<script(?![^>]*type="module")[^>]*\bsrc=/)
    // The first packets of a connection carry ten times as much (RFC 6928).
    expect((await get('/')).rawPayload.length).toBeLessThan(2_500)
  })

  test('what is not on its way with the page is asked for in few files, all at once', async () => {
    const { body } = await get('/', { accept: 'text/html' })
    const wanted = [...body.matchAll(/(?:modulepreload"|type="module") crossorigin (?:href|src)="([^"]+)"/g)]
    expect(wanted.length).toBeGreaterThan(1)
    expect(wanted.length).toBeLessThanOrEqual(4)
  })

  test('its policy lets nothing in from outside, and nothing inline but what it names by its hash', async () => {
    const { headers, body } = await get('/', { accept: 'text/html' })
    const policy = String(headers['content-security-policy'])
    for (const part of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "trusted-types 'none'"])
      expect(policy).toContain(part)
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    const inline = [...body.matchAll(/<(script|style)>(.*?)<\/\1>/gs)]
    expect(inline.map(([, element]) => element)).toEqual(['style', 'script'])
    for (const [, element, text = ''] of inline)
      expect(policy).toMatch(
        new RegExp(
          `${element}-src 'self' ${RegExp.escape(`'sha256-${createHash('sha256').update(text).digest('base64')}'`)};`,
        ),
      )
    expect(body).not.toMatch(/<(?:script|style)(?! type="module" crossorigin src=)[^>]+>|\son\w+=|\sstyle=/)
    expect(headers['cache-control']).toBe('no-cache')
  })

  test('what stands in the page is known by its text, byte for byte', async () => {
    const { inlineOf } = await import('../../src/api/web-app.ts')
    // Of the standard's own example (CSP Level 3, 8.1.2).
    expect(inlineOf("<script>alert('Hello, world.');</script><script src='x'>no</script>")).toEqual({
      scripts: ["'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='"],
      styles: [],
    })
  })

  test('with a bucket, pictures of evidence may come from there and nothing else may', async () => {
    const { webPolicy } = await import('../../src/api/web-app.ts')
    const policy = webPolicy('https://files.example')
    expect(policy).toContain("img-src 'self' blob: data: https://files.example;")
    expect(policy.match(/https:/g)).toHaveLength(1)
  })
})

describe('its files', () => {
  const assets = (): string[] => readdirSync(join(folder, 'assets'))

  test('are kept for ever, as their names change with their content', async () => {
    const name = assets().find((file) => file.endsWith('.js')) ?? ''
    const response = await get(`/assets/${name}`)
    expect(response.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  })

  test.each([
    ['br', 'gzip, br'],
    ['gzip', 'gzip'],
    ['gzip', 'gzip, br;q=0'],
    [undefined, 'identity'],
  ])('come packed as %s to whoever takes %s', async (encoding, accepted) => {
    const name = assets().find((file) => /^vendor-.*\.js$/.test(file)) ?? ''
    const response = await get(`/assets/${name}`, { accept: '*/*', 'accept-encoding': accepted })
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-encoding']).toBe(encoding)
    expect(response.headers.vary).toBe('Accept-Encoding')
  })

  test('the first load of every page is under 205 kB of script, packed with gzip, in German, too', () => {
    const entry = /src="\/assets\/([^"]+)"/.exec(readFileSync(join(folder, 'index.html'), 'utf8'))?.[1] ?? ''
    const german = readdirSync(join(folder, 'assets')).find((name) => /^de-.*\.js$/.test(name)) ?? ''
    const first = new Set(namesIn(entry, NEEDED))
    const pages = namesIn(entry, NAMED).filter((name) => !first.has(name))
    expect(pages.length).toBeGreaterThan(5)
    const weights = pages.map((page) =>
      [...withNeeds([entry, german, page])].reduce((sum, name) => sum + packed(`assets/${name}`), 0),
    )
    expect(Math.min(...weights)).toBeGreaterThan(50_000)
    expect(Math.max(...weights)).toBeLessThan(205_000)
  })

  const packed = (file: string): number => {
    const path = join(folder, file)
    return readdirSync(join(folder, 'assets')).includes(`${file.slice(7)}.gz`)
      ? readFileSync(`${path}.gz`).length
      : readFileSync(path).length
  }
  /** Scripts that one names: to be loaded with it, or at all. */
  const NEEDED = /(?:from|import)\s*["'`]\.\/([\w~-]+\.js)["'`]/g
  const NAMED = /["'`]\.\/([\w~-]+\.js)["'`]/g
  const namesIn = (name: string, pattern: RegExp): readonly string[] => [
    ...new Set(
      [...readFileSync(join(folder, 'assets', name), 'utf8').matchAll(pattern)].map((match) => match[1] ?? ''),
    ),
  ]
  const withNeeds = (names: readonly string[], known: Set<string> = new Set()): Set<string> => {
    for (const name of names) {
      if (known.has(name)) continue
      known.add(name)
      withNeeds(namesIn(name, NEEDED), known)
    }
    return known
  }
})
