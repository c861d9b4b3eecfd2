/** What of a page is seen, found in one pass over the text however the page is written. */
import { withoutEntities } from './entities.ts'

const BLOCKS = /<(?:br|\/?(?:p|div|li|tr|td|h[1-6]|pre|table|ul|ol|section|article|main|title))\b[^<>]{0,500}>/gi

/** A page's text with one line a block: rough, but it keeps what a program printed in the lines it printed. */
export const visibleText = (html: string): string =>
  withoutEntities(
    withoutElements(html, ['script', 'style'])
      .replace(BLOCKS, '\n')
      .replace(/<[^<>]{1,2000}>/g, ''),
  ).replaceAll('\u00a0', ' ')

export const withoutComments = (html: string): string => cut(html, /<!--/g, () => /-->/g)

export const withoutElements = (html: string, names: readonly string[]): string =>
  cut(html, new RegExp(`<(${names.join('|')})\\b`, 'gi'), (name) => new RegExp(`</${name}[^<>]{0,100}>?`, 'gi'))

/** Without scripts, style sheets and comments, of which nobody reads a word. */
export const withoutCode = (html: string): string =>
  cut(html, /<!--|<(script|style)\b/gi, (name) => (name === '' ? /-->/g : new RegExp(`</${name}[^<>]{0,100}>?`, 'gi')))

/**
 * Without elements that are shown when a script says so: dialogs, and what its attributes, or the usual classes of frameworks, hide. An element that is
 * never closed hides nothing. Linear.
 */
export const withoutHidden = (html: string): string => {
  const kept: string[] = []
  let [at, depth, hidden] = [0, 0, '']
  for (const { index, 0: tag, 1: slash, 2: given = '', 3: attributes = '' } of html.matchAll(TAG)) {
    const name = given.toLowerCase()
    if (depth > 0 && name === hidden) {
      depth += slash === '/' ? -1 : 1
      if (depth === 0) at = index + tag.length
    } else if (depth === 0 && slash === '' && !VOID.has(name) && isHidden(name, attributes)) {
      kept.push(html.slice(at, index))
      ;[depth, hidden] = [1, name]
    }
  }
  return depth > 0 ? html : [...kept, html.slice(at)].join(' ')
}

const TAG = /<(\/?)([a-z][\w-]{0,40})((?:\s[^<>]{0,2000})?)>/gi
const VOID: ReadonlySet<string> = new Set([
  ...['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr'],
])
const BY_ATTRIBUTE = /\shidden(?=[\s=/]|$)|\sstyle\s*=\s*["'][^"']*display\s*:\s*none/i
const BY_CLASS =
  /\sclass\s*=\s*["'](?:[^"']*\s)?(?:hidden|d-none|hide|is-hidden|visually-hidden|sr-only)(?:\s[^"']*)?["']/i
const DIALOG = /\srole\s*=\s*["']?(?:alert)?dialog\b|\sclass\s*=\s*["'](?:[^"']*\s)?(?:modal|dialog)(?:\s[^"']*)?["']/i
/** One that the server has drawn open. */
const OPEN =
  /\sopen(?=[\s=/]|$)|\saria-hidden\s*=\s*["']?false|\sstyle\s*=\s*["'][^"']*display\s*:\s*(?:block|flex|grid)|\sclass\s*=\s*["'](?:[^"']*\s)?(?:show|in|open|active|visible|is-(?:open|active|visible))(?:\s[^"']*)?["']/i
const isHidden = (name: string, attributes: string): boolean =>
  name === 'template' ||
  BY_ATTRIBUTE.test(attributes) ||
  BY_CLASS.test(attributes) ||
  ((name === 'dialog' || DIALOG.test(attributes)) && !OPEN.test(attributes))

/** Leaves out what lies between an opening and its end; one without end takes the rest. Linear: it never looks back. */
const cut = (html: string, opening: RegExp, endOf: (name: string) => RegExp): string => {
  const kept: string[] = []
  let at = 0
  for (;;) {
    opening.lastIndex = at
    const open = opening.exec(html)
    if (open === null) return [...kept, html.slice(at)].join('\n')
    kept.push(html.slice(at, open.index))
    const end = endOf(open[1] ?? '')
    end.lastIndex = opening.lastIndex
    const close = end.exec(html)
    if (close === null) return kept.join('\n')
    at = close.index + close[0].length
  }
}
