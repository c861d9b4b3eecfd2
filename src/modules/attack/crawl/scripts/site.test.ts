/** Scripts of a site as the crawl reads them: functions of one file, called by others and by elements. */
import { afterEach, expect, it } from 'vitest'
import { type Answer, closeCrawled, crawl, json, paths } from '../testing/crawling.ts'

afterEach(closeCrawled)

const script = (body: string): Answer => ({ type: 'text/javascript', body })

it('joins what its files call, whichever is read first', async () => {
  const { facts } = await crawl({
    '/': `<script type=module src=/main.js></script><script>function vote(id, stars) { return $.post('/votes/' + id, { stars: stars }) }</script>
      <button onclick="vote(7, 5)">Vote</button>`,
    '/main.js': script('import("./view.js");import{a as t}from"./api.js";window.u=new t'),
    '/view.js': script('import{a as t}from"./api.js";const u=new t;u.post("/session",{email:e,note:"x"})'),
    '/api.js': script('class o{post(e,t){return this.http.post("/api"+e,t)}}export{o as a}'),
  })
  const posts = facts.requests
    .filter(({ method }) => method === 'POST')
    .map(({ url, body, fields }) => [new URL(url).pathname, body, fields.map(({ name, value }) => `${name}=${value}`)])
  expect(posts).toEqual(
    expect.arrayContaining([
      ['/api/session', '{"email":"test@example.org","note":"x"}', []],
      ['/votes/7', null, ['stars=5']],
    ]),
  )
})

it('what elements of pages call in a file of the site is sent by each page with what it gives', async () => {
  const page = (name: string, call: string) => `<script src=/js/util.js></script>
    <form id=f><input id="${name}" value=hello><input type=button value=Send onclick="${call}('/tools/${name}','${name}')"></form>`
  const names = ['alpha', 'beta', 'gamma', 'delta', 'omega']
  const { facts } = await crawl({
    '/': names.map((name) => `<a href="/pages/${name}.html">${name}</a>`).join(''),
    ...Object.fromEntries(
      names.map((name, at) => [`/pages/${name}.html`, page(name, at % 2 === 0 ? 'byHeader' : 'byJson')]),
    ),
    '/js/util.js': script(`function byHeader(url, name) { var x = new XMLHttpRequest(); x.open('POST', url)
        x.setRequestHeader(name, document.getElementById(name).value); x.send() }
      function byJson(url, name) { var x = new XMLHttpRequest(); x.open('POST', url); x.setRequestHeader('Content-Type', 'application/json')
        var o = {}; o[name] = document.getElementById(name).value; x.send(JSON.stringify(o)) }`),
  })
  const posts = facts.requests.filter(({ method }) => method === 'POST')
  const told = posts.map(({ url, body, headers }) => [new URL(url).pathname, body ?? headers?.[0]?.[0]])
  expect(told.toSorted()).toEqual([
    ['/tools/alpha', 'alpha'],
    ['/tools/beta', '{"beta":"1"}'],
    ['/tools/delta', '{"delta":"1"}'],
    ['/tools/gamma', 'gamma'],
    ['/tools/omega', 'omega'],
  ])
})

it('cookies that the code of a page sets go with what that page sends', async () => {
  const page = (name: string, submit: string) => `<script src=/js/util.js></script>
    <form action="/tools/${name}" method=post onsubmit="${submit}"><input id="${name}"><input type=submit></form>`
  const { facts } = await crawl({
    '/': ['alpha', 'beta', 'gamma', 'delta'].map((name) => `<a href="/pages/${name}.html">${name}</a>`).join(''),
    '/pages/alpha.html': page('alpha', "keep('alpha')"),
    '/pages/beta.html': page('beta', "document.cookie='beta=blue%20sky,3; path=/'"),
    '/pages/gamma.html': page('gamma', "document.cookie='gamma=; expires=Thu, 01 Jan 1970 00:00:00 GMT'"),
    '/pages/delta.html': page('delta', "document.cookie='delta=8c1d2f7be09a43c6b7d0e15f9a2c'"),
    '/js/util.js': script(
      `function keep(name) { document.cookie = name + '=' + encodeURIComponent(document.getElementById(name).value) + '; path=/' }`,
    ),
  })
  const posts = facts.requests.filter(({ method }) => method === 'POST')
  const told = posts.map(({ url, headers }) => [new URL(url).pathname, headers])
  expect(told.toSorted()).toEqual([
    ['/tools/alpha', [['Cookie', 'alpha=1']]],
    ['/tools/beta', [['Cookie', 'beta=blue%20sky,3']]],
    ['/tools/delta', undefined],
    ['/tools/gamma', undefined],
  ])
  const ids = new Map(posts.map(({ id, url }) => [id, new URL(url).pathname]))
  const places = facts.points.flatMap(({ request, place, name }) =>
    place === 'cookie' && ids.has(request) && name !== 'qzv' ? [`${ids.get(request)} ${name}`] : [],
  )
  expect(places.toSorted()).toEqual(['/tools/alpha alpha', '/tools/beta beta'])
})

