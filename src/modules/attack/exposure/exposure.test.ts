import type { createServer } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { judgeModule } from '../../../engine/judge.ts'
import type { BlockPage } from '../../../page/block-page.ts'
import { collect as collectSite } from '../../passive/site/collect.ts'
import { collectContext, serveCase } from '../../testing/collecting.ts'
import { caseContext } from '../../testing/judge-cases.ts'
import { caseSite } from '../../testing/site-facts.ts'
import type { CrawlFacts } from '../crawl/facts.ts'
import { caseCrawl } from '../crawl/testing/crawl-facts.ts'
import { collectExposure } from './collect.ts'
import type { ExposureFacts } from './facts.ts'
import { exposure } from './module.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

type Listener = NonNullable<Parameters<typeof createServer>[1]>

const look = async (last: number, http: Listener, blockPage: BlockPage | null = null, crawl?: CrawlFacts) => {
  const site = await serveCase(last, { http })
  cleanups.push(site.close)
  const { ctx, evidence, close } = collectContext(site.address, {
    module: 'exposure',
    requests: 600,
    cookie: 'sid=0123456789abcdef',
  })
  cleanups.push(close)
  const known = await collectSite(ctx)
  const facts = await collectExposure(ctx, known, { blockPage, crawl })
  const judged = judgeModule(exposure, facts, { site: caseSite() }, caseContext())
  return {
    facts,
    evidence,
    ids: judged.findings.map(({ check_id, location }) => `${check_id} ${new URL(location.url ?? '').pathname}`),
    judged,
  }
}

const files =
  (found: Readonly<Record<string, string>>, otherwise: Listener): Listener =>
  (request, response) => {
    const body = found[request.url ?? '']
    if (body === undefined) return otherwise(request, response)
    return response.writeHead(200, { 'Content-Type': request.url === '/' ? 'text/html' : 'text/plain' }).end(body)
  }
const missing: Listener = (_request, response) => response.writeHead(404).end('no')
const everything: Listener = (_request, response) =>
  response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><div id=root></div>')

const PROFILER = '<!DOCTYPE html><html><head><title>Symfony Profiler</title></head><body>Token not found'

describe('exposed files', () => {
  const lying = {
    '/': '<link rel=stylesheet href=/app/site.css><a href=/x.php>x</a>',
    '/x.php': 'x',
    '/.env': 'APP_KEY=base64:abcdefgh12345678\n',
    '/app/.git/HEAD': 'ref: refs/heads/main\n',
    '/shop.test.sql': 'CREATE TABLE users (id int);\nINSERT INTO users VALUES (1);\n',
    '/metrics': '# HELP a b\n# TYPE a counter\n',
  }

  it.each([
    ['beside pages that are not found', 110, missing],
    ['beside an application that answers everything', 111, everything],
  ] as const)('are found by their content, %s', async (_name, last, otherwise) => {
    const { ids, evidence, judged } = await look(last, files(lying, otherwise))
    expect(ids).toEqual([
      'exposure/credentials /.env',
      'exposure/database-dump /shop.test.sql',
      'exposure/repository /app/.git/HEAD',
      'exposure/server-status /metrics',
    ])
    const shown = JSON.stringify([judged, evidence.map(({ body }) => String(body))])
    expect(shown).not.toContain('abcdefgh12345678')
    expect(judged.findings.every(({ confidence }) => confidence === 'confirmed')).toBe(true)
  })

  it.each([
    ['in its own folder alone', 113, missing, ['exposure/debug-console /_profiler/latest']],
    ['everywhere', 114, (_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(PROFILER), []],
  ] as readonly (readonly [string, number, Listener, readonly string[]])[])(
    'a program that answers every name %s',
    async (_name, last, otherwise, expected) => {
      const { ids } = await look(last, (request, response) => {
        if (request.url?.startsWith('/_profiler/'))
          return response.writeHead(200, { 'Content-Type': 'text/html' }).end(PROFILER)
        if (request.url === '/') return response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>Hello')
        return otherwise(request, response)
      })
      expect(ids).toEqual(expected)
    },
  )

  it('a server that gives the same file for every name has none', async () => {
    const { facts, ids } = await look(112, (request, response) =>
      request.url === '/'
        ? response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>Hello')
        : response
            .writeHead(200, { 'Content-Type': 'text/plain' })
            .end('# HELP x y\nref: refs/heads/main\nAPP_SECRET=1234\n'),
    )
    expect(facts.candidates.length).toBeGreaterThan(0)
    expect(ids).toEqual([])
  })

  it('a file that is gone the second time is none', async () => {
    let asked = 0
    const { ids } = await look(113, (request, response) => {
      if (request.url !== '/.env') return files({ '/': '<p>Hello' }, missing)(request, response)
      asked += 1
      return asked === 1 ? response.end('DB_PASSWORD=abc123\n') : response.writeHead(404).end()
    })
    expect(ids).toEqual([])
  })

  it('a wall in front of everything is said, not called clean', async () => {
    const { judged } = await look(
      114,
      files({ '/': '<p>Hello' }, (_request, response) => response.writeHead(403).end('blocked')),
    )
    expect(new Set(judged.coverage.map(({ state }) => state))).toEqual(new Set(['blocked']))
  })

  it('what the firewall keeps from us is blocked, the rest is looked at', async () => {
    const text = 'Your request looked odd and was stopped. Ask the owner of this site.'
    const { judged } = await look(
      117,
      files({ '/': '<p>Hello' }, (request, response) =>
        request.url?.includes('/.git/') ? response.end(text) : response.writeHead(404).end('no'),
      ),
      { status: 200, title: '', text },
    )
    const blocked = judged.coverage.filter(({ state }) => state === 'blocked').map(({ check_id }) => check_id)
    expect(blocked).toEqual(['exposure/repository'])
    expect(judged.coverage.filter(({ state }) => state === 'pass').length).toBeGreaterThan(5)
  })

  it('never sends the credentials of the run', async () => {
    const seen: string[] = []
    await look(115, (request, response) => {
      if (request.headers.cookie && request.url?.includes('.env')) seen.push(request.url)
      files({ '/': '<p>Hello' }, missing)(request, response)
    })
    expect(seen).toEqual([])
  })

  it('of an archive only the beginning is taken', async () => {
    const { facts, ids } = await look(116, (request, response) => {
      if (request.url !== '/backup.zip') return files({ '/': '<p>Hello' }, missing)(request, response)
      response.writeHead(200, { 'Content-Type': 'application/zip', 'Content-Length': 3_000_000 })
      return response.end(Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.alloc(2_999_996)]))
    })
    expect(ids).toEqual(['exposure/site-archive /backup.zip'])
    expect(facts.candidates[0]?.first.size).toBe(4096)
  })
})

