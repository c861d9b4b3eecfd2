/** A request of the inventory with one value put in place of another. */
import type { HeaderPairs, HttpRequest } from '../../../egress/door/egress.ts'
import { quotedCookie } from '../../../page/cookies/cookie-header.ts'
import { withSegmentAt } from '../../../page/segments.ts'
import {
  encodeCookie,
  encodeValue,
  fileNameWith,
  formRenamed,
  formWith,
  jsonRenamed,
  jsonWith,
  multipartWith,
  xmlWith,
} from './body.ts'
import type { ProbePoint } from './inventory.ts'
import { packed } from './packed.ts'
import { renamedWithin } from './point.ts'

/** Null where the value cannot stand there: a line break in a header, a place that the body has lost. */
export const compose = (point: ProbePoint, value: string): HttpRequest | null => {
  const { request } = point
  if (point.members) return composeAll(point, point.members, value)
  const { within, ...whole } = point
  if (within) {
    const changed = packed(within, value)
    return changed === null ? null : compose(whole, changed)
  }
  const as = (change: { url?: string; headers?: HeaderPairs; body?: string | null }): HttpRequest | null => {
    if (change.body === null) return null
    const body = change.body ?? request.body
    return {
      method: request.method,
      url: change.url ?? request.url,
      headers: change.headers ?? request.headers,
      ...(body === null ? {} : { body }),
    }
  }
  const body = request.body ?? ''
  const { name } = point
  switch (point.place) {
    case 'query':
      return as({ url: withQuery(request.url, name, value, point.value) })
    case 'path':
      return as({ url: withSegment(request.url, Number(name), value) })
    case 'form':
      return as({ body: formWith(body, name, value, point.value) })
    case 'name': {
      const pair = `${encodeValue(value)}=1`
      if (/urlencoded/i.test(headerValue(request.headers, 'content-type')))
        return as({ body: body === '' ? pair : `${body}&${pair}` })
      const [address = ''] = request.url.split('#')
      return as({ url: `${address}${address.includes('?') ? '&' : '?'}${pair}` })
    }
    case 'body':
      return as({ body: value })
    case 'own-name':
    case 'json-name':
      return renamed(point, value)
    case 'file-name':
      return as({ body: fileNameWith(body, headerValue(request.headers, 'content-type'), name, value) })
    case 'file':
    case 'multipart':
      return as({ body: multipartWith(body, headerValue(request.headers, 'content-type'), name, value, point.value) })
    case 'json':
      return as({ body: jsonWith(body, name, value) })
    case 'xml':
      return as({ body: xmlWith(body, name, value) })
    case 'cookie':
      return as({ headers: withCookie(request.headers, name, cookieOf(point, value)) })
    case 'header':
      return UNSENDABLE.test(value) ? null : as({ headers: withHeader(request.headers, name, value) })
  }
}

/** Members that cannot hold the value keep their own; null where none can. */
const composeAll = (
  { request, value: stands }: ProbePoint,
  members: readonly ProbePoint[],
  value: string,
): HttpRequest | null => {
  let changed: HttpRequest | null = null
  let { url, headers, body } = request
  // Of one value several members change each their part.
  const wholes = new Map<string, string>()
  for (const one of members) {
    const { within } = one
    const member = within ? { ...one, within: { ...within, whole: wholes.get(one.name) ?? within.whole } } : one
    const text = stands === '' ? value : value.replaceAll(stands, () => member.value)
    const next = compose({ ...member, request: { ...request, url, headers, body } }, text)
    if (!next) continue
    if (member.within) wholes.set(member.name, packed(member.within, text) ?? member.within.whole)
    changed = next
    url = next.url
    headers = next.headers ?? headers
    body = typeof next.body === 'string' ? next.body : body
  }
  return changed
}

/** Each of several fields of one body filled with its own text; of those that cannot hold theirs the body stays as it was. */
export const filledWith = (
  request: HttpRequest,
  fields: readonly { readonly point: ProbePoint; readonly text: string }[],
): HttpRequest => {
  let body = typeof request.body === 'string' ? request.body : null
  for (const { point, text } of fields) {
    const filled = compose({ ...point, request: { ...point.request, url: request.url, body } }, text)?.body
    if (typeof filled === 'string') body = filled
  }
  return body === null ? request : { ...request, body }
}

