/**
 * What a GraphQL interface says of variables that it cannot read (GraphQL, 6.1.2), in the words of graphql-js, which most servers have or
 * follow: what has to be a number, what is missing, and what it does not know.
 */
type Variables = Readonly<Record<string, unknown>>

/** With what the messages ask for; null where they ask for nothing that is understood. */
export const corrected = (variables: Variables, messages: readonly string[]): Variables | null => {
  let changed: Variables | null = null
  for (const message of messages) {
    const way = wayIn(message)
    const next: Variables | null = way === null ? null : changeOf(message, changed ?? variables, way)
    if (next !== null) changed = next
  }
  return changed
}

/** `Variable "$input" got invalid value "1" at "input.product"; …` */
const PLACE = /^Variable "\$(\w+)" got invalid value .*?(?: at "([\w.[\]]+)")?;/s
const wayIn = (message: string): readonly string[] | null => {
  const [, name, path] = PLACE.exec(message) ?? /^Variable "\$(\w+)" of required type/.exec(message) ?? []
  if (name === undefined) return null
  return path === undefined ? [name] : path.split(/[.[\]]+/).filter((step) => step !== '')
}

const changeOf = (message: string, variables: Variables, way: readonly string[]): Variables | null => {
  const missing = /Field "(\w+)" of required type "([^"]+)" was not provided/.exec(message)
  if (missing) return put(variables, [...way, missing[1] ?? ''], sampleOf(missing[2] ?? ''))
  const needed = /^Variable "\$\w+" of required type "([^"]+)" was not provided/.exec(message)
  if (needed) return put(variables, way, sampleOf(needed[1] ?? ''))
  const unknown = /Field "(\w+)" is not defined by type/.exec(message)
  if (unknown) return put(variables, [...way, unknown[1] ?? ''], undefined)
  const choice = /(?:does not exist in|cannot represent).*?enum.*?Did you mean the enum value "(\w+)"/s.exec(message)
  if (choice) return put(variables, way, choice[1])
  const type = /(Int|Float|Boolean|String|ID) cannot represent/.exec(message)?.[1]
  if (type) return put(variables, way, as(type, at(variables, way)))
  const table = /Expected (?:value to be of )?type "([^"]+)" to be an object/.exec(message)
  return table ? put(variables, way, {}) : null
}

/** A value of a type that the specification has (3.5); of others an object, of which the interface says what it needs. */
const sampleOf = (type: string): unknown => {
  const isList = type.startsWith('[')
  const inner = SAMPLES[type.replace(/[[\]!]/g, '')] ?? {}
  return isList ? [inner] : inner
}
const SAMPLES: Readonly<Record<string, unknown>> = { Int: 1, Float: 1, Boolean: true, String: 'test', ID: '1' }

const as = (type: string, value: unknown): unknown => {
  if (type === 'Int') return Number.isInteger(Number(value)) ? Number(value) : 1
  if (type === 'Float') return Number.isFinite(Number(value)) ? Number(value) : 1
  if (type === 'Boolean') return value !== 'false'
  return typeof value === 'object' ? 'test' : String(value)
}

const at = (value: unknown, way: readonly string[]): unknown =>
  way.reduce<unknown>(
    (holder, name) =>
      typeof holder === 'object' && holder !== null && Object.hasOwn(holder, name)
        ? (holder as Readonly<Record<string, unknown>>)[name]
        : undefined,
    value,
  )

/** `undefined` takes the member away. */
const put = (whole: Variables, way: readonly string[], value: unknown): Variables => {
  const [name, ...rest] = way
  if (name === undefined) return whole
  const inner = Object.hasOwn(whole, name) ? whole[name] : undefined
  const isHolder = typeof inner === 'object' && inner !== null
  const next = rest.length === 0 ? value : put(isHolder ? (inner as Variables) : {}, rest, value)
  const entries = Object.entries(whole).filter(([one]) => one !== name)
  // An answer may name whatever it likes.
  if (Array.isArray(whole))
    return Number(name) < whole.length ? (whole.with(Number(name), next) as unknown as Variables) : whole
  return Object.fromEntries(next === undefined ? entries : [...entries, [name, next]])
}
