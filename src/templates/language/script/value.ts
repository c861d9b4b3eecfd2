/** Values of scripts: plain data, functions of the script, and what the host lends. */

export type ScriptValue =
  | undefined
  | null
  | boolean
  | number
  | string
  | ScriptFunction
  | ScriptPattern
  | ScriptValue[]
  | Uint8Array
  | ScriptObject

/** Members in a map of their own: no prototype to reach anything by. */
export interface ScriptObject {
  readonly kind: 'object'
  readonly members: Map<string, ScriptValue>
  /** Other names for members, by which they can be read but are not written out. */
  readonly also?: ReadonlyMap<string, string>
}

export interface ScriptPattern {
  readonly kind: 'pattern'
  readonly source: string
  readonly flags: string
}

export interface ScriptFunction {
  readonly kind: 'function'
  readonly call: (args: readonly ScriptValue[]) => Promise<ScriptValue> | ScriptValue
  /** Of constructors: `Array.isArray`. */
  readonly members?: ReadonlyMap<string, ScriptValue>
}

/** What a script throws, and what the interpreter throws at it. */
export class ScriptError extends Error {
  readonly value: ScriptValue
  constructor(message: string, value: ScriptValue = message) {
    super(message)
    this.name = 'ScriptError'
    this.value = value
  }
}

/**
 * Not a mistake of the script: what it throws itself, a service that answers otherwise than asked, and what is looked for
 * in an answer that does not hold it (`match[1]` of no match).
 */
export class ScriptAnswer extends ScriptError {}

export const objectOf = (
  members: Readonly<Record<string, ScriptValue>>,
  also: Readonly<Record<string, string>> = {},
): ScriptObject => ({
  kind: 'object',
  members: new Map(Object.entries(members)),
  also: new Map(Object.entries(also)),
})

export const functionOf = (
  call: ScriptFunction['call'],
  members: Readonly<Record<string, ScriptValue>> = {},
): ScriptFunction => ({ kind: 'function', call, members: new Map(Object.entries(members)) })

export const isObject = (value: ScriptValue): value is ScriptObject =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'object'
export const isFunction = (value: ScriptValue): value is ScriptFunction =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'function'
export const isPattern = (value: ScriptValue): value is ScriptPattern =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'pattern'

export const truthy = (value: ScriptValue): boolean => Boolean(value) || value === Number.NEGATIVE_INFINITY

export const stringOf = (value: ScriptValue): string => {
  if (typeof value === 'string') return value
  if (Array.isArray(value))
    return value.map((item) => (item === null || item === undefined ? '' : stringOf(item))).join(',')
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1')
  if (isPattern(value)) return `/${value.source}/${value.flags}`
  if (isObject(value)) return '[object Object]'
  if (isFunction(value)) return 'function'
  return String(value)
}

export const numberOf = (value: ScriptValue): number => {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value === null) return 0
  return typeof value === 'string' ? Number(value) : Number.NaN
}

/** From plain data. */
export const scriptValue = (value: unknown, depth = 0): ScriptValue => {
  if (depth > 50) throw new ScriptError('data is nested too deeply')
  if (value === null || value === undefined) return value
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Uint8Array) return value
  if (Array.isArray(value)) return value.map((item) => scriptValue(item, depth + 1))
  if (typeof value !== 'object') return undefined
  return objectOf(Object.fromEntries(Object.entries(value).map(([key, item]) => [key, scriptValue(item, depth + 1)])))
}

/** To plain data; functions and patterns fall away. */
export const plainValue = (value: ScriptValue, depth = 0): unknown => {
  if (depth > 50) throw new ScriptError('data is nested too deeply')
  if (Array.isArray(value)) return value.map((item) => plainValue(item, depth + 1) ?? null)
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1')
  if (isObject(value)) {
    return Object.fromEntries([...value.members].map(([key, item]) => [key, plainValue(item, depth + 1)]))
  }
  return isFunction(value) || isPattern(value) ? undefined : value
}
