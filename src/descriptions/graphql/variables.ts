/** Variables that a document of GraphQL declares, and a request with it leaves out: an example often shows the document alone. */
import { jsonTreeOf } from '../../page/json.ts'
import { definitionsIn } from './document.ts'
import { namedOf, type TypeRef } from './schema.ts'

/** Values of the types that the specification has (GraphQL, October 2021, 3.5); of others only the interface says what they hold. */
const SAMPLES: Readonly<Record<string, unknown>> = { Int: 1, Float: 1, Boolean: true, String: 'test', ID: '1' }

/**
 * The body of a request (GraphQL over HTTP, 5.1) with a value for each variable of such a type that it lacks, and the JSON Pointers of those; the
 * body itself where it is none. `needed`: with those alone that may not be left out.
 */
export const withDeclaredVariables = (
  body: string,
  { needed = false }: { readonly needed?: boolean } = {},
): { readonly body: string; readonly made: readonly string[] } => {
  const whole = body.includes('$') ? jsonTreeOf(body) : null
  if (!isObject(whole) || typeof whole.query !== 'string') return { body, made: [] }
  const given = isObject(whole.variables) ? whole.variables : {}
  const [first, ...others] = definitionsIn(whole.query).filter(({ kind }) => kind !== 'fragment')
  // Of several the request says which is meant.
  const meant = others.length === 0 ? first : [first, ...others].find((one) => one?.name === whole.operationName)
  const added = (meant?.variables ?? []).flatMap(({ name, type }): (readonly [string, unknown])[] => {
    const sample = sampleOf(type)
    // A switch is no place for anything: one that may be left out stays as it is.
    const isLeft =
      Object.hasOwn(given, name) ||
      sample === undefined ||
      ((needed || typeof sample === 'boolean') && type.kind !== 'required')
    return isLeft ? [] : [[name, sample]]
  })
  if (added.length === 0) return { body, made: [] }
  return {
    body: JSON.stringify({ ...whole, variables: { ...given, ...Object.fromEntries(added) } }),
    made: added.flatMap(([name, value]) =>
      typeof value === 'boolean' ? [] : [`/variables/${name}${Array.isArray(value) ? '/0' : ''}`],
    ),
  }
}

const sampleOf = (type: TypeRef): unknown => {
  const name = namedOf(type)
  const sample = Object.hasOwn(SAMPLES, name) ? SAMPLES[name] : undefined
  const inner = type.kind === 'required' ? type.of : type
  return sample !== undefined && inner.kind === 'list' ? [sample] : sample
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
