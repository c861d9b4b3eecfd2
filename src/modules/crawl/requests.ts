/** The list of requests that the site takes: each once, with where it was seen. */
import { createHash } from 'node:crypto'
import type { HtmlForm, HtmlInput } from '../html.ts'
import type { Encoding, Field, RequestTemplate, Source } from './facts.ts'
import { EXCLUDED } from './frontier.ts'
import { harmOf, harmOfAddress, isSearch } from './safety.ts'
import { shapeOf } from './shape.ts'

const MAX_REQUESTS = 600
const MAX_SEEN = 5
const MAX_FIELDS = 60
const MAX_VALUE = 2_000

export interface Draft {
  readonly method: string
  readonly url: string
  readonly encoding?: Encoding
  readonly fields?: readonly Field[]
  readonly body?: string | null
  readonly headers?: RequestTemplate['headers']
  readonly source: Source
  readonly seenOn: string | null
  readonly sent: boolean
  /** Label of the button or link behind it. */
  readonly label?: string
  readonly harm?: string | null
}

export interface Requests {
  /** The template as listed, or null where the list is full. */
  readonly add: (draft: Draft) => RequestTemplate | null
  readonly all: () => readonly RequestTemplate[]
}

/** `plain`: the form in which addresses are asked for. */
export const createRequests = (
  excludes: (url: string) => boolean = () => false,
  plain: (url: string) => string = (url) => url,
): Requests => {
  const byId = new Map<string, RequestTemplate>()
  return {
    add: (given) => {
      const draft = { ...given, url: plain(given.url) }
      const made = templateOf(excludes(draft.url) ? { ...draft, harm: EXCLUDED } : draft)
      const before = byId.get(made.id)
      if (!before && byId.size >= MAX_REQUESTS) return null
      const seenOn = [...new Set([...(before?.seenOn ?? []), ...made.seenOn])].slice(0, MAX_SEEN)
      const merged = before ? { ...before, seenOn, sent: before.sent || made.sent } : made
      byId.set(made.id, merged)
      return merged
    },
    all: () => [...byId.values()],
  }
}

const templateOf = (draft: Draft): RequestTemplate => {
  const { method, url, source, sent } = draft
  const encoding = draft.encoding ?? 'none'
  const fields = (draft.fields ?? [])
    .slice(0, MAX_FIELDS)
    .map((field) => ({ ...field, value: field.value.slice(0, MAX_VALUE) }))
  const body = draft.body?.slice(0, 20_000) ?? null
  const shape = shapeOf(url)
  const names = fields.map(({ name }) => name).toSorted()
  const identity = JSON.stringify([method, shape, encoding, names, bodyShape(encoding, body)])
  const harm =
    draft.harm ??
    harmOfAddress(url) ??
    harmOf(draft.label ?? '') ??
    (method === 'DELETE' ? 'it deletes' : null) ??
    (fields.some(({ type }) => type === 'file') ? 'it uploads a file' : null)
  return {
    id: createHash('sha256').update(identity).digest('hex').slice(0, 12),
    method,
    url,
    shape,
    encoding,
    fields,
    body,
    ...(draft.headers ? { headers: draft.headers } : {}),
    source,
    seenOn: draft.seenOn === null ? [] : [draft.seenOn],
    sent,
    harm,
  }
}

/** Names of a JSON or XML body, or the query of a GraphQL one: what tells two bodies to one address apart. */
const bodyShape = (encoding: Encoding, body: string | null): unknown => {
  if (encoding === 'xml') return [...(body ?? '').matchAll(/<([\w:.-]{1,100})/g)].slice(0, 60).map((match) => match[1])
  if (encoding !== 'json' || body === null) return encoding === 'none' ? null : (body ?? '').slice(0, 40)
  try {
    const value: unknown = JSON.parse(body)
    if (typeof value !== 'object' || value === null) return typeof value
    const query = (value as { query?: unknown }).query
    return [Object.keys(value).toSorted(), typeof query === 'string' ? query : null]
  } catch (error) {
    if (error instanceof SyntaxError) return 'broken'
    throw error
  }
}

const EXAMPLES: readonly (readonly [pattern: RegExp, value: string])[] = [
  [/mail/i, 'test@example.org'],
  [/phone|tel|mobile/i, '+4930123456'],
  [/date|day|birth/i, '2024-01-01'],
  [/year/i, '2024'],
  [/url|website|link|homepage/i, 'https://example.org/'],
  [/zip|postal|plz/i, '10115'],
  [/count|amount|quantity|qty|number|num|age|page|limit|offset|size|id$/i, '1'],
  [/user|login|name/i, 'test'],
]
const BY_TYPE: Readonly<Record<string, string>> = {
  email: 'test@example.org',
  tel: '+4930123456',
  url: 'https://example.org/',
  number: '1',
  range: '1',
  date: '2024-01-01',
  'datetime-local': '2024-01-01T12:00',
  month: '2024-01',
  week: '2024-W01',
  time: '12:00',
  color: '#000000',
  password: 'Test-1234',
  checkbox: 'on',
  file: '',
}

const exampleFor = ({ name, type, value }: HtmlInput): string => {
  if (value !== '') return value
  if (type === 'hidden') return ''
  return BY_TYPE[type] ?? EXAMPLES.find(([pattern]) => pattern.test(name))?.[1] ?? 'test'
}

/** The request that submitting a form makes; null for a dialog and where the action is no address. */
export const draftOfForm = (form: HtmlForm, pageUrl: string): (Draft & { readonly search: boolean }) | null => {
  if (form.action === null || form.method === 'dialog' || !/^https?:/.test(form.action)) return null
  const inputs = form.inputs.filter(({ name, type }) => name !== '' && !['reset', 'image', 'button'].includes(type))
  const radios = new Set<string>()
  const submits = inputs.filter(({ type }) => type === 'submit')
  const fields = inputs
    .filter(({ type, name }) => {
      if (type !== 'radio') return type !== 'submit'
      const first = !radios.has(name)
      radios.add(name)
      return first
    })
    .concat(submits.slice(0, 1))
    .map((input) => ({ name: input.name, value: exampleFor(input), type: input.type || input.tag }))
  const label = form.inputs
    .filter(({ type }) => type === 'submit' || type === 'button')
    .map(({ value, attributes }) => `${value} ${attributes['aria-label'] ?? ''}`)
    .join(' ')
  if (form.method === 'get') {
    const url = new URL(form.action)
    url.search = new URLSearchParams(fields.map(({ name, value }): [string, string] => [name, value])).toString()
    return { method: 'GET', url: url.href, source: 'form', seenOn: pageUrl, sent: false, label, search: true }
  }
  const multipart = form.attributes.enctype?.trim().toLowerCase() === 'multipart/form-data'
  return {
    method: 'POST',
    url: form.action,
    encoding: multipart ? 'multipart' : 'urlencoded',
    fields,
    source: 'form',
    seenOn: pageUrl,
    sent: false,
    label,
    search: isSearch(form.action, fields),
  }
}
