/** The five characters that HTML escapes, and character references back. */
import { parseFragment } from 'parse5'

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', "'": '&#39;', '"': '&#34;' }

export const htmlEscape = (text: string): string => text.replace(/[&<>'"]/g, (char) => ESCAPES[char] ?? char)

/** Named and numbered references, by the table of the HTML standard. Tags stay as they are. */
export const htmlUnescape = (text: string): string =>
  text.replace(/&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][\da-z]{1,31});/gi, (reference) => {
    const [node] = parseFragment(reference).childNodes
    return node && 'value' in node ? node.value : reference
  })