it('cookies that the code of a page sets go with what its code sends', async () => {
  const page = (name: string, code: string) =>
    `<script src=/js/util.js></script><input id="${name}" value="blue sky"><button onclick="ask()">Ask</button>
    <script>function ask() { ${code} }</script>`
  const { facts } = await crawl({
    '/': ['alpha', 'beta', 'gamma'].map((name) => `<a href="/pages/${name}.html">${name}</a>`).join(''),
    '/pages/alpha.html': page(
      'alpha',
      `document.cookie = "alpha=" + encodeURIComponent($("#alpha").val()) + ";path=/"; $.post("/tools/alpha", {}, show)`,
    ),
    '/pages/beta.html': page(
      'beta',
      `document.cookie = 'beta=7'; var x = new XMLHttpRequest(); x.open('POST', '/tools/beta');
      x.setRequestHeader('X-Desk', 'east'); x.send()`,
    ),
    '/pages/gamma.html': page('gamma', "fetch('/tools/gamma', { method: 'POST' })"),
    '/js/util.js': script('function show(text) { document.title = text }'),
  })
  const posts = facts.requests.filter(({ method }) => method === 'POST')
  expect(posts.map(({ url, headers }) => [new URL(url).pathname, headers]).toSorted()).toEqual([
    ['/tools/alpha', [['Cookie', 'alpha=blue%20sky']]],
    [
      '/tools/beta',
      [
        ['X-Desk', 'east'],
        ['Cookie', 'beta=7'],
      ],
    ],
    ['/tools/gamma', undefined],
  ])
})

it.each([
  ['by its id', `document.getElementById('berth').value`],
  ['by its id, trimmed', `document.getElementById("berth").value.trim()`],
  ['by a selector', `document.querySelector('#berth').value`],
  ['by its name', `document.querySelector('input[name="berth"]').value`],
  ['by jQuery', `$('#berth').val()`],
  ['by the elements of its form', `document.forms[0].elements['berth'].value`],
])('what a page takes from a field, %s, is sent with what stands there', async (_name, code) => {
  const { facts } = await crawl({
    '/': `<form><input id=berth name=berth value=north.txt><button type=button onclick="ask()">Ask</button></form>
      <script>function ask() {
        fetch('/head', { method: 'POST', headers: { 'X-Berth': ${code} } })
        fetch('/json', { method: 'POST', body: JSON.stringify({ of: ${code}, lines: 10 }) })
      }</script>`,
  })
  const posts = facts.requests.filter(({ method }) => method === 'POST')
  expect(posts.map(({ body, headers }) => body ?? headers?.[0]?.[1]).toSorted()).toEqual([
    'north.txt',
    '{"of":"north.txt","lines":10}',
  ])
})

it('what a file of the site sets goes with all requests', async () => {
  const { facts } = await crawl({
    '/': '<script src=/js/theme.js></script><a href=/list?sort=name>List</a>',
    '/list': '<p>Nothing yet.</p>',
    '/js/theme.js': script(`document.cookie = "theme=dark; path=/"`),
  })
  const lists = new Set(facts.requests.filter(({ url }) => url.includes('/list')).map(({ id }) => id))
  const cookies = facts.points.filter(({ request, place }) => lists.has(request) && place === 'cookie')
  expect(cookies.map(({ name, example }) => [name, example])).toContainEqual(['theme', 'dark'])
})

it('a crawl reads the sources that a map has by their own names, and asks for none that they import', async () => {
  const { facts, seen } = await crawl({
    '/': '<script src=/app.js></script>',
    '/app.js': { type: 'text/javascript', body: 'start()\n//# sourceMappingURL=app.js.map' },
    '/app.js.map': json({
      ...{ version: 3, sources: ['../src/items.js', '../src/settings.js'], mappings: '' },
      sourcesContent: [
        "import { settings } from './settings.js'\nfetch(settings.api + '/items')",
        "export const settings = { api: '/api' }",
      ],
    }),
    '/api/items': json([]),
  })
  expect(paths(facts)).toEqual(['/', '/api/items'])
  expect(seen.filter((line) => line.includes('settings') || line === 'GET /items')).toEqual([])
})