it('what was found is kept before the next step, which may come to no end', async () => {
  const site = await serveCase(125, { http: files({ '/': '<p>Hello', '/.env': 'DB_PASSWORD=abc123\n' }, missing) })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'exposure', requests: 600 })
  cleanups.push(close)
  const known = await collectSite(ctx)
  const kept: ExposureFacts[] = []
  const facts = await collectExposure(
    { ...ctx, secondsToEnd: () => (kept.length < 5 ? 60 : 5), soFar: (of) => void kept.push(of() as ExposureFacts) },
    known,
  )
  expect(kept.at(-1)?.candidates.map(({ name }) => name)).toEqual(['an environment file with secrets'])
  expect(facts).toEqual(kept.at(-1))
  // Four times six of them, and nothing passes that was not asked for.
  expect(facts).toMatchObject({ asked: 24, cut: 'time' })
  const { coverage } = judgeModule(exposure, facts, { site: caseSite() }, caseContext())
  const states = Object.fromEntries(coverage.map(({ check_id, state }) => [check_id, state]))
  expect(Object.values(states).filter((state) => state === 'fail')).toEqual(['fail'])
  expect(facts.unasked?.filter((kind) => states[`exposure/${kind}`] === 'pass')).toEqual([])
  expect(states['exposure/site-archive']).toBe('inconclusive')
})

it('copies of the scripts that the crawl has read, also of such as are written within a page', async () => {
  const copies: Readonly<Record<string, string>> = {
    '/': '<p>Hello',
    '/account/orders.php~': '<html><body><?php $rows = all(); ?></body></html>',
    '/account/.cart.php.swp': 'b0VIM 8.2',
    '/stock.bak': '<%@ page import="java.sql.*" %><html>',
    '/account/lib.inc.php.old': 'Moved to <b>lib</b>',
  }
  const url = (path: string) => ({ url: `http://shop.test${path}`, status: 200 })
  const paths = ['/account/orders.php?id=4', '/account/cart.php', '/stock.jsp', '/account/lib.inc.php', '/stock/7']
  const crawl = caseCrawl({ urls: paths.map(url) as unknown as CrawlFacts['urls'] })
  const { ids } = await look(122, files(copies, missing), null, crawl)
  expect(ids.toSorted()).toEqual([
    'exposure/source-code /account/.cart.php.swp',
    'exposure/source-code /account/orders.php~',
    'exposure/source-code /stock.bak',
  ])
})

it('copies by their most usual names of many scripts, by the others of the first', async () => {
  const source = '<?php $rows = all(); ?>'
  const copies = { '/': '<p>Hello', '/p99.php~': source, '/p2.php.orig': source, '/p98.php.orig': source }
  const urls = Array.from({ length: 100 }, (_, at) => ({ url: `http://shop.test/p${at}.php`, status: 200 }))
  const crawl = caseCrawl({ urls: urls as unknown as CrawlFacts['urls'] })
  const { ids } = await look(123, files(copies, missing), null, crawl)
  expect(ids.toSorted()).toEqual(['exposure/source-code /p2.php.orig', 'exposure/source-code /p99.php~'])
})

