/** Bodies, queries and headers as examples: what the code says itself, and what a field of such a name takes for the rest. */

import { sampleFor } from '../../../sample-files.ts'
import { mayBeSecret } from '../secret-headers.ts'
import { exampleByName } from '../values.ts'
import { type Endpoint, EXAMPLE } from './endpoint.ts'
import type { Sent } from './sent.ts'
import { type Entries, entry, isNameGiven, known, objectOf, type Value } from './value.ts'

const DEEPEST = 6
const LONGEST_LIST = 10
const MOST_FIELDS = 200
const MOST_PARTS = 300
const LONGEST_TEXT = 2_000

type Body = NonNullable<Endpoint['body']>

/** `path`: where it is sent; passwords differ by it. Null where the code shows no body. */
export const bodyOf = (sent: Sent, path: string): Endpoint['body'] => {
  const { body } = sent
  if (body === null) return null
  const document = documentOf(sent)
  if (document !== null) return document
  if (body.kind === 'choice') return bodyOf({ ...sent, body: body.of.find(isShown) ?? null }, path)
  if (body.kind === 'form') return formOf(body.entries, body.encoding, path)
  if (body.kind === 'text') return formOf(pairsOf(body) ?? [], 'urlencoded', path)
  const object = objectOf(body)
  const type = typeOf(sent)
  if (object && (sent.asForm || /urlencoded/i.test(type)) && body.kind !== 'json')
    return formOf(sent.asForm ? named(object.entries) : object.entries, 'urlencoded', path)
  const shown = object ?? (body.kind === 'json' ? body.of : body)
  if (shown.kind !== 'object' && shown.kind !== 'list') return null
  return jsonBody(shown, path)
}

const typeOf = ({ headers }: Sent): string => known(entry(objectOf(headers), 'Content-Type', 'content-type')) ?? ''

/** Documents that are neither JSON nor a form, by their media type, and the least of such a one. */
const DOCUMENTS: readonly (readonly [type: RegExp, least: string])[] = [
  [/^[\w.+-]+\/(?:[\w.+-]+\+)?xml\b/i, '<data>1</data>'],
  [/^[\w.+-]+\/(?:[\w.+-]+\+|x-)?ya?ml\b/i, 'data: 1\n'],
]

/** A text whose media type says that it is a document: the one that the code shows, else the least that reads as one. */
const documentOf = (sent: Sent): Body | null => {
  const type = typeOf(sent)
  const least = DOCUMENTS.find(([pattern]) => pattern.test(type))?.[1]
  if (least === undefined || sent.body === null) return null
  const parts = sent.body.kind === 'choice' ? sent.body.of : [sent.body]
  const encoding = /xml/i.test(type) ? 'xml' : 'text'
  const isOne = (one: string | null): one is string => one !== null && one.trim() !== ''
  const filled = (): string | undefined =>
    parts.map(withExamples).find((one) => isOne(one) && (encoding === 'xml' ? /<[\w:-]+/ : /^\s*[\w-]+:/m).test(one))
  const shown = parts.map(known).find(isOne) ?? filled()
  return { encoding, fields: {}, text: shown?.slice(0, LONGEST_TEXT) ?? least, type }
}

/** A text of which a part is put in later: an example stands there. */
const withExamples = (value: Value): string =>
  value.kind === 'text' ? value.pieces.map((piece) => (typeof piece === 'string' ? piece : EXAMPLE)).join('') : ''

const isShown = (value: Value): boolean =>
  value.kind === 'form' || value.kind === 'list' || (objectOf(value)?.entries.length ?? 0) > 0

