/** What scripts of pages do with what an attacker can put before them, in a real browser. */
import { describe, expect, it } from 'vitest'
import type { Environment } from '../../../../contract/run.ts'
import { scanned, scriptedOf } from '../testing/scanned.ts'

const SCRIPTS: Readonly<Record<string, string>> = {
  '/script-text': `<script id=s></script><script>s.innerText = new URLSearchParams(location.search).get('run')</script>`,
  '/by-hand': `<script>const at = location.hash.indexOf('tone='); if (at > 0) document.write(decodeURIComponent(location.hash.slice(at + 5)))</script>`,
  '/decoded': '<p id=p></p><script>p.innerHTML = atob(location.hash.slice(1))</script>',
  '/all-cookies': '<script>document.write(document.cookie)</script>',
  '/prototype': `<p id=p></p><script>const merge = (to, from) => { for (const key in from) typeof from[key] === 'object' ? merge(to[key] ??= {}, from[key]) : (to[key] = from[key]) }
    try { merge({}, JSON.parse(decodeURIComponent(location.hash.slice(1)))) } catch {}
    if ({}.banner) p.innerHTML = {}.banner</script>`,
  '/compiled': `<script>try { (async () => {}).constructor(decodeURIComponent(location.hash.slice(1)))() } catch {}</script>`,
  '/pressed': `<p id=p></p><button id=b>Show</button><script>b.addEventListener('click', (event) => { if (event.isTrusted) p.innerHTML = new URLSearchParams(location.search).get('tone') })</script>`,
  '/entered': `<p id=p></p><input id=i><script>i.onkeydown = (event) => { if (event.isTrusted && event.key === 'Enter') p.innerHTML = decodeURIComponent(location.hash.slice(1)) }</script>`,
  '/opened': `<details><summary>More</summary><my-box></my-box></details><script>customElements.define('my-box', class extends HTMLElement {
    connectedCallback() { const root = this.attachShadow({ mode: 'open' }); root.innerHTML = '<button>Draw</button>'
      root.firstChild.onclick = ({ isTrusted }) => { if (isTrusted) root.innerHTML = decodeURIComponent(location.hash.slice(1)) } } })</script>`,
  '/pressed-text': `<p id=p></p><button id=b>Show</button><script>b.onclick = () => { p.textContent = decodeURIComponent(location.hash.slice(1)) }</script>`,
  '/dotted': `<div id=d></div><script>const view = { size: {} }
    for (const [name, value] of new URLSearchParams(location.search)) { const steps = name.split('.'); let at = view; for (const step of steps.slice(0, -1)) at = at[step] = at[step] || {}; at[steps.at(-1)] = value }
    const options = { zoom: view.size.zoom }; d.innerHTML = options.caption ? options.caption : '<p>Plan</p>'</script>`,
  '/piped': `<div id=d></div><script>const view = { size: {} }
    for (const [name, value] of new URLSearchParams(location.search)) { const steps = name.split(/[|]/); let at = view; for (const step of steps.slice(0, -1)) at = at[step] = at[step] || {}; at[steps.at(-1)] = value }
    const options = { zoom: view.size.zoom }; d.innerHTML = options.legend ? options.legend : '<p>Plan</p>'</script>`,
  '/appended': `<div id=d></div><script>window.jQuery = {}
    const put = (text) => d.append(/</.test(text) ? document.createRange().createContextualFragment(text) : document.createTextNode(text))
    put(new URLSearchParams(location.search).get('tone') ?? '')</script>`,
  '/loaded': `<script>const from = new URLSearchParams(location.search).get('theme') || ''; if (from.includes('//')) document.head.append(Object.assign(document.createElement('script'), { src: from }))</script>`,
  '/fetched': `<p id=p></p><script>fetch(location.hash.slice(1) || '/part').then((answer) => answer.text()).then((text) => { p.innerHTML = text })</script>`,
  '/fetched-behind': `<p id=p></p><script>const x = new XMLHttpRequest(); x.onload = () => { p.innerHTML = x.responseText }; x.open('GET', '/' + (new URLSearchParams(location.search).get('part') || 'a')); x.send()</script>`,
  '/fetched-routed': `<p id=p></p><script>const at = location.hash.slice(1) || 'part'; fetch((at.startsWith('/') ? at : '/' + at) + '.md').then((answer) => answer.text()).then((text) => { p.innerHTML = text })</script>`,
  '/fetched-contents': `<nav id=n></nav><p id=p></p><script>fetch(location.hash.slice(1) || '/part').then((answer) => answer.text()).then((text) => { p.textContent = text; for (const [, head] of text.matchAll(/^# (.*)$/gm)) n.innerHTML += head })</script>`,
  '/fetched-own': `<p id=p></p><script>fetch('/parts/' + location.hash.slice(1)).then((answer) => answer.text()).then((text) => { p.innerHTML = text })</script>`,
  '/fetched-text': `<p id=p></p><script>fetch(location.hash.slice(1) || '/part').then((answer) => answer.text()).then((text) => { p.textContent = text })</script>`,
  '/text': '<p id=p></p><script>p.textContent = atob(location.hash.slice(1)) + document.cookie</script>',
}

