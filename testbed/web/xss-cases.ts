/** Pages that show a value again in every context, redirect to it, or write it into the head of the answer. */

import { type Answer, escapeHtml, page, type WebCase } from './case.ts'
import type { Place } from './place.ts'

interface Spot {
  readonly name: string
  /** How the careless page writes it. */
  readonly careless: (v: string) => string
  readonly careful: (v: string) => string
  readonly finds?: string
  readonly headers?: Readonly<Record<string, string>>
}

const json = (v: string): string =>
  JSON.stringify(v).replace(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
const inner = (v: string): string =>
  json(v)
    .slice(1, -1)
    .replace(/['`$]/g, (char) => `\\x${char.charCodeAt(0).toString(16)}`)
const address = (v: string): string => (/^https?:\/\//.test(v) ? escapeHtml(v) : '#')
const noBrackets = (v: string): string => v.replace(/[<>]/g, '')
const wrapped = (before: string, after: string) => ({
  careless: (v: string) => before + v + after,
  careful: (v: string) => before + escapeHtml(v) + after,
})

const SPOTS: readonly Spot[] = [
  { name: 'text', ...wrapped('<p>You looked for ', '.</p>') },
  { name: 'text-in-table', ...wrapped('<table><tr><td>', '</td></tr></table>') },
  { name: 'title', ...wrapped('<title>', '</title>') },
  { name: 'textarea', ...wrapped('<textarea>', '</textarea>') },
  { name: 'noscript', ...wrapped('<noscript>', '</noscript>') },
  {
    name: 'style',
    careless: (v) => `<style>.a{content:"${v}"}</style>`,
    careful: (v) => `<style>.a{content:"${v.replace(/[^\w ]/g, '')}"}</style>`,
  },
  {
    name: 'comment',
    careless: (v) => `<!-- looked for ${v} -->`,
    careful: (v) => `<!-- looked for ${v.replace(/[^\w ]/g, '')} -->`,
  },
  { name: 'attribute-double', ...wrapped('<input value="', '">') },
  { name: 'attribute-single', ...wrapped("<input value='", "'>") },
  {
    name: 'attribute-unquoted',
    careless: (v) => `<input value=${v || 'x'}>`,
    careful: (v) => `<input value="${escapeHtml(v)}">`,
  },
  {
    name: 'attribute-no-brackets',
    careless: (v) => `<input value="${noBrackets(v)}">`,
    careful: (v) => `<input value="${escapeHtml(v)}">`,
  },
  { name: 'attribute-hidden', ...wrapped('<input type=hidden name=back value="', '">') },
  { name: 'attribute-part-of-address', ...wrapped('<a href="/find?again=', '">again</a>') },
  {
    name: 'frame-address',
    careless: (v) => `<iframe src="${escapeHtml(v)}"></iframe>`,
    careful: (v) => `<iframe src="${address(v)}"></iframe>`,
  },
  {
    name: 'link-address',
    finds: 'xss/reflected-click',
    careless: (v) => `<a href="${escapeHtml(v)}">Back</a>`,
    careful: (v) => `<a href="${address(v)}">Back</a>`,
  },
  {
    name: 'handler-text',
    careless: (v) =>
      `<body onload="show('${escapeHtml(v)}')"></body><script>function show(){}</script><img src=/none onerror="show('${escapeHtml(v)}')">`,
    careful: (v) => `<img src=/none data-text="${escapeHtml(v)}" onerror="this.alt=this.dataset.text">`,
  },
  {
    name: 'script-double',
    careless: (v) => `<script>var q = "${v}"</script>`,
    careful: (v) => `<script>var q = ${json(v)}</script>`,
  },
  {
    name: 'script-single',
    careless: (v) => `<script>var q = '${v}'</script>`,
    careful: (v) => `<script>var q = '${inner(v)}'</script>`,
  },
  {
    name: 'script-single-no-brackets',
    careless: (v) => `<script>var q = '${noBrackets(v)}'</script>`,
    careful: (v) => `<script>var q = '${inner(v)}'</script>`,
  },
  {
    name: 'script-backslash-forgotten',
    careless: (v) => `<script>var q = '${noBrackets(v).replaceAll("'", "\\'")}'</script>`,
    careful: (v) => `<script>var q = '${inner(v)}'</script>`,
  },
  {
    name: 'script-quotes-escaped',
    careless: (v) => `<script>var q = "${v.replace(/["\\]/g, '\\$&')}"</script>`,
    careful: (v) => `<script>var q = ${json(v)}</script>`,
  },
  {
    name: 'script-template',
    careless: (v) => `<script>var q = \`${noBrackets(v)}\`</script>`,
    careful: (v) => `<script>var q = \`${inner(v)}\`</script>`,
  },
  {
    name: 'script-code',
    careless: (v) => `<script>var limit = ${noBrackets(v) || '1'}</script>`,
    careful: (v) => `<script>var limit = ${Number(v) || 1}</script>`,
  },
  {
    name: 'script-comment',
    careless: (v) => `<script>/* ${noBrackets(v)} */</script>`,
    careful: (v) => `<script>/* ${v.replace(/[^\w ]/g, '')} */</script>`,
  },
  {
    name: 'script-line-comment',
    careless: (v) => `<script>// ${noBrackets(v)}\n</script>`,
    careful: (v) => `<script>// ${v.replace(/[^\w ]/g, '')}\n</script>`,
  },
  {
    name: 'script-data',
    careless: (v) => `<script>var data = ${JSON.stringify({ q: v })}</script>`,
    careful: (v) => `<script>var data = {"q":${json(v)}}</script>`,
  },
  { name: 'svg-text', ...wrapped('<svg><text>', '</text></svg>') },
  { name: 'no-spaces', careless: (v) => `<p>${v.replaceAll(' ', '')}</p>`, careful: (v) => `<p>${escapeHtml(v)}</p>` },
  {
    name: 'script-tags-removed',
    careless: (v) => `<p>${v.replace(/<\/?script[^>]*>/gi, '')}</p>`,
    careful: (v) => `<p>${escapeHtml(v)}</p>`,
  },
  {
    name: 'policy',
    finds: 'xss/reflected-mitigated',
    headers: { 'Content-Security-Policy': "script-src 'self'" },
    ...wrapped('<p>You looked for ', '.</p>'),
  },
  {
    name: 'elements-only',
    finds: 'xss/html-injection',
    careless: (v) => `<p>${v.replace(/on\w+\s*=|javascript:|<(?!\/?b\b)/gi, '')}</p>`,
    careful: (v) => `<p>${escapeHtml(v)}</p>`,
  },
]

const answerOf =
  ({ careless, careful, headers }: Spot): WebCase['answer'] =>
  (value, isCareful): Answer => ({
    ...(headers ? { headers } : {}),
    body: page((isCareful ? careful : careless)(value)),
  })

const spotCase = (spot: Spot, place: Place, id: string, change: Partial<WebCase> = {}): WebCase => ({
  id,
  module: 'xss',
  finds: [spot.finds ?? 'xss/reflected'],
  place,
  value: 'tent',
  answer: answerOf(spot),
  ...change,
})

const OWN = { finds: ['xss/reflected-own-request'], firm: true } as const
const found = (name: string): Spot => SPOTS.find((spot) => spot.name === name) as Spot

const placeCases: readonly WebCase[] = [
  ...(['form', 'path'] as const).flatMap((place) =>
    ['text', 'attribute-double', 'script-single'].map((name) =>
      spotCase(found(name), place, `xss-${name}-at-${place}`),
    ),
  ),
  ...(['header', 'cookie', 'json', 'multipart'] as const).map((place) =>
    spotCase(found('text'), place, `xss-text-at-${place}`, OWN),
  ),
]

const own = (v: string): string => {
  const url = URL.parse(v, 'http://shop.test/')
  return url && url.host === 'shop.test' && /^\/(?![/\\])/.test(v) ? v : '/'
}
const redirect = (name: string, careless: (v: string) => string): WebCase => ({
  id: `redirect-${name}`,
  module: 'xss',
  finds: ['xss/open-redirect'],
  place: 'query',
  value: '/account',
  answer: (value, careful) => ({
    status: 302,
    headers: { Location: encodeURI(careful ? own(value) : careless(value)) },
    body: '',
  }),
})

const REDIRECTS: readonly WebCase[] = [
  redirect('plain', (v) => v),
  redirect('no-scheme', (v) => (/^\w+:/.test(v) ? '/' : v)),
  redirect('no-two-slashes', (v) => (/^\w+:|^\/\//.test(v) ? '/' : v.replaceAll('\\', '/'))),
  redirect('begins-with-own-name', (v) =>
    v.startsWith('https://shop.test') || v.startsWith('/account') ? v : v === v.replace(/[:/]/g, '') ? `/${v}` : '/',
  ),
]

/** The page itself sends its reader on, in the browser. */
const onward = (name: string, write: (v: string) => string): WebCase => ({
  id: `onward-${name}`,
  module: 'xss',
  finds: ['xss/open-redirect'],
  place: 'query',
  value: '/account',
  answer: (value, careful) => ({ body: page(write(careful ? own(value) : value)) }),
})

const ONWARD: readonly WebCase[] = [
  onward('refresh', (v) => `<meta http-equiv="refresh" content="0;url=${escapeHtml(v)}">`),
  onward('script', (v) => `<script>window.location = ${json(/^https?:|^\//.test(v) ? v : '/')}</script>`),
  onward(
    'script-later',
    (v) => `<script>const next = ${json(v)}; if (/^(https?:)?[/][/]/.test(next)) location.assign(next)</script>`,
  ),
  onward(
    'form',
    (v) =>
      `<form action="${escapeHtml(/^https?:/.test(v) ? v : '/')}"></form><script>document.forms[0].submit(); // redirect "${json(v).slice(1, -1)}"</script>`,
  ),
]

/** Encoded as HTML wants it, then evaluated by what draws the page. */
const drawn = (name: string, write: (v: string) => string, careful: (v: string) => string): WebCase => ({
  id: `template-${name}`,
  module: 'xss',
  finds: ['xss/reflected'],
  place: 'query',
  value: 'tent',
  answer: (value, isCareful) => ({ body: page((isCareful ? careful : write)(escapeHtml(value))) }),
})
const ANGULAR = '<script src="/lib/angular.min.js"></script>'
const VUE = '<script src="/lib/vue.global.prod.js"></script>'
const mounted = (id: string) => `<script>Vue.createApp({}).mount("#${id}")</script>`

const TEMPLATES: readonly WebCase[] = [
  drawn(
    'angular-text',
    (v) => `${ANGULAR}<div ng-app><p>You looked for ${v}</p></div>`,
    (v) => `${ANGULAR}<div ng-app><p ng-non-bindable>You looked for ${v}</p></div>`,
  ),
  drawn(
    'angular-attribute',
    (v) => `${ANGULAR}<div ng-app><input title="${v}"></div>`,
    (v) => `${ANGULAR}<div ng-app></div><input title="${v}">`,
  ),
  drawn(
    'vue-text',
    (v) => `<div id="app"><p>You looked for ${v}</p></div>${VUE}${mounted('app')}`,
    (v) => `<div id="app"><p v-pre>You looked for ${v}</p></div>${VUE}${mounted('app')}`,
  ),
]

const head = (name: string, broken: RegExp): WebCase => ({
  id: `head-${name}`,
  module: 'xss',
  finds: ['xss/header-injection'],
  place: 'query',
  value: 'en',
  answer: (value, careful) => ({
    raw: `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Language: ${careful ? encodeURIComponent(value) : value.replace(broken, '')}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    body: '',
  }),
})

export const XSS_CASES: readonly WebCase[] = [
  ...SPOTS.map((spot) => spotCase(spot, 'query', `xss-${spot.name}`)),
  ...placeCases,
  ...REDIRECTS,
  ...ONWARD,
  ...TEMPLATES,
  head('any-break', /$^/),
  head('bare-line-feed', /\r\n/g),
]