const jsonBody = (value: Extract<Value, { kind: 'object' | 'list' }>, path: string): Endpoint['body'] => {
  const entries = value.kind === 'object' ? value.entries.filter(isSent).slice(0, MOST_FIELDS) : []
  if (value.kind === 'object' ? entries.length === 0 : value.items.length === 0) return null
  const whole = createJson(path)(value, '')
  const fields = entries.map(([name, one]) => [name, one.kind === 'data' ? EXAMPLE : fieldText(one, name, path)])
  return { encoding: 'json', fields: Object.fromEntries(fields), json: JSON.stringify(whole) }
}

const formOf = (entries: Entries, encoding: 'urlencoded' | 'multipart', path: string): Body | null => {
  const sent = entries.filter(isSent).slice(0, MOST_FIELDS)
  if (sent.length === 0) return null
  const files =
    encoding === 'multipart' ? sent.filter(([name, value]) => isFile(name, value)).map(([name]) => name) : []
  const fields = sent.map(([name, value]) => [
    name,
    files.includes(name) ? sampleFor('', name) : fieldText(value, name, path),
  ])
  return { encoding, fields: Object.fromEntries(fields), ...(files.length > 0 ? { files } : {}) }
}

/** As jQuery names what stands in lists and objects: `ids[]`, `filter[kind]`. */
const named = (entries: Entries): Entries =>
  entries.flatMap(([name, value]): Entries => {
    if (value.kind === 'list') return value.items.slice(0, LONGEST_LIST).map((one) => [`${name}[]`, one] as const)
    return value.kind === 'object'
      ? value.entries.map(([key, one]) => [`${name}[${key}]`, one] as const)
      : [[name, value]]
  })

const isSent = ([name, value]: readonly [string, Value]): boolean =>
  !isNameGiven(name) && value.kind !== 'fn' && !(value.kind === 'unknown' && value.name === 'undefined')

/** By what is put in, or by what it is called where nobody can tell. */
const isFile = (name: string, value: Value): boolean =>
  value.kind === 'file' ||
  ((value.kind === 'unknown' || value.kind === 'param' || value.kind === 'made') &&
    /(?:^|[_-])(?:files?|images?|pictures?|photos?|avatar|upload|attachments?|documents?)(?:\[\])?$|(?:File|Image|Picture|Photo|Attachment)s?$/i.test(
      name,
    ))

const PAIRS = /^[\w[\].-]+=[^\s{}<>]*(?:&[\w[\].-]+=[^\s{}<>]*)*$/

/**
 * A text that is a form already: `'name=' + name + '&page=2'`. What nobody can tell may be further pairs where it stands in place of one
 * (`$(form).serialize() + '&page=2'`). Null where it is another text.
 */
export const pairsOf = ({ pieces }: Extract<Value, { kind: 'text' }>): Entries | null => {
  const gaps: Value[] = []
  const whole = pieces
    .map((piece) => (typeof piece === 'string' ? piece : `${GAP}${gaps.push(piece) - 1}${GAP}`))
    .join('')
  const pairs = whole.split('&').filter((pair) => !OPEN.test(pair))
  if (pairs.length === 0 || whole.length > LONGEST_TEXT || !PAIRS.test(pairs.join('&'))) return null
  return pairs.flatMap((pair): Entries => {
    const [name = '', value = ''] = pair.split(/=(.*)/s)
    if (name.includes(GAP)) return []
    const only = OPEN.exec(value)?.[1]
    const said = value.split(GAP).map((part, at) => (at % 2 === 0 ? decoded(part) : (gaps[Number(part)] ?? '')))
    return [
      [name, only === undefined ? { kind: 'text', pieces: said } : (gaps[Number(only)] ?? { kind: 'unknown', name })],
    ]
  })
}

/** Stands around the number of a gap: a character that no script writes into a form. */
const GAP = '\u{e000}'
const OPEN = new RegExp(`^${GAP}(\\d+)${GAP}$`)

const decoded = (text: string): string => new URLSearchParams(`x=${text}`).get('x') ?? text

