/** The elements of a document in XML, by the path to each. Never throws; what is no XML has none. */

export interface XmlElement {
  /** "/order[1]/line[2]" */
  readonly path: string
  readonly name: string
  /** As it stands in the start tag. */
  readonly attributes: string
  /** Of the start tag, and behind it. */
  readonly start: number
  readonly open: number
  /** Of the end tag; null for an empty element, and where there is none. */
  readonly end: number | null
  /** Whether it holds text alone. */
  readonly isPlain: boolean
}

const LONGEST = 262_144
const MOST = 5_000
/** What is nested deeper has no path. */
const DEEPEST = 100

const TAG =
  /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<!DOCTYPE[^[>]*(?:\[[^\]]*\])?>|<(\/?)([\w:.-]{1,100})((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/g

type Open = { -readonly [Key in keyof XmlElement]: XmlElement[Key] } & { readonly counts: Map<string, number> }

/** In the order of their start tags. */
export const elementsOf = (body: string): readonly XmlElement[] => {
  const found: Open[] = []
  const open: Open[] = []
  const top = new Map<string, number>()
  /** Start tags nested too deep whose ends are still to come. */
  let deeper = 0
  for (const match of body.slice(0, LONGEST).matchAll(TAG)) {
    const [tag, closing, name, attributes = '', empty] = match
    const parent = open.at(-1)
    if (closing === '/') {
      if (deeper > 0) deeper -= 1
      else {
        const element = open.pop()
        if (element) element.end = match.index
      }
      continue
    }
    if (parent) parent.isPlain = false
    if (name === undefined) continue
    if (found.length >= MOST) break
    if (open.length >= DEEPEST) {
      if (empty !== '/') deeper += 1
      continue
    }
    const counts = parent?.counts ?? top
    const index = (counts.get(name) ?? 0) + 1
    counts.set(name, index)
    const element: Open = {
      ...{ path: `${parent?.path ?? ''}/${name}[${index}]`, name, attributes, isPlain: true, counts: new Map() },
      ...{ start: match.index, open: match.index + tag.length, end: null },
    }
    found.push(element)
    if (empty !== '/') open.push(element)
  }
  return found
}
