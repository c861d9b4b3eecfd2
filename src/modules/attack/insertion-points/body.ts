/** Bodies with one place changed: form fields, multipart parts, JSON leaves, XML elements. Null where the place is gone. */
import { formDecoded } from '../../../page/percent.ts'
import { elementsOf } from './xml.ts'

/**
 * Each pair of that name, as some programs take the first and others the last; of a list its first member. `stands`: the value that the first
 * of them has, see `besideOwn`.
 */
export const formWith = (body: string, name: string, value: string, stands = ''): string => {
  const pairOf = (text: string): string => `${encodeValue(name)}=${encodeValue(text)}`
  const parts = body === '' ? [] : body.split('&')
  const isIt = (part: string): boolean => formDecoded(part.split('=')[0] ?? '') === name
  const at = parts.findIndex(isIt)
  if (at < 0) return [...parts, pairOf(value)].join('&')
  const isList = name.endsWith('[]')
  const changed = (part: string): string =>
    pairOf(besideOwn(value, stands, () => formDecoded(/=(.*)$/s.exec(part)?.[1] ?? '')))
  return parts
    .map((part, index) => {
      if (index === at) return pairOf(value)
      return !isList && isIt(part) ? changed(part) : part
    })
    .join('&')
}

/**
 * Fields of one name may hold values of their own: behind or before that of the first stands what is asked, which is asked of the others
 * behind or before theirs. `stands`: that of the first.
 */
const besideOwn = (value: string, stands: string, own: () => string): string => {
  if (stands === '') return value
  if (value.startsWith(stands)) return `${own()}${value.slice(stands.length)}`
  // Less than that may be how a made-up word ends.
  const isBehind = stands.length >= SHORTEST_BEHIND && value.endsWith(stands)
  return isBehind ? `${value.slice(0, -stands.length)}${own()}` : value
}

const SHORTEST_BEHIND = 3

/** Each pair of that name under another one; null where there is none. `to`: null leaves them out. */
export const formRenamed = (body: string, name: string, to: string | null): string | null => {
  const isIt = (part: string): boolean => formDecoded(part.split('=')[0] ?? '') === name
  const parts = body.split('&')
  if (!parts.some(isIt)) return null
  if (to === null) return parts.filter((part) => !isIt(part)).join('&')
  return parts.map((part) => (isIt(part) ? `${encodeValue(to)}${/=.*$/s.exec(part)?.[0] ?? ''}` : part)).join('&')
}

/** Pairs of a query or a form of which some have another value: null leaves one as it is written. */
export const pairsWith = (pairs: string, valueFor: (name: string) => string | null): string =>
  pairs
    .split('&')
    .map((pair) => {
      const name = formDecoded(pair.split('=')[0] ?? '')
      const value = valueFor(name)
      return value === null ? pair : `${encodeValue(name)}=${encodeValue(value)}`
    })
    .join('&')

/** Percent-encodes everything but letters, digits and "-_.~", so that no server reads a quote or a bracket early. */
export const encodeValue = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/**
 * What a cookie can hold without ending there (RFC 6265, 4.1.1). Half of the servers do not decode cookies, so everything else goes as
 * it is: a quote arrives on all of them.
 */
export const encodeCookie = (text: string): string =>
  text.toWellFormed().replace(/[^\x20-\x7e]|[";,\\%+]/gu, (char) => encodeURIComponent(char))

/** RFC 7578: the content of the parts of that name, their headers kept; of files and lists the first. `stands` as of a form. */
export const multipartWith = (
  body: string,
  contentType: string,
  name: string,
  value: string,
  stands = '',
): string | null => {
  const boundary = boundaryOf(contentType)
  if (boundary === undefined) return null
  const parts = body.split(`--${boundary}`)
  const at = parts.findIndex((part) => partName(part) === name)
  const part = parts[at]
  if (part === undefined) return null
  const isOne = name.endsWith('[]') || FILE_NAME.test(part)
  const filled = (one: string, text: (own: string) => string): string => {
    const from = one.indexOf('\r\n\r\n') + 4
    return `${one.slice(0, from)}${text(one.slice(from).replace(/\r\n$/, ''))}\r\n`
  }
  return parts
    .map((one, index) => {
      if (index === at) return filled(one, () => value)
      return !isOne && partName(one) === name ? filled(one, (own) => besideOwn(value, stands, () => own)) : one
    })
    .join(`--${boundary}`)
}

/** RFC 7578: the file name in the head of the part of that name. Null for line breaks, which would end the head. */
export const fileNameWith = (body: string, contentType: string, name: string, value: string): string | null => {
  const boundary = boundaryOf(contentType)
  if (boundary === undefined || /[\r\n]/.test(value)) return null
  const parts = body.split(`--${boundary}`)
  const at = parts.findIndex((part) => partName(part) === name)
  const part = parts[at]
  if (part === undefined || !FILE_NAME.test(part)) return null
  const changed = part.replace(FILE_NAME, () => `; filename="${value.replaceAll('"', '%22')}"`)
  return parts.with(at, changed).join(`--${boundary}`)
}

/** A file in place of the one in the part of that name, with a name and a type of its own. */
export const uploadWith = (
  body: string,
  contentType: string,
  name: string,
  file: { readonly name: string; readonly type: string; readonly content: string },
): string | null => {
  const named = fileNameWith(body, contentType, name, file.name)
  const filled = named && multipartWith(named, contentType, name, file.content)
  const boundary = boundaryOf(contentType)
  if (!filled || boundary === undefined) return null
  const typed = (part: string): string =>
    partName(part) === name ? part.replace(/\r\nContent-Type: [^\r\n]*/i, `\r\nContent-Type: ${file.type}`) : part
  return filled.split(`--${boundary}`).map(typed).join(`--${boundary}`)
}

const FILE_NAME = /; filename="[^"]*"/

const boundaryOf = (contentType: string): string | undefined => /boundary="?([^";]+)"?/i.exec(contentType)?.[1]

