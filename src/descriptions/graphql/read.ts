/** Each query and mutation of a GraphQL schema as a request with a variable for each of its arguments. */
import type { Operation } from '../../contract/described.ts'
import { pointerKey } from '../json.ts'
import { type Description, MOST_OPERATIONS, type ReadOptions, type Refusal, wordsOf } from '../operation.ts'
import { numberByName, textOf } from '../texts.ts'
import {
  type Argument,
  type Field,
  namedOf,
  ROOTS,
  type Schema,
  type Type,
  type TypeRef,
  textOfType,
} from './schema.ts'

/** Where servers have it unless they say otherwise. */
const USUAL_PATH = '/graphql'
const MOST_SELECTED = 15
const DEEPEST = 2

export const readGraphql = (schema: Schema, { path }: Pick<ReadOptions, 'path'>): Description => {
  const operations: Operation[] = []
  const refused: Refusal[] = []
  for (const root of ROOTS) {
    for (const field of schema.types.get(schema.roots[root] ?? '')?.fields ?? []) {
      const where = `${root} ${field.name}`
      const reason =
        root === 'subscription'
          ? 'a subscription is no request'
          : operations.length >= MOST_OPERATIONS
            ? `only the first ${MOST_OPERATIONS.toLocaleString('en-GB')} operations are taken`
            : null
      if (root === 'subscription' || reason !== null) refused.push({ where, line: field.line, reason: reason ?? '' })
      else operations.push(operationOf(root, field, schema, path ?? USUAL_PATH))
    }
  }
  return {
    ...{ kind: 'GraphQL', title: '', described: operations.length + refused.length, operations, refused },
    leftOut: [],
  }
}

const operationOf = (root: 'query' | 'mutation', field: Field, schema: Schema, path: string): Operation => {
  const made: string[] = []
  const variablesOf = (args: readonly Argument[], most: Pick<Making, 'lean' | 'made'>) =>
    Object.fromEntries(
      args.map(({ name, type, given }): [string, unknown] => [
        name,
        given ??
          valueFor(type, { name, pointer: `/variables/${pointerKey(name)}`, depth: 0 }, { schema, ...most }) ??
          null,
      ]),
    )
  const textWith = (variables: object): string => JSON.stringify({ query, variables })
  const declared = field.args.map(({ name, type }) => `$${name}: ${textOfType(type)}`).join(', ')
  const passed = field.args.map(({ name }) => `${name}: $${name}`).join(', ')
  const call = `${field.name}${passed === '' ? '' : `(${passed})`}${selectionOf(field.type, schema, 0)}`
  const query = `${root}${declared === '' ? '' : `(${declared})`} { ${call} }`
  const text = textWith(variablesOf(field.args, { lean: false, made }))
  // A variable of a type that may be null is as if its argument were not there, where it is left out (GraphQL, 6.4.1).
  const lean = textWith(variablesOf(field.args.filter(isNeeded), { lean: true, made: [] }))
  return {
    ...{ method: 'POST', path, parameters: [], name: `${root}.${field.name}`, label: wordsOf(field.name) },
    body: { ...{ type: 'application/json', fields: [], made, text }, ...(lean === text ? {} : { lean }) },
  }
}

const isNeeded = ({ type, given }: Argument): boolean => type.kind === 'required' && given === undefined

/** Plain fields, and those of what they lead to; ids among them name things to other operations. Of what may be several things, those of each. */
const selectionOf = (ref: TypeRef, schema: Schema, depth: number): string => {
  const type = schema.types.get(namedOf(ref))
  if (!type || type.kind === 'scalar' || type.kind === 'enum') return ''
  const taken = new Map<string, string>()
  const own = fieldsOf(type, schema, depth, taken)
  const others = type.possible.slice(0, MOST_KINDS).flatMap((name) => {
    const member = schema.types.get(name)
    const fields = member ? fieldsOf(member, schema, depth, taken) : []
    return fields.length === 0 ? [] : [`... on ${name} { ${fields.join(' ')} }`]
  })
  const selected = [...(own.length === 0 ? ['__typename'] : own), ...others]
  return ` { ${selected.join(' ')} }`
}

/** Of a union or an interface. */
const MOST_KINDS = 4

/** `taken`: the types of fields that are selected beside these. One name has one type in an answer (GraphQL 2021, 5.3.2), so that the first has it. */
const fieldsOf = (type: Type, schema: Schema, depth: number, taken: Map<string, string>): readonly string[] =>
  type.fields
    .filter(({ args }) => args.every((arg) => arg.type.kind !== 'required' || arg.given !== undefined))
    .flatMap((field): readonly string[] => {
      const inner = schema.types.get(namedOf(field.type))
      const isPlain = !inner || inner.kind === 'scalar' || inner.kind === 'enum'
      if (!isPlain && depth >= DEEPEST) return []
      const [known, own] = [taken.get(field.name), textOfType(field.type)]
      if (known !== undefined && (known !== own || !isPlain)) return []
      taken.set(field.name, own)
      return [isPlain ? field.name : `${field.name}${selectionOf(field.type, schema, depth + 1)}`]
    })
    .slice(0, MOST_SELECTED)

const FORMATS: readonly (readonly [RegExp, string])[] = [
  [/date_?time|timestamp/i, 'date-time'],
  [/date/i, 'date'],
  [/time/i, 'time'],
  [/uuid|guid/i, 'uuid'],
  [/ur[il]/i, 'uri'],
  [/mail/i, 'email'],
]
const NUMBERS = /^(?:Int|Float|Long|BigInt|Decimal|Double|Short|Byte|.*(?:Int|Number|Float|Decimal))$/

interface Where {
  readonly name: string
  readonly pointer: string
  readonly depth: number
}

interface Making {
  readonly schema: Schema
  /** What is required alone. */
  readonly lean: boolean
  /** Is told where a value is made up. */
  readonly made: string[]
}

const MOST_DEPTH = 5

/** Undefined where it would hold itself without end. */
const valueFor = (ref: TypeRef, where: Where, making: Making): unknown => {
  const { schema, lean, made } = making
  if (ref.kind !== 'named') {
    if (ref.kind === 'required') return valueFor(ref.of, where, making)
    const item = valueFor(ref.of, { ...where, pointer: `${where.pointer}/0` }, making)
    return item === undefined ? [] : [item]
  }
  const type = schema.types.get(ref.name)
  if (type?.kind === 'enum') return type.values[0] ?? null
  if (type?.kind === 'input') {
    if (where.depth >= MOST_DEPTH) return undefined
    const inputs = lean ? type.inputs.filter(isNeeded) : type.inputs
    const members = inputs.flatMap(({ name, type: of, given }): [string, unknown][] => {
      const isDeep = where.depth > 0 && of.kind !== 'required' && schema.types.get(namedOf(of))?.kind === 'input'
      const at = { name, pointer: `${where.pointer}/${pointerKey(name)}`, depth: where.depth + 1 }
      const value = isDeep ? undefined : (given ?? valueFor(of, at, making))
      return value === undefined ? [] : [[name, value]]
    })
    return Object.fromEntries(members)
  }
  made.push(where.pointer)
  if (ref.name === 'Boolean') return true
  if (ref.name === 'ID') return '1'
  if (NUMBERS.test(ref.name)) return numberByName(where.name)
  if (/json|object|map$/i.test(ref.name)) return {}
  const format = FORMATS.find(([pattern]) => pattern.test(ref.name))?.[1]
  return textOf(format === undefined ? {} : { format }, where.name)
}