/** What another page has as well: that fragment, that sink, a press, a page that is sound. With SONDE_LONG=1. */
const ALIKE: readonly string[] = [
  '/fetched-behind',
  '/fetched-text',
  '/by-hand',
  '/appended',
  '/pressed',
  '/pressed-text',
]
const asked = (path: string): boolean => Boolean(process.env.SONDE_LONG) || !ALIKE.includes(path)

describe('what is pressed', () => {
  const pressed = async (body: string, environment: Environment = 'test') => {
    const asked: string[] = []
    const { found, states } = await scanned(
      (_sent, { method, url = '' }) => {
        asked.push(`${method} ${url.split('?')[0]}`)
        return url.startsWith('/desk') ? body : ''
      },
      scriptedOf(['/desk']),
      ...([null, environment] as const),
    )
    // The root is asked for what its server makes of paths, whatever its pages do.
    const byPages = asked.filter((one) => /^\S+ \/[a-z]/.test(one))
    return { found, asked: [...new Set(byPages)], dom: states['xss/dom'] ?? '' }
  }
  const sends = (label: string, code: string): string =>
    `<button id=b>${label}</button><script>b.onclick = () => { ${code} }</script>`

  it('reads, and writes nothing, on test systems neither', async () => {
    const { asked, dom } = await pressed(
      sends(
        'Go',
        "fetch('/rows'); fetch('/keep', { method: 'POST', body: 'a=1' }); navigator.sendBeacon('/seen', 'a=1')",
      ),
    )
    expect(asked.toSorted()).toEqual(['GET /desk', 'GET /rows'])
    expect(dom).toMatch(/^pass/)
  })

  it('reaches what never comes to rest', async () => {
    const moves =
      '<style>@keyframes on { to { margin-left: 40px } } button { animation: on 1s infinite alternate }</style>'
    expect((await pressed(`${moves}${sends('Go', "fetch('/rows')")}`)).asked).toEqual(['GET /desk', 'GET /rows'])
  })

  it('sends no form, and leads to no page that the policy forbids', async () => {
    const form = '<form method=post action=/keep><input name=a required><button>Go</button></form>'
    const leads = sends('On', "location = '/account/delete?id=3'")
    expect((await pressed(`${form}${leads}`)).asked).toEqual(['GET /desk'])
  })

  it('says no deed, and where it would the page is not called clean', async () => {
    const { asked, dom } = await pressed(sends('Delete account', "fetch('/rows')"))
    expect(asked).toEqual(['GET /desk'])
    expect(dom).toBe('inconclusive of 1 pages: 1 with something that must not be pressed')
  })

  it('ends no session, which keeps nobody from a pass', async () => {
    const { asked, dom } = await pressed(sends('Sign out', "fetch('/bye')"))
    expect(asked).toEqual(['GET /desk'])
    expect(dom).toMatch(/^pass/)
  })

  it('sends nothing by a socket to a production system', async () => {
    const socket = "<script>new WebSocket('ws://' + location.host + '/talk')</script>"
    const { asked, dom } = await pressed(`${socket}${sends('Go', "fetch('/rows')")}`, 'production')
    expect(asked).toEqual(['GET /desk', 'GET /talk'])
    expect(dom).toMatch(/^inconclusive/)
  })
})

it('finds what scripts make of what they decode, merge or put into scripts, and of all cookies', async () => {
  const { at, said } = await scanned(
    (_sent, { url = '' }) => SCRIPTS[url.split('?')[0] ?? ''] ?? '',
    scriptedOf(Object.keys(SCRIPTS).filter(asked)),
  )
  const wanted = [
    'xss/dom http://shop.test/appended tone',
    'xss/dom http://shop.test/dotted __proto__.caption',
    'xss/dom http://shop.test/fetched-behind part',
    'xss/dom http://shop.test/loaded theme',
    'xss/dom http://shop.test/piped __proto__|legend',
    'xss/dom http://shop.test/script-text run',
    'xss/dom-click http://shop.test/entered fragment',
    'xss/dom-click http://shop.test/opened fragment',
    'xss/dom-click http://shop.test/pressed tone',
    'xss/dom-storage http://shop.test/all-cookies cookie qx',
    'xss/fragment http://shop.test/by-hand fragment',
    'xss/fragment http://shop.test/compiled fragment',
    'xss/fragment http://shop.test/decoded fragment',
    'xss/fragment http://shop.test/fetched fragment',
    'xss/fragment http://shop.test/fetched-contents fragment',
    'xss/fragment http://shop.test/fetched-routed fragment',
    'xss/fragment http://shop.test/prototype fragment',
  ]
  expect(at.toSorted()).toEqual(wanted.filter((line) => asked(new URL(line.split(' ')[1] ?? '').pathname)))
  const deeds = said.flatMap((detail) => /once somebody did this there: (.*);/.exec(detail)?.[1] ?? [])
  expect(deeds.toSorted()).toEqual([
    'press "More", then press "Draw"',
    ...(asked('/pressed') ? ['press "Show"'] : []),
    'type into the field "i" and press Enter',
  ])
})

