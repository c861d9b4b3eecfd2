/** Files that a server hands out by the path of a request alone. */
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { posix } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { judgeModule } from '../../../engine/judge.ts'
import { collectContext, serveCase } from '../../testing/collecting.ts'
import { caseContext } from '../../testing/judge-cases.ts'
import type { CrawlFacts } from '../crawl/facts.ts'
import { crawlOf } from '../insertion-points/testing/probing.ts'
import { injection } from './module.ts'
import { askAliases, askFolders, foldersToAsk } from './probes/folders.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** Files of the kernel that everybody may read; others are not there. */
const fileAt = (path: string): Buffer | null =>
  ['/proc/version', '/proc/filesystems', '/sys/kernel/notes'].includes(path) ? readFileSync(path) : null

/** What the path of a request line leads to, of a server whose files lie in /srv/www; null where it hands out none. */
type Serve = (path: string) => string | null

const under =
  (folder: string, decoded: (rest: string) => string): Serve =>
  (path) =>
    path.startsWith(folder) ? posix.join('/srv/www', decoded(path)) : null

const servers: readonly (readonly [name: string, serve: Serve, found: readonly string[]])[] = [
  ['takes the path as it is', under('/', (path) => path), ['../ in the path']],
  ['decodes it behind the folder', under('/lib/js/', decodeURIComponent), ['../ in the path']],
  [
    'refuses what leads out, and decodes then',
    (path) => (path.includes('../') ? null : under('/lib/', decodeURIComponent)(path)),
    ['..%2f in the path'],
  ],
  [
    'looks for two points, and decodes then',
    (path) => (path.includes('..') ? null : under('/lib/', decodeURIComponent)(path)),
    ['%2e%2e/ in the path'],
  ],
  [
    'decodes twice',
    (path) =>
      decodeURIComponent(path).includes('../')
        ? null
        : under('/lib/', (one) => decodeURIComponent(decodeURIComponent(one)))(path),
    ['..%252f in the path'],
  ],
  [
    'cuts two points between slashes, and takes backslashes for slashes then',
    under('/lib/', (path) => {
      const parts = decodeURIComponent(path).split('/')
      return parts
        .filter((one) => one !== '..')
        .join('/')
        .replaceAll('\\', '/')
    }),
    ['..%5c in the path'],
  ],
  [
    'takes what leads up out of it once',
    (path) => under('/lib/', (one) => one.replaceAll('../', ''))(path),
    ['....// in the path'],
  ],
  [
    'joins it as a path of its own',
    (path) => (path.startsWith('/lib/') && !path.includes('..') ? posix.resolve('/srv/www/lib', path.slice(5)) : null),
    ['path from the root in the path'],
  ],
  [
    'decodes, and stays in its folder',
    (path) => {
      const file = posix.join('/srv/www', decodeURIComponent(path))
      return file.startsWith('/srv/www/') ? file : null
    },
    [],
  ],
]

const crawled = (folders: readonly string[]): CrawlFacts => {
  const row = {
    url: 'http://shop.test/',
    status: 200,
    contentType: 'text/html',
    title: '',
    depth: 0,
    source: 'link',
  } as const
  return { ...crawlOf([]), urls: [row], folders: folders.map((path) => `http://shop.test${path}`) }
}

const judged = (folders: Awaited<ReturnType<typeof askFolders>>, crawl: CrawlFacts) => {
  const facts = {
    ...{ points: [], left: 0, leftAlone: {}, unread: [], cut: null },
    ...{ sessionLost: false, listened: false, folders },
  }
  const { findings, coverage } = judgeModule(injection as never, facts, { crawl } as never, caseContext())
  return { findings, state: coverage.find(({ check_id }) => check_id === 'injection/path-traversal')?.state }
}

