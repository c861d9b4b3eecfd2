/** The documents of an application: its layout, and for each place the page on which the way to it begins. */
import type { Application, Planted } from './plan.ts'
import { escaped } from './sink.ts'

/** Where a request of the place goes, with an ordinary value where it stands in the address. */
export const addressOf = (place: Planted, value = place.sink.value): string => {
  const routed = place.way === 'front' ? `?view=${place.entry.slice(1)}` : ''
  if (place.spot === 'path') return `${place.path}/${encodeURIComponent(value)}`
  if (place.spot !== 'query') return `${place.path}${routed}`
  return `${place.path}${routed}${routed === '' ? '?' : '&'}${place.input}=${encodeURIComponent(value)}`
}

export const layout = ({ title, places }: Application, content: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title></head><body><nav><a href="/">Home</a> ` +
  `${places.map(({ entry }) => `<a href="${entry}">${entry.slice(1)}</a>`).join(' ')}</nav><main>${content}</main>` +
  `<footer>${escaped(title)}, since 1998.</footer></body></html>`

/** What stands on the page of the place. */
export const entryOf = (place: Planted): string => {
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
      return head + formOf(place, 'post')
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

const formOf = (place: Planted, method: 'get' | 'post'): string => {
  const [path = '', query = ''] = addressOf({ ...place, spot: 'urlencoded' }).split('?')
  const routed = [...new URLSearchParams(query)].map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
  )
  const action = method === 'post' ? `${path}${query === '' ? '' : `?${query}`}` : path
  return (
    `<form action="${action}" method="${method}"${place.spot === 'multipart' ? ' enctype="multipart/form-data"' : ''}>` +
    `${method === 'get' ? routed.join('') : ''}<label>${place.input} <input name="${place.input}" value="${escaped(place.sink.value)}"></label>` +
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
  const value = JSON.stringify(place.sink.value)
  const request = {
    json: `fetch('${place.path}', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ count: 10, filter: { ${JSON.stringify(place.input)}: ${value} } }) })`,
    urlencoded: `fetch('${place.path}', { method: 'POST', body: new URLSearchParams({ ${JSON.stringify(place.input)}: ${value}, count: '10' }) })`,
    header: `fetch('${place.path}', { headers: { ${JSON.stringify(place.input)}: ${value} } })`,
  }[place.spot as string]
  return (
    `function go() { (${request ?? `fetch('${addressOf(place)}')`}).then(function (answer) { return answer.text() })` +
    `.then(function (text) { document.getElementById('room').textContent = text.replace(/<[^>]*>/g, ' ').slice(0, 2000) }) }\n${then}`
  )
}

/** A route of the history interface: its address is the server's as well, with the same document. */
const routing = (place: Planted): string =>
  `function route() { if (location.pathname === '${place.entry}/all') go() }
document.getElementById('open').addEventListener('click', function () { history.pushState({}, '', '${place.entry}/all'); route() })
addEventListener('popstate', route)
route()`
