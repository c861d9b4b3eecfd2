/** The documents of the site around the cases: its front page, its sections, and the page on which the way to an entry begins. */
import { escapeHtml } from '../case.ts'
import type { Entry, Site } from './plan.ts'
import { sentFor } from './requests.ts'

export const layout = (content: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Northfold</title>${head}</head><body><nav><a href="/">Home</a> ` +
  `<a href="/account">Account</a></nav><main>${content}</main><footer>Northfold, outdoor goods since 1998.</footer></body></html>`

export const frontPage = ({ entries }: Site): string => {
  const sections = [...new Set(entries.map(({ section }) => section))].toSorted()
  return layout(
    `<h1>Northfold</h1><ul>${sections.map((one) => `<li><a href="/${one}">${titled(one)}</a></li>`).join('')}</ul>`,
  )
}

export const sectionPage = (section: string, entries: readonly Entry[]): string =>
  layout(
    `<h1>${titled(section)}</h1>${entries.map((entry) => `<section><h2>${titled(entry.end)}</h2>${wayTo(entry)}</section>`).join('')}`,
  )

export const SIGN_IN = layout(
  '<h1>Sign in</h1><form method="post" action="/sign-in"><label>Name <input name="user"></label>' +
    '<label>Password <input type="password" name="password"></label><button>Sign in</button></form>',
)

export const accountPage = (user: string): string =>
  layout(`<h1>Account</h1><p>Hello ${escapeHtml(user)}.</p><p><a href="/sign-out">Sign out</a></p>`)

/** Address of the page on which an entry with a longer way begins. */
export const aboutOf = ({ section, end }: Entry): string => `/${section}/about-${end}`

const titled = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`
const quoted = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')
const linkOf = (entry: Entry): string => `<a href="${escapeHtml(sentFor(entry).url)}">More of ${entry.end}</a>`

/** What stands on the page of the section. */
const wayTo = (entry: Entry): string => {
  switch (entry.way) {
    case 'link':
      return `<p>${linkOf(entry)}</p>`
    case 'script-cookie':
      return `<p>${linkOf(entry)}</p><script>document.cookie = ${quoted(`${entry.input}=${entry.case.value}; path=/`)}</script>`
    case 'menu':
      return `<ul id="menu-${entry.end}"></ul><script>${menuOf(entry)}</script>`
    case 'comment':
      return `<!-- moved: <a href="${escapeHtml(sentFor(entry).url)}">${entry.end}</a> --><p>Closed for the winter.</p>`
    case 'hop':
      return `<p><a href="${aboutOf(entry)}">Latest of ${entry.end}</a></p>`
    case 'press':
      return `<p><span id="press-${entry.end}" tabindex="0" onclick="${escapeHtml(pressOf(entry))}">Open ${entry.end}</span></p>`
    case 'fetch':
      return fetchOf(entry)
    case 'form':
    case 'select':
    case 'radio':
    case 'textarea':
    case 'upload':
    case 'either':
    case 'formaction':
      return formOf(entry)
    default:
      return `<p>All about ${entry.end}: <a href="${aboutOf(entry)}">read on</a>.</p>`
  }
}

export interface About {
  readonly html: string
  readonly headers?: Readonly<Record<string, string>>
  readonly status?: number
}

/** The page on which a longer way begins. */
export const aboutPage = (entry: Entry): About => {
  const { url } = sentFor(entry)
  const head = `<h1>${titled(entry.end)}</h1><p>All about ${entry.end}.</p>`
  switch (entry.way) {
    case 'frame':
      return { html: layout(`${head}<iframe src="${escapeHtml(url)}"></iframe>`) }
    case 'base': {
      const [folder, name] = [`/${entry.section}/${entry.end}/`, escapeHtml(url.slice(url.indexOf('/details') + 1))]
      return { html: layout(`${head}<p><a href="${name}">Details</a></p>`, `<base href="${folder}">`) }
    }
    case 'refresh':
      return { html: layout(head), headers: { Refresh: `2; url=${url}` } }
    case 'hop':
      return { html: layout(head), status: 302, headers: { Location: url } }
    case 'link-header':
      return { html: layout(head), headers: { Link: `<${url}>; rel="next"` } }
    case 'hash-route':
      return {
        html: layout(
          `${head}<p><a href="#/list">The list</a></p><div id="room"></div><script>${routeOf(entry)}</script>`,
        ),
      }
    default:
      return { html: layout(`${head}<p>${linkOf(entry)}</p>`) }
  }
}

/** Puts the address together where a reader of the source sees parts alone. */
const builtOf = (entry: Entry): string => {
  const [path = '', query] = sentFor(entry).url.split('?')
  const parts = path.split('/').slice(1).map(decodeURIComponent)
  const search =
    query === undefined ? '' : ` + '?' + new URLSearchParams(${quoted(Object.fromEntries(new URLSearchParams(query)))})`
  return `'/' + ${quoted(parts)}.map(encodeURIComponent).join('/')${search}`
}

const menuOf = (entry: Entry): string =>
  `{ const a = document.createElement('a'), li = document.createElement('li'); a.href = ${builtOf(entry)}; a.textContent = ${quoted(titled(entry.end))}; li.append(a); document.getElementById('menu-${entry.end}').append(li) }`

const pressOf = (entry: Entry): string => `location.href = ${builtOf(entry)}`

const SHOWN =
  ".then((answer) => answer.text()).then((text) => { room.textContent = text.replace(/<[^>]*>/g, ' ').slice(0, 2000) })"

const callOf = (entry: Entry): string => {
  const { method, url, headers, body } = sentFor(entry)
  return `fetch(${quoted(url)}, ${quoted({ method, headers, ...(body === undefined ? {} : { body }) })})`
}

const fetchOf = (entry: Entry): string =>
  `<button id="open-${entry.end}">Show ${entry.end}</button><div id="room-${entry.end}"></div><script>` +
  `{ const room = document.getElementById('room-${entry.end}'); document.getElementById('open-${entry.end}').addEventListener('click', () => ${callOf(entry)}${SHOWN}) }</script>`

const routeOf = (entry: Entry): string =>
  `const room = document.getElementById('room'); const go = () => { if (location.hash === '#/list') ${callOf(entry)}${SHOWN} }; addEventListener('hashchange', go); go()`

export const SEASONS = ['spring', 'summer', 'autumn', 'winter']

/** What has to come with the value, beside it. */
const BESIDE: Readonly<Record<string, string>> = {
  select: `<select name="season">${SEASONS.map((one) => `<option>${one}</option>`).join('')}</select>`,
  radio: SEASONS.map(
    (one, at) => `<label><input type="radio" name="season" value="${one}"${at === 1 ? ' checked' : ''}>${one}</label>`,
  ).join(''),
  textarea: '<textarea name="greeting">Dear friends</textarea>',
  upload: '<input type="file" name="picture">',
  either: '<label>or number <input name="number"></label>',
}

const formOf = (entry: Entry): string => {
  const { path, input, way, case: one } = entry
  const method = one.place === 'query' ? 'get' : 'post'
  const type = one.place === 'multipart' ? ' enctype="multipart/form-data"' : ''
  const [action, button] =
    way === 'formaction'
      ? [`/${entry.section}`, `<button formaction="${path}">Show</button>`]
      : [path, '<button>Show</button>']
  const value = way === 'either' ? '' : ` value="${escapeHtml(one.value)}"`
  const page = way === 'either' ? '' : '<input type="hidden" name="page" value="1">'
  return (
    `<form method="${method}" action="${action}"${type}><label>${input} <input name="${input}"${value}></label>` +
    `${BESIDE[way] ?? ''}${page}${button}</form>${one.keeps ? `<p><a href="${path}">What others wrote</a></p>` : ''}`
  )
}