describe('folders that no page names', () => {
  const DUMP = '-- MySQL dump 10.13\nCREATE TABLE `users` (id int);\n'
  const LIST =
    '<title>Index of /ftp/</title><h1>Index of /ftp/</h1><a href="../">../</a><a href="2026-11/">2026-11/</a><a href="orders.sql">orders.sql</a><a href="release.zip">release.zip</a><a href="site-backup.zip">site-backup.zip</a>'
  const lying: Readonly<Record<string, string>> = {
    '/': '<p>Hello',
    '/ftp/': LIST,
    '/ftp/2026-11/':
      '<title>Index of /ftp/2026-11/</title><h1>Index of /ftp/2026-11/</h1><a href="web.log">web.log</a>',
    '/ftp/2026-11/web.log': '192.0.2.7 - - [04/May/2026:11:00:00 +0000] "GET /cart HTTP/1.1" 200 12\n',
    '/ftp/orders.sql': DUMP,
    '/ftp/release.zip': 'PK\x03\x04',
    '/ftp/site-backup.zip': 'PK\x03\x04',
    '/database/dump.sql': DUMP,
    '/robots.txt': 'User-agent: *\nDisallow: /warehouse\nDisallow: /constructor\n',
    '/constructor/': '<p>A page',
    '/warehouse/': LIST.replaceAll('/ftp/', '/warehouse/'),
    '/warehouse/orders.sql': DUMP,
  }
  const server: Listener = (request, response) => {
    const body = lying[request.url ?? '']
    // A folder that shows nothing.
    if (request.url === '/database/') return response.writeHead(403).end('Forbidden')
    if (body === undefined) return response.writeHead(404).end('no')
    const type = body.startsWith('<')
      ? 'text/html'
      : request.url === '/robots.txt'
        ? 'text/plain'
        : 'application/octet-stream'
    return response.writeHead(200, { 'Content-Type': type }).end(body)
  }

  it('are asked for what they list, and for the usual names where they list nothing', async () => {
    const { ids } = await look(118, server)
    expect(ids.toSorted()).toEqual([
      'exposure/database-dump /database/dump.sql',
      'exposure/database-dump /ftp/orders.sql',
      'exposure/database-dump /warehouse/orders.sql',
      'exposure/log-file /ftp/2026-11/web.log',
      'exposure/site-archive /ftp/site-backup.zip',
    ])
  })

  const many = Array.from({ length: 121 }, (_, at) => `<a href="${at}.sql">${at}.sql</a>`).join('')
  it.each<[string, number, Listener, string]>([
    [
      'a list of more files than are asked for',
      123,
      files({ '/': '<p>Hello' }, (request, response) =>
        request.url === '/ftp/'
          ? response
              .writeHead(200, { 'Content-Type': 'text/html' })
              .end(`<title>Index of /ftp/</title><h1>Index of /ftp/</h1>${many}`)
          : response.writeHead(404).end('no'),
      ),
      'more folders and files were found than are looked into',
    ],
    [
      'folders that do not answer',
      124,
      files({ '/': '<p>Hello' }, (request, response) =>
        request.url?.endsWith('/') ? response.destroy() : response.writeHead(404).end('no'),
      ),
      'most folders that were asked for did not answer',
    ],
  ])('%s is said, not called clean', async (_name, last, otherwise, reason) => {
    const { judged } = await look(last, otherwise)
    const said = judged.coverage.find(({ check_id }) => check_id === 'exposure/database-dump')
    expect(said).toMatchObject({ state: 'inconclusive', reason })
  })

  it.each([
    ['an application that answers every name', 119, everything],
    ['a server that has none', 120, missing],
    ['a wall', 121, ((_request, response) => response.writeHead(403).end('no')) as Listener],
  ])('%s costs no more than the folders themselves', async (_name, last, otherwise) => {
    const seen: string[] = []
    await look(last, (request, response) => {
      seen.push(request.url ?? '')
      return files({ '/': '<p>Hello' }, otherwise)(request, response)
    })
    expect(seen).toContain('/backup/')
    expect(seen.filter((url) => /^\/backup\/./.test(url))).toEqual([])
  })
})

it('coverage says what could not be looked at', () => {
  const facts = { asked: 80, refused: 0, unanswered: 80, folders: [], candidates: [] }
  const { coverage } = judgeModule(exposure, facts, { site: caseSite() }, caseContext())
  expect(new Set(coverage.map(({ state }) => state))).toEqual(new Set(['not_tested']))
})

it.each([
  [null, 'pass'],
  ['the time for it was over', 'inconclusive'],
])('folders that the crawl did not come to may hold files: %s', async (reason, state) => {
  const row = { kind: 'address', fate: 'cut_off', holds: true, reason, count: 4 } as const
  const crawl = caseCrawl({ reach: { rows: [], counts: reason === null ? [] : [row] } })
  const { judged } = await look(123, files({ '/': '<p>Hello' }, missing), null, crawl)
  expect(judged.coverage.find(({ check_id }) => check_id === 'exposure/database-dump')?.state).toBe(state)
})
