/** What is asked beside places: archives that are uploaded, names with a null byte, prototypes of objects. Real servers, and their safe twins. */
import { createReadStream, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, dirname, join, normalize } from 'node:path'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, it } from 'vitest'
import { judgeModule } from '../../../engine/judge.ts'
import { collectContext, serveCase } from '../../testing/collecting.ts'
import { caseContext } from '../../testing/judge-cases.ts'
import type { CrawlFacts, RequestTemplate } from '../crawl/facts.ts'
import { inventoryOf } from '../insertion-points/inventory.ts'
import { createProber } from '../insertion-points/prober.ts'
import { SHARED } from '../insertion-points/shared.ts'
import { crawlOf, pointOf } from '../insertion-points/testing/probing.ts'
import type { InjectionFacts } from './facts.ts'
import { injection } from './module.ts'
import { askArchives } from './probes/archives.ts'
import { askNullBytes } from './probes/null-byte.ts'
import { askPrototypes } from './probes/prototypes.ts'
import { kindTaken } from './probes/upload.ts'
import { askUploadNames } from './probes/upload-names.ts'

const cleanups: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const row = (path: string, status = 200, contentType = 'text/html') => ({
  ...{ url: `http://shop.test${path}`, status, contentType, title: '', depth: 1, source: 'link' as const },
})

const scan = async (
  http: RequestListener,
  crawl: CrawlFacts,
  environment: 'test' | 'production',
  ask: (
    ctx: ReturnType<typeof collectContext>['ctx'],
    prober: ReturnType<typeof createProber>,
  ) => Promise<Partial<InjectionFacts>>,
) => {
  const site = await serveCase(179, { http })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'injection', requests: 1_000 })
  cleanups.push(close)
  const on = { ...ctx, target: { ...ctx.target, environment } }
  const prober = createProber(ctx.egress, ctx.scope.of(SHARED), null)
  const none = { points: [], left: 0, leftAlone: {}, unread: [], cut: null, sessionLost: false, listened: false }
  const facts = { ...none, ...(await ask(on, prober)) }
  const { findings, coverage } = judgeModule(injection as never, facts, { crawl } as never, caseContext())
  return {
    found: findings.map(({ check_id, confidence }) => `${check_id} ${confidence}`),
    stateOf: (check: string) => coverage.find(({ check_id }) => check_id === check)?.state,
    said: findings.map(({ detail }) => detail).join(' '),
  }
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let body = ''
  for await (const chunk of request.setEncoding('latin1')) body += chunk
  return body
}

/** Names and contents of entries that are stored as they are (APPNOTE 4.3.7). */
const entriesOf = (body: string): readonly (readonly [name: string, content: string])[] => {
  const bytes = Buffer.from(body, 'latin1')
  const entries: [string, string][] = []
  for (let at = bytes.indexOf('PK\x03\x04'); at >= 0; at = bytes.indexOf('PK\x03\x04', at + 4)) {
    const [size, length] = [bytes.readUInt32LE(at + 18), bytes.readUInt16LE(at + 26)]
    const begin = at + 30 + length + bytes.readUInt16LE(at + 28)
    entries.push([bytes.subarray(at + 30, at + 30 + length).toString(), bytes.subarray(begin, begin + size).toString()])
  }
  return entries
}

