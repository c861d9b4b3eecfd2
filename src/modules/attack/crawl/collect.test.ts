import type { IncomingMessage, RequestListener } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { collect as collectSite } from '../../passive/site/collect.ts'
import { collectContext, serveCase } from '../../testing/collecting.ts'
import { ANY_COOKIE } from '../insertion-points/points.ts'
import { collectCrawl } from './collect.ts'
import { type Answer, cleanups, closeCrawled, crawl, json, paths } from './testing/crawling.ts'

afterEach(closeCrawled)

describe('exclude patterns', () => {
  it('are kept to by site and crawl, however the address is written, and listed as left out', async () => {
    const { facts, seen } = await crawl(
      {
        '/': '<a href=/ok>1</a><a href=/private/a>2</a><a href="/ok/../%70rivate/b">3</a><a href="/ok?do=wipe-all&x=1">4</a><form action=/private/find><input name=q></form><form method=post action=/private/search><input name=q></form>',
        '/ok': '<a href=/gone>5</a>',
        '/gone': { status: 302, headers: { Location: '/private/c' } },
        '/robots.txt': { type: 'text/plain', body: 'User-agent: *\nDisallow: /private/d\nSitemap: /private/map.xml' },
      },
      { exclude: ['/private', '/**?do=wipe*'] },
    )
    expect(paths(facts)).toEqual(expect.arrayContaining(['/', '/ok', '/gone']))
    expect(seen.filter((line) => /private|wipe/i.test(line))).toEqual([])
    expect(facts.leftOut['excluded by a pattern']).toBeGreaterThanOrEqual(3)
    const posted = facts.requests.find(({ method, url }) => method === 'POST' && url.endsWith('/private/search'))
    expect(posted).toMatchObject({ sent: false, harm: 'excluded by a pattern' })
  })

  it('that name everything leave the start page alone', async () => {
    const { facts, seen } = await crawl({ '/': '<a href=/one>1</a>', '/one': 'one' }, { exclude: ['/'] })
    expect(paths(facts)).toEqual(['/'])
    expect([...new Set(seen)]).toEqual(['GET /'])
  })
})

