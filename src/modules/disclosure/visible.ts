const BLOCKS = /<(?:br|\/?(?:p|div|li|tr|td|h[1-6]|pre|table|ul|ol|section|article|main|title))\b[^>]{0,500}>/gi
const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  '#39': "'",
  '#039': "'",
  '#x27': "'",
}

/** A page's text with one line a block: rough, but it keeps what a program printed in the lines it printed. */
export const visibleText = (html: string): string =>
  html
    .replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, '\n')
    .replace(BLOCKS, '\n')
    .replace(/<[^<>]{1,2000}>/g, '')
    .replace(/&(#?\w{1,6});/g, (entity, name: string) => ENTITIES[name.toLowerCase()] ?? entity)

/** The page without what it shows as sample text. An answer that is an error shows no samples. */
export const withoutSamples = (html: string, status: number): string =>
  status >= 400 ? html : html.replace(/<(pre|code|samp|textarea|blockquote)\b[\s\S]*?<\/\1\s*>/gi, '\n')
