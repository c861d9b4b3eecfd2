/** The grammar of XPath 1.0 in its abbreviated form, and the functions that templates use. */
import { DslError } from '../expression/value.ts'

export type Xpath =
  | { readonly kind: 'path'; readonly absolute: boolean; readonly steps: readonly XpathStep[] }
  | { readonly kind: 'union'; readonly paths: readonly Xpath[] }
  | { readonly kind: 'literal'; readonly value: string | number }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Xpath[] }
  | { readonly kind: 'operate'; readonly operator: string; readonly left: Xpath; readonly right: Xpath }

export type Axis =
  | 'child'
  | 'descendant-or-self'
  | 'descendant'
  | 'attribute'
  | 'self'
  | 'parent'
  | 'ancestor'
  | 'following-sibling'
  | 'preceding-sibling'

export interface XpathStep {
  readonly axis: Axis
  /** Lower case name, `*`, `text()` or `node()`. */
  readonly test: string
  readonly predicates: readonly Xpath[]
}

const TOKEN =
  /\s*(?:(\/\/|::|\.\.|!=|<=|>=|[/@[\]().,|=<>+*-])|("[^"]*"|'[^']*')|(\d+(?:\.\d+)?)|([A-Za-z_][\w.-]*(?::[A-Za-z_*][\w.-]*)?))/y

const AXES: ReadonlySet<string> = new Set<Axis>([
  'child',
  'descendant-or-self',
  'descendant',
  'attribute',
  'self',
  'parent',
  'ancestor',
  'following-sibling',
  'preceding-sibling',
])

const LEVELS: readonly (readonly string[])[] = [['or'], ['and'], ['=', '!='], ['<', '>', '<=', '>='], ['+', '-'], ['|']]
const ANYWHERE: XpathStep = { axis: 'descendant-or-self', test: 'node()', predicates: [] }

/** @throws DslError */
export const parseXpath = (source: string): Xpath => {
  const tokens = tokensOf(source)
  let at = 0
  let depth = 0
  const accept = (text: string): boolean => {
    if (tokens[at] !== text) return false
    at += 1
    return true
  }
  const expect = (text: string): void => {
    if (!accept(text)) throw new DslError(`XPath: expected "${text}", found "${tokens[at] ?? 'the end'}"`)
  }

  const level = (index: number): Xpath => {
    if (depth > 200) throw new DslError('XPath: nested too deeply')
    const operators = LEVELS[index]
    if (operators === undefined) return primary()
    depth += 1
    let left = level(index + 1)
    for (let operator = tokens[at]; operator !== undefined && operators.includes(operator); operator = tokens[at]) {
      at += 1
      const right = level(index + 1)
      left = operator === '|' ? { kind: 'union', paths: [left, right] } : { kind: 'operate', operator, left, right }
    }
    depth -= 1
    return left
  }

  const primary = (): Xpath => {
    const token = tokens[at] ?? ''
    if (/^["']/.test(token)) {
      at += 1
      return { kind: 'literal', value: token.slice(1, -1) }
    }
    if (/^\d/.test(token)) {
      at += 1
      return { kind: 'literal', value: Number(token) }
    }
    if (token === '(') {
      at += 1
      const inner = level(0)
      expect(')')
      return inner
    }
    if (/^[A-Za-z]/.test(token) && tokens[at + 1] === '(' && token !== 'text' && token !== 'node') {
      at += 2
      const args: Xpath[] = []
      while (!accept(')')) {
        if (args.length > 0) expect(',')
        args.push(level(0))
      }
      return { kind: 'call', name: token, args }
    }
    return path()
  }

  const path = (): Xpath => {
    const steps: XpathStep[] = []
    const absolute = tokens[at] === '/' || tokens[at] === '//'
    if (accept('//')) steps.push(ANYWHERE)
    else if (accept('/') && !startsStep(tokens[at])) return { kind: 'path', absolute, steps }
    for (;;) {
      steps.push(step())
      if (accept('//')) steps.push(ANYWHERE)
      else if (!accept('/')) return { kind: 'path', absolute, steps }
    }
  }

  const step = (): XpathStep => {
    if (accept('.')) return { axis: 'self', test: 'node()', predicates: [] }
    if (accept('..')) return { axis: 'parent', test: 'node()', predicates: [] }
    let axis: Axis = 'child'
    if (accept('@')) axis = 'attribute'
    else if (tokens[at + 1] === '::' && AXES.has(tokens[at] ?? '')) {
      axis = tokens[at] as Axis
      at += 2
    }
    const name = tokens[at]
    if (!startsStep(name) || name === undefined) throw new DslError(`XPath: a step cannot be "${name ?? 'the end'}"`)
    at += 1
    let test = name.toLowerCase()
    if ((test === 'text' || test === 'node') && accept('(')) {
      expect(')')
      test = `${test}()`
    }
    const predicates: Xpath[] = []
    while (accept('[')) {
      predicates.push(level(0))
      expect(']')
    }
    return { axis, test, predicates }
  }

  const parsed = level(0)
  if (at < tokens.length) throw new DslError(`XPath: unexpected "${tokens[at]}"`)
  return parsed
}

const startsStep = (token: string | undefined): boolean => token !== undefined && /^[A-Za-z_*.@]/.test(token)

const tokensOf = (source: string): readonly string[] => {
  if (source.length > 10_000) throw new DslError('XPath: beyond 10,000 characters')
  const tokens: string[] = []
  const end = source.trimEnd().length
  let at = 0
  while (at < end) {
    TOKEN.lastIndex = at
    const match = TOKEN.exec(source)
    if (!match) throw new DslError(`XPath: "${source.slice(at, at + 10)}" begins nothing`)
    at = TOKEN.lastIndex
    tokens.push(match[1] ?? match[2] ?? match[3] ?? match[4] ?? '')
  }
  return tokens
}