describe('a static crawl', () => {
  it('finds what pages, scripts, maps, sitemaps, robots and documents name', async () => {
    const { facts } = await crawl({
      '/': '<a href=/one>1</a><script src=/app.js></script><script src="/made?for=me"></script><script src="/file.js?v=3"></script><div data-url="/data-page"></div><!-- <a href="/old-page">x</a> --><form action=/find><input name=q></form>',
      '/one': '<meta http-equiv=refresh content="0;url=/two"><iframe src=/framed></iframe>',
      '/two': { status: 302, headers: { Location: '/three?id=7' } },
      '/three': 'three',
      '/framed': 'framed',
      '/data-page': 'data',
      '/old-page': 'old',
      '/find': 'found nothing',
      '/app.js': {
        type: 'text/javascript',
        body: "import('./lazy.js');fetch('/api/items?limit=5');fetch('/api/save',{method:'POST',body:JSON.stringify({name:'x'})})\n//# sourceMappingURL=app.js.map",
      },
      '/lazy.js': { type: 'text/javascript', body: "location.href = 'by-lazy?of=' + x" },
      '/by-lazy': 'lazy',
      '/app.js.map': json({
        version: 3,
        sources: ['a.ts'],
        sourcesContent: ["get<Item[]>('/api/from-map')"],
        mappings: '',
      }),
      '/api/items': json([{ self: '/api/items/1' }]),
      '/api/items/1': json({}),
      '/api/from-map': json({}),
      '/robots.txt': { type: 'text/plain', body: 'Disallow: /hidden\nSitemap: http://shop.test/map-index.xml' },
      '/hidden': 'hidden',
      '/map-index.xml': {
        type: 'application/xml',
        body: '<sitemapindex><sitemap><loc>http://shop.test/map.xml</loc></sitemap></sitemapindex>',
      },
      '/map.xml': { type: 'application/xml', body: '<urlset><url><loc>http://shop.test/listed</loc></url></urlset>' },
      '/listed': 'listed',
      '/openapi.json': json({ openapi: '3.1.0', paths: { '/api/described/{id}': { get: {}, delete: {} } } }),
      '/api/described/1': json({}),
      '/graphql': (request) => (request.method === 'POST' ? json({ data: { __typename: 'Query' } }) : { status: 404 }),
    })
    expect(paths(facts)).toEqual(
      expect.arrayContaining([
        ...[
          '/',
          '/one',
          '/three?id=7',
          '/framed',
          '/data-page',
          '/old-page',
          '/find?q=test',
          '/api/items?limit=5',
          '/three',
        ],
        ...['/api/items/1', '/api/from-map', '/hidden', '/listed', '/api/described/1', '/by-lazy?of=1'],
      ]),
    )
    const points = facts.points.map(({ request, place, name }) => {
      const { method, shape } = facts.requests.find(({ id }) => id === request) ?? { method: '', shape: '' }
      return `${method} ${shape.replace('http://shop.test', '')} ${place} ${name}`
    })
    expect(points).toEqual(
      expect.arrayContaining([
        ...[
          'GET /find?q query q',
          'GET /api/items?limit query limit',
          'GET /three?id query id',
          'GET /made?for query for',
        ],
        ...['GET /api/items/{n} path 2', 'POST /api/save json /name', 'GET /api/described/{n} path 2'],
      ]),
    )
    expect(facts.requests.find(({ method }) => method === 'DELETE')).toMatchObject({ sent: false, harm: 'it deletes' })
    expect(facts.apis).toMatchObject([{ kind: 'OpenAPI 3.1.0', operations: 2 }])
    expect(facts.graphql).toMatchObject([{ url: 'http://shop.test/graphql', introspection: false }])
    expect(facts).toMatchObject({
      cut: null,
      session: { state: 'none' },
      browser: { reason: 'no browser in this test' },
    })
  })

  it('does no harm: nothing is logged out, deleted, bought, uploaded or sent but searches', async () => {
    const { facts, seen } = await crawl({
      '/': `<a href=/logout>Sign out</a><a href=/item/1/delete>x</a><a href=/go?id=1>Delete</a><a href=/cart/add?id=1>Buy</a>
<form method=post action=/contact><input name=name><textarea name=message></textarea><button>Send</button></form>
<form method=post action=/search><input name=q></form><form method=post action=/up enctype=multipart/form-data><input type=file name=f></form>`,
      '/search': '<a href=/result/1>1</a>',
      '/result/1': 'one',
    })
    expect(seen.filter((line) => /logout|delete|go|cart|contact|up$/.test(line.split('?')[0] ?? ''))).toEqual([])
    expect(seen).toContain('POST /search')
    expect(paths(facts)).toContain('/result/1')
    expect(facts.requests.filter(({ method }) => method === 'POST').map(({ url, sent }) => [url, sent])).toEqual([
      ['http://shop.test/contact', false],
      ['http://shop.test/search', true],
      ['http://shop.test/up', false],
    ])
    expect(facts.leftOut).toMatchObject({ 'it deletes': 2, 'it ends the session': 1, 'it buys or pays': 1 })
  })

  it('finds the few forms among hundreds of pages of one layout, and comes to an end in a calendar', async () => {
    const forms: Readonly<Record<number, string>> = {
      17: '<form action=/find><input name=q></form>',
      140: '<form method=post action=/order-state><input name=number></form>',
      211: '<form action=/compare><select name=with><option>a</select></form>',
    }
    const words = (item: number) =>
      Array.from({ length: 30 }, (_, at) => ((item * 7919 + at * 104_729) % 9973).toString(26))
    const many = Array.from({ length: 220 }, (_, item) => [
      `/item/${item}`,
      `<main><h1>${words(item)[0]}</h1><p>${words(item).join(' ')}</p>${forms[item] ?? ''}<a href=/item/${item + 1}>next</a></main>`,
    ])
    const { facts } = await crawl({
      ...Object.fromEntries(many),
      '/': `<a href=/item/0>items</a><a href=/days?of=1>days</a>`,
      '/days': (request) => {
        const day = Number(request.url?.split('=')[1])
        return `<table><tr><td>no events on day ${day}<td><a href="/days?of=${day + 1}">next</a></table>`
      },
    })
    expect(paths(facts).filter((path) => path.startsWith('/item/'))).toHaveLength(220)
    expect(paths(facts).filter((path) => path.startsWith('/days')).length).toBeLessThan(20)
    const asked = facts.requests.map(({ method, shape }) => `${method} ${shape.replace('http://shop.test', '')}`)
    expect(asked).toEqual(expect.arrayContaining(['GET /find?q', 'POST /order-state', 'GET /compare?with']))
    expect(asked.filter((one) => one.includes('/item/'))).toEqual(['GET /item/{n}'])
    expect(facts.reach?.counts).toContainEqual({
      kind: 'address',
      fate: 'left_out',
      reason: 'pages lead to more of their own kind, and the last ones were all alike',
      holds: true,
      count: 1,
    })
  })

  it('asks each page of a front controller, and each of numbered names', async () => {
    const page = (form: string) => `<nav><a href=/>home</a></nav><main>${form}</main>`
    const { facts } = await crawl({
      '/':
        ['one', 'two', 'three'].map((name) => `<a href="/index.php?page=${name}">${name}</a>`).join('') +
        [1, 2, 3].map((part) => `<a href=/lesson-${part}/>${part}</a>`).join(''),
      '/index.php': (request) =>
        page(
          {
            one: '<form method=post><input name=a></form>',
            two: '<form method=post><input name=b></form>',
            three: '<table><tr><td>c</table>',
          }[request.url?.split('=')[1] ?? ''] ?? '',
        ),
      ...Object.fromEntries([1, 2, 3].map((part) => [`/lesson-${part}/`, page('<form><input name=id></form>')])),
    })
    const asked = facts.requests.map(({ method, shape }) => `${method} ${shape.replace('http://shop.test', '')}`)
    expect(asked).toEqual(
      expect.arrayContaining([
        ...['GET /index.php?page=one', 'GET /index.php?page=two', 'GET /index.php?page=three'],
        ...['POST /index.php?page=one', 'POST /index.php?page=two'],
        ...['GET /lesson-1/?id', 'GET /lesson-2/?id', 'GET /lesson-3/?id'],
      ]),
    )
  })

  it('an address with values that finds nothing is still one that takes values', async () => {
    const { facts } = await crawl({
      '/': '<a href=/a>1</a>',
      '/a': '<a href=/b>2</a>',
      '/b': '<a href="/file?name=gone">3</a>',
    })
    expect(facts.requests.map(({ shape }) => shape)).toContain('http://shop.test/file?name')
    expect(facts.points.map(({ place, name }) => `${place} ${name}`)).toContain('query name')
  })

  it('reads what headers, frames, feeds and manifests name, and what scripts alone show', async () => {
    const { facts } = await crawl({
      '/': {
        headers: { Link: '</by-link>; rel=next', Refresh: '9; url=/by-refresh', 'Content-Location': '/by-location' },
        body: `<base href=/deep/><a href=based>1</a><iframe srcdoc="<a href=/in-frame>x</a>"></iframe><noscript><a href=/in-noscript>x</a></noscript>
<template><form action=/in-template><input name=q></form></template><link rel=manifest href=/app.webmanifest><img src="/thumb?of=1"><a href=/feed>feed</a>`,
      },
      '/app.webmanifest': { type: 'application/manifest+json', body: '{"start_url":"start?from=icon"}' },
      '/feed': { type: 'application/rss+xml', body: '<rss><item><link>/fed</link></item><item url="/linked"/></rss>' },
      ...Object.fromEntries(
        ['by-link', 'by-refresh', 'by-location', 'deep/based', 'in-frame', 'in-noscript', 'in-template', 'thumb'].map(
          (name) => [`/${name}`, name],
        ),
      ),
      ...{ '/start': 'start', '/fed': 'fed', '/linked': 'linked' },
    })
    expect(paths(facts)).toEqual(
      expect.arrayContaining([
        ...['/by-link', '/by-refresh', '/by-location', '/deep/based', '/in-frame', '/in-noscript', '/thumb?of=1'],
        ...['/in-template?q=test', '/start?from=icon', '/fed', '/linked'],
      ]),
    )
  })

  it('ends on a site without end', async () => {
    let page = 0
    const endless: RequestListener = (request, response) => {
      page += 1
      const links = Array.from({ length: 20 }, (_, index) => `<a href="/p${page}x${index}/${page}">${index}</a>`).join(
        '',
      )
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<p>${request.url}</p>${links}`)
    }
    const site = await serveCase(90, { http: endless })
    cleanups.push(site.close)
    const { ctx, close } = collectContext(site.address, { module: 'crawl', requests: 150 })
    cleanups.push(close)
    const facts = await collectCrawl(ctx, await collectSite(ctx))
    expect(facts.cut).toBe('its share of the requests was used up')
    expect(facts.urls.length).toBeGreaterThan(20)
  })

  it('leaves what is under way when its time is over, and keeps what it has', async () => {
    const site = await serveCase(92, {
      http: (request, response) => {
        if (request.url === '/never') return
        response.writeHead(200, { 'Content-Type': 'text/html' }).end('<a href=/a?q=1>A</a> <a href=/never>Never</a>')
      },
    })
    cleanups.push(site.close)
    const { ctx, close } = collectContext(site.address, { module: 'crawl' })
    cleanups.push(close)
    const known = { ...(await collectSite(ctx)), missing: [] }
    const facts = await collectCrawl(ctx, known, 3_000)
    expect(facts.cut).toBe('its share of the time was used up')
    expect(paths(facts)).toContain('/a?q=1')
    expect(facts.points.map(({ name }) => name)).toContain('q')
  })

  it('a site that answers everything with success: guesses are no pages', async () => {
    const site = await serveCase(91, {
      http: (request, response) => {
        const page =
          request.url === '/' ? '<script>var a = "/guess/one"</script>' : '<p>The one page of this application</p>'
        response.writeHead(200, { 'Content-Type': 'text/html' }).end(page)
      },
    })
    cleanups.push(site.close)
    const { ctx, close } = collectContext(site.address, { module: 'crawl' })
    cleanups.push(close)
    const facts = await collectCrawl(ctx, await collectSite(ctx))
    expect(paths(facts)).toEqual(['/'])
  })
})

describe('session', () => {
  const cookie = 'sid=0123456789abcdef'
  const account = (lives: () => boolean, seenOrder: () => void = () => undefined) => ({
    '/': '<a href=/account>Account</a><a href=/news>News</a>',
    '/news': 'news',
    '/account': (request: IncomingMessage): Answer =>
      request.headers.cookie?.includes(cookie) && lives()
        ? '<h1>Your orders</h1><a href=/orders/7>7</a>'
        : { status: 302, headers: { Location: '/' } },
    '/orders/7': () => {
      seenOrder()
      return 'order'
    },
  })

  it('is proven by a page that differs', async () => {
    const { facts } = await crawl(
      account(() => true),
      { cookie },
    )
    expect(facts.session).toMatchObject({ state: 'live', canary: 'http://shop.test/account' })
    expect(facts.session.proofs).toBeGreaterThanOrEqual(2)
    expect(paths(facts)).toContain('/orders/7')
  })

  it('is no place for probes: to some sites another value beside it ends it for good', async () => {
    const set = { body: 'hello', headers: { 'Set-Cookie': ['sid=other', 'theme=dark'] } }
    const { facts } = await crawl({ ...account(() => true), '/news': set }, { cookie })
    const names = facts.points.filter(({ place }) => place === 'cookie').map(({ name }) => name)
    expect(new Set(names)).toEqual(new Set([ANY_COOKIE, 'theme']))
  })

  it('is one cookie of the operator; those beside it that say what somebody likes are places', async () => {
    const { facts } = await crawl(
      account(() => true),
      { cookie: `${cookie}; lang=en; auth=yes` },
    )
    const cookies = facts.points.filter(({ place, name }) => place === 'cookie' && name !== ANY_COOKIE)
    expect(new Set(cookies.map(({ name, example }) => `${name}=${example}`))).toEqual(new Set(['lang=en']))
  })

  it('that ends on the way is noticed, and what was fetched since is doubtful', async () => {
    let live = true
    const pages = account(
      () => live,
      () => {
        live = false
      },
    )
    const { facts } = await crawl(pages, { cookie })
    expect(facts).toMatchObject({ session: { state: 'lost' }, cut: 'the session was lost' })
    expect(facts.session.doubtful.length).toBeGreaterThan(0)
  })

  it('is not lost by a limit of the page that proves it', async () => {
    let limited = false
    const limit = () => {
      limited = true
    }
    const pages = account(() => true, limit)
    const own = pages['/account'] as (request: IncomingMessage) => Answer
    const page = (request: IncomingMessage): Answer => (limited ? { status: 429, body: 'Slow down' } : own(request))
    const { facts } = await crawl({ ...pages, '/account': page }, { cookie })
    expect(facts).toMatchObject({ session: { state: 'live' }, cut: null })
  })

  it('is proven by data where all pages are the same to strangers', async () => {
    const me = (request: IncomingMessage): Answer =>
      request.headers.cookie?.includes(cookie) ? json({ name: 'Robin' }) : { status: 401, body: 'Who is it?' }
    const { facts } = await crawl(
      { '/': '<a href=/help>Help</a>', '/help': '<a href=/me.json>', '/me.json': me },
      { cookie },
    )
    expect(facts.session).toMatchObject({ state: 'live', canary: 'http://shop.test/me.json' })
  })

  it('without effect is unproven', async () => {
    const { facts } = await crawl({ '/': 'hello' }, { cookie })
    expect(facts.session.state).toBe('unproven')
  })
})
