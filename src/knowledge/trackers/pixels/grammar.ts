/** How one interface of a vendor words an event: which addresses, which parameters, what they mean. */

/** Parameters of the address and of the body, by name; JSON is flattened with dots: `context.user.email`. */
export type Fields = ReadonlyMap<string, string>

export interface PixelGrammar {
  /** Id in the table of vendors. */
  readonly vendor: string
  readonly matches: (url: URL) => boolean
  readonly event: (fields: Fields, url: URL) => string | null
  /** Parameter, or its beginning with `*`, → what it is. Others are left out. */
  readonly meanings: Readonly<Record<string, string>>
  /** Parameter, or its beginning with `*`, → kind of personal data; what is empty counts as not sent. */
  readonly identity: Readonly<Record<string, string>>
  /** Personal data inside a parameter that has its own grammar. */
  readonly inside?: (fields: Fields) => readonly string[]
}

/** Of an advertisement's or browser's identifier only its shape is kept. */
export const ID = 'identifier of the browser'
export const ACCOUNT = 'account of the site'
export const PAGE = 'address of the page'
export const REFERRER = 'address of the page before'
export const TITLE = 'title of the page'
export const EVENT = 'event'
export const VALUE = 'value of the event'
export const SCREEN = 'screen'
export const CLICK = 'click on an advertisement'
export const CONSENT = 'signal of consent'

/** True for the host itself and names below it. */
export const at = (url: URL, host: string): boolean => url.hostname === host || url.hostname.endsWith(`.${host}`)

const MOST_FIELDS = 300
const DEEPEST = 6
const LONGEST_BODY = 256 * 1024

/** Form or JSON; a body of neither gives nothing. The address wins over the body where both have a name. */
export const fieldsOf = (url: URL, body: string | null): Fields => {
  const fields = new Map<string, string>()
  const add = (name: string, value: string) => {
    if (fields.size < MOST_FIELDS && !fields.has(name)) fields.set(name, value)
  }
  for (const [name, value] of url.searchParams) add(name, value)
  const text = (body ?? '').slice(0, LONGEST_BODY).trim()
  if (text.startsWith('{') || text.startsWith('[')) flatten(parseJson(text), '', 0, add)
  // GA4 sends one event a line.
  else if (/^[\w.[\]%-]+=/.test(text)) {
    for (const line of text.split('\n', 25))
      for (const [name, value] of new URLSearchParams(line.trim())) add(name, value)
  }
  return fields
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // Cut off or not JSON at all: nothing can be said of it.
    return null
  }
}

const flatten = (value: unknown, path: string, depth: number, add: (name: string, value: string) => void): void => {
  if (depth > DEEPEST || value === null || value === undefined) return
  if (typeof value !== 'object') {
    add(path, String(value))
    return
  }
  for (const [name, inner] of Object.entries(value))
    flatten(inner, path === '' ? name : `${path}.${name}`, depth + 1, add)
}