export const queryOf = (value: Value | null, path: string): string => {
  const pairs = value?.kind === 'text' ? pairsOf(value) : null
  const entries = pairs ?? (value?.kind === 'form' ? value.entries : (objectOf(value)?.entries ?? []))
  const fields = entries
    .filter(isSent)
    .slice(0, MOST_FIELDS)
    .map(([name, one]): [string, string] => [name, fieldText(one, name, path)])
  return new URLSearchParams(fields).toString()
}

const OF_BODIES = /^(?:content-type|content-length|accept)$/i

export const headersOf = (value: Value | null): NonNullable<Endpoint['headers']> => {
  const entries = value?.kind === 'form' ? value.entries : (objectOf(value)?.entries ?? [])
  return entries
    .filter(([name]) => /^[\w-]{1,60}$/.test(name) && !mayBeSecret(name) && !OF_BODIES.test(name))
    .map(([name, one]) => [name, known(one) ?? String((one.kind === 'unknown' && one.example) || EXAMPLE)] as const)
    .filter(([, text]) => /^[\x20-\x7e]{0,500}$/.test(text))
    .slice(0, 10)
}

/** One field as a form sends it. */
const fieldText = (value: Value, name: string, path: string): string => {
  const said = known(value)
  if (said !== null && said !== '') return said.slice(0, LONGEST_TEXT)
  if (value.kind === 'text' && said === null)
    return value.pieces.map((piece) => (typeof piece === 'string' ? piece : EXAMPLE)).join('')
  if (value.kind === 'choice')
    return fieldText(value.of.find((one) => known(one) !== null) ?? { kind: 'unknown', name }, name, path)
  if (value.kind === 'json') return JSON.stringify(createJson(path)(value.of, name))
  if (value.kind === 'unknown' && value.example !== undefined && value.example !== '') return String(value.example)
  if (value.kind === 'object' || value.kind === 'list') return EXAMPLE
  return exampleByName(name, path) ?? EXAMPLE
}

/** What an expression becomes where JSON holds it; what nobody can tell has the example that its name asks for. */
export const jsonOfValue = (value: Value, name: string): unknown => createJson('')(value, name)

/** Of several what the code says itself: what stands there for a caller who gives nothing, where no caller is seen. */
const told = (values: readonly Value[]): Value | undefined =>
  values.find((one) => one.kind !== 'param' && one.kind !== 'unknown') ?? values[0]

const IDS = /(?:^|_)ids$|[a-z]I[Dd]s$/

const numberOf = (example: unknown): number =>
  typeof example === 'string' && example !== '' && Number.isFinite(Number(example)) ? Number(example) : 1

/** What an expression becomes in JSON, in so many parts at most. */
const createJson = (path: string): ((value: Value, name: string) => unknown) => {
  let parts = 0
  const jsonOf = (value: Value, name: string, depth: number): unknown => {
    parts += 1
    if (value.kind === 'data') return value.value
    if (value.kind === 'unknown' && typeof value.example !== 'string' && value.example !== undefined)
      return value.example
    if (value.kind === 'unknown' && value.isNumber === true) return numberOf(value.example)
    // A word for several is a list wherever JSON says so.
    if (value.kind === 'unknown' && value.example === undefined && IDS.test(name)) return [1]
    if (parts > MOST_PARTS || depth >= DEEPEST) return EXAMPLE
    if (value.kind === 'list') return value.items.slice(0, LONGEST_LIST).map((one) => jsonOf(one, name, depth + 1))
    if (value.kind === 'choice') return jsonOf(told(value.of) ?? { kind: 'unknown', name }, name, depth)
    const object = value.kind === 'json' ? null : value.kind === 'form' ? value : objectOf(value)
    if (object === null) return fieldText(value, name, path)
    const entries = object.entries.filter(isSent).slice(0, MOST_FIELDS)
    return Object.fromEntries(entries.map(([key, one]) => [key, jsonOf(one, key, depth + 1)]))
  }
  return (value, name) => jsonOf(value, name, 0)
}
