/** The documents of an application: its layout, and for each place the page on which the way to it begins. */
import type { Application, Planted } from './plan.ts'
import { PACKED, packedWith, sentFor } from './sent.ts'
import { escaped } from './sink.ts'

/** Where a request of the place goes, with an ordinary value where it stands in the address. */
export const addressOf = (place: Planted, value = place.sink.value): string => {
  const routed = place.way === 'front' ? `?view=${place.entry.slice(1)}` : ''
  if (place.spot === 'path') return `${place.path}/${encodeURIComponent(value)}`
  const name = { query: place.input, array: `filter[${place.input}]`, packed: PACKED }[place.spot as string]
  if (name === undefined) return `${place.path}${routed}`
  const text = place.spot === 'packed' ? packedWith(place.input, value) : value
  return `${place.path}${routed}${routed === '' ? '?' : '&'}${encodeURIComponent(name)}=${encodeURIComponent(text)}`
}

/** What a visitor comes with. */
export interface Visit {
  /** Of the list on the page. */
  readonly page: number
  /** For the forms of the page. */
  readonly token: string
}

export const layout = ({ title, places, around }: Application, content: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title></head><body><nav><a href="/">Home</a> ` +
  `${(around?.sections ?? places.map(({ entry }) => entry.slice(1))).map((one) => `<a href="/${one}">${one}</a>`).join(' ')}</nav><main>${content}</main>` +
  `<footer>${escaped(title)}, since 1998.</footer></body></html>`

/** What stands on the page of the place. */
export const entryOf = (place: Planted, { page, token }: Visit): string => {
  const word = place.entry.slice(1)
  const head = `<h1>${word}</h1><p>All about ${word}.</p>`
  switch (place.way) {
    case 'link':
    case 'front':
      return place.spot === 'urlencoded' ? head + formOf(place, 'post') : `${head}${linksOf(place)}`
    case 'redirect':
      return `${head}${place.sink.others.map((_, at) => `<a href="${place.entry}/day-${at + 1}">Day ${at + 1}</a>`).join(' ')} <a href="${place.entry}/today">Today</a>`
    case 'numbered':
      return `${head}<a href="${escaped(addressOf(place))}">Part ${place.at + 1}</a>`
    case 'form-get':
      return head + formOf(place, 'get')
    case 'form-post':
    case 'posted':
      return head + formOf(place, 'post')
    case 'kept':
    case 'replaced':
      return `${head}${formOf(place, 'post')}<a href="${place.entry}/latest">What others wrote</a>`
    case 'token':
    case 'token-once':
      return head + formOf(place, 'post', token)
    case 'paged':
      return `${head}${page === LAST_PAGE ? linksOf(place) : `<p>Part ${page} of ${word}.</p>`}${turningOf(place, page)}`
    case 'shell':
      return `<div id="app"></div><script>${shellOf(place)}</script>`
    case 'option':
      return `${head}${optionForm(place)}`
    case 'fetch':
      return `${head}<button id="load">Show ${word}</button><div id="room"></div><script>${scriptOf(place, "document.getElementById('load').addEventListener('click', go)")}</script>`
    case 'route':
      return `${head}<button id="open">Open</button><div id="room"></div><script>${scriptOf(place, routing(place))}</script>`
  }
}

/** Several, as a list has them: by one alone nobody could tell a value from a name. */
const linksOf = (place: Planted): string =>
  [place.sink.value, ...place.sink.others]
    .map((value) => `<a href="${escaped(addressOf(place, value))}">More ${escaped(value)}</a>`)
    .join(' ')

/** The page that a chosen option leads to. */
export const chosenOf = (place: Planted): string =>
  `<h1>${place.entry.slice(1)}</h1>${formOf(place, place.spot === 'query' ? 'get' : 'post')}`

/** Of a list in parts. */
const LAST_PAGE = 3

const turningOf = ({ entry }: Planted, page: number): string =>
  [
    ...(page > 1 ? [`<a rel="prev" href="${entry}?page=${page - 1}">Previous</a>`] : []),
    ...(page < LAST_PAGE ? [`<a rel="next" href="${entry}?page=${page + 1}">Next</a>`] : []),
  ].join(' ')

const formOf = (place: Planted, method: 'get' | 'post', token?: string): string => {
  const [path = '', query = ''] = addressOf({ ...place, spot: 'urlencoded' }).split('?')
  const routed = [...new URLSearchParams(query)].map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
  )
  const action = method === 'post' ? `${path}${query === '' ? '' : `?${query}`}` : path
  const name = place.spot === 'array' ? `filter[${place.input}]` : place.input
  const sign = token === undefined ? '' : `<input type="hidden" name="csrf_token" value="${token}">`
  return (
    `<form action="${action}" method="${method}"${place.spot === 'multipart' ? ' enctype="multipart/form-data"' : ''}>` +
    `${method === 'get' ? routed.join('') : ''}<label>${place.input} <input name="${name}" value="${escaped(place.sink.value)}"></label>${sign}` +
    `<input type="hidden" name="count" value="10"><button>Show</button></form>`
  )
}

const optionForm = (place: Planted): string => {
  const others = ['spring', 'summer', 'autumn'].map((one) => `<option value="${one}">${one}</option>`)
  const own = `<option value="${place.entry.slice(1)}">${place.entry.slice(1)}</option>`
  return `<form action="${place.entry}/choose" method="post"><select name="season">${others.join('')}${own}</select><button>Go</button></form>`
}

/** Defines `go`, which asks for the place and shows what comes; `then` says when. */
const scriptOf = (place: Planted, then: string): string => {
  const shown = `.then(function (answer) { return answer.text() }).then(function (text) { document.getElementById('room').textContent = text.replace(/<[^>]*>/g, ' ').slice(0, 2000) })`
  return `function go() { ${fetchOf(place, place.sink.value)}${shown} }\n${then}`
}

const fetchOf = (place: Planted, value: string): string => {
  const { method, type, body } = sentFor(place, value)
  const headers = {
    ...(type === undefined ? {} : { 'Content-Type': type }),
    ...(place.spot === 'header' ? { [place.input]: value } : {}),
  }
  const init = JSON.stringify({ method, headers, ...(body === undefined ? {} : { body }) }).replaceAll('<', '\\u003c')
  return `fetch(${JSON.stringify(addressOf(place, value))}, ${init})`
}

/** Asks the interface what there is, and draws a button for each; a button asks for the place. */
const shellOf = (place: Planted): string => {
  const asked = [place.sink.value, ...place.sink.others].map((value) => [value, fetchOf(place, value)] as const)
  return `var app = document.getElementById('app'), room = document.createElement('div')
function show(answer) { answer.text().then(function (text) { room.textContent = text.replace(/<[^>]*>/g, ' ').slice(0, 2000) }) }
var ask = { ${asked.map(([value, call]) => `${JSON.stringify(value)}: function () { return ${call} }`).join(', ')} }
fetch('${place.entry}/items').then(function (answer) { return answer.json() }).then(function (list) {
  list.items.forEach(function (item) {
    var button = document.createElement('button')
    button.textContent = item
    button.addEventListener('click', function () { ask[item]().then(show) })
    app.appendChild(button)
  })
  app.appendChild(room)
})`
}

/** A route of the history interface: its address is the server's as well, with the same document. */
const routing = (place: Planted): string =>
  `function route() { if (location.pathname === '${place.entry}/all') go() }
document.getElementById('open').addEventListener('click', function () { history.pushState({}, '', '${place.entry}/all'); route() })
addEventListener('popstate', route)
route()`
