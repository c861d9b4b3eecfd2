/** The crawl with a real Chromium, on an application whose views have routes behind the # and whose menu closes with each choice. */
import { afterEach, expect, test } from 'vitest'
import { sharedBrowser } from '../src/engine/testing/shared-browser.ts'
import { collectCrawl } from '../src/modules/attack/crawl/collect.ts'
import { scriptedPages } from '../src/modules/attack/xss/dom/pages.ts'
import { collect as collectSite } from '../src/modules/passive/site/collect.ts'
import { collectContext, serveCase } from '../src/modules/testing/collecting.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const APP = `
const ask = (name, query = '') => fetch(['', 'rest', name].join('/') + query)
const guard = (name) => {
  view.innerHTML = '<input type=password id=secret><button id=on>On</button>'
  on.onclick = () => ask('guard', '?by=' + name + '&with=' + secret.value)
}
const routes = [{ path: 'list', component: () => {
    ask('list')
    document.cookie = 'seen=3,5; path=/'
    document.cookie = 'session=eyJhbGciOiJub25lIn0.eyJzdWIiOiI3In0.c2lnbmF0dXJl; path=/'
    view.innerHTML = '<input type=file accept=.xml id=chosen><label>Plan <input type=file></label><label>Picture <input type=file></label>'
    const send = (where, name, from) => { const body = new FormData(); body.append(name, from.files[0]); fetch(where, { method: 'POST', body }) }
    chosen.onchange = () => send('/rest/files', 'list', chosen)
    for (const label of view.querySelectorAll('label')) label.firstElementChild.onchange = () => send(['', 'rest', 'files', label.innerText.trim()].join('/'), 'kept', label.firstElementChild) } }, { path: 'board', component: () => {
    view.innerHTML = '<input id=term><button id=seek>Find</button>'
    seek.onclick = () => ask('board', '?term=' + encodeURIComponent(term.value)) } },
  { path: 'paper/:id', component: (id) => { ask('papers/' + id) } },
  { path: 'join', component: () => { guard('join') } },
  { path: 'enter', component: () => { guard('enter') } },
  { path: 'hidden', component: () => { ask('hidden') } },
  { path: 'wipe', component: () => { ask('wipe') } }]
const view = document.body.appendChild(document.createElement('main'))
const menu = document.body.insertBefore(document.createElement('div'), view)
const nav = document.body.insertBefore(document.createElement('nav'), menu)
// More links to the same views than deeds are tried in vain.
for (let at = 0; at < 40; at += 1) nav.innerHTML += '<a href="#/' + ['list', 'board', 'join'][at % 3] + '">Way ' + at + '</a> '
const opener = document.body.insertBefore(document.createElement('button'), menu)
opener.textContent = 'Menu'
opener.onclick = () => {
  menu.replaceChildren(...[['List', 'list'], ['Board', 'board'], ['Paper', 'paper/7'], ['Delete account', 'wipe']].map(([label, to]) => {
    const item = document.createElement('div')
    item.textContent = label
    item.onclick = () => { menu.replaceChildren(); location.hash = '#/' + to }
    return item
  }))
}
const draw = () => {
  const [, name, id] = location.hash.split('?')[0].split('/')
  view.replaceChildren()
  routes.find(({ path }) => path.split('/')[0] === name)?.component(id)
}
addEventListener('hashchange', draw)
draw()
`

test('views behind the # are pages of their own, those that a table names too, and deeds are none', async () => {
  const seen: string[] = []
  const types: string[] = []
  const site = await serveCase(74, {
    http: (request, response) => {
      const path = request.url ?? ''
      seen.push(path)
      types.push(request.headers['content-type'] ?? '')
      const page: Readonly<Record<string, readonly [string, string]>> = {
        '/': ['text/html', '<!doctype html><title>App</title><body><script src=/app.js></script>'],
        '/app.js': ['text/javascript', APP],
      }
      const [type, body] = page[path] ?? ['application/json', '{}']
      const known = path in page || path.startsWith('/rest/')
      response.writeHead(known ? 200 : 404, { 'Content-Type': type }).end(body)
    },
  })
  closing.push(site.close)
  const { ctx, close } = collectContext(site.address, {
    module: 'crawl',
    requests: 1_000,
    launchBrowser: sharedBrowser,
  })
  closing.push(close)
  const facts = await collectCrawl(ctx, await collectSite(ctx))
  expect(facts.browser).toMatchObject({ reason: null, failures: [] })
  // Nor are parts for those who run it, which are asked by the names of the others, a name that nobody has, and where descriptions may lie.
  const asked = seen.filter((path) =>
    /^\/rest\/(?!files|guard|(?:admin|staff|internal)\/|q[\da-f]{8}$|(?:v\d\/)?api-docs$|openapi\.|swagger[./]|docs-json$)/.test(
      path,
    ),
  )
  expect([...new Set(asked)].toSorted()).toEqual([
    // As the script names it, without and with an example.
    ...['/rest/board', '/rest/board?term=1'],
    '/rest/board?term=test',
    '/rest/hidden',
    '/rest/list',
    // By the name that its records have.
    '/rest/papers',
    '/rest/papers/1',
    '/rest/papers/7',
  ])
  // The account that one view makes signs in at no other.
  const secrets = seen.flatMap((path) => /^\/rest\/guard\?by=(\w+)&with=(Test-\d+)/.exec(path)?.slice(1) ?? [])
  expect(new Set(secrets).size).toBe(4)
  const cookies = facts.points
    .filter(({ place }) => place === 'cookie')
    .map(({ name, example }) => `${name}=${example}`)
  expect([...new Set(cookies)].toSorted()).toEqual(['qzv=qzv', 'seen=3,5'])
  const upload = facts.requests.find(
    ({ url, method, encoding }) => encoding === 'multipart' && method === 'POST' && url.endsWith('/rest/files'),
  )
  // Known, and on a production system not sent.
  expect(types.filter((type) => type.includes('multipart'))).toEqual([])
  expect(upload).toMatchObject({ encoding: 'multipart', fields: [{ name: 'list', type: 'file' }], sent: false })
  // Fields without a name of their own are told apart by what stands beside them.
  // (A script alone does not say what stands beside one.)
  const uploads = facts.requests.filter(
    ({ encoding, url }) => encoding === 'multipart' && !url.endsWith('/rest/files/1'),
  )
  expect(uploads.map(({ url }) => new URL(url).pathname).toSorted()).toEqual([
    '/rest/files',
    '/rest/files/Picture',
    '/rest/files/Plan',
  ])
  expect(
    scriptedPages(facts)
      .map((url) => url.replace('http://shop.test', ''))
      .toSorted(),
  ).toEqual(['/', '/#/board', '/#/enter', '/#/hidden', '/#/join', '/#/list', '/#/paper/1', '/#/paper/7'])
})
