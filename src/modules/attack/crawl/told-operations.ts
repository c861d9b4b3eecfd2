/**
 * Operations that a page tells people of, as sites do that have an interface and no description for machines: `POST /api/login` with a
 * sample of its body, in running text, a table or a list, and commands of curl.
 */
import type { Operation } from '../../../contract/described.ts'
import { operationOfRecorded, type Pair, type RecordedBody } from '../../../descriptions/requests.ts'
import { isPlaceToldOf } from './told-headers.ts'
import { plainOf } from './told-text.ts'

/** Operations of one page. */
const MOST = 40
/** Characters behind an operation in which its body may stand. */
const NEAR = 800
const METHODS = 'GET|POST|PUT|PATCH|DELETE'
const PATH = '(?:https?://[\\w.:-]{1,100})?/[\\w\\-.~%/{}:<>@$?=&,+*[\\]]{0,300}'
/** Between the method and the path, once markup is gone; and between a path and the method behind it. */
const BETWEEN = '[\\s:|`\'"*\\]()–—-]{1,12}'

const FORWARD = new RegExp(
  `(?<![\\w/-]|Cannot )(${METHODS})${BETWEEN}(${PATH})(?!\\S*\\s+HTTP/[\\d.]+["”]?\\s+\\d{3})`,
  'g',
)
const BACKWARD = new RegExp(`(?<![\\w.:/-])(/[\\w\\-.~/{}:<>]{2,200})${BETWEEN}(${METHODS})(?![\\w/])`, 'g')
/** Of the page itself. */
const HERE = /(?<![\w/-])(POST|PUT|PATCH)\s+(?:[\w-]+\s+){0,6}(?=\{)/g

/** `url`: of the page, whose operations with an address of another host are not its site's. */
export const operationsToldIn = (text: string, type: string, url: string): readonly Operation[] => {
  const plain = plainOf(text, type)
  const page = new URL(url)
  const told = [...commandsIn(plain, page), ...wordsIn(plain, page)]
  const byKey = new Map<string, Operation>()
  for (const one of told) {
    const key = `${one.method} ${one.path}`
    // The one with a body says more.
    if ((byKey.get(key)?.body ?? null) === null) byKey.set(key, one)
  }
  return [...byKey.values()].slice(0, MOST)
}

/** Nothing of it is open, and its address says all. */
export const isAddress = ({ method, path, parameters }: Operation): boolean =>
  method === 'GET' && !path.includes('{') && parameters.every((one) => one.in === 'query')

/** `page`: where it was told of. */
export const addressOf = ({ path, parameters }: Operation, page: string): string => {
  const url = new URL(path, page)
  for (const { name, value } of parameters) url.searchParams.append(name, value)
  return url.href
}

const wordsIn = (plain: string, page: URL): readonly Operation[] => {
  const forward = [...plain.matchAll(FORWARD)].map(({ 0: whole, 1: method = '', 2: path = '', index }) => ({
    ...{ method, path, from: index, to: index + whole.length },
  }))
  const backward =
    forward.length > 0
      ? []
      : [...plain.matchAll(BACKWARD)].map(({ 0: whole, 1: path = '', 2: method = '', index }) => ({
          ...{ method, path, from: index, to: index + whole.length },
        }))
  const here =
    forward.length + backward.length > 0
      ? []
      : [...plain.matchAll(HERE)].map(({ 0: whole, 1: method = '', index }) => ({
          ...{ method, path: page.pathname, from: index, to: index + whole.length },
        }))
  const all = [...forward, ...backward, ...here].slice(0, MOST)
  return all.flatMap(({ method, path, to }, at) => {
    const behind = plain.slice(to, Math.min(to + NEAR, all[at + 1]?.from ?? plain.length))
    return operationOf({ method, address: path, headers: [], body: method === 'GET' ? null : sampleIn(behind) }, page)
  })
}

interface Told {
  readonly method: string
  readonly address: string
  readonly headers: readonly Pair[]
  readonly body: RecordedBody | null
}

/** Addresses of the machine that it was written on stand for the site. */
const OWN = /^(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])$/

const operationOf = ({ method, address, headers, body }: Told, page: URL): readonly Operation[] => {
  const cleaned = address.replace(/[.,:)]+$/, '')
  const url = URL.parse(
    cleaned.replace(PLACEHOLDER, (_, ...names: string[]) => `\x7f${nameOf(names)}\x7f`),
    page.href,
  )
  if (url === null || (url.hostname !== page.hostname && !OWN.test(url.hostname))) return []
  const path = url.pathname.replace(/%7F(\w+)%7F/gi, '{$1}')
  if (!/^\/[\w\-.~%/{}@$+*]*$/.test(path)) return []
  const query = [...url.searchParams].map(([name, value]) => ({ name, value: value.includes('\x7f') ? 'test' : value }))
  const where = `${method} ${path}`
  const recorded = { ...{ method, path, variables: [], query, headers, body, label: '' }, where }
  return [operationOfRecorded(recorded, () => undefined)]
}

/** `{id}`, `:id`, `<int:id>`, `[id]`, as authors write what stands for a value. */
const PLACEHOLDER = /\{\{?(\w{1,40})\}?\}|<(?:\w{1,20}:)?(\w{1,40})>|\[(\w{1,40})\]|(?<=\/):(\w{1,40})/g
const nameOf = (names: readonly (string | undefined)[]): string =>
  names.slice(0, 4).find((one) => one !== undefined && one !== '') ?? 'id'

