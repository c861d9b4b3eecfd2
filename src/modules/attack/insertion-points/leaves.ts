/** Values within bodies that hold a document. */
import { leavesWithin } from './packed.ts'

type Leaves = readonly (readonly [pointer: string, value: string])[]

/** Of one body; others may stand behind them, and within what is nested deeper. */
const MOST = 2_000
const DEEPEST = 100

/** JSON Pointer and text of every leaf; the query text of GraphQL is code, not a value. */
export const jsonLeaves = (body: string): Leaves => {
  const leaves: [string, string][] = []
  const isCode = (pointer: string, value: unknown): boolean =>
    pointer === '/operationName' ||
    (pointer === '/query' &&
      leavesWithin(String(value)).length === 0 &&
      /^\s*(?:\{|(?:query|mutation|subscription|fragment)\b[^{]*\{)/.test(String(value)))
  const visit = (value: unknown, pointer: string, depth: number): void => {
    if (leaves.length >= MOST || depth > DEEPEST) return
    if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        visit(inner, `${pointer}/${key.replace(/~/g, '~0').replace(/\//g, '~1')}`, depth + 1)
      }
    } else if (!isCode(pointer, value)) leaves.push([pointer, String(value ?? '')])
  }
  try {
    visit(JSON.parse(body), '', 0)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error // No JSON after all: no leaves.
  }
  return leaves
}

const ELEMENTS =
  /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<!DOCTYPE[^[>]*(?:\[[^\]]*\])?>|<(\/?)([\w:.-]{1,100})((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/g
const ATTRIBUTES = /\s([\w:.-]{1,100})\s*=\s*(?:"([^"]{0,500})"|'([^']{0,500})')/g
/** Of the language, not of what is said in it. */
const OF_XML = /^(?:xmlns|xml|xsi)(?::|$)/

/**
 * Elements that hold text alone, by their name where no other has it, and attributes, by the path to them: "id", "/order[1]/line[2]/sku[1]",
 * "/order[1]/@id".
 */
export const xmlLeaves = (body: string): Leaves => {
  const found: { readonly path: string; readonly name: string; readonly value: string }[] = []
  const open: { path: string; counts: Map<string, number>; end: number; isPlain: boolean }[] = []
  const top = new Map<string, number>()
  const text = body.slice(0, 50_000)
  for (const match of text.matchAll(ELEMENTS)) {
    const [tag, closing, name, attributes = '', empty] = match
    const parent = open.at(-1)
    if (name === undefined) {
      if (parent) parent.isPlain = false
      continue
    }
    if (found.length >= MOST) break
    if (closing === '/') {
      const element = open.pop()
      const value = element?.isPlain ? text.slice(element.end, match.index) : ''
      if (element && /^[^<>]{1,500}$/.test(value)) found.push({ path: element.path, name, value: value.trim() })
      continue
    }
    const counts = parent?.counts ?? top
    const index = (counts.get(name) ?? 0) + 1
    counts.set(name, index)
    const path = `${parent?.path ?? ''}/${name}[${index}]`
    if (parent) parent.isPlain = false
    for (const [, own = '', double, single] of attributes.matchAll(ATTRIBUTES))
      if (!OF_XML.test(own)) found.push({ path: `${path}/@${own}`, name: '', value: double ?? single ?? '' })
    if (empty !== '/') open.push({ path, counts: new Map(), end: match.index + tag.length, isPlain: true })
  }
  const named = Map.groupBy(found, ({ name }) => name)
  return found.map(({ path, name, value }) => [name !== '' && named.get(name)?.length === 1 ? name : path, value])
}
