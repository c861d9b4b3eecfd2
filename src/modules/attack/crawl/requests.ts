/** The list of requests that the site takes: each once, with where it was seen. */
import { createHash } from 'node:crypto'
import type { HtmlForm, HtmlInput } from '../../../page/html.ts'
import { shapeOf } from '../../../page/shape.ts'
import { SAVES } from '../../../safety/deeds.ts'
import { buttonOf, effectOfForm, type Writes } from '../../../safety/form-effect.ts'
import { harmOf, harmOfParameter, harmOfRequest, isSearch } from '../../../safety/safety.ts'
import { leavesOf } from '../insertion-points/points.ts'
import type { Encoding, Field, RequestTemplate, Source } from './facts.ts'
import { EXCLUDED } from './facts-reasons.ts'

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
  /** That it writes although it is sent with GET. */
  readonly writes?: Writes
}

export interface Requests {
  /** The template as listed, or null where the list is full. */
  readonly add: (draft: Draft) => RequestTemplate | null
  readonly all: () => readonly RequestTemplate[]
}

/** `plain`: the form in which addresses are asked for. `signedIn`: forms that may alter what is stored are taken to do so. */
export const createRequests = (
  excludes: (url: string) => boolean = () => false,
  plain: (url: string) => string = (url) => url,
  signedIn = false,
): Requests => {
  const byId = new Map<string, RequestTemplate>()
  return {
    add: (given) => {
      const writes = given.writes === 'likely' && !signedIn ? null : (given.writes ?? null)
      const draft = { ...given, writes, url: plain(given.url) }
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
  const harm = harmOfDraft({ ...draft, fields, encoding, body })
  // What an address does may hang on a value: beside a link that deletes, others of its shape read.
  const apart = method === 'GET' && harm !== null ? ['left alone'] : []
  const identity = JSON.stringify([method, shape, encoding, names, bodyShape(encoding, body), ...apart])
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
    ...(draft.writes ? { effect: 'writes' as const } : {}),
  }
}

const harmOfDraft = ({ method, url, label, harm, fields, encoding, body }: Draft & Pick<RequestTemplate, 'fields'>) =>
  harm ??
  harmOfRequest(method, url) ??
  harmOf(label ?? '') ??
  (method === 'DELETE' ? 'it deletes' : null) ??
  (fields.some(({ type }) => type === 'file') ? 'it uploads a file' : null) ??
  told(fields.filter(({ type }) => type === 'hidden')) ??
  (encoding === 'json' ? told(namedLeaves(body ?? '')) : null)

const namedLeaves = (body: string) =>
  leavesOf(body).map(([pointer, value]) => ({ name: pointer.slice(pointer.lastIndexOf('/') + 1), value }))

/** The gravest that fields tell; that what is posted saves something is known by its method. */
const told = (fields: readonly Pick<Field, 'name' | 'value'>[]): string | null =>
  fields.map(({ name, value }) => harmOfParameter(name, value)).find((harm) => harm !== null && harm !== SAVES) ?? null

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
  const button = buttonOf(form)
  const fields = inputs
    .filter(({ type, name }) => {
      if (type !== 'radio') return type !== 'submit'
      const first = !radios.has(name)
      radios.add(name)
      return first
    })
    .concat(button && button.name !== '' && button.type === 'submit' ? [button] : [])
    .map((input) => ({ name: input.name, value: exampleFor(input), type: input.type || input.tag }))
  const effect = effectOfForm(form, button, pageUrl)
  if (form.method === 'get') {
    const url = new URL(form.action)
    url.search = new URLSearchParams(fields.map(({ name, value }): [string, string] => [name, value])).toString()
    return { method: 'GET', url: url.href, source: 'form', seenOn: pageUrl, sent: false, ...effect, search: true }
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
    ...effect,
    search: isSearch(form.action, fields),
  }
}