describe('a field that takes archives', () => {
  const unpacking = async (
    path: (folder: string, name: string) => string | null,
    environment: 'test' | 'production' = 'test',
    refuses = false,
    answer?: (folder: string, written: readonly string[]) => string,
  ) => {
    const root = mkdtempSync(join(tmpdir(), 'sonde-archives-'))
    cleanups.push(() => rmSync(root, { recursive: true }))
    const folder = join(root, 'files/kept/in')
    mkdirSync(folder, { recursive: true })
    let posts = 0
    const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const { pathname } = new URL(request.url ?? '/', 'http://shop.test')
      if (request.method === 'POST') {
        posts += 1
        if (refuses) return void response.writeHead(415).end('No archives')
        const written: string[] = []
        for (const [name, content] of entriesOf(await bodyOf(request))) {
          const to = path(folder, name)
          if (to === null || !normalize(to).startsWith(root)) continue
          mkdirSync(dirname(to), { recursive: true })
          writeFileSync(to, content)
          written.push(to)
        }
        if (answer) return void response.end(answer(folder, written))
        return void response.end('Thank you. <a href="/files/kept/in/note.txt">Your files</a>')
      }
      const file = join(root, pathname)
      if (!answer && pathname.startsWith('/files/') && existsSync(file) && /\.txt$/.test(pathname))
        return void createReadStream(file).pipe(response)
      response.writeHead(pathname === '/import' ? 200 : 404, { 'Content-Type': 'text/html' }).end('A form')
    }
    const crawl = crawlOf([pointOf('a', 'file', 'pack')])
    const form: Partial<RequestTemplate> = {
      ...{ method: 'POST', url: 'http://shop.test/import', encoding: 'multipart', bound: 40, source: 'form' },
      fields: [{ name: 'pack', value: '', type: 'file' }],
    }
    const known = { ...crawl, requests: crawl.requests.map((one) => ({ ...one, ...form })) }
    const scanned = await scan(
      (request, response) => void handle(request, response),
      known,
      environment,
      async (ctx, prober) => ({ archives: await askArchives(ctx, inventoryOf(known), prober.at) }),
    )
    return { found: scanned.found, state: scanned.stateOf('injection/archive-traversal'), posts }
  }

  it('and writes where their names lead is found', async () => {
    const { found, state } = await unpacking((folder, name) => join(folder, name))
    expect([found, state]).toEqual([['injection/archive-traversal confirmed'], 'fail'])
  })

  it.each([
    ['leaves folders out', (folder: string, name: string) => join(folder, basename(name)), false],
    [
      'leaves entries out that climb',
      (folder: string, name: string) => (name.includes('..') ? null : join(folder, name)),
      false,
    ],
    ['takes none', () => null, true],
    [
      'keeps the first alone, without its folders',
      (folder: string, name: string) => (/^q/.test(name) && !name.includes('..') ? join(folder, name) : null),
      false,
    ],
  ])('and %s is safe', async (_how, path, refuses) => {
    const { found, state } = await unpacking(path, 'test', refuses)
    expect([found, state]).toEqual([[], 'pass'])
  })

  it.each([
    [
      'says where it wrote above its folder is found by that',
      (folder: string, name: string) => join(folder, name),
      (_folder: string, written: readonly string[]) => JSON.stringify({ ok: true, output: written.join(', ') }),
      ['injection/archive-traversal firm'],
    ],
    [
      'says where it wrote in its folder is safe',
      (folder: string, name: string) => (name.includes('..') ? null : join(folder, name)),
      (_folder: string, written: readonly string[]) => JSON.stringify({ ok: true, output: written.join(', ') }),
      [],
    ],
    [
      'says what it refused is not found by that',
      (folder: string, name: string) => join(folder, name),
      (_folder: string, written: readonly string[]) => `Outside of the folder: ${written.join(', ')}`,
      [],
    ],
    [
      'repeats their names is not',
      (folder: string, name: string) => join(folder, basename(name)),
      (folder: string, written: readonly string[]) =>
        written.map((file) => `${folder}/../${basename(file)}`).join('\n'),
      [],
    ],
  ])('and %s', async (_how, path, answer, expected) => {
    expect((await unpacking(path, 'test', false, answer)).found).toEqual(expected)
  })

  it('and shows nowhere what became of them is not found to be safe by that', async () => {
    expect((await unpacking(() => null)).state).toBe('inconclusive')
  })

  it('of a production system is sent none', async () => {
    const { state, posts } = await unpacking((folder, name) => join(folder, name), 'production')
    expect([state, posts]).toEqual(['not_tested', 0])
  })
})