const PAIRS = /(?<![\w/?&.-])[\w[\].-]{1,40}=[^\s&<>"'`]{0,200}(?:&[\w[\].-]{1,40}=[^\s&<>"'`]{0,200})*/

/** JSON, names in braces without values, or fields as a form sends them. */
const sampleIn = (text: string): RecordedBody | null => {
  const start = text.indexOf('{')
  const json = start < 0 ? null : objectAt(text, start)
  if (json !== null) return { type: 'application/json', text: json }
  const [pairs] = PAIRS.exec(text) ?? []
  return pairs === undefined ? null : { type: FORM, fields: fieldsOf(pairs) }
}
const FORM = 'application/x-www-form-urlencoded'

const fieldsOf = (text: string) =>
  [...new URLSearchParams(text)].map(([name, value]) => ({ name, value, type: 'text' }))

/** Up to its end, as JSON; null where it is none, also once it is written as JSON is. */
const objectAt = (text: string, start: number): string | null => {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1
    if (text[at] === '}') depth -= 1
    if (depth > 0) continue
    const found = text.slice(start, at + 1)
    return [found, repaired(found), named(found)].find((one) => one !== null && isObject(one)) ?? null
  }
  return null
}

/** As people write it: single or typographic quotes, names without, what is left out, a comma too many. */
const repaired = (text: string): string =>
  text
    .replace(/[“”„]/g, '"')
    .replace(/'([^'\n]{0,200})'/g, (_, inner: string) => JSON.stringify(inner))
    .replace(/([{,]\s*)([A-Za-z_]\w{0,40})(\s*:)/g, '$1"$2"$3')
    .replace(/:\s*(?:\.{2,3}|…|<[^<>"]{0,40}>|string|str|text)(?=\s*[,}])/g, ':"test"')
    .replace(/:\s*(?:int|integer|number|float)(?=\s*[,}])/g, ':1')
    .replace(/,?\s*(?:\.{3}|…)?\s*\}/g, '}')

/** `{ username, password }`. */
const named = (text: string): string | null => {
  const names = text
    .slice(1, -1)
    .split(',')
    .map((one) => one.trim().replace(/^["'“`]|["'”`]$/g, ''))
  return names.every((one) => /^[A-Za-z_]\w{0,40}$/.test(one))
    ? JSON.stringify(Object.fromEntries(names.map((one) => [one, 'test'])))
    : null
}

const isObject = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && Object.keys(value).length > 0
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

const COMMAND = /(?:^|[\s$>#`])curl\s+([^\n]{1,2000})/g
const WORD = /'([^']*)'|"((?:[^"\\]|\\.)*)"|(\S+)/g
const DATA: readonly string[] = [
  '-d',
  '--data',
  '--data-raw',
  '--data-binary',
  '--data-ascii',
  '--data-urlencode',
  '--json',
]

const commandsIn = (plain: string, page: URL): readonly Operation[] =>
  [...plain.replace(/\\\r?\n/g, ' ').matchAll(COMMAND)].slice(0, MOST).flatMap(([, line = '']) => {
    const words = [...line.matchAll(WORD)].map(
      ([, single, double, bare]) => single ?? double?.replace(/\\(.)/g, '$1') ?? bare ?? '',
    )
    return commandOf(words, page)
  })

const commandOf = (words: readonly string[], page: URL): readonly Operation[] => {
  const headers: Pair[] = []
  let [method, data, address, isJson] = ['', '', '', false]
  for (const [at, word] of words.entries()) {
    const next = words[at + 1] ?? ''
    const before = words[at - 1] ?? ''
    if (word === '-X' || word === '--request') method = next.toUpperCase()
    else if (DATA.includes(word)) {
      data = data === '' ? next : `${data}&${next}`
      isJson ||= word === '--json'
    } else if (word === '-H' || word === '--header') {
      const [, name = '', value = ''] = /^([\w-]{1,60})\s*:\s*(.*)$/s.exec(next) ?? []
      if (/^content-type$/i.test(name)) isJson ||= /json/i.test(value)
      // Anybody may have written the page: none has a request mean another one, or says who asks.
      else if (name !== '' && isPlaceToldOf(name)) headers.push({ name, value })
    } else if (address === '' && !before.startsWith('-') && /^(?:https?:\/\/|\/)/.test(word)) address = word
    else if (address === '' && /^https?:\/\//.test(word) && !TAKES.test(before)) address = word
  }
  const used = method === '' ? (data === '' ? 'GET' : 'POST') : method
  if (address === '' || !new RegExp(`^(?:${METHODS})$`).test(used)) return []
  const body = data === '' || used === 'GET' ? null : bodyOf(data, isJson)
  return operationOf({ method: used, address, headers, body }, page)
}

/** Options whose value may be an address. */
const TAKES = /^(?:-x|--proxy|-e|--referer|-H|--header|-o|--output|-d|--data.*)$/

const bodyOf = (data: string, isJson: boolean): RecordedBody =>
  isJson || /^\s*[{[]/.test(data) ? { type: 'application/json', text: data } : { type: FORM, fields: fieldsOf(data) }