const scan = async (
  serve: Serve,
  sends: (file: Buffer, response: ServerResponse) => void,
  ...patience: readonly { first: number; again: number }[]
) => {
  const site = await serveCase(179, {
    http: (request: IncomingMessage, response: ServerResponse) => {
      const path = serve((request.url ?? '').replace(/\?.*$/, ''))
      const file = path === null ? null : fileAt(path)
      if (file) sends(file, response)
      else response.writeHead(404).end('not here')
    },
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'injection', requests: 500 })
  cleanups.push(close)
  const crawl = crawled(['/lib/js/', '/pictures/'])
  const folders = await askFolders(ctx, crawl, ...patience)
  return { folders, ...judged(folders, crawl) }
}

const whole = (file: Buffer, response: ServerResponse): void => void response.writeHead(200).end(file)

describe('a server that hands out the files of folders', () => {
  it.each(servers)('%s', async (_name, serve, found) => {
    const { folders, findings, state } = await scan(serve, whole)
    expect([...new Set(folders.hits.map(({ flavour }) => flavour))]).toEqual(found)
    expect(findings.map(({ check_id, confidence }) => `${check_id} ${confidence}`)).toEqual(
      found.map(() => 'injection/path-traversal confirmed'),
    )
    expect(state).toBe(found.length > 0 ? 'fail' : 'pass')
    for (const { proof } of findings)
      expect(proof?.replay).toMatch(/^curl -isk --path-as-is 'http:\/\/shop\.test[^']+'$/)
  })

  it('sends by the length of a file, of which the kernel says none', async () => {
    const byLength = (file: Buffer, response: ServerResponse): void =>
      void response.writeHead(200).end(file.includes('GNU\0') ? file : file.subarray(0, 1))
    const { findings } = await scan(servers[0]?.[1] ?? (() => null), byLength)
    expect(findings).toHaveLength(1)
    expect(findings[0]?.detail).toContain('/sys/kernel/notes was shown twice')
  })

  it('says the length of a file that the kernel makes up, and sends more', async () => {
    const bySystem = (file: Buffer, response: ServerResponse): void =>
      void response.writeHead(200, { 'Content-Length': file.includes('GNU\0') ? file.length : 0 }).end(file)
    const { findings } = await scan(servers[0]?.[1] ?? (() => null), bySystem)
    expect(findings.map(({ confidence }) => confidence)).toEqual(['confirmed'])
  })

  it('shows the same words for whatever it is asked', async () => {
    const { findings, state } = await scan(
      () => '/proc/version',
      (_file, response) => void response.writeHead(200).end('Linux version 6.1 nodev\tproc'),
    )
    expect(findings).toEqual([])
    expect(state).toBe('pass')
  })
})

describe('a folder whose name leads to files that lie elsewhere', () => {
  /** Folders of a disk that are led to with a slash behind them; `maps` says where on the disk a path lies. */
  const serving = async (maps: (path: string) => string) => {
    const site = await serveCase(179, {
      http: (request: IncomingMessage, response: ServerResponse) => {
        const path = (request.url ?? '').replace(/\?.*$/, '')
        const isFolder = ['/srv/app/lib', '/srv/app/lib/js'].includes(posix.normalize(maps(path)))
        if (isFolder) response.writeHead(301, { Location: `http://shop.test${path}/` }).end()
        else response.writeHead(404).end('not here')
      },
    })
    cleanups.push(site.close)
    const { ctx, close } = collectContext(site.address, { module: 'injection', requests: 500 })
    cleanups.push(close)
    const crawl = crawled(['/lib/js/'])
    return judged(await askFolders(ctx, crawl, undefined, undefined, await askAliases(ctx, crawl)), crawl)
  }

  it('is proven where two points behind the name lead one folder up', async () => {
    const alias = (path: string) => (path.startsWith('/lib') ? `/srv/app/lib/${path.slice('/lib'.length)}` : '/none')
    const { findings, state } = await serving(alias)
    expect(findings.map(({ check_id, confidence }) => `${check_id} ${confidence}`)).toEqual([
      'injection/path-traversal confirmed',
    ])
    expect(findings[0]?.proof?.replay).toBe("curl -isk --path-as-is 'http://shop.test/lib../lib'")
    expect(state).toBe('fail')
  })

  it.each([
    ['with its slash', (path: string) => (path.startsWith('/lib/') ? `/srv/app/lib/${path.slice(5)}` : '/none')],
    ['where every path is led to one with a slash', () => '/srv/app/lib'],
    ['where the last part alone says which folder', (path: string) => `/srv/app/lib/${path.split('/').at(-1)}`],
  ])('is none %s', async (_how, maps) => {
    const { findings, state } = await serving(maps)
    expect(findings).toEqual([])
    expect(state).toBe('pass')
  })
})

