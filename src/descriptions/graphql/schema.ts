/** A GraphQL schema, as far as requests are made from it. https://spec.graphql.org/October2021/ */

export type TypeRef =
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'list' | 'required'; readonly of: TypeRef }

export interface Argument {
  readonly name: string
  readonly type: TypeRef
  /** Its default; undefined where it has none. */
  readonly given: unknown
}

export interface Field {
  readonly name: string
  readonly type: TypeRef
  readonly args: readonly Argument[]
  /** Of the text, from 1; null of an introspection. */
  readonly line: number | null
}

export interface Type {
  readonly kind: 'object' | 'interface' | 'union' | 'input' | 'enum' | 'scalar'
  /** Of objects and interfaces. */
  readonly fields: readonly Field[]
  /** Of input objects. */
  readonly inputs: readonly Argument[]
  /** Of enumerations. */
  readonly values: readonly string[]
  /** Of unions and interfaces: names of the objects that stand for them. */
  readonly possible: readonly string[]
}

export const ROOTS = ['query', 'mutation', 'subscription'] as const
export type Root = (typeof ROOTS)[number]

export interface Schema {
  readonly types: ReadonlyMap<string, Type>
  readonly roots: Readonly<Partial<Record<Root, string>>>
}

export const DEFAULT_ROOTS: Readonly<Record<Root, string>> = {
  query: 'Query',
  mutation: 'Mutation',
  subscription: 'Subscription',
}

export const namedOf = (type: TypeRef): string => (type.kind === 'named' ? type.name : namedOf(type.of))

export const textOfType = (type: TypeRef): string => {
  if (type.kind === 'named') return type.name
  return type.kind === 'list' ? `[${textOfType(type.of)}]` : `${textOfType(type.of)}!`
}
