/** The crawl with a real Chromium, on pages whose links exist in no markup. */

import type { RequestListener } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { launchBrowser } from '../src/engine/browser/launch.ts'
import { sharedBrowser } from '../src/engine/testing/shared-browser.ts'
import { createExplorer } from '../src/modules/attack/crawl/browser/explore.ts'
import { collectCrawl } from '../src/modules/attack/crawl/collect.ts'
import { createDoubtful } from '../src/modules/doubtful.ts'
import { collect as collectSite } from '../src/modules/passive/site/collect.ts'
import { collectContext, serveCase } from '../src/modules/testing/collecting.ts'

/** When so many milliseconds from now are over. */
const after = (milliseconds: number): (() => number) => {
  const at = performance.now() + milliseconds
  return () => at
}

const closing: (() => Promise<void>)[] = []
const each = (addresses: readonly string[]): (() => string | undefined) => {
  const waiting = [...addresses]
  return () => waiting.shift()
}

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const APP = `<!doctype html><title>App</title><body><a href=/deeds>deeds</a><a href=/leaves>a</a><a href=/odd>b</a><a href=/anew>c</a><div id=app></div><x-card></x-card><iframe src=/frame></iframe>
<button id=more>Show more</button><button id=gone>Delete everything</button><button id=buy>Order</button><button id=seven>Refresh</button>
<a id=tab href="#settings">Settings</a><img src=/picture.png>
<script>
const join = (...parts) => '/' + parts.join('/')
const app = document.getElementById('app')
fetch(join('api', 'boot') + '?lang=en').then((r) => r.json()).then((data) => {
  app.innerHTML = data.routes.map((one) => '<a href="' + join('view', one) + '">' + one + '</a>').join('')
})
document.getElementById('more').onclick = () => {
  fetch(join('api', 'page'), { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ from: 20, filter: { kind: 'tent' } }) })
  app.insertAdjacentHTML('beforeend', '<section><button onclick="history.pushState(null, null, join(\\'deep\\', \\'state\\'))">Next</button></section>')
}
document.getElementById('gone').onclick = () => fetch(join('api', 'wipe'))
document.getElementById("buy").onclick = () => fetch(join("api", "order"))
document.getElementById("seven").onclick = () => fetch(join('api', 'things', '7'), { method: 'DELETE' })
addEventListener('hashchange', () => { app.insertAdjacentHTML('beforeend', '<form method=post action="' + join('profile', 'save') + '"><input name=nick></form>') })
customElements.define('x-card', class extends HTMLElement {
  connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<a href="' + join('in', 'shadow') + '">x</a>' }
})
new WebSocket('ws://' + location.host + join('live', 'feed'))
window.jQuery = { fn: { jquery: '3.4.1' } }
window.Drupal = { behaviors: {} }
</script>`

/** Pages that go away while they load: elsewhere, nowhere, and to themselves for ever. */
const LEAVING = {
  '/leaves': `<script>location = ['', 'deed', 'left'].join('/')</script><p>Gone`,
  '/odd': `<script>location = 'nothing://example.org/'</script><p>Gone`,
  '/anew': `<script>location = ''</script><p>Gone`,
}

const FRAME = `<body><script>document.body.innerHTML = '<a href="' + ['', 'in', 'frame'].join('/') + '">x</a>'</script>`

/** Each thing that somebody can do leads to a page that no text names as a whole. */
const DEEDS = `<div id=twice>a</div><div id=over>b</div><div id=menu>c</div><div id=hold>d</div><div id=key tabindex=0 role=link>e</div>
<input id=typed><input id=focused><ul><li class=card style="cursor:pointer">f</li></ul><div id=closed></div><button popovertarget=pop>g</button><div id=pop popover></div>
<iframe srcdoc="<button onclick=&quot;parent.go('inner')&quot;>h</button>"></iframe><form id=step><input name=n><button>Next</button></form><p><form class=go><input name=first></form><form class=go><input name=second></form></p><div draggable=true id=dragged>i</div>
<div id=dropped>j</div><div style="height:3000px"></div><button id=asked>k</button><script>
function go(name) { location.href = ['', 'deed', name].join('/') }
const on = (id, type, what) => document.getElementById(id).addEventListener(type, what)
on('twice', 'dblclick', () => go('twice'))
on('over', 'mouseenter', () => go('over'))
on('menu', 'contextmenu', () => go('menu'))
let timer
on('hold', 'mousedown', () => { timer = setTimeout(() => go('hold'), 500) })
on('hold', 'mouseup', () => clearTimeout(timer))
on('key', 'keydown', (event) => event.key === 'Enter' && go('key'))
let typing
on('typed', 'input', (event) => { clearTimeout(typing); typing = setTimeout(() => go('typed-' + event.target.value), 300) })
on('focused', 'focus', () => go('focused'))
document.addEventListener('click', (event) => event.target.className === 'card' && go('card'))
const root = document.getElementById('closed').attachShadow({ mode: 'closed' })
root.innerHTML = '<button>l</button>'
root.firstChild.addEventListener('click', () => go('closed'))
on('pop', 'toggle', () => go('popped'))
on('step', 'submit', (event) => { event.preventDefault(); go('step-' + event.target.n.value) })
for (const form of document.querySelectorAll('form.go')) form.addEventListener('submit', (event) => { event.preventDefault(); go('form-' + form.elements[0].name) })
on('dragged', 'dragstart', () => 0)
on('dropped', 'drop', () => go('dropped'))
addEventListener('scroll', () => scrollY > 1000 && go('scrolled'))
setTimeout(() => go('later'), 900)
on('asked', 'click', () => window.open(['', 'deed', 'window'].join('/')))
if (!/native code/.test(Function.prototype.toString.call(history.pushState))) document.body.innerHTML = 'a robot'
</script>`

