/** A schema as servers tell it: the answer to an introspection query, whole or its `data`. */
import { jsonOf } from '../../page/json.ts'
import { type Json, list, object, string } from '../json.ts'
import { type Argument, type Field, ROOTS, type Schema, type Type, type TypeRef } from './schema.ts'

const TYPE = 'type{name kind ofType{name kind ofType{name kind ofType{name kind}}}}'
/** What `readIntrospection` reads. */
export const INTROSPECTION = `query{__schema{queryType{name} mutationType{name} subscriptionType{name} types{name kind fields{name args{name defaultValue ${TYPE}} ${TYPE}} inputFields{name defaultValue ${TYPE}} enumValues{name} possibleTypes{name}}}}`

export const schemaOf = (value: unknown): Json | null =>
  object(object(value)?.__schema) ?? object(object(object(value)?.data)?.__schema)

const KINDS: Readonly<Record<string, Type['kind']>> = {
  ...{
    OBJECT: 'object',
    INTERFACE: 'interface',
    UNION: 'union',
    INPUT_OBJECT: 'input',
    ENUM: 'enum',
    SCALAR: 'scalar',
  },
}

export const readIntrospection = (schema: Json): Schema => {
  const types = list(schema.types).flatMap((one): [string, Type][] => {
    const { name, kind, fields, inputFields, enumValues, possibleTypes } = object(one) ?? {}
    const known = KINDS[String(kind)]
    if (typeof name !== 'string' || !known) return []
    return [
      [
        name,
        {
          kind: known,
          fields: list(fields).map(fieldOf),
          inputs: list(inputFields).map(argumentOf),
          values: list(enumValues).map((value) => string(object(value)?.name) ?? ''),
          possible: list(possibleTypes).flatMap((value) => string(object(value)?.name) ?? []),
        },
      ],
    ]
  })
  const roots = ROOTS.flatMap((root) => {
    const name = string(object(schema[`${root}Type`])?.name)
    return name === null ? [] : [[root, name] as const]
  })
  return { types: new Map(types), roots: Object.fromEntries(roots) }
}

const fieldOf = (value: unknown): Field => {
  const { name, type, args } = object(value) ?? {}
  return { name: string(name) ?? '', type: typeOf(type, 0), args: list(args).map(argumentOf), line: null }
}

const argumentOf = (value: unknown): Argument => {
  const { name, type, defaultValue } = object(value) ?? {}
  return { name: string(name) ?? '', type: typeOf(type, 0), given: givenOf(string(defaultValue) ?? '') }
}

/** A default as it is written in a schema (GraphQL, October 2021, 4.5.4 and 2.9): texts and numbers as in JSON, and names of enumerations. */
const givenOf = (literal: string): unknown => {
  if (literal === 'null') return undefined
  if (/^[A-Za-z_]\w{0,100}$/.test(literal) && !/^(?:true|false)$/.test(literal)) return literal
  return jsonOf(literal)
}

const typeOf = (value: unknown, depth: number): TypeRef => {
  const { kind, name, ofType } = object(value) ?? {}
  if (depth < 20 && (kind === 'NON_NULL' || kind === 'LIST'))
    return { kind: kind === 'LIST' ? 'list' : 'required', of: typeOf(ofType, depth + 1) }
  return { kind: 'named', name: string(name) ?? 'String' }
}
