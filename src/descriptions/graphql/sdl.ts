/** Reads a schema in GraphQL's own language. Directives are read past: what they mean is the server's. */
import { Unreadable } from '../operation.ts'
import {
  type Argument,
  DEFAULT_ROOTS,
  type Field,
  ROOTS,
  type Root,
  type Schema,
  type Type,
  type TypeRef,
} from './schema.ts'

export const isSdl = (text: string): boolean =>
  !/^\uFEFF?\s*[[{<]/.test(text) &&
  !/^["']?(?:openapi|swagger)["']?[ \t]*:/m.test(text) &&
  /^[ \t]*(?:extend[ \t]+)?(?:type|interface)[ \t]+[A-Za-z_]\w*[^{}:=]{0,500}\{/m.test(text)

/** @throws Unreadable with the line of the mistake */
export const readSdl = (text: string): Schema => {
  const reader = createReader(text)
  const types = new Map<string, Type>()
  const roots: Partial<Record<Root, string>> = {}
  while (!reader.ended()) definition(reader, types, roots)
  const named = ROOTS.flatMap((root) => {
    const name = roots[root] ?? (types.has(DEFAULT_ROOTS[root]) ? DEFAULT_ROOTS[root] : null)
    return name === null ? [] : [[root, name] as const]
  })
  return { types, roots: Object.fromEntries(named) }
}

interface Token {
  readonly kind: 'name' | 'text' | 'number' | 'sign'
  readonly text: string
  readonly at: number
}

interface Reader {
  readonly ended: () => boolean
  /** Takes the next one where it is this one. */
  readonly takes: (text: string) => boolean
  readonly is: (text: string) => boolean
  readonly next: (kind?: Token['kind'], text?: string) => Token
  /** Passes over the description that may stand before anything. */
  readonly pass: () => void
  readonly line: () => number
}

const TOKEN =
  /[\s,\uFEFF]+|#[^\n]*|("""(?:\\"""|[\s\S])*?"""|"(?:[^"\\\n]|\\.)*")|([A-Za-z_]\w*)|(-?\d[\d.eE+-]*)|(\.\.\.|[!$&()=:@[\]{|}])/y

const createReader = (text: string): Reader => {
  const tokens = tokensOf(text)
  let index = 0
  const line = (): number => lineAt(text, tokens[index]?.at ?? text.length)
  const is = (wanted: string): boolean => tokens[index]?.kind !== 'text' && tokens[index]?.text === wanted
  return {
    ended: () => index >= tokens.length,
    is,
    takes: (wanted) => {
      const found = is(wanted)
      if (found) index += 1
      return found
    },
    next: (kind, wanted) => {
      const token = tokens[index]
      if (!token || (kind && token.kind !== kind) || (wanted !== undefined && token.text !== wanted))
        throw new Unreadable(`It is no valid GraphQL schema, line ${line()}.`, line())
      index += 1
      return token
    },
    pass: () => {
      if (tokens[index]?.kind === 'text') index += 1
    },
    line,
  }
}

const tokensOf = (text: string): readonly Token[] => {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    const found = TOKEN.exec(text)
    if (!found) throw new Unreadable(`It is no valid GraphQL schema, line ${lineAt(text, at)}.`, lineAt(text, at))
    const [, literal, name, digits, sign] = found
    if (literal !== undefined) tokens.push({ kind: 'text', text: literal.replace(/^"+|"+$/g, ''), at })
    else if (name !== undefined) tokens.push({ kind: 'name', text: name, at })
    else if (digits !== undefined) tokens.push({ kind: 'number', text: digits, at })
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign, at })
  }
  return tokens
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

const EMPTY: Type = { kind: 'scalar', fields: [], inputs: [], values: [], possible: [] }

const definition = (reader: Reader, types: Map<string, Type>, roots: Partial<Record<Root, string>>): void => {
  reader.pass()
  reader.takes('extend')
  const { text: keyword } = reader.next('name')
  if (keyword === 'schema') schema(reader, roots)
  else if (keyword === 'directive') directive(reader)
  else typeDefinition(keyword, reader, types)
}

const typeDefinition = (keyword: string, reader: Reader, types: Map<string, Type>): void => {
  const { text: name } = reader.next('name')
  const add = (kind: Type['kind'], more: Partial<Type>): void => {
    const before = types.get(name) ?? EMPTY
    types.set(name, {
      kind,
      fields: [...before.fields, ...(more.fields ?? [])],
      inputs: [...before.inputs, ...(more.inputs ?? [])],
      values: [...before.values, ...(more.values ?? [])],
      possible: [...before.possible, ...(more.possible ?? [])],
    })
  }
  const interfaces = reader.takes('implements') ? implemented(reader) : []
  directives(reader)
  // Whether it was defined before or is to be: what it is called is kept.
  for (const one of keyword === 'type' ? interfaces : []) {
    const before = types.get(one) ?? { ...EMPTY, kind: 'interface' }
    types.set(one, { ...before, possible: [...before.possible, name] })
  }
  if (keyword === 'type') add('object', { fields: block(reader, field) })
  else if (keyword === 'interface') add('interface', { fields: block(reader, field) })
  else if (keyword === 'input') add('input', { inputs: block(reader, argument) })
  else if (keyword === 'enum') add('enum', { values: block(reader, enumValue) })
  else if (keyword === 'scalar') add('scalar', {})
  else if (keyword === 'union') {
    add('union', { possible: reader.takes('=') ? alternatives(reader) : [] })
  } else reader.next('sign', `a definition and no ${keyword}`)
}

const schema = (reader: Reader, roots: Partial<Record<Root, string>>): void => {
  directives(reader)
  for (const { name, type } of block(reader, argument)) {
    const root = ROOTS.find((one) => one === name)
    if (root && type.kind === 'named') roots[root] = type.name
  }
}

const directive = (reader: Reader): void => {
  reader.next('sign', '@')
  reader.next('name')
  if (reader.is('(')) block(reader, argument, '(', ')')
  reader.takes('repeatable')
  reader.next('name', 'on')
  alternatives(reader)
}

const alternatives = (reader: Reader): readonly string[] => {
  const names: string[] = []
  do {
    reader.takes('|')
    names.push(reader.next('name').text)
  } while (reader.is('|'))
  return names
}

/** Older schemas have a blank between them. */
const implemented = (reader: Reader): readonly string[] => {
  const names: string[] = []
  while (reader.takes('&') || !(reader.is('{') || reader.is('@'))) {
    const { kind, text } = reader.next()
    if (kind === 'name') names.push(text)
  }
  return names
}

const block = <Part>(reader: Reader, part: (reader: Reader) => Part, open = '{', close = '}'): readonly Part[] => {
  const parts: Part[] = []
  if (!reader.takes(open)) return parts
  while (!reader.takes(close)) {
    reader.pass()
    parts.push(part(reader))
  }
  return parts
}

const field = (reader: Reader): Field => {
  const line = reader.line()
  const { text: name } = reader.next('name')
  const args = block(reader, argument, '(', ')')
  reader.next('sign', ':')
  const type = typeRef(reader, 0)
  directives(reader)
  return { name, type, args, line }
}

const argument = (reader: Reader): Argument => {
  const { text: name } = reader.next('name')
  reader.next('sign', ':')
  const type = typeRef(reader, 0)
  const given = reader.takes('=') ? value(reader, 0) : undefined
  directives(reader)
  return { name, type, given }
}

const enumValue = (reader: Reader): string => {
  const { text } = reader.next('name')
  directives(reader)
  return text
}

const directives = (reader: Reader): void => {
  while (reader.takes('@')) {
    reader.next('name')
    if (reader.takes('('))
      while (!reader.takes(')')) {
        reader.next('name')
        reader.next('sign', ':')
        value(reader, 0)
      }
  }
}

const DEEPEST = 50

const typeRef = (reader: Reader, depth: number): TypeRef => {
  if (depth > DEEPEST) throw new Unreadable('It is nested too deeply to be read.', reader.line())
  let type: TypeRef
  if (reader.takes('[')) {
    type = { kind: 'list', of: typeRef(reader, depth + 1) }
    reader.next('sign', ']')
  } else type = { kind: 'named', name: reader.next('name').text }
  return reader.takes('!') ? { kind: 'required', of: type } : type
}

const value = (reader: Reader, depth: number): unknown => {
  if (depth > DEEPEST) throw new Unreadable('It is nested too deeply to be read.', reader.line())
  if (reader.takes('[')) {
    const items: unknown[] = []
    while (!reader.takes(']')) items.push(value(reader, depth + 1))
    return items
  }
  if (reader.takes('{')) {
    const members: [string, unknown][] = []
    while (!reader.takes('}')) {
      const { text } = reader.next('name')
      reader.next('sign', ':')
      members.push([text, value(reader, depth + 1)])
    }
    return Object.fromEntries(members)
  }
  reader.takes('$')
  const { kind, text } = reader.next()
  if (kind === 'number') return Number(text)
  if (kind === 'sign') throw new Unreadable(`It is no valid GraphQL schema, line ${reader.line()}.`, reader.line())
  if (kind === 'name' && (text === 'true' || text === 'false')) return text === 'true'
  return kind === 'name' && text === 'null' ? null : text
}
