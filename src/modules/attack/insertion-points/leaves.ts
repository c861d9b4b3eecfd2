/** Values within bodies that hold a document. */
import type { RequestTemplate } from '../crawl/facts.ts'
import { leavesWithin } from './packed.ts'
import { elementsOf } from './xml.ts'

type Leaves = readonly (readonly [pointer: string, value: string])[]

/** Of one body, and how deep they are nested. */
const MOST = 2_000
const DEEPEST = 100

/** How many a body has beyond the first so many; what is nested too deep counts once for each. */
export const leavesBeyond = ({ encoding, body }: Pick<RequestTemplate, 'encoding' | 'body'>, most: number): number => {
  let cut = 0
  const count = (): void => {
    cut += 1
  }
  const leaves = encoding === 'json' ? jsonLeaves(body ?? '', count) : encoding === 'xml' ? xmlLeaves(body ?? '') : []
  return Math.max(0, leaves.length - most) + cut
}

/** JSON Pointer and text of every leaf; the query text of GraphQL is code, not a value. `beyond`: hears of what has more than are told. */
export const jsonLeaves = (body: string, beyond: () => void = () => undefined): Leaves => {
  const leaves: [string, string][] = []
  const isCode = (pointer: string, value: unknown): boolean =>
    pointer === '/operationName' ||
    (pointer === '/query' &&
      leavesWithin(String(value)).length === 0 &&
      /^\s*(?:\{|(?:query|mutation|subscription|fragment)\b[^{]*\{)/.test(String(value)))
  const visit = (value: unknown, pointer: string, depth: number): void => {
    if (leaves.length >= MOST || depth > DEEPEST) {
      beyond()
      return
    }
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

const ATTRIBUTES = /\s([\w:.-]{1,100})\s*=\s*(?:"([^"]{0,500})"|'([^']{0,500})')/g
/** Of the language, not of what is said in it. */
const OF_XML = /^(?:xmlns|xml|xsi)(?::|$)/

/**
 * Elements that hold text alone, by their name where no other is called so, and attributes, by the path to them: "id", "/order[1]/line[2]/sku[1]",
 * "/order[1]/@id".
 */
export const xmlLeaves = (body: string): Leaves => {
  const elements = elementsOf(body)
  const named = Map.groupBy(elements, ({ name }) => name)
  return elements.flatMap(({ path, name, attributes, open, end, isPlain }) => {
    const own = [...attributes.matchAll(ATTRIBUTES)].flatMap(([, attribute = '', double, single]) =>
      OF_XML.test(attribute) ? [] : [[`${path}/@${attribute}`, double ?? single ?? ''] as const],
    )
    const text = isPlain && end !== null ? body.slice(open, end) : ''
    const leaf = [named.get(name)?.length === 1 ? name : path, text.trim()] as const
    return /^[^<>]{1,500}$/.test(text) ? [...own, leaf] : own
  })
}