test('finds what scripts build, and presses nothing that does harm', async () => {
  const seen: string[] = []
  const listener: RequestListener = (request, response) => {
    const path = (request.url ?? '').replace(/\?.*$/, '')
    seen.push(`${request.method} ${path}`)
    const pages: Readonly<Record<string, string>> = {
      '/': APP,
      '/frame': FRAME,
      '/deeds': DEEDS,
      ...LEAVING,
      '/api/boot': '{"routes":["one","two"]}',
      '/api/page': '{}',
      '/view/one': 'one',
      '/view/two': 'two',
      '/in/shadow': 'shadow',
      '/in/frame': 'frame',
      '/deep/state': 'deep',
    }
    const type = path.startsWith('/api/') ? 'application/json' : 'text/html'
    response.writeHead(path in pages ? 200 : 404, { 'Content-Type': type }).end(pages[path] ?? '')
  }
  const site = await serveCase(71, { http: listener })
  closing.push(site.close)
  const { ctx, close } = collectContext(site.address, {
    module: 'crawl',
    requests: 1_000,
    launchBrowser: sharedBrowser,
  })
  closing.push(close)
  const facts = await collectCrawl(ctx, await collectSite(ctx))

  expect(facts.browser).toMatchObject({ reason: null, failures: [] })
  expect(facts.browser.clicks).toBeGreaterThanOrEqual(3)
  expect(facts.browser.running[0]).toMatchObject({
    url: facts.urls[0]?.url,
    globals: { 'jQuery.fn.jquery': '3.4.1', 'Drupal.behaviors': '[object]' },
    html: expect.stringContaining('/view/one'),
  })
  const paths = facts.urls.map(({ url }) => new URL(url).pathname)
  expect(paths).toEqual(expect.arrayContaining(['/view/one', '/view/two', '/in/shadow', '/in/frame', '/deep/state']))
  const named = new Set(seen.flatMap((line) => /^GET \/deed\/(.*)/.exec(line)?.[1] ?? []))
  // `1`: what the script names with a value that it works out.
  const deeds =
    '1 twice over menu hold key typed-test focused card closed popped inner step-test form-first form-second dropped scrolled later window left'
  expect([...named].toSorted()).toEqual(deeds.split(' ').toSorted())
  const requests = facts.requests.map(({ method, url, sent }) => `${method} ${new URL(url).pathname} ${sent}`)
  expect(requests).toEqual(
    expect.arrayContaining([
      'GET /api/boot true',
      'POST /api/page true',
      'DELETE /api/things/7 false',
      'POST /profile/save false',
      'GET /live/feed true',
    ]),
  )
  expect(facts.points.map(({ place, name }) => `${place} ${name}`)).toEqual(
    expect.arrayContaining(['query lang', 'json /from', 'json /filter/kind', 'form nick']),
  )
  expect(
    seen.filter(
      (line) => /wipe|api.order|DELETE|POST|picture/.test(line) && !/graphql|POST \/(query|gql|api\/page)/.test(line),
    ),
  ).toEqual([])
})

/** One document for every path: what it shows is chosen by its address. */
const SHELL = `<!doctype html><title>App</title><div id=app></div><script>
const VIEWS = { '/': '<a href=/news>News</a><a href=/bye>Log out</a>', '/bye': '<h1>Bye</h1>', '/news': '<h1>News</h1>', '/hidden': '<h1>Unlinked</h1>' }
document.getElementById('app').innerHTML = '<nav>App</nav>' + (VIEWS[location.pathname] ?? '')
const strings = ['/no/view']
</script>`