it('looks at each part of an application that one document draws, and lists the parts with the same flaw', async () => {
  const app = `const parts = {
    '/board': (tone) => { p.innerHTML = tone }, '/desk': (tone) => { p.textContent = tone }, '/wall': (tone) => { p.innerHTML = tone } }
    const p = document.body.appendChild(document.createElement('p'))
    parts[location.pathname]?.(new URLSearchParams(location.search).get('tone') ?? '')`
  const { at, said } = await scanned(
    (_sent, { url }) =>
      url === '/app.js' ? app : '<!doctype html><title>Shop</title><body><script src=/app.js defer></script>',
    scriptedOf(['/board', '/desk', '/wall']),
  )
  expect(at).toEqual(['xss/dom http://shop.test/board tone'])
  expect(said[0]).toContain('of /board')
})

it('looks at each route behind the #: its parameters, parts of its path, messages, what lies in the storage', async () => {
  // As zones and monitors of errors do it, and with a start that fails on settings that it cannot read.
  const app = `const native = EventTarget.prototype.addEventListener
    EventTarget.prototype.addEventListener = function (type, task, ...rest) {
      return native.call(this, type, function (event) { return task.call(this, event) }, ...rest) }
    JSON.parse(localStorage.getItem('settings') ?? '{}')
    const p = document.body.appendChild(document.createElement('p'))
    const router = (href) => { const [path, query = ''] = href.slice(1).split('?'); const all = {}
      for (const pair of query.split('&')) { const [name, value = ''] = pair.split('='); all[name] = decodeURIComponent(value) }
      return { parts: path.split('/').slice(1).map(decodeURIComponent), queryParamMap: { get: (name) => all[name] ?? '' } } }
    const at = router(location.hash)
    const views = {
      board: () => { p.innerHTML = at.queryParamMap.get('tone') },
      desk: () => { p.textContent = at.queryParamMap.get('tone') },
      help: () => { p.innerHTML = 'Help with ' + at.parts[1] },
      city: () => { p.textContent = at.parts[1] },
      chat: () => addEventListener('message', ({ data }) => { if (data.kind === 'line') p.innerHTML = data.text }),
      saved: () => { for (const one of JSON.parse(localStorage.getItem('terms') ?? '[]')) p.innerHTML = one } }
    views[at.parts[0]]?.()`
  const crawl = scriptedOf(['/'])
  const routes = ['#/board', '#/chat', '#/city/berne', '#/desk', '#/help/returns', '#/saved']
  const { at } = await scanned(
    (_sent, { url }) =>
      url === '/app.js' ? app : '<!doctype html><title>Shop</title><body><script src=/app.js defer></script>',
    {
      ...crawl,
      scripted: ['', ...routes].map((route) => ({ url: `http://shop.test/${route}`, code: 'app' })),
    },
  )
  expect(at.toSorted()).toEqual([
    'xss/dom http://shop.test/#/chat message',
    'xss/dom-storage http://shop.test/#/saved storage terms',
    'xss/fragment http://shop.test/#/board fragment',
    'xss/fragment http://shop.test/#/help/returns fragment',
  ])
})

it('tells pages with one file of scripts apart by what their attributes say', async () => {
  const pages: Readonly<Record<string, string>> = {
    '/app.js': `const tone = new URLSearchParams(location.search).get('tone') ?? ''
      for (const one of document.querySelectorAll('[data-drawn]')) one.innerHTML = tone
      for (const one of document.querySelectorAll('[data-written]')) one.textContent = tone`,
    '/board': '<p data-written></p><script src=/app.js></script>',
    '/desk': '<p data-drawn></p><script src=/app.js></script>',
  }
  const { at } = await scanned(
    (_sent, { url = '' }) => pages[url.split('?')[0] ?? ''] ?? '',
    scriptedOf(['/board', '/desk']),
  )
  expect(at).toEqual(['xss/dom http://shop.test/desk tone'])
})

it('runs what the server encodes well in a script that gives it to markup', async () => {
  const encoded = (text: string): string => text.replace(/[<>&"']/g, (char) => `&#${char.charCodeAt(0)};`)
  const { at } = await scanned(
    (_sent, { url = '' }) => {
      const asked = new URL(url, 'http://shop.test').searchParams.get('title') ?? ''
      return `<p id=p></p><script>p.innerHTML = 'Nothing found for ${encoded(asked)}'</script>`
    },
    scriptedOf(['/find?title=tents']),
  )
  expect(at).toEqual(['xss/dom http://shop.test/find title'])
})
