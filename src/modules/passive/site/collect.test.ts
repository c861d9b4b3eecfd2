import type { RequestListener } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { collectContext, serveCase } from '../../testing/collecting.ts'
import { collect } from './collect.ts'
import { followChain } from './redirects.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const html = (body: string) => `<!doctype html><html lang="en"><title>Shop</title>${body}</html>`
const to =
  (location: string): RequestListener =>
  (_request, response) =>
    response.writeHead(301, { Location: location }).end()

/** Serves the given paths as HTML and answers 404 for all others. */
const pages =
  (paths: Readonly<Record<string, string | RequestListener>>): RequestListener =>
  (request, response) => {
    const page = paths[request.url ?? '']
    if (typeof page === 'function') return page(request, response)
    response.writeHead(page === undefined ? 404 : 200, { 'Content-Type': 'text/html; charset=utf-8' })
    return response.end(html(page ?? 'not here'))
  }

let last = 1
const visit = async (
  servers: { readonly http?: RequestListener; readonly https?: RequestListener },
  change: Parameters<typeof collectContext>[1] = {},
) => {
  last += 1
  const site = await serveCase(last, servers)
  cleanups.push(site.close)
  const { ctx, evidence, close } = collectContext(site.address, change)
  cleanups.push(close)
  return { facts: await collect(ctx), evidence, address: site.address }
}

describe('a healthy site', () => {
  it('is entered over https, with its pages, reloads and missing paths', async () => {
    let loads = 0
    const { facts, evidence, address } = await visit({
      http: to('https://shop.test/'),
      https: pages({
        '/': (_request, response) => {
          loads += 1
          response.writeHead(200, { 'Content-Type': 'text/html', 'X-Load': String(loads) })
          response.end(
            html(
              '<a href=/about>About</a><a href=/login>Sign in</a><a href=/logout>Sign out</a><a href=/a.pdf>pdf</a>',
            ),
          )
        },
        '/about': 'About us',
        '/login': '<form method=post><input type=password name=p></form>',
        '/logout': 'You are out',
      }),
    })
    expect(facts).toMatchObject({
      addresses: [address],
      baseUrl: 'https://shop.test/',
      http: { finalUrl: 'https://shop.test/', error: null },
      https: { finalUrl: 'https://shop.test/', hops: [{ status: 200, location: null }] },
    })
    expect(facts.http.hops.map((hop) => [hop.url, hop.status])).toEqual([
      ['http://shop.test/', 301],
      ['https://shop.test/', 200],
    ])
    expect(facts.pages.map((page) => [page.url, page.kind, page.depth])).toEqual([
      ['https://shop.test/', 'plain', 0],
      ['https://shop.test/login', 'login', 1],
      ['https://shop.test/about', 'plain', 1],
    ])
    expect(facts.pages[0]?.certificateError).toContain('SELF_SIGNED')
    expect(
      new Set([facts.pages[0], ...facts.reloads].map((page) => page?.headers.find(([name]) => name === 'X-Load')?.[1]))
        .size,
    ).toBe(3)
    expect(facts.missing.map((page) => page.status)).toEqual([404, 404])
    const start = evidence.find((file) => file.filename === 'start.txt')
    expect(String(start?.body)).toMatch(
      /^# GET https:\/\/shop\.test\/\n[\s\S]+\nGET \/ HTTP\/1\.1\n[\s\S]+\nHTTP\/1\.1 200 OK\n[\s\S]+About/,
    )
  })

  it('without https is entered over http', async () => {
    const { facts } = await visit({ http: pages({ '/': 'Hello' }) })
    expect(facts).toMatchObject({
      baseUrl: 'http://shop.test/',
      https: { error: { code: 'unreachable' }, finalUrl: null },
    })
  })

  it('on the port it was registered with', async () => {
    const { facts } = await visit({ http: pages({ '/': 'Hello' }) }, { port: 80 })
    expect(facts.pages.map((page) => page.status)).toEqual([200])
  })

  it('at its www. sibling', async () => {
    const { facts } = await visit({
      https: (request, response) => {
        if (request.headers.host === 'shop.test') to('https://www.shop.test/home')(request, response as never)
        else pages({ '/home': '<a href=/x>x</a>', '/x': 'x' })(request, response)
      },
    })
    expect(facts.pages.map((page) => page.url)).toEqual(['https://www.shop.test/home', 'https://www.shop.test/x'])
  })
})

describe('a site that begins elsewhere', () => {
  const begun = { options: { start_paths: ['/wiki/', '/logout'] } }
  const wiki = {
    '/wiki/': '<a href=/wiki/page>A page</a><a href=/>Start</a>',
    '/wiki/page': 'A page',
    '/logout': 'Out',
  }

  it('shows the pages that its operator names and those that they lead to, before those of its start page', async () => {
    const { facts } = await visit({ http: pages({ '/': '<a href=/about>About</a>', '/about': 'Us', ...wiki }) }, begun)
    const seen = facts.pages.map(({ url, depth }) => [new URL(url).pathname, depth])
    expect(seen).toEqual(['/', '/wiki/', '/wiki/page', '/about'].map((path) => [path, path === '/' ? 0 : 1]))
  })

  it('may refuse its start page to the credentials of the run', async () => {
    const refused: RequestListener = (_request, response) => response.writeHead(403).end('No list of this folder')
    const site = { http: pages({ '/': refused, ...wiki }) }
    const { facts } = await visit(site, { ...begun, cookie: 'sid=1' })
    expect(facts.pages.map(({ url }) => new URL(url).pathname)).toEqual(['/', '/wiki/', '/wiki/page'])
    await expect(visit(site, { cookie: 'sid=1' })).rejects.toMatchObject({ kind: 'auth_rejected' })
  })
})

