/** Applications that one document draws: what stands on all of their views, what leads from one to another, what closes again. */
import { expect, it } from 'vitest'
import { scanned, scriptedOf } from '../testing/scanned.ts'

/** Of the application: its bar stays while views come and go, and each press by a hand is told. */
const START = `const routed = () => { const [path, query = ''] = location.hash.slice(2).split('?'); return { path, query: new URLSearchParams(query) } }
  document.body.insertAdjacentHTML('beforeend', '<div id=bar></div><main></main>')
  const make = (parent, label, pressed) => { const one = parent.appendChild(document.createElement('button')); one.textContent = label; one.onclick = pressed; return one }
  const fresh = () => { const one = document.createElement('main'); document.querySelector('main').replaceWith(one); return one }
  addEventListener('click', ({ isTrusted, target }) => { if (isTrusted && target.tagName === 'BUTTON') fetch('/pressed?' + new URLSearchParams({ on: routed().path, what: target.textContent })) }, true)
  const boxes = document.body.appendChild(document.createElement('div'))
  const show = () => { boxes.textContent = ''; const main = fresh(); const at = routed(); main.append(Object.assign(document.createElement('h1'), { textContent: at.path })); views[at.path]?.(main, at) }
  addEventListener('hashchange', show)
  queueMicrotask(show)`

/** What the module says of an application with these views, and where each thing was pressed, by its label. */
const application = async (views: Readonly<Record<string, string>>, bar: string, cookie: string | null = null) => {
  const pressed = new Map<string, string[]>()
  const proofs: string[] = []
  const app = `${START}
    const views = { ${Object.entries(views).map(([name, code]) => `${name}: (main, at) => { ${code} }`)} }
    const bar = document.querySelector('#bar'); ${bar}`
  const crawl = scriptedOf(['/'])
  const found = await scanned(
    (_sent, { url = '' }) => {
      const asked = new URL(url, 'http://shop.test')
      if (/qxproof/.test(decodeURIComponent(url))) proofs.push(url)
      const { on = '', what = '' } = Object.fromEntries(asked.searchParams)
      // Behind the # of the start page is what it is asked with.
      if (asked.pathname === '/pressed') pressed.set(what, [...(pressed.get(what) ?? []), on in views ? on : 'start'])
      return asked.pathname === '/app.js'
        ? app
        : '<!doctype html><title>Shop</title><body><script src=/app.js defer></script>'
    },
    {
      ...crawl,
      scripted: ['', ...Object.keys(views).map((name) => `#/${name}`)].map((route) => ({
        url: `http://shop.test/${route}`,
        code: 'app',
      })),
    },
    cookie,
  )
  const on = (what: string): readonly string[] => [...new Set(pressed.get(what))].toSorted()
  return { ...found, on, proofs, times: (what: string) => pressed.get(what)?.length ?? 0 }
}

const SHOWS =
  "const p = main.appendChild(document.createElement('p')); make(main, 'Show', () => { p.innerHTML = at.query.get('tone') })"
const WRITES = SHOWS.replace('innerHTML', 'textContent')

it('presses what stands on all views on two of them, and what each view has of its own on each', async () => {
  const { at, on, times, states } = await application(
    { board: WRITES, chart: WRITES, desk: SHOWS, easel: WRITES },
    `make(bar, 'News', () => { boxes.innerHTML = '<p>Nothing</p>'; make(boxes, 'Close', () => { boxes.textContent = '' }) })`,
  )
  expect(at).toEqual(['xss/dom-click http://shop.test/#/desk fragment'])
  expect(on('Show')).toEqual(['board', 'chart', 'desk', 'easel'])
  // Twice beside its own parameters, with values in them, and with addresses in them; the start page has none.
  expect([times('News'), times('Close')]).toEqual([6, 6])
  expect(states['xss/dom']).toMatch(/^pass/)
})

it('presses on every view what stands on all and does something else on each', async () => {
  const { at, on } = await application(
    { board: '', desk: '' },
    `const p = bar.appendChild(document.createElement('p'))
    make(bar, 'Explain', () => { const { path, query } = routed(); make(boxes, 'About ' + path, () => 0); if (path === 'desk') p.innerHTML = query.get('tone') })`,
  )
  expect(on('Explain')).toEqual(['board', 'desk', 'start'])
  expect(at).toEqual(['xss/dom-click http://shop.test/#/desk fragment'])
})

it('goes back from other views, opens a menu anew that closes with each choice, and says what it left of a long list', async () => {
  const leads = "make(main, 'On', () => { location.hash = '#/board' });"
  const menu = `const p = main.appendChild(document.createElement('p')); const list = main.appendChild(document.createElement('div'))
    make(main, 'Menu', () => { for (const [name, work] of [['Copy', () => 0], ['Preview', () => { p.innerHTML = at.query.get('kind') }]]) make(list, name, () => { list.textContent = ''; work() }) })`
  const rows = `for (let row = 0; row < 30; row += 1) make(main.appendChild(document.createElement('p')), 'Row ' + row, () => 0); ${WRITES}`
  const { at, on, said, states } = await application({ board: rows, desk: leads + SHOWS, wall: menu }, '')
  expect(at.toSorted()).toEqual([
    'xss/dom-click http://shop.test/#/desk fragment',
    'xss/dom-click http://shop.test/#/wall fragment',
  ])
  const deeds = said.flatMap((detail) => /once somebody did this there: (.*);/.exec(detail)?.[1] ?? [])
  expect(deeds.toSorted()).toEqual(['press "Menu", then press "Preview"', 'press "Show"'])
  expect(on('On')).toEqual(['desk'])
  // Other things come before the many of one kind.
  expect([on('Show').includes('board'), on('Row 29')]).toEqual([true, []])
  expect(states['xss/dom']).toBe('inconclusive of 4 pages: 1 with more to press than was')
})

