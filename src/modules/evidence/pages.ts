/** From "this page has the problem" to one finding for the site, with every place and the decisive header lines. */
import type { Location, Proof } from '../../contract/finding.ts'
import type { HeaderPairs } from '../../egress/door/egress.ts'
import type { Page, PageKind } from '../../page/page.ts'
import type { Finding, FindingDefinition } from '../module.ts'

/** What is needed of an answer to show it: a page, a hop of a redirect, or a probe of our own. */
export type Shown = Pick<Page, 'url' | 'status' | 'headers'> & Partial<Pick<Page, 'kind' | 'evidence'>>

export interface Hit {
  readonly page: Shown
  /** One sentence with the values seen. */
  readonly detail: string
  /** The decisive text; it is marked where the excerpt shows it. */
  readonly mark?: string
}

const MAX_EVIDENCE = 5
const WEIGHT: readonly PageKind[] = ['payment', 'checkout', 'login', 'authenticated', 'form', 'plain']

/** The page whose kind weighs most speaks for the site in the context table. */
export const weightiest = (kinds: readonly (PageKind | undefined)[]): PageKind =>
  WEIGHT.find((kind) => kinds.includes(kind)) ?? 'plain'

export interface PostureOptions {
  /** Header names whose lines decide. */
  readonly headers: readonly string[]
  readonly confidence?: Finding['confidence']
}

/** No finding without a hit; the first hit gives place, sentence and proof, the others are further places. */
export const posture = (
  definition: FindingDefinition,
  hits: readonly Hit[],
  { headers, confidence = 'confirmed' }: PostureOptions,
): readonly Finding[] => {
  const [first] = hits
  if (first === undefined) return []
  const at = (hit: Hit): Location => ({ url: hit.page.url })
  const urls = new Set([first.page.url])
  const others = hits.filter(({ page }) => !urls.has(page.url) && urls.add(page.url))
  const more = others.length === 0 ? '' : ` The same holds for ${count(others.length, 'further page')}.`
  return [
    {
      definition,
      confidence,
      at: at(first),
      places: others.map(at),
      detail: first.detail + more,
      proof: headerProof(first.page, headers, first.mark ?? null),
      evidence: hits.flatMap(({ page }) => (page.evidence ? [page.evidence] : [])).slice(0, MAX_EVIDENCE),
      page: weightiest(hits.map(({ page }) => page.kind)),
    },
  ]
}

/** The lines of these names, or all of them where none is there: an absence is seen in what did arrive. */
export const headerProof = (page: Shown, names: readonly string[], mark: string | null): Proof => {
  const wanted = page.headers.filter(([name]) => names.includes(name.toLowerCase()))
  const lines = linesOf(wanted.length > 0 ? wanted : page.headers)
  const excerpt = [`HTTP ${page.status} ${page.url}`, ...lines].join('\n').slice(0, 8_000)
  const shownMark = mark !== null && mark !== '' && mark.length <= 1_024 && excerpt.includes(mark) ? mark : null
  return { excerpt, mark: shownMark, replay: `curl -sS -o /dev/null -D - ${shellQuoted(page.url)}` }
}

/** Header lines for people; the values of cookies are cut, they may open somebody's session. */
export const linesOf = (headers: HeaderPairs): readonly string[] =>
  headers.map(
    ([name, value]) => `${name}: ${name.toLowerCase() === 'set-cookie' ? maskCookie(value) : clip(value, 2_000)}`,
  )

export const maskCookie = (line: string): string => {
  const [, pair = '', rest = ''] = /^([^;]*)(.*)$/s.exec(line) ?? []
  const equals = pair.indexOf('=')
  return clip(`${pair.slice(0, equals + 1)}${maskSecret(pair.slice(equals + 1))}${rest}`, 2_000)
}

/** The first characters and the length: enough to recognise one's own, too little to use it. */
export const maskSecret = (value: string): string =>
  value.length <= 4
    ? value
    : `${value.slice(0, Math.min(4, Math.floor(value.length / 4)))}…(${value.length} characters)`

export const clip = (text: string, length = 200): string => (text.length <= length ? text : `${text.slice(0, length)}…`)
export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