it('what the server of the whole site hands out is one flaw, also where a part of a path was asked', async () => {
  const { folders } = await scan(
    under('/', (path) => path),
    whole,
  )
  const [hit] = folders.hits
  const at = { url: 'http://shop.test/notes.txt', method: 'GET', place: 'path', name: '1', seenOn: [] } as const
  const facts = {
    ...{ left: 0, leftAlone: {}, unread: [], cut: null, sessionLost: false, listened: false, folders },
    points: [{ at, hits: [hit], end: 'tested', requests: 9 }],
  }
  const { findings } = judgeModule(injection as never, facts as never, { crawl: crawled([]) } as never, caseContext())
  expect(findings).toHaveLength(1)
  expect(findings[0]?.places?.length).toBeGreaterThan(1)
})

it('one way out of two folders is one flaw, whichever of the files has proven it', () => {
  const files = [{ path: '/proc/version', mark: 'Linux', payload: '/', excerpt: 'Linux', replay: 'curl' }]
  const hit = { kind: 'traversal', proof: 'file', files: [...files, ...files], controlShows: false } as const
  const folders = {
    ...{ known: 2, asked: 2 },
    hits: [
      { ...hit, flavour: '../ in the path', folder: 'http://shop.test/docs/' },
      { ...hit, flavour: '../ in the path, sent by its length', folder: 'http://shop.test/' },
    ],
  }
  const facts = {
    points: [],
    left: 0,
    leftAlone: {},
    unread: [],
    cut: null,
    sessionLost: false,
    listened: false,
    folders,
  }
  const { findings } = judgeModule(injection as never, facts as never, { crawl: crawled([]) } as never, caseContext())
  expect(findings.map(({ places }) => places?.length)).toEqual([2])
})

it('a folder that does not answer was not asked', async () => {
  const { findings, state } = await scan(
    (path) => (path.startsWith('/lib/') ? '/proc/version' : null),
    (_file, response) => void response.destroy(),
  )
  expect(findings).toEqual([])
  expect(state).toBe('inconclusive')
})

it('a way that hangs is waited for once, and for a moment in every folder after that', async () => {
  const waited: number[] = []
  const { folders, findings, state } = await scan(
    (path) => (path.includes('/%2e%2e/') ? '/proc/version' : null),
    (_file, response) => {
      const since = performance.now()
      response.on('close', () => waited.push(performance.now() - since))
    },
    { first: 1_500, again: 200 },
  )
  expect(folders).toMatchObject({ known: 4, asked: 0 })
  expect(waited.length).toBeGreaterThanOrEqual(4)
  expect(waited.filter((milliseconds) => milliseconds > 1_000)).toHaveLength(1)
  expect(findings).toEqual([])
  expect(state).toBe('not_tested')
})

it('folders that had no turn are counted, and pass for nothing', async () => {
  const site = await serveCase(179, { http: (_request, response) => void response.writeHead(404).end('not here') })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'injection', requests: 10 })
  cleanups.push(close)
  const crawl = crawled(['/lib/'])
  const folders = await askFolders(ctx, crawl, undefined, () => true)
  expect(folders).toMatchObject({ asked: 0, hits: [] })
  expect(folders.known).toBeGreaterThan(0)
  expect(judged(folders, crawl).state).toBe('not_tested')
})

it('one folder of each that may have a server of its own, the root last', () => {
  const folders = ['/assets/js/lib/', '/assets/js/app/', '/assets/css/', '/themes/1/', '/themes/2/', '/users/delete/']
  expect(foldersToAsk(crawled(folders)).map((url) => new URL(url).pathname)).toEqual([
    '/assets/',
    '/assets/js/lib/',
    '/assets/css/',
    '/themes/',
    '/themes/1/',
    '/',
  ])
})