test('an application that one document draws has the pages that it shows, not all that its script names', async () => {
  const site = await serveCase(74, {
    http: (_request, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(SHELL),
  })
  closing.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'crawl', requests: 200, launchBrowser: sharedBrowser })
  closing.push(close)
  const { urls, scripted = [] } = await collectCrawl(ctx, await collectSite(ctx))
  const pages = ['/', '/hidden', '/news']
  expect(urls.map(({ url }) => new URL(url).pathname).toSorted()).toEqual(pages)
  expect(scripted.map(({ url }) => new URL(url).pathname).toSorted()).toEqual(pages)
})

test('a logged-in page is explored logged in, its session unseen by its scripts', async () => {
  const cookie = 'sid=0123456789abcdef'
  const listener: RequestListener = (request, response) => {
    const signedIn = request.headers.cookie?.includes(cookie) ?? false
    const page = signedIn
      ? `<p>Hello Robin, here are your orders and invoices of this year</p><script>fetch(['', 'api', 'mine'].join('/') + '?seen=' + encodeURIComponent(document.cookie))</script>`
      : '<p>Please sign in</p>'
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(request.url === '/' ? page : '{}')
  }
  const site = await serveCase(72, { http: listener })
  closing.push(site.close)
  const { ctx, close } = collectContext(site.address, {
    module: 'crawl',
    requests: 1_000,
    launchBrowser: sharedBrowser,
    cookie,
  })
  closing.push(close)
  const facts = await collectCrawl(ctx, await collectSite(ctx))
  expect(facts.session.state).toBe('live')
  expect(facts.requests.find(({ url }) => url.includes('/api/mine'))?.url).toBe('http://shop.test/api/mine?seen=')
})

test('a page that never answers a question is left when the time is over, and said', async () => {
  // For the page it is as a loop without end, and takes nothing of the processor.
  const LOOP = `<!doctype html><p>A page<script>setTimeout(() => {
    const never = new XMLHttpRequest(); never.open('GET', '/never', false); never.send() }, 50)</script>`
  const site = await serveCase(73, {
    http: ({ url }, response) => {
      if (url !== '/never') response.writeHead(200, { 'Content-Type': 'text/html' }).end(LOOP)
    },
  })
  closing.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'crawl', requests: 100, launchBrowser })
  closing.push(close)
  const opened: (string | null)[] = []
  const explorer = await createExplorer({
    ...{
      browser: await ctx.browser(),
      signal: ctx.signal,
      until: after(4_000),
      expressions: [],
      elsewhere: () => undefined,
    },
    ...{
      inScope: () => true,
      doubt: createDoubtful<string>([]),
      alive: async () => true,
      decide: () => ({ send: 'send', reason: null }),
    },
    ...{ link: () => false, request: () => false, cookie: () => undefined, progress: () => undefined },
    opened: (_url, problem) => opened.push(problem),
  })
  await explorer.open(each(['http://shop.test/']))
  expect(opened).toEqual([expect.stringMatching(/closed|Timeout/)])
  await explorer.close()
})

test('what stands on all pages is done on a few of them while they are opened, and on the others not at all', async () => {
  const VIEWS = Array.from({ length: 14 }, (_, index) => `/view-${'abcdefghijklmn'[index]}`)
  const presses: string[] = []
  // Each view has the menus of the application, one thing of its own, and one of the same name that saves something of its own.
  const view = (
    path: string,
  ) => `<!doctype html><nav>${['Account', 'Language', 'Help'].map((name) => `<button id="${name}">${name}</button>`).join('')}</nav>
    <p id="panel" hidden>A menu</p><button id="own${path.at(-1)}">Show ${path.at(-1)}</button>
    <section><input name="${path.at(-1)}"><button class="plain">Save</button></section>
    <script>for (const one of document.querySelectorAll('button')) one.addEventListener('click', () => {
      panel.hidden = !panel.hidden; one.classList.add('is-focused'); fetch('/pressed?what=' + (one.id || 'save')) })</script>`
  const site = await serveCase(74, {
    http: (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop.test')
      if (pathname === '/pressed') presses.push(searchParams.get('what') ?? '')
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(pathname === '/pressed' ? '' : view(pathname))
    },
  })
  closing.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'crawl', requests: 500, launchBrowser: sharedBrowser })
  closing.push(close)
  const opened: string[] = []
  const asked = new Set<string>()
  const explorer = await createExplorer({
    ...{
      browser: await ctx.browser(),
      signal: ctx.signal,
      until: after(60_000),
      expressions: [],
      elsewhere: () => undefined,
    },
    ...{
      inScope: () => true,
      doubt: createDoubtful<string>([]),
      alive: async () => true,
      decide: () => ({ send: 'send', reason: null }),
    },
    ...{ link: () => false, cookie: () => undefined, progress: () => undefined },
    request: ({ url }) => asked.size < asked.add(new URL(url).pathname).size,
    opened: (url) => void opened.push(new URL(url).pathname),
  })
  await explorer.open(each(VIEWS.map((path) => `http://shop.test${path}`)))
  expect(opened.toSorted()).toEqual(VIEWS)
  const count = (name: string): number => presses.filter((one) => one === name).length
  for (const path of VIEWS) expect(count(`own${path.at(-1)}`)).toBe(1)
  expect(count('save')).toBe(VIEWS.length)
  // Where another page was just at it, it is left for later.
  for (const name of ['Account', 'Language', 'Help']) expect(count(name)).toBeLessThanOrEqual(5)
  while (await explorer.deepen());
  expect(explorer.left()).toBe(0)
  // In vain on three kinds of pages, and on those that were open just then.
  for (const name of ['Account', 'Language', 'Help']) {
    expect(count(name)).toBeGreaterThan(1)
    expect(count(name)).toBeLessThanOrEqual(10)
  }
  // On the others they were given up meanwhile.
  expect(opened.length).toBeLessThan(2 * VIEWS.length)
  await explorer.close()
})

