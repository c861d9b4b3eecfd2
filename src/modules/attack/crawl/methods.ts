/**
 * Programs that take a form's fields by the other method, too, and do there what they do not do by the form's own: a page
 * that was tested by one method alone is known by half. Asked once for each form, and for links with values behind those, with
 * a word that stands nowhere else.
 */
import { randomBytes } from 'node:crypto'
import type { HttpExchange, HttpRequest } from '../../../egress/door/egress.ts'
import { isHtml, mediaTypeOf, textOf } from '../../../page/text.ts'
import { requestOf } from '../insertion-points/inventory.ts'
import { isToken } from '../insertion-points/tokens.ts'
import type { Field, RequestTemplate } from './facts.ts'
import type { Draft } from './requests.ts'

export interface MethodParts {
  readonly requests: readonly RequestTemplate[]
  /** Whether the policy lets it be sent now. */
  readonly maySend: (draft: Draft) => boolean
  /** Null where nothing answers. */
  readonly send: (request: HttpRequest) => Promise<HttpExchange | null>
  readonly isOver: () => boolean
}

const MOST_ASKED = 300
const AT_ONCE = 6

/** Requests by the other method whose page shows a value that it does not show by the form's own. */
export const otherMethods = async (parts: MethodParts): Promise<readonly Draft[]> => {
  const known = new Set(parts.requests.map(keyOf))
  const twins = parts.requests
    .filter(({ harm, sent }) => harm === null && sent)
    .toSorted((a, b) => Number(b.source === 'form') - Number(a.source === 'form'))
    .flatMap((own) => {
      const twin = twinOf(own)
      return twin && !known.has(keyOf(twin)) && parts.maySend(twin) ? [{ own, twin }] : []
    })
    .slice(0, MOST_ASKED)
  const found: Draft[] = []
  for (let at = 0; at < twins.length && !parts.isOver(); at += AT_ONCE)
    found.push(...(await Promise.all(twins.slice(at, at + AT_ONCE).map((pair) => asked(parts, pair)))).flat())
  return found
}

const keyOf = ({ method, url }: Pick<Draft, 'method' | 'url'>): string => `${method} ${url.split('?')[0]}`

/** What writes is not sent by the method of links, by which it would count as reading. Null where there is none. */
const twinOf = (own: RequestTemplate): Draft | null => {
  const url = new URL(own.url)
  const as = { source: own.source, seenOn: own.seenOn[0] ?? null, sent: true }
  if (own.method === 'GET') {
    const fields = fieldsOf(url, own.shape)
    for (const { name } of fields) url.searchParams.delete(name)
    return fields.length === 0
      ? null
      : { ...as, method: 'POST', url: url.href, encoding: 'urlencoded', fields, tried: 1 }
  }
  if (own.method !== 'POST' || own.encoding !== 'urlencoded' || own.effect !== 'reads' || own.fields.length === 0)
    return null
  for (const { name, value } of own.fields) url.searchParams.set(name, value)
  return { ...as, method: 'GET', url: url.href }
}

/** Parameters of an address but those that choose the page: its shape keeps their values. */
const fieldsOf = (url: URL, shape: string): readonly Field[] => {
  const chosen = new Set((shape.split(/\?(.*)/s)[1] ?? '').split('&'))
  return [...url.searchParams]
    .filter(([name, value]) => !chosen.has(`${name}=${value}`))
    .map(([name, value]) => ({ name, value, type: 'text' }))
}

const asked = async ({ send }: MethodParts, pair: { own: RequestTemplate; twin: Draft }): Promise<readonly Draft[]> => {
  const { own, twin } = pair
  const word = `qx${randomBytes(5).toString('hex')}`
  const shows = async (request: HttpRequest): Promise<boolean> => {
    const answer = await send(request)
    return (
      answer !== null &&
      answer.status < 400 &&
      isHtml(mediaTypeOf(answer), textOf(answer)) &&
      textOf(answer).includes(word)
    )
  }
  const names = (own.method === 'GET' ? fieldsOf(new URL(own.url), own.shape) : own.fields)
    .filter(({ name, value, type }) => FREE.has(type) && !isToken(name, value))
    .map(({ name }) => name)
  if (!(await shows(requestWith(twin, names, word)))) return []
  return (await shows(requestWith(own, names, word))) ? [] : [twin]
}

/** Types that take any text; what is chosen or hidden keeps its value. */
const FREE: ReadonlySet<string> = new Set(['text', 'search', 'textarea', ''])

/** With the word for each of these names, in the address and in the body. */
const requestWith = (
  draft: Pick<Draft, 'method' | 'url' | 'encoding' | 'fields'>,
  names: readonly string[],
  word: string,
): HttpRequest => {
  const address = new URL(draft.url)
  for (const name of names) if (address.searchParams.has(name)) address.searchParams.set(name, word)
  const fields = (draft.fields ?? []).map((one) => (names.includes(one.name) ? { ...one, value: word } : one))
  const { method, url, headers, body } = requestOf({
    ...{ id: '', shape: '', body: null, source: 'form', seenOn: [], sent: true, harm: null },
    ...{ method: draft.method, url: address.href, encoding: draft.encoding ?? 'none', fields },
  })
  return { method, url, headers, ...(body === null ? {} : { body }) }
}
