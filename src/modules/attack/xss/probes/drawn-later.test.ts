/** What is stored and shown well encoded, and what scripts of the page make of it, by themselves or once somebody does something. */
import { expect, it } from 'vitest'
import { FORM, known, scanned } from '../testing/scanned.ts'

const encoded = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
const asData = (text: string): string => JSON.stringify(text).replaceAll('<', '\\u003c')
const DRAW = '<div id=d></div>'

const PAGES: Readonly<Record<string, (note: string) => string>> = {
  'where it is pointed at': (note) =>
    `${DRAW}<b id=b data-tip="${encoded(note)}">?</b><script>b.addEventListener('mouseover', () => { d.innerHTML = b.dataset.tip })</script>`,
  'from a title, for the whole document': (note) =>
    `${DRAW}<span title="${encoded(note)}">Why</span><script>document.addEventListener('mouseover', ({ target }) => { if (target.title) d.innerHTML = target.title })</script>`,
  'once a field has the focus': (note) =>
    `${DRAW}<input id=i data-hint="${encoded(note)}"><script>i.addEventListener('focus', () => { d.innerHTML = i.dataset.hint })</script>`,
  'once a button is pressed': (note) =>
    `${DRAW}<button id=b>Show</button><script>const data = { note: ${asData(note)} }; b.addEventListener('click', ({ isTrusted }) => { if (isTrusted) d.innerHTML = data.note })</script>`,
  'once a row is pointed at': (note) =>
    `${DRAW}<ul><li id=r>Note</li></ul><script>const data = [${asData(note)}]; r.addEventListener('mouseenter', () => { d.innerHTML = data[0] })</script>`,
  'from text that it reads anew': (note) =>
    `<p id=p>${encoded(note)}</p><script>p.innerHTML = p.textContent.replaceAll('*', '')</script>`,
}

const stored = (page: (note: string) => string) => {
  let note = ''
  return scanned(
    (sent, { method }) => {
      if (method === 'POST') note = sent.get('q') ?? ''
      return page(note)
    },
    known([FORM]),
  )
}

/** Of those that are pointed at, one stands for the others. */
const ALIKE: readonly string[] = process.env.SONDE_LONG ? [] : ['where it is pointed at', 'once a row is pointed at']

it.each(Object.entries(PAGES).filter(([name]) => !ALIKE.includes(name)))(
  'finds what a script draws %s, and tells what was pressed for it',
  async (name, page) => {
    const { found, said } = await stored(page)
    expect(found).toEqual(['xss/stored confirmed'])
    if (name === 'once a button is pressed') expect(said[0]).toMatch(/, once somebody did this there: press "Show"\.$/)
  },
)

it('finds nothing where scripts write text', async () => {
  const { found } = await stored(
    (note) =>
      `${DRAW}<b id=b data-tip="${encoded(note)}">?</b><p id=p>${encoded(note)}</p><script>b.onclick = () => { d.textContent = b.dataset.tip }</script>`,
  )
  expect(found).toEqual([])
})

it.each([
  ['reads', ['xss/stored confirmed']],
  ['unknown', []],
] as const)(
  'of what was stored, what a script asks for with a body is asked for likewise where it %s',
  async (effect, expected) => {
    let note = ''
    const crawl = known([FORM])
    const feed = { id: 'b', encoding: 'json', fields: [], body: '{"of":7}', source: 'browser', sent: true } as const
    const list = crawl.requests.map((one) => ({ ...one, ...feed, effect, url: 'http://shop.test/list', shape: '' }))
    const { found } = await scanned(
      (sent, { url, method }) => {
        if (url === '/list') return method === 'POST' && sent.has('{"of":7}') ? JSON.stringify({ note }) : '{}'
        if (method === 'POST') note = sent.get('q') ?? ''
        return `<p id=p></p><script>fetch('/list', { method: 'POST', body: '{"of":7}' }).then((r) => r.json()).then((d) => { p.innerHTML = d.note })</script>`
      },
      { ...crawl, requests: [...crawl.requests, ...list] },
    )
    expect(found).toEqual(expected)
  },
)

it('finds what a page draws of a record that came about with what was stored, which a list in JSON names', async () => {
  const lists = new Map([['b9bcb2f850da', 'For the kitchen']])
  const crawl = known([FORM])
  const feed = { encoding: 'none', fields: [], source: 'browser', sent: true, method: 'GET' } as const
  const asks = (path: string, on: string) =>
    crawl.requests.map((one) => ({
      ...{ ...one, ...feed, id: path, url: `http://shop.test${path}`, shape: '', seenOn: [`http://shop.test${on}`] },
    }))
  const page = crawl.urls.map((one) => ({ ...one, url: 'http://shop.test/lists/b9bcb2f850da' }))
  const { found } = await scanned(
    (sent, { url = '', method }) => {
      if (method === 'POST') lists.set(`c0ffee${String(lists.size).padStart(6, '0')}`, sent.get('q') ?? '')
      const token = /\/lists\/(\w+)$/.exec(url)?.[1] ?? ''
      if (url === '/api/lists') return JSON.stringify([...lists].map(([one, note]) => ({ token: one, note })))
      if (url.startsWith('/api/')) return JSON.stringify({ note: lists.get(token) })
      if (token === '')
        return "<p id=p></p><script>fetch('/api/lists').then((r) => r.json()).then((d) => { p.textContent = d.length })</script>"
      return `<p id=p></p><script>fetch('/api/lists/${token}').then((r) => r.json()).then((d) => { p.innerHTML = d.note })</script>`
    },
    {
      ...crawl,
      urls: [...crawl.urls, ...page],
      requests: [
        ...crawl.requests,
        ...asks('/api/lists', '/notes'),
        ...asks('/api/lists/b9bcb2f850da', '/lists/b9bcb2f850da'),
      ],
    },
  )
  expect(found).toEqual(['xss/stored confirmed'])
})

it('finds what a page draws of one record once its row is pressed, however many buttons stand before the list', async () => {
  let note = ''
  const crawl = known([FORM])
  const feed = { encoding: 'none', fields: [], source: 'browser', sent: true, method: 'GET' } as const
  const requests = crawl.requests.map((one) => ({
    ...{ ...one, ...feed, id: 'feed', url: 'http://shop.test/api/goods/7/notes', shape: '' },
  }))
  const { found, said } = await scanned(
    (sent, { url = '', method }) => {
      if (url.startsWith('/api/')) return JSON.stringify({ note: url === '/api/goods/7/notes' ? note : 'Fine' })
      if (method === 'POST') note = sent.get('q') ?? ''
      return `<header>${Array.from({ length: 18 }, (_, at) => `<button>Part ${at}</button>`).join('')}</header><ul id=list></ul><p id=p></p><script>
        for (const one of document.querySelectorAll('button')) one.onclick = () => { one.textContent += '.' }
        for (let at = 1; at < 10; at += 1) {
          const row = document.createElement('li')
          row.textContent = 'Tent ' + at
          row.onclick = () => fetch('/api/goods/' + at + '/notes').then((r) => r.json()).then((d) => { p.innerHTML = d.note })
          list.append(row)
        }</script>`
    },
    { ...crawl, requests: [...crawl.requests, ...requests] },
  )
  expect(found).toEqual(['xss/stored confirmed'])
  expect(said[0]).toMatch(/, once somebody did this there: press "Tent 7"\.$/)
})