/** What each member of a group was sent, in their order; of cookies also as it stood there, which some pages repeat. */
export const textsOf = (point: ProbePoint, value: string): readonly string[] => {
  const texts =
    point.members && point.value !== ''
      ? point.members.map((member) => value.replaceAll(point.value, () => member.value))
      : [value]
  const isCookie = (point.members ?? [point]).some(({ place }) => place === 'cookie')
  return isCookie ? [...new Set([...texts, ...texts.map(encodeCookie), ...texts.map(quotedCookie)])] : texts
}

/** Beyond these a header has no agreed coding. */
const UNSENDABLE = /[^\t\x20-\x7e\x80-\xff]/

/** The parameter under another name, without it where that is null; null where the request has none of the name. */
export const withName = (
  { method, url, headers = [], body }: Pick<HttpRequest, 'method' | 'url' | 'headers'> & { readonly body?: unknown },
  name: string,
  to: string | null,
): HttpRequest | null => {
  const whole = typeof body === 'string' ? { body } : {}
  const isForm = typeof body === 'string' && /urlencoded/i.test(headerValue(headers, 'content-type'))
  const renamed = isForm ? formRenamed(body, name, to) : null
  if (renamed !== null) return { method, url, headers, body: renamed }
  const [start = '', query = ''] = (url.split('#')[0] ?? '').split(/\?(.*)/s)
  const asked = formRenamed(query, name, to)
  return asked === null ? null : { method, url: asked === '' ? start : `${start}?${asked}`, headers, ...whole }
}

/** `stands` as of a form: see `formWith`. */
export const withQuery = (address: string, name: string, value: string, stands?: string): string => {
  const [start = '', query = ''] = (address.split('#')[0] ?? '').split(/\?(.*)/s)
  return `${start}?${formWith(query, name, value, stands)}`
}

export const withSegment = (address: string, index: number, value: string): string =>
  // A dot segment would be resolved away before it is sent.
  withSegmentAt(
    address,
    index,
    encodeValue(value).replace(/^\.{1,2}$/, (dots) => '%2E'.repeat(dots.length)),
  )

const withHeader = (headers: HeaderPairs, name: string, value: string): HeaderPairs => [
  ...headers.filter(([one]) => one.toLowerCase() !== name.toLowerCase()),
  [name, value],
]

/** A value as it stands in the cookie. What a page has encoded is decoded behind it, blanks and all. */
export const cookieOf = ({ request, name, quoted }: ProbePoint, value: string): string => {
  if (quoted) return quotedCookie(value)
  const stands = cookieIn(request.headers, name)
  return stands !== undefined && /%[0-9a-f]{2}/i.test(stands) ? encodeValue(value) : encodeCookie(value)
}

const cookieIn = (headers: HeaderPairs, name: string): string | undefined =>
  headerValue(headers, 'cookie')
    .split(/;\s*/)
    .find((pair) => pair.startsWith(`${name}=`))

const withCookie = (headers: HeaderPairs, name: string, value: string): HeaderPairs => {
  const others = headerValue(headers, 'cookie')
    .split(/;\s*/)
    .filter((pair) => pair !== '' && pair.split('=')[0]?.trim() !== name)
  return withHeader(headers, 'Cookie', [...others, `${name}=${value}`].join('; '))
}

/** With another name for what the place is the name of, without that where it is null; null where the request has none of it. */
export const renamed = ({ request, place, name }: ProbePoint, to: string | null): HttpRequest | null => {
  if (place !== 'json-name') return withName(request, name, to === null ? null : renamedWithin(name, to))
  const body = jsonRenamed(request.body ?? '', name, to)
  return body === null ? null : { method: request.method, url: request.url, headers: request.headers, body }
}

const headerValue = (headers: HeaderPairs, name: string): string =>
  headers.find(([one]) => one.toLowerCase() === name)?.[1] ?? ''

/** A header or cookie that the request was not seen with. */
export const isAdded = ({ place }: ProbePoint): boolean => place === 'header' || place === 'cookie'

/** The request with the values that it was found with. */
export const plainOf = (point: ProbePoint): HttpRequest => {
  const { request } = point
  return (
    (isAdded(point) ? compose(point, point.value) : null) ?? {
      method: request.method,
      url: request.url,
      headers: request.headers,
      ...(request.body === null ? {} : { body: request.body }),
    }
  )
}
