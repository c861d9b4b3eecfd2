/** What a server leads to by the path of a request alone. */
import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { judgeModule } from '../../../../engine/judge.ts'
import { collectContext, serveCase } from '../../../testing/collecting.ts'
import { caseContext } from '../../../testing/judge-cases.ts'
import { crawlOf } from '../../insertion-points/testing/probing.ts'
import { xss } from '../module.ts'
import { askServerPaths, noServerPaths } from './server-paths.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const row = { status: 200, contentType: 'text/html', title: '', depth: 0, source: 'link' } as const
const crawl = {
  ...crawlOf([]),
  urls: [
    ...['http://shop.test/', 'http://shop.test/guide/start.html'].map((url) => ({ ...row, url })),
    { ...row, url: 'http://shop.test/old/plan.html', status: 302 },
  ],
}

/** `leads`: what the server writes as Location for a path, null where it leads nowhere. */
const scan = async (leads: (path: string) => string | null) => {
  const asked: string[] = []
  const site = await serveCase(178, {
    http: (request, response: ServerResponse) => {
      const path = request.url ?? ''
      asked.push(path)
      const to = leads(path)
      if (to === null) return void response.writeHead(404).end()
      // As it comes: what the head is made of is the server's own affair.
      response.socket?.end(`HTTP/1.1 301 Moved\r\nLocation: ${to}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
    },
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'xss', requests: 100 })
  cleanups.push(close)
  const serverPaths = await askServerPaths(ctx, crawl)
  const facts = {
    ...{ points: [], left: 0, leftAlone: {}, unread: [], cut: null, sessionLost: false, browser: null, blind: null },
    stored: { planted: 0, pages: 0, hits: [] },
    dom: { pages: 0, left: 0, hits: [] },
    serverPaths,
  }
  const { findings } = judgeModule(xss as never, facts, { crawl } as never, caseContext())
  return { asked, findings, serverPaths }
}

/** Whether the path, read as one of files, is that of a folder that is there. */
const isFolder = (path: string): boolean => {
  const { pathname } = new URL(`http://shop.test/x/${path.replaceAll('//', '/').replace(/^\//, '')}`)
  return ['/x/', '/x/guide'].includes(pathname.replace(/\/$/, '') + (pathname === '/x/' ? '/' : ''))
}

describe('a server that leads to the same path with a slash behind it', () => {
  it.each([
    ['whatever it is', (path: string) => (path.endsWith('/') ? null : `${path}/`), true],
    [
      'where its decoded form is a folder',
      (path: string) => (isFolder(decodeURIComponent(path)) ? `${path}/` : null),
      true,
    ],
    ['decoded', (path: string) => (path.endsWith('/') ? null : `${decodeURIComponent(path)}/`), true],
    ['or without the one behind it', (path: string) => (/.\/$/.test(path) ? path.slice(0, -1) : null), true],
    ['with one slash at its beginning', (path: string) => `/${path.replace(/^(?:\/|%2f|%5c)+/i, '')}/`, false],
    ['with its own name', (path: string) => `http://shop.test${path}/`, false],
    ['never', () => null, false],
  ])('%s', async (_how, leads, found) => {
    const { findings, asked, serverPaths } = await scan(leads)
    const redirects = findings.filter(({ check_id }) => check_id === 'xss/open-redirect')
    expect(redirects.map(({ confidence, location }) => [confidence, location.parameter])).toEqual(
      found ? [['confirmed', 'path']] : [],
    )
    expect(serverPaths.asked).toBe(1)
    expect(asked.length).toBeLessThanOrEqual(16)
    for (const { proof } of redirects) expect(proof?.replay).toMatch(/^curl -isk --path-as-is 'http:\/\/shop\.test\//)
  })
})

it('a server that leads on by what it has decoded lets lines into its head', async () => {
  const { findings } = await scan((path) => `https://www.shop.test${decodeURIComponent(path)}`)
  expect(findings.map(({ check_id, confidence }) => `${check_id} ${confidence}`)).toEqual([
    'xss/header-injection confirmed',
  ])
})

it('a server that leads on from one folder alone, by what it has decoded, lets lines into its head there', async () => {
  const { findings } = await scan((path) =>
    path.startsWith('/old/') ? `https://www.shop.test/new${decodeURIComponent(path)}` : null,
  )
  expect(findings.map(({ check_id, location }) => [check_id, location.url])).toEqual([
    ['xss/header-injection', 'http://shop.test/old/'],
  ])
})

it('where the time was over, neither check passes', () => {
  const facts = {
    ...{ points: [], left: 0, leftAlone: {}, unread: [], cut: null, sessionLost: false, browser: null, blind: null },
    points: [{ at: { url: 'http://shop.test/', method: 'GET', place: 'query', name: 'q' }, end: 'tested', hits: [] }],
    stored: { planted: 0, pages: 0, hits: [] },
    dom: { pages: 0, left: 0, hits: [] },
  }
  const statesOf = (serverPaths: object) => {
    const { coverage } = judgeModule(
      xss as never,
      { ...facts, serverPaths } as never,
      { crawl } as never,
      caseContext(),
    )
    return ['xss/open-redirect', 'xss/header-injection'].map(
      (id) => coverage.find(({ check_id }) => check_id === id)?.state,
    )
  }
  expect(statesOf({ asked: 1, left: 0, hits: [] })).toEqual(['pass', 'pass'])
  expect(statesOf(noServerPaths(crawl))).toEqual(['inconclusive', 'inconclusive'])
})

it('a site that does not answer was not asked', async () => {
  const { ctx, close } = collectContext('127.0.0.177', { module: 'xss', requests: 100 })
  cleanups.push(close)
  expect(await askServerPaths(ctx, crawl)).toEqual({ asked: 0, left: 1, hits: [] })
})