describe('a field that keeps files by their names', () => {
  const keeping = async (
    path: (folder: string, name: string) => string | null,
    environment: 'test' | 'production' = 'test',
    one = false,
    beside = false,
  ) => {
    const root = mkdtempSync(join(tmpdir(), 'sonde-names-'))
    cleanups.push(() => rmSync(root, { recursive: true }))
    const folder = join(root, 'files/kept')
    mkdirSync(folder, { recursive: true })
    let [posts, last] = [0, '']
    const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const { pathname } = new URL(request.url ?? '/', 'http://shop.test')
      if (request.method === 'POST') {
        posts += 1
        const body = await bodyOf(request)
        const [, sent = '', content = ''] = /filename="([^"]*)"\r\n[^\r]*\r\n\r\n([\s\S]*?)\r\n--/.exec(body) ?? []
        const name = beside ? (/name="label"\r\n\r\n([^\r]*)\r\n/.exec(body)?.[1] ?? '') : sent
        const to = path(folder, name)
        if (to === null || !normalize(to).startsWith(root)) return void response.writeHead(400).end('No')
        if (one && last !== '') rmSync(last)
        last = to
        writeFileSync(to, content)
        if (beside) return void response.end(`Kept as ${normalize(to)}`)
        return void response.end('Kept. <img src="/files/kept/any.gif">')
      }
      const file = join(root, pathname)
      if (/^\/files\/.*\.pdf$/.test(pathname) && existsSync(file)) return void createReadStream(file).pipe(response)
      response
        .writeHead(pathname === '/photo' ? 200 : 404, { 'Content-Type': 'text/html' })
        .end('<form><input type=file name=photo accept=".pdf"></form>')
    }
    const crawl = crawlOf([pointOf('a', 'file', 'photo'), pointOf('a', 'multipart', 'label', 'Robin')])
    const form: Partial<RequestTemplate> = {
      ...{ method: 'POST', url: 'http://shop.test/photo', encoding: 'multipart', bound: 40, source: 'form' },
      fields: [
        { name: 'photo', value: '', type: 'file' },
        { name: 'label', value: 'Robin', type: 'text' },
      ],
    }
    const known = { ...crawl, requests: crawl.requests.map((request) => ({ ...request, ...form })) }
    const scanned = await scan(
      (request, response) => void handle(request, response),
      known,
      environment,
      async (ctx, prober) => ({
        uploadNames: await askUploadNames(ctx, inventoryOf(known), prober.at, (point) => kindTaken(ctx, point)),
      }),
    )
    return { found: scanned.found, state: scanned.stateOf('injection/upload-name-traversal'), posts }
  }

  it('and writes where they lead is found', async () => {
    const { found, state } = await keeping((folder, name) => join(folder, name))
    expect([found, state]).toEqual([['injection/upload-name-traversal confirmed'], 'fail'])
  })

  it.each([
    ['leaves folders out', (folder: string, name: string) => join(folder, basename(name)), false],
    [
      'refuses those that climb',
      (folder: string, name: string) => (name.includes('..') ? null : join(folder, name)),
      false,
    ],
    [
      'leaves folders out, and keeps the last alone',
      (folder: string, name: string) => join(folder, basename(name)),
      true,
    ],
    ['takes none', () => null, false],
  ])('and %s is safe', async (_how, path, one) => {
    expect(await keeping(path, 'test', one)).toMatchObject({ found: [], state: 'pass' })
  })

  it.each([
    [
      'writes where they lead',
      (folder: string, name: string) => join(folder, name),
      ['injection/upload-name-traversal firm'],
    ],
    ['leaves folders out', (folder: string, name: string) => join(folder, basename(name)), []],
  ])('and of names in a field beside it %s', async (_how, path, expected) => {
    expect((await keeping(path, 'test', false, true)).found).toEqual(expected)
  })

  it('and gives them other names is not found to be safe by that', async () => {
    const { found, state } = await keeping((folder, name) => join(folder, `${name.length}.pdf`))
    expect([found, state]).toEqual([[], 'inconclusive'])
  })

  it('of a production system is sent none', async () => {
    const { state, posts } = await keeping((folder, name) => join(folder, name), 'production')
    expect([state, posts]).toEqual(['not_tested', 0])
  })
})

describe('a folder that hands out some kinds of files', () => {
  const FILES: Readonly<Record<string, string>> = { 'plans.md': 'Plans', 'users.bak': 'robin:4711' }
  const asking = async (fileOf: (segment: string) => string | null) => {
    const handle: RequestListener = (request, response) => {
      const segment = /^\/kept\/([^/?]+)$/.exec(request.url ?? '')?.[1]
      const name = segment === undefined ? null : fileOf(segment)
      if (name === null) response.writeHead(403).end('Only .md and .pdf files are handed out')
      else if (FILES[name] === undefined) response.writeHead(404).end('There is none')
      else response.end(FILES[name])
    }
    const crawl = {
      ...crawlOf([]),
      urls: [row('/kept/plans.md'), row('/kept/users.bak', 403), row('/kept/none.bak', 404)],
    }
    const { found, stateOf, said } = await scan(handle, crawl, 'production', async (ctx) => ({
      nullBytes: await askNullBytes(ctx, crawl),
    }))
    return { found, state: stateOf('injection/null-byte'), said }
  }
  const isAllowed = (name: string): boolean => /\.(?:md|pdf)$/.test(name)

  it.each([
    ['decodes once more behind the check', (name: string) => (isAllowed(name) ? (name.split('%00')[0] ?? '') : null)],
    [
      'ends the name as what is written in C does',
      (name: string) => (isAllowed(name) ? (name.split('\0')[0] ?? '') : null),
    ],
  ])('and %s is found', async (_how, fileOf) => {
    const { found, said } = await asking((segment) => fileOf(decodeURIComponent(segment)))
    expect(found).toEqual(['injection/null-byte confirmed'])
    expect(said).toMatch(/users\.bak is refused, and handed out as \/kept\/users\.bak%/)
  })

  it('and takes names as they are is safe', async () => {
    const { found, state } = await asking((segment) => (isAllowed(decodeURIComponent(segment)) ? segment : null))
    expect([found, state]).toEqual([[], 'pass'])
  })

  it('and answers every name with one page is safe', async () => {
    const { found, state } = await asking((segment) => (isAllowed(decodeURIComponent(segment)) ? 'plans.md' : null))
    expect([found, state]).toEqual([[], 'pass'])
  })
})

