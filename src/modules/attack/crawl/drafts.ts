/** Requests out of described operations. */
import type { Body, Operation, Parameter } from '../../../contract/described.ts'
import { withDeclaredVariables } from '../../../descriptions/graphql/variables.ts'
import type { LinkedValues } from '../../../page/linked-values.ts'
import { thingOfProcedure } from '../../../page/names.ts'
import { jsonWith } from '../insertion-points/body.ts'
import type { Encoding, Source } from './facts.ts'
import type { Draft } from './requests.ts'

export interface DraftOptions {
  readonly origin: string
  readonly source: Source
  readonly seenOn: string | null
  readonly values: LinkedValues
  /** Values that answers have shown stand in the place of the description's own, too. */
  readonly seenFirst: boolean
  /** With what is required alone. */
  readonly lean: boolean
  /** And with these optional parameters, by their names. */
  readonly also?: ReadonlySet<string>
}

/** Null where its address is none. */
export const draftOf = (operation: Operation, options: DraftOptions): Draft | null => {
  const { origin, source, seenOn, lean, also } = options
  const parameters = operation.parameters.filter((one) => !lean || one.required || one.given || also?.has(one.name))
  const segments = operation.path.split('/').slice(1)
  const path = segments.map((segment, index) =>
    segment.replace(BRACES, (_whole, name: string) => {
      const found = parameters.find((one) => one.in === 'path' && one.name === name)
      const value = found === undefined ? '1' : valueFor(found, folderBefore(segments, index), options)
      // Nothing, or dots alone, would be another address.
      return /^\.{0,2}$/.test(value) ? 'test' : encodeURIComponent(value)
    }),
  )
  const url = URL.parse(`${origin}/${path.join('/')}`)
  if (!url) return null
  for (const one of parameters) if (one.in === 'query') url.searchParams.append(one.name, valueFor(one, null, options))
  const variables = segments.flatMap((segment, index) => (segment.search(BRACES) < 0 ? [] : [index]))
  const headers = headersOf(parameters, operation.body, options)
  return {
    ...{
      method: operation.method,
      url: url.href,
      source,
      seenOn,
      sent: false,
      ...bodyOf(operation, options),
    },
    ...(variables.length > 0 ? { variables } : {}),
    ...(headers.length > 0 ? { headers } : {}),
    ...(operation.label === '' ? {} : { label: operation.label }),
  }
}

/** Parameters of its path whose value nobody has given and no answer has shown. */
export const isOpen = (operation: Operation, values: LinkedValues): boolean => {
  const segments = operation.path.split('/').slice(1)
  return segments.some((segment, index) =>
    [...segment.matchAll(BRACES)].some(([, name = '']) => {
      const found = operation.parameters.find((one) => one.in === 'path' && one.name === name)
      return found?.given !== true && values.find(name, folderBefore(segments, index)) === undefined
    }),
  )
}

const BRACES = /\{([^{}]{1,100})\}/g

/** The nearest segment before it that is a name. */
const folderBefore = (segments: readonly string[], index: number): string | null =>
  segments.slice(0, index).findLast((one) => one.search(BRACES) < 0) ?? null

const valueFor = ({ name, value, given }: Parameter, of: string | null, options: DraftOptions): string =>
  given && !options.seenFirst ? value : (options.values.find(name, of) ?? value)

/** What a header can hold. */
const SENDABLE = /^[\t\x20-\x7e]*$/

const headersOf = (
  parameters: readonly Parameter[],
  body: Body | null,
  options: DraftOptions,
): readonly (readonly [string, string])[] => {
  const of = (place: Parameter['in']): [string, string][] =>
    parameters
      .filter((one) => one.in === place)
      .map((one): [string, string] => [one.name, valueFor(one, null, options)])
      .filter(([name, value]) => /^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name) && SENDABLE.test(value))
  const cookies = of('cookie').map(([name, value]) => `${name}=${value.replace(/[;,\s]/g, encodeURIComponent)}`)
  const type = body === null || isUsual(body.type) ? [] : [['Content-Type', body.type] as const]
  return [...type, ...of('header'), ...(cookies.length > 0 ? [['Cookie', cookies.join('; ')] as const] : [])]
}

/** What requests of its encoding say by themselves. */
const isUsual = (type: string): boolean =>
  /^(?:application\/(?:json|xml|x-www-form-urlencoded)|text\/plain)$|^multipart\/form-data/i.test(type)

const bodyOf = (operation: Operation, options: DraftOptions): Pick<Draft, 'encoding' | 'fields' | 'body'> => {
  const { method, body } = operation
  if (body === null) return { encoding: 'none', fields: [], body: null }
  const encoding = encodingOf(body.type)
  if (encoding === 'urlencoded' || encoding === 'multipart')
    return {
      encoding,
      fields: body.fields.map(({ name, value, type, given }) => ({
        ...{ name, type },
        value: given || type === 'file' ? value : (options.values.find(name, null) ?? value),
      })),
      body: null,
    }
  const text = options.lean && body.lean !== undefined ? body.lean : body.text
  if (encoding !== 'json') return { encoding, fields: [], body: text }
  const filled = withDeclaredVariables(text, { needed: options.lean })
  const [made, owner] = [[...body.made, ...filled.made], ownerOf(operation)]
  const isUpdate = method === 'PUT' || method === 'PATCH'
  return { encoding, fields: [], body: linkedBody(filled.body, made, { owner, isUpdate }, options.values) }
}

const encodingOf = (type: string): Encoding => {
  if (/json/i.test(type)) return 'json'
  if (/xml/i.test(type)) return 'xml'
  if (/multipart/i.test(type)) return 'multipart'
  return /urlencoded/i.test(type) ? 'urlencoded' : 'text'
}

/** What the whole is about: of a path its last name, of a field its own without what is done. */
const ownerOf = ({ path, name }: Operation): string | null =>
  name === '' ? folderBefore(path.split('/'), path.split('/').length) : thingOfProcedure(name.replace(/^\w+\./, ''))

/** Keys that hold what the whole is about. */
const HOLDERS = new Set(['variables', 'input', 'data', 'where', 'filter', 'attributes'])

/** What whoever makes a thing chooses for it, and another has taken already. */
const CHOSEN = /(?:name|title|mail|user|login|phone|password|nick|handle)$/i

/**
 * Made-up values give way to those that exist; a number stays a number. What updates a thing gets what it holds: another name would be written
 * over its own.
 */
const linkedBody = (
  text: string,
  made: readonly string[],
  { owner, isUpdate }: { readonly owner: string | null; readonly isUpdate: boolean },
  values: LinkedValues,
): string =>
  made.reduce((body, pointer) => {
    const keys = pointer.split('/').slice(1)
    const names = keys.filter((key) => !/^\d+$/.test(key))
    const name = names.at(-1) ?? ''
    const of = names.slice(0, -1).findLast((key) => !HOLDERS.has(key)) ?? owner
    const held = isUpdate && of !== null ? values.held(name, of) : undefined
    const found = held ?? (CHOSEN.test(name) ? undefined : values.find(name, of))
    if (found === undefined) return body
    const isNumber = typeof leafAt(JSON.parse(body), keys) === 'number'
    // A word in place of a number would be refused.
    if (isNumber && !NUMBER.test(found)) return body
    return jsonWith(body, pointer, isNumber ? Number(found) : found) ?? body
  }, text)

const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/

const leafAt = (value: unknown, keys: readonly string[]): unknown =>
  keys.reduce<unknown>(
    (holder, key) =>
      typeof holder === 'object' && holder !== null ? (holder as Readonly<Record<string, unknown>>)[key] : undefined,
    value,
  )