test('the language of an account stays, other lists are tried', async () => {
  const saved: string[] = []
  const list = (name: string, values: readonly string[]): string =>
    `<select name="${name}">${values.map((one) => `<option>${one}`).join('')}</select>`
  const page = `<!doctype html><title>Profile</title>${list('user_language', ['en-US', 'ar-SA'])}${list('theme', ['light', 'dark'])}
    <script>for (const one of document.querySelectorAll('select')) one.onchange = () =>
      fetch('/save', { method: 'POST', body: new URLSearchParams({ name: one.name, value: one.value }) })</script>`
  const site = await serveCase(75, {
    http: async (request, response) => {
      if (request.url === '/save') {
        let body = ''
        for await (const chunk of request) body += chunk
        saved.push(body)
      }
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(request.url === '/save' ? '' : page)
    },
  })
  closing.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'crawl', requests: 500, launchBrowser })
  closing.push(close)
  const explorer = await createExplorer({
    ...{
      browser: await ctx.browser(),
      signal: ctx.signal,
      until: after(60_000),
      expressions: [],
      elsewhere: () => undefined,
    },
    ...{ inScope: () => true, alive: async () => true, decide: () => ({ send: 'send', reason: null }) },
    ...{ link: () => false, cookie: () => undefined, progress: () => undefined, request: () => true },
    doubt: createDoubtful<string>([]),
    opened: () => undefined,
  })
  await explorer.open(each(['http://shop.test/']))
  await explorer.close()
  expect([...new Set(saved)].toSorted()).toEqual(['name=theme&value=dark', 'name=user_language&value=en-US'])
})

test('what nobody pressed is told: others alike stand for it, or its page had more of it than is done there', async () => {
  const row = (index: number): string => `<p><button class="like">Like item-${index}</button></p>`
  const plain = (index: number): string => `<p><button>Part ${'abcdefghijklmnopqrstuvwxyz'[index]}</button></p>`
  const list = (of: (index: number) => string, length: number): string =>
    Array.from({ length }, (_, index) => of(index)).join('')
  const PAGES: Record<string, string> = { '/list': list(row, 9), '/vain': list(plain, 20) }
  const site = await serveCase(76, {
    http: ({ url = '/' }, response) => {
      response
        .writeHead(200, { 'Content-Type': 'text/html' })
        .end(`<!doctype html><title>A page</title>${PAGES[url] ?? ''}
        <script>for (const one of document.querySelectorAll('button')) one.onclick = () => undefined</script>`)
    },
  })
  closing.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'crawl', requests: 500, launchBrowser: sharedBrowser })
  closing.push(close)
  const undoneOf = async (path: string) => {
    const explorer = await createExplorer({
      ...{
        browser: await ctx.browser(),
        signal: ctx.signal,
        until: after(60_000),
        expressions: [],
        elsewhere: () => undefined,
      },
      ...{ inScope: () => true, alive: async () => true, decide: () => ({ send: 'send', reason: null }) },
      ...{ link: () => false, cookie: () => undefined, progress: () => undefined, request: () => true },
      doubt: createDoubtful<string>([]),
      opened: () => undefined,
    })
    await explorer.open(each([`http://shop.test${path}`]))
    await explorer.close()
    return explorer.undone()
  }
  expect(await undoneOf('/list')).toEqual({ short: 0, alike: 5 })
  expect(await undoneOf('/vain')).toEqual({ short: 5, alike: 0 })
})
