/** What stands around the content of a page, and on others alike: its landmarks (HTML-AAM 1.0), or a block of the same words. */
import { createHash } from 'node:crypto'
import { attribute, type Element, textOf } from './html-tree.ts'

const LANDMARKS: ReadonlySet<string> = new Set(['header', 'footer', 'nav', 'aside'])
const ROLES = /^(?:banner|contentinfo|navigation|complementary)$/i
/** What is within these is about the page (HTML, 4.3). */
const CONTENT: ReadonlySet<string> = new Set(['main', 'article', 'section'])
/** Words beside the form that make its block one to be known again. */
const LEAST_WORDS = 5
/** Ancestors that are looked at, and characters of one: a page may nest a thousand, and hold as many forms. */
const NEAREST = 4
const LONGEST = 2_000

/**
 * By what the block around a form is known on another page: the landmark that it stands in, or the words beside it. Null where it stands in
 * the content of its page, or alone.
 */
export const furnitureOf = (form: Element): string | null => {
  const above = ancestorsOf(form)
  const at = above.findIndex(isLandmark)
  const outside = at < 0 ? above : above.slice(at + 1)
  if (outside.some(isContent)) return null
  if (at >= 0)
    return above
      .slice(0, at + 1)
      .map(tagOf)
      .join('<')
  const own = wordsOf(textOf(form)).length
  for (const block of above.slice(0, NEAREST)) {
    if (block.tagName === 'body' || block.tagName === 'html') return null
    const text = textOf(block)
    if (text.length > LONGEST) return null
    const words = wordsOf(text)
    if (words.length >= own + LEAST_WORDS)
      return createHash('sha256').update(words.join(' ')).digest('hex').slice(0, 16)
  }
  return null
}

const ancestorsOf = (element: Element): readonly Element[] => {
  const above: Element[] = []
  for (let node = element.parentNode; node && 'tagName' in node; node = node.parentNode) above.push(node)
  return above
}

const isLandmark = (element: Element): boolean =>
  LANDMARKS.has(element.tagName) || ROLES.test(attribute(element, 'role') ?? '')

const isContent = (element: Element): boolean =>
  CONTENT.has(element.tagName) || /^(?:main|article)$/i.test(attribute(element, 'role') ?? '')

const tagOf = ({ tagName }: Element): string => tagName

/** Without numbers, which count something on each page. */
const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/\p{L}+/gu) ?? []