describe('a body of JSON that is merged', () => {
  /** In a realm of its own, whose objects the merge may change without harm to the test. */
  const merging = (merge: string, shown: string) => `
    const merge = ${merge}
    const settings = { spaces: undefined }
    const kept_ = {}
    const list_ = []
    const kept = JSON.stringify({ theme: 'green', panel: { open: true } })
    const answer = (method, body) => {
      const own = merge(JSON.parse(kept), method === 'POST' ? JSON.parse(body) : {})
      return ${shown}
    }
    answer`
  const DEEP = `(a, b, skip = []) => { for (const k in b) { if (skip.includes(k)) continue; if (b[k] && typeof b[k] === 'object' && a[k] && (typeof a[k] === 'object' || typeof a[k] === 'function')) merge(a[k], b[k], skip); else a[k] = b[k] } return a }`
  const INDENTED = `JSON.stringify({ saved: true }, null, settings['json spaces'])`

  const asking = async (merge: string, shown: string, environment: 'test' | 'production' = 'test') => {
    const answer = runInNewContext(merging(merge, shown)) as (method: string, body: string) => string
    const bodies: string[] = []
    const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const body = await bodyOf(request)
      if (request.method === 'POST') bodies.push(body)
      response.setHeader('Content-Type', 'application/json')
      try {
        response.end(answer(request.method ?? '', body))
      } catch (error) {
        response.writeHead(500).end(JSON.stringify({ error: String(error) }))
      }
    }
    const crawl = crawlOf([pointOf('a', 'json', '/theme', 'dark'), pointOf('a', 'json', '/panel/open', 'false')])
    const body = JSON.stringify({ theme: 'dark', panel: { open: false } })
    const form = { method: 'POST', url: 'http://shop.test/prefs', encoding: 'json', body, bound: 40 } as const
    const known = {
      ...crawl,
      urls: [row('/status', 200, 'application/json')],
      requests: crawl.requests.map((one) => ({ ...one, ...form })),
    }
    const scanned = await scan(
      (request, response) => void handle(request, response),
      known,
      environment,
      async (ctx, prober) => ({ prototypes: await askPrototypes(ctx, known, inventoryOf(known), prober.at) }),
    )
    return { found: scanned.found, state: scanned.stateOf('injection/prototype-pollution'), said: scanned.said, bodies }
  }

  it.each([
    ['shows in what is merged next', DEEP, 'JSON.stringify(own)'],
    ['shows in how answers are written', DEEP, INDENTED],
    ['goes by the constructor alone', DEEP.replace('skip = []', "skip = ['__proto__']"), INDENTED],
  ])('into the prototype is found where it %s, and set back', async (_where, merge, shown) => {
    const { found, said, bodies } = await asking(merge, shown)
    expect(found).toEqual(['injection/prototype-pollution confirmed'])
    expect(said).toContain('set to 0')
    expect(bodies.findLast((body) => body.includes('json spaces'))).toContain('"json spaces":0')
  })

  it.each([
    ['by known members', `(a, b) => ({ ...a, theme: b.theme })`, 'JSON.stringify(own)'],
    [
      'without the names of prototypes',
      DEEP.replace('skip = []', "skip = ['__proto__', 'constructor', 'prototype']"),
      INDENTED,
    ],
    ['into a copy by its own members', '(a, b) => Object.assign({}, a, b)', INDENTED],
    [
      'and kept as it was sent, to be shown',
      `(a, b) => Object.assign(kept_, { last: JSON.stringify(b) })`,
      `(method === 'POST' && (list_.push(body)), '[' + list_.join(',') + ']')`,
    ],
    ['and repeated whole', '(a, b) => b', `method === 'POST' ? body : '{"saved":true}'`],
  ])('%s is safe', async (_how, merge, shown) => {
    const { found, state } = await asking(merge, shown)
    expect([found, state]).toEqual([[], 'pass'])
  })

  it('on a production system is not asked', async () => {
    const { state, bodies } = await asking(DEEP, INDENTED, 'production')
    expect([state, bodies]).toEqual(['not_tested', []])
  })
})