it('asks one view what the application does at its start, and each view what it does by itself', async () => {
  const merges = (
    into: string,
  ): string => `const set = (object, steps, value) => { const [step, ...rest] = steps; if (rest.length === 0) object[step] = value; else set(object[step] ??= {}, rest, value) }
    for (const [name, value] of at.query) set(${into}, name.split('.'), value)
    const options = {}; const p = main.appendChild(document.createElement('p')); if (options.caption) p.innerHTML = options.caption`
  const { at } = await application({ desk: merges('{}'), wall: merges('Object.create(null)') }, '')
  expect(at).toEqual(['xss/fragment http://shop.test/#/desk fragment'])
})

it('closes what lies over a view before it presses what is under it', async () => {
  const covered = `if (!fine) { const cover = boxes.appendChild(Object.assign(document.createElement('div'), { style: 'position: fixed; inset: 0' }))
    make(cover, 'Fine with me', () => { fine = true; cover.remove() }) }`
  const { at, said } = await application(
    { desk: `${SHOWS}; ${covered}`, wall: `${WRITES}; ${covered}` },
    'var fine = false',
  )
  expect(at).toEqual(['xss/dom-click http://shop.test/#/desk fragment'])
  expect(said[0]).toContain('once somebody did this there: press "Fine with me", then press "Show";')
})

it('is opened anew also where a script does not let the address be changed', async () => {
  const menu = `const p = main.appendChild(document.createElement('p')); const side = document.createElement('div'); main.append(side)
    make(side, 'Menu', () => { side.textContent = ''; for (const [name, work] of [['Copy', () => 0], ['Preview', () => { p.innerHTML = at.query.get('kind') }]]) make(side, name, () => { side.textContent = ''; work() }) })`
  const { at, said } = await application(
    { wall: menu, desk: WRITES },
    "history.replaceState = () => { throw new Error('no') }",
  )
  expect(at).toEqual(['xss/dom-click http://shop.test/#/wall fragment'])
  expect(said[0]).toContain('press "Menu", then press "Preview"')
})

it('reads the names of parameters behind the # that a file of scripts takes out of its address by hand', async () => {
  const app = `const tipOf = () => { const found = /[#&]tip=([^&]*)/.exec(window.location.hash); return found ? decodeURIComponent(found[1]) : '' }
    document.querySelector('p').innerHTML = tipOf() || 'No tip'`
  const crawl = scriptedOf(['/'])
  const { at } = await scanned(
    (_sent, { url = '' }) =>
      url.startsWith('/app.js')
        ? app
        : '<!doctype html><title>Garden</title><p></p><script src=/app.js defer></script>',
    { ...crawl, scripted: [{ url: 'http://shop.test/', code: 'app' }] },
  )
  expect(at).toEqual(['xss/fragment http://shop.test/ fragment'])
})

it('takes nothing that it does itself to open a view anew for code of the page', async () => {
  const reads = "main.append(new URLSearchParams(location.search).get('tone') ?? 'None');"
  const goes = "make(main, 'Close all', () => { main.textContent = '' }); make(main, 'Fine', () => 0)"
  const { found, proofs, on } = await application({ board: reads + goes, desk: reads, easel: reads }, '')
  expect([found, proofs]).toEqual([[], []])
  expect(on('Fine')).toEqual(['board'])
})

it('presses nothing that only keeps the focus in a dialog, which nobody sees', async () => {
  const dialog = `const over = document.createElement('div')
    document.body.append(over)
    over.setAttribute('role', 'dialog')
    over.style = 'position: fixed; inset: 0; background: white'
    const tell = (what) => fetch('/pressed?on=desk&what=' + what)
    const guard = document.createElement('div')
    document.body.prepend(guard)
    guard.tabIndex = 0
    guard.setAttribute('aria-hidden', 'true')
    guard.style = 'position: fixed; z-index: 9; width: 1px; height: 1px'
    guard.onclick = () => tell('Guard')
    make(over, 'Got it', () => over.remove())`
  const many = "for (let at = 0; at < 20; at += 1) make(main, 'Part ' + 'abcdefghijklmnopqrst'[at], () => 0);"
  const { at, times } = await application({ desk: `${SHOWS};${many}` }, dialog)
  expect(at).toEqual(['xss/dom-click http://shop.test/#/desk fragment'])
  expect([times('Got it') > 0, times('Guard')]).toEqual([true, 0])
})