describe('redirects', () => {
  it('that leave the host end the chain without a page', async () => {
    const { facts } = await visit({ https: to('https://other.test/') })
    expect(facts).toMatchObject({ baseUrl: 'https://shop.test/', pages: [], https: { finalUrl: null, error: null } })
    expect(facts.https.hops).toMatchObject([{ status: 301, location: 'https://other.test/' }])
  })

  it('that leave the host on https alone leave the page on http', async () => {
    const { facts } = await visit({ http: pages({ '/': 'Hello' }), https: to('https://other.test/') })
    expect(facts.pages.map((page) => page.url)).toEqual(['http://shop.test/'])
  })

  it('without end are cut', async () => {
    const { facts } = await visit({ http: pages({ '/': 'Hello' }), https: to('/') })
    expect(facts.https).toMatchObject({ finalUrl: null, error: { message: 'more than 10 redirects' } })
    expect(facts.https.hops).toHaveLength(11)
  })

  it('that are slow are given up', async () => {
    last += 1
    const site = await serveCase(last, {
      http: (_request, response) => void setTimeout(() => response.writeHead(302, { Location: '/' }).end(), 60),
    })
    cleanups.push(site.close)
    const { ctx, close } = collectContext(site.address)
    cleanups.push(close)
    const chain = await followChain(ctx.egress, 'http://shop.test/', {
      inSite: () => true,
      authenticated: true,
      keepCookies: true,
      time: 100,
      signal: ctx.signal,
    })
    expect(chain).toMatchObject({ last: null, error: { code: 'timeout' } })
    expect(chain.hops.length).toBeLessThan(5)
  })

  it('that ask for a cookie get it', async () => {
    const { facts } = await visit({
      http: (request, response) => {
        if (request.headers.cookie === 'seen=1')
          return response.writeHead(200, { 'Content-Type': 'text/html' }).end(html('in'))
        return response.writeHead(302, { Location: '/', 'Set-Cookie': 'seen=1; Path=/' }).end()
      },
    })
    expect(facts.pages[0]?.status).toBe(200)
  })

  it('of linked pages count once, and not at all off the host', async () => {
    const { facts } = await visit({
      http: pages({
        '/': '<a href=/a>a</a><a href=/b>b</a><a href=/c>c</a><a href=/feed>d</a>',
        '/a': to('/b') as RequestListener,
        '/b': 'b',
        '/c': to('http://other.test/') as RequestListener,
        '/feed': (_request, response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}'),
      }),
    })
    expect(facts.pages.map((page) => page.url)).toEqual(['http://shop.test/', 'http://shop.test/b'])
  })
})

describe('credentials', () => {
  it('stay off http where https answers', async () => {
    const seen: string[] = []
    const record =
      (scheme: string): RequestListener =>
      (request, response) => {
        if (request.headers.cookie) seen.push(scheme)
        response.writeHead(200, { 'Content-Type': 'text/html' }).end(html('<a href=/bye>Log out</a>'))
      }
    const { facts } = await visit({ http: record('http'), https: record('https') }, { cookie: 'sid=0123456789abcdef' })
    expect(new Set(seen)).toEqual(new Set(['https']))
    expect(facts.pages[0]?.kind).toBe('authenticated')
  })

  it('that the host refuses fail the run', async () => {
    const https: RequestListener = (_request, response) => response.writeHead(401).end()
    await expect(visit({ https }, { cookie: 'sid=0123456789abcdef' })).rejects.toMatchObject({ kind: 'auth_rejected' })
  })
})

describe('no target', () => {
  it.each([
    ['nobody listens', {}, 'target_unreachable'],
    ['the guard refuses', { allowNetworks: [] }, 'target_refused'],
    ['no such name', { host: 'nowhere.test' }, 'target_unresolvable'],
  ])('%s', async (_name, change, kind) => {
    await expect(visit({}, change)).rejects.toMatchObject({ kind })
  })
})

describe('a run that signs in', () => {
  it('looks at what nobody is shown too, where that is something else', async () => {
    const asksWho = '<h1>Who are you?</h1><form method=post><input type=password name=p></form>'
    const { facts } = await visit(
      {
        http: (request, response) => {
          const isIn = request.headers.cookie?.includes('sid=1') === true
          if (request.url === '/' && !isIn) return to('/in')(request, response)
          return pages({ '/': 'Your orders', '/in': isIn ? 'You are in' : asksWho })(request, response)
        },
      },
      { cookie: 'sid=1' },
    )
    expect(facts.pages.map(({ url }) => url)).toEqual(['http://shop.test/'])
    expect(facts.asNobody).toMatchObject([{ url: 'http://shop.test/in', kind: 'login' }])
  })

  it('and finds nothing else where everybody is shown the same', async () => {
    const site = { http: pages({ '/': 'Welcome to the shop' }) }
    const { facts } = await visit(site, { cookie: 'sid=1' })
    expect(facts).not.toHaveProperty('asNobody')
  })
})
