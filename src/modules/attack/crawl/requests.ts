/** The list of requests that the site takes: each once, with where it was seen. */
import { createHash } from 'node:crypto'
import type { HtmlForm, HtmlInput } from '../../../page/html.ts'
import { shapeOf } from '../../../page/shape.ts'
import { isSafe } from '../../../safety/effect.ts'
import { buttonOf, effectOfForm, type Writes } from '../../../safety/form-effect.ts'
import { type Around, type Asked, type Decision, decide, isToLearn, type Seen } from '../../../safety/policy.ts'
import type { Encoding, Field, RequestTemplate, Source } from './facts.ts'

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
  /** As the policy decides now. `told`: why an address does harm, by the links that lead to it. */
  readonly all: (told?: (url: string) => string | null) => readonly RequestTemplate[]
  /** Those that may be sent once, with their own values, to learn what they do. */
  readonly unlearned: () => readonly RequestTemplate[]
  /** What sending one so often has shown. */
  readonly learned: (id: string, seen: Seen, times: number) => void
}

interface Entry {
  readonly template: RequestTemplate
  readonly asked: Asked
  readonly seen: Seen
}

/** Nothing is known of the run: as careful as can be. */
const UNKNOWN: Around = { environment: 'production', signedIn: false, staff: false, excludes: () => false }

/** `around`: of the run, as it is known when it is asked. `plain`: the form in which addresses are asked for. */
export const createRequests = (
  around: () => Around = () => UNKNOWN,
  plain: (url: string) => string = (url) => url,
): Requests => {
  const byId = new Map<string, Entry>()
  const decided = ({ template, asked, seen }: Entry): RequestTemplate => judged(template, asked, seen, around())
  return {
    add: (given) => {
      const writes = given.writes === 'likely' && !around().signedIn ? null : (given.writes ?? null)
      const draft = { ...given, writes, url: plain(given.url) }
      const { template: bare, asked } = templateOf(draft)
      const made = named(judged(bare, asked, null, around()))
      const before = byId.get(made.id)
      if (!before && byId.size >= MAX_REQUESTS) return null
      const seenOn = [...new Set([...(before?.template.seenOn ?? []), ...made.seenOn])].slice(0, MAX_SEEN)
      const entry = before
        ? { ...before, template: { ...before.template, seenOn, sent: before.template.sent || made.sent } }
        : { template: made, asked, seen: null }
      byId.set(made.id, entry)
      return decided(entry)
    },
    all: (told = () => null) =>
      [...byId.values()].map((entry) => {
        const { asked } = entry
        const also = asked.method === 'GET' ? (asked.told ?? told(asked.url)) : (asked.told ?? null)
        return decided({ ...entry, asked: { ...asked, told: also } })
      }),
    unlearned: () =>
      [...byId.values()].filter(({ asked, seen }) => isToLearn(decide(asked, seen, around()))).map(decided),
    learned: (id, seen, times) => {
      const entry = byId.get(id)
      if (entry) byId.set(id, { ...entry, seen, template: { ...entry.template, sent: true, tried: times } })
    },
  }
}

/** With what the policy says of it. What is to be learned first is not probed unless it may write. */
const judged = (template: RequestTemplate, asked: Asked, seen: Seen, around: Around): RequestTemplate => {
  const decision = decide(asked, seen, around)
  const effect = effectBy(decision, seen, asked)
  const waits = decision.send === 'bounded' && around.environment === 'production'
  return {
    ...template,
    harm: decision.send === 'never' || waits ? decision.reason : null,
    ...(effect === null ? {} : { effect }),
    ...(decision.send === 'bounded' && !waits ? { bound: decision.most } : {}),
  }
}

/** Null where the method says it. */
const effectBy = (decision: Decision, seen: Seen, { method, writes }: Asked): RequestTemplate['effect'] | null => {
  if (seen === 'reads' || seen === 'writes') return seen
  if (decision.send === 'send') return isSafe(method) ? null : 'reads'
  return isSafe(method) && !writes && decision.send === 'never' ? null : 'unknown'
}

const templateOf = (draft: Draft): { readonly template: RequestTemplate; readonly asked: Asked } => {
  const { method, url, source, sent } = draft
  const encoding = draft.encoding ?? 'none'
  const fields = (draft.fields ?? [])
    .slice(0, MAX_FIELDS)
    .map((field) => ({ ...field, value: field.value.slice(0, MAX_VALUE) }))
  const body = draft.body?.slice(0, 20_000) ?? null
  const template: RequestTemplate = {
    id: '',
    method,
    url,
    shape: shapeOf(url),
    encoding,
    fields,
    body,
    ...(draft.headers ? { headers: draft.headers } : {}),
    source,
    seenOn: draft.seenOn === null ? [] : [draft.seenOn],
    sent,
    harm: null,
  }
  const asked = {
    ...{ method, url, encoding, fields, body, labels: draft.label ? [draft.label] : [] },
    ...{ told: draft.harm ?? null, writes: draft.writes ?? null },
  }
  return { template, asked }
}

/** With its identity: what an address does may hang on a value; beside a link that deletes, others of its shape read. */
const named = (template: RequestTemplate): RequestTemplate => {
  const { method, shape, encoding, fields, body, harm } = template
  const names = fields.map(({ name }) => name).toSorted()
  const apart = method === 'GET' && harm !== null ? ['left alone'] : []
  const identity = JSON.stringify([method, shape, encoding, names, bodyShape(encoding, body), ...apart])
  return { ...template, id: createHash('sha256').update(identity).digest('hex').slice(0, 12) }
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
export const draftOfForm = (form: HtmlForm, pageUrl: string): Draft | null => {
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
  const said = { ...effectOfForm(form, button, pageUrl), label: button?.label ?? '' }
  if (form.method === 'get') {
    const url = new URL(form.action)
    url.search = new URLSearchParams(fields.map(({ name, value }): [string, string] => [name, value])).toString()
    return { method: 'GET', url: url.href, source: 'form', seenOn: pageUrl, sent: false, ...said }
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
    ...said,
  }
}