const partName = (part: string): string | null =>
  part.includes('\r\n\r\n') ? (/\bname="([^"]*)"/i.exec(part.slice(0, part.indexOf('\r\n\r\n')))?.[1] ?? null) : null

/** RFC 6901 pointer. The leaf becomes a string, or what `value` is. */
export const jsonWith = (body: string, pointer: string, value: unknown): string | null => {
  let root: unknown
  try {
    root = JSON.parse(body)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
  const keys = [...keysOf(pointer)]
  const last = keys.pop()
  if (last === undefined) return JSON.stringify(value)
  let holder: unknown = root
  for (const key of keys) holder = memberOf(holder, key)
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, last)) return null
  ;(holder as Record<string, unknown>)[last] = value
  return JSON.stringify(root)
}

/** The member of that pointer under another name, or without it, in its order; of an object that has none one more, `1`. Null where it is gone. */
export const jsonRenamed = (body: string, pointer: string, to: string | null): string | null => {
  const at = pointer.lastIndexOf('/')
  const last = keysOf(pointer).at(-1) ?? ''
  const holder = jsonAt(body, pointer.slice(0, at))
  if (typeof holder !== 'object' || holder === null || Array.isArray(holder)) return null
  const members = Object.entries(holder)
  if (last === '' && members.length === 0)
    return to === null ? body : jsonWith(body, pointer.slice(0, at), { [to]: '1' })
  if (!Object.hasOwn(holder, last)) return null
  const others = members.flatMap(([name, value]) =>
    name !== last ? [[name, value]] : to === null ? [] : [[to, value]],
  )
  return jsonWith(body, pointer.slice(0, at), Object.fromEntries(others))
}

const jsonAt = (body: string, pointer: string): unknown => {
  try {
    return keysOf(pointer).reduce(memberOf, JSON.parse(body) as unknown)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

const keysOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))

const memberOf = (holder: unknown, key: string): unknown =>
  typeof holder === 'object' && holder !== null && Object.hasOwn(holder, key)
    ? (holder as Record<string, unknown>)[key]
    : null

/** Text of the first element of that name, or text or attribute at a path such as "/order[1]/id[1]" or "/order[1]/@id". `raw` puts the value in without escaping. */
export const xmlWith = (body: string, path: string, value: string, raw = false): string | null => {
  const text = raw ? value : escapeXml(value)
  if (!path.startsWith('/')) {
    const named = new RegExp(`<${escapeRegExp(path)}(?:\\s[^<>]*)?>([^<>]*)</${escapeRegExp(path)}>`).exec(body)
    if (!named) return null
    const end = named.index + named[0].length - path.length - 3
    return body.slice(0, end - (named[1] ?? '').length) + text + body.slice(end)
  }
  const steps = path.split('/').slice(1)
  const attribute = steps.at(-1)?.startsWith('@') ? steps.pop()?.slice(1) : undefined
  const span = elementsOf(body).find((one) => one.path === `/${steps.join('/')}`)
  if (!span) return null
  if (attribute === undefined) {
    if (span.end === null) return null
    return body.slice(0, span.open) + text + body.slice(span.end)
  }
  const tag = body.slice(span.start, span.open)
  const found = new RegExp(`(\\s${escapeRegExp(attribute)}\\s*=\\s*)("[^"]*"|'[^']*')`).exec(tag)
  if (!found) return null
  const at = span.start + found.index
  return `${body.slice(0, at)}${found[1]}"${text}"${body.slice(at + found[0].length)}`
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
