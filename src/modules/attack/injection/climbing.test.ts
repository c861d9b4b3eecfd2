/** Archives and names of uploads that climb out of their folder. Real servers, and their safe twins. */
import { createReadStream, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, dirname, join, normalize } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { RequestTemplate } from '../crawl/facts.ts'
import { inventoryOf } from '../insertion-points/inventory.ts'
import { crawlOf, pointOf } from '../insertion-points/testing/probing.ts'
import { askArchives } from './probes/archives.ts'
import { kindTaken } from './probes/upload.ts'
import { askUploadNames } from './probes/upload-names.ts'
import { bodyOf, cleanups, close, scan } from './testing/asides.ts'

afterEach(close)

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

const UNWRITABLE = '/may/not/write'

describe('a field that takes archives', () => {
  const unpacking = async (
    path: (folder: string, name: string) => string | null,
    environment: 'test' | 'production' = 'test',
    refuses: number | null = null,
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
        if (refuses !== null) return void response.writeHead(refuses).end('No archives')
        const written: string[] = []
        for (const [name, content] of entriesOf(await bodyOf(request))) {
          const to = path(folder, name)
          if (to === UNWRITABLE) return void response.writeHead(500).end('java.nio.file.AccessDeniedException')
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

  it('and fails over what lies further up than it may write is found one folder up', async () => {
    const { found, state } = await unpacking((folder, name) =>
      name.includes('../../') ? UNWRITABLE : join(folder, name),
    )
    expect([found, state]).toEqual([['injection/archive-traversal confirmed'], 'fail'])
  })

  it.each([
    ['leaves folders out', (folder: string, name: string) => join(folder, basename(name)), null],
    [
      'leaves entries out that climb',
      (folder: string, name: string) => (name.includes('..') ? null : join(folder, name)),
      null,
    ],
    ['takes none', () => null, 415],
    [
      'keeps the first alone, without its folders',
      (folder: string, name: string) => (/^q/.test(name) && !name.includes('..') ? join(folder, name) : null),
      null,
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
    expect((await unpacking(path, 'test', null, answer)).found).toEqual(expected)
  })

  it('and shows nowhere what became of them is not found to be safe by that', async () => {
    expect((await unpacking(() => null)).state).toBe('inconclusive')
  })

  it.each([404, 405, 403, 500])('and answers all with status %d is not found to be safe by that', async (status) => {
    expect((await unpacking(() => null, 'test', status)).state).toBe('inconclusive')
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
    refusal = 400,
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
        if (to === null || !normalize(to).startsWith(root)) return void response.writeHead(refusal).end('No')
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

  it.each([404, 401, 500])('and answers all with status %d is not found to be safe by that', async (status) => {
    expect((await keeping(() => null, 'test', false, false, status)).state).toBe('inconclusive')
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
