/** Ways in that the usual address does not open: the path, a change behind the #, the scroll wheel, a site that resembles a known one. */
import { expect, it } from 'vitest'
import { scanned, scriptedOf } from '../testing/scanned.ts'

const listens = (check: string): string =>
  `<p id=p></p><script>addEventListener('message', (event) => { if (${check}) p.innerHTML = event.data })</script>`
const hears = (sink: string): string =>
  `<p id=p></p><script>addEventListener('hashchange', () => { p.${sink} = 'Part ' + decodeURIComponent(location.hash.slice(1)) })</script>`
const scrolls = (sink: string): string =>
  `<div style="height:3000px"></div><p id=p></p><script>addEventListener('scroll', () => { p.${sink} = new URLSearchParams(location.search).get('end') }, { once: true })</script>`
const walks = (sink: string): string =>
  `<p id=p></p><script>p.${sink} = 'Shelf ' + decodeURIComponent(location.pathname.split('/').pop())</script>`
const rooms = (sink: string): string =>
  `<a href="#room/blue">Blue</a><p id=p></p><script>if (location.hash.startsWith('#room/')) p.${sink} = 'No room ' + decodeURIComponent(location.hash.slice(6))</script>`
const cuts = (sink: string): string =>
  `<p id=p></p><script>const pair = location.hash.slice(1).split('='); if (pair[0] === 'note') p.${sink} = unescape(pair[1])</script>`
const replaces = (signs: string): string =>
  `<p id=p></p><script>p.innerHTML = (new URLSearchParams(location.search).get('text') ?? '').replace(${signs}, '&lt;')</script>`

const PAGES: Readonly<Record<string, string>> = {
  '/begins': listens("event.origin.indexOf('https://desk.example') === 0"),
  '/ends': listens("event.origin.endsWith('partner.example')"),
  '/pattern': listens('/parts\\.example/.test(event.origin)'),
  '/whole': listens("event.origin === 'https://desk.example'"),
  '/under': listens("event.origin.endsWith('.desk.example')"),
  '/heard': hears('innerHTML'),
  '/heard-text': hears('textContent'),
  '/scrolled': scrolls('innerHTML'),
  '/scrolled-text': scrolls('textContent'),
  '/shelf/maps': walks('innerHTML'),
  '/row/maps': walks('textContent'),
  '/cut': cuts('innerHTML'),
  '/cut-text': cuts('textContent'),
  '/steps': `<div id=d></div><script>const view = {}
    for (const [name, value] of new URLSearchParams(location.search)) { const steps = name.split(/[[\\]]+/).filter(Boolean); let at = view
      for (let step = 0; step < steps.length - 1; step += 1) { if (!at[steps[step]]) at[steps[step]] = {}; at = at[steps[step]] }
      at[steps[steps.length - 1]] = value }
    const options = {}; d.innerHTML = options.footnote ? options.footnote : '<p>Plan</p>'</script>`,
  '/asks': `<div id=d></div><p>${'Plans of all floors. '.repeat(20)}</p><script>const view = {}, parts = {}
    for (const [name, value] of new URLSearchParams(location.search)) { const [a, b] = name.split(/[[\\]]+/); if (b) { view[a] ??= {}; view[a][b] = value } }
    try { if ('hooks' in parts) for (const hook of parts.hooks) hook() } catch (error) { document.body.textContent = ''; throw error }
    const options = {}; d.innerHTML = options.footnote ? options.footnote : '<p>Plan</p>'</script>`,
  '/rooms': rooms('innerHTML'),
  '/halls': rooms('textContent'),
  '/once': replaces("'<'"),
  '/always': replaces('/</g'),
}

it('passes no page that gave no answer', async () => {
  const { states } = await scanned(
    (_sent, request) => {
      if (request.url?.startsWith('/gone')) request.socket.destroy()
      return '<p id=p></p><script>p.textContent = location.hash</script>'
    },
    scriptedOf(['/gone', '/there']),
  )
  expect(states['xss/dom']).toBe('inconclusive of 2 pages: 1 that gave the browser no answer')
})

it('finds what the path, a change behind the #, scrolling, a resembling site and a filter that works once let in', async () => {
  const pathOf = (url = ''): string => (url.split('?')[0] ?? '').replace(/^\/(shelf|row)\/.*/, '/$1/maps')
  const { at, said } = await scanned((_sent, { url }) => PAGES[pathOf(url)] ?? '', scriptedOf(Object.keys(PAGES)))
  expect(at.toSorted()).toEqual([
    'xss/dom http://shop.test/asks __proto__[footnote]',
    'xss/dom http://shop.test/begins message',
    'xss/dom http://shop.test/ends message',
    'xss/dom http://shop.test/once text',
    'xss/dom http://shop.test/pattern message',
    'xss/dom http://shop.test/shelf/maps path',
    'xss/dom http://shop.test/steps __proto__[footnote]',
    'xss/dom-click http://shop.test/scrolled end',
    'xss/fragment http://shop.test/cut fragment',
    'xss/fragment http://shop.test/heard fragment',
    'xss/fragment http://shop.test/rooms fragment',
  ])
  expect(said.join('\n')).toContain('scroll the page')
})

it('a page that answers once, and then no more, is not clean', async () => {
  let asked = 0
  const { found, states } = await scanned(
    (_sent, { url = '', socket }) => {
      if (!url.startsWith('/once')) return ''
      asked += 1
      if (asked > 1) socket.destroy()
      return '<p id=p></p><script>p.textContent = new URLSearchParams(location.search).get("note")</script>'
    },
    scriptedOf(['/once']),
  )
  expect(found).toEqual([])
  expect(states['xss/dom']).toBe('inconclusive of 1 pages: 1 that gave the browser no answer')
})
