/** Elements of a page by the selectors that attributes of libraries hold (Selectors Level 4): names, ids, classes, attributes, one within another. */
import { attribute, type Element } from './html-tree.ts'

/** Longer ones are not read. */
const LONGEST = 200
const MOST_STEPS = 4
const SIMPLE =
  /([#.])((?:[\w-]|\\.)+)|\[\s*([\w:-]+)\s*(?:([~|^$*]?)=\s*(?:"([^"]*)"|'([^']*)'|([^\]\s]+))\s*)?\]|([a-z][\w-]*|\*)/giy

type Test = (element: Element) => boolean

/** Whether an element is one that a selector names; null where it is written otherwise. */
export const testOf = (selector: string): Test | null => {
  if (selector.length > LONGEST) return null
  const tests = apartAt(selector, ',').map(complexOf)
  const known = tests.filter((test) => test !== null)
  return known.length === tests.length && known.length > 0 ? (element) => known.some((test) => test(element)) : null
}

/** Parts of a list that a sign outside of brackets and quotes divides. */
export const apartAt = (text: string, sign: ',' | ' '): readonly string[] =>
  (sign === ',' ? text.match(/(?:\[[^\]]*\]|[^,[])+/g) : text.match(/(?:\[[^\]]*\]|[^\s[])+/g))
    ?.map((part) => part.trim())
    .filter((part) => part !== '') ?? []

const complexOf = (selector: string): Test | null => {
  const steps = apartAt(selector, ' ').filter((part) => part !== '>')
  const tests = steps.map(compoundOf).filter((test) => test !== null)
  const own = tests.at(-1)
  if (own === undefined || tests.length !== steps.length || steps.length > MOST_STEPS) return null
  const outer = tests.slice(0, -1).toReversed()
  return (element) => {
    if (!own(element)) return false
    let above = ancestorsOf(element)
    return outer.every((test) => {
      const at = above.findIndex(test)
      above = above.slice(at + 1)
      return at >= 0
    })
  }
}

const compoundOf = (selector: string): Test | null => {
  const tests: Test[] = []
  SIMPLE.lastIndex = 0
  for (let at = 0; at < selector.length; at = SIMPLE.lastIndex) {
    const found = SIMPLE.exec(selector)
    if (found === null) return null
    tests.push(simpleOf(found))
  }
  return (element) => tests.every((test) => test(element))
}

const simpleOf = (found: RegExpExecArray): Test => {
  const [, sign, word = '', name, how = '', double, single, bare, tag = ''] = found
  if (sign === '#') return (element) => attribute(element, 'id') === word.replaceAll('\\', '')
  if (sign === '.')
    return (element) => (attribute(element, 'class') ?? '').split(/\s+/).includes(word.replaceAll('\\', ''))
  if (name === undefined) return ({ tagName }) => tag === '*' || tagName === tag.toLowerCase()
  const value = double ?? single ?? bare
  return (element) => {
    const own = attribute(element, name.toLowerCase())
    if (own === null || value === undefined) return own !== null
    if (how === '^') return own.startsWith(value)
    if (how === '$') return own.endsWith(value)
    if (how === '*') return own.includes(value)
    return how === '~' ? own.split(/\s+/).includes(value) : own === value
  }
}

/** The nearest first. */
export const ancestorsOf = (element: Element): readonly Element[] => {
  const above: Element[] = []
  for (let node = element.parentNode; node && 'tagName' in node; node = node.parentNode) above.push(node)
  return above
}
