/** What is markup in a Markdown text: blocks as CommonMark 0.31 begins them, and within lines what no escape or code span takes away. */

export interface Scanned {
  /** Kinds of blocks in order: `#`, `-`, `table`, `fence`, `rule`, `p`. */
  readonly blocks: readonly string[]
  /** Characters of lines that act: pairs of stars, link parts, entities, tags. */
  readonly signs: readonly string[]
  /** Where links lead. */
  readonly links: readonly string[]
  /** What is left as plain words: no markup, no code. */
  readonly words: string
}

export const scanMarkdown = (text: string): Scanned => {
  const blocks: string[] = []
  const signs: string[] = []
  const links: string[] = []
  const words: string[] = []
  let fence: string | null = null
  for (const line of text.split('\n')) {
    if (fence !== null) {
      if (new RegExp(`^${fence}\`*$`).test(line)) fence = null
      continue
    }
    const opened = /^(`{3,})$/.exec(line)?.[1]
    if (opened !== undefined) {
      fence = opened
      blocks.push('fence')
      continue
    }
    const { kind, rest } = blockOf(line)
    if (kind !== null) blocks.push(kind)
    if (kind !== 'table') scanLine(rest, { signs, links, words })
    words.push('\n')
  }
  if (fence !== null) throw new Error('a fence has no end')
  return { blocks, signs, links, words: words.join('') }
}

const blockOf = (line: string): { readonly kind: string | null; readonly rest: string } => {
  if (line === '') return { kind: null, rest: '' }
  if (line === '---') return { kind: 'rule', rest: '' }
  if (line.startsWith('| ')) return { kind: 'table', rest: '' }
  const [whole = '', marker = ''] = /^(#{1,6}|-)(?: |$)/.exec(line) ?? []
  const rest = line.slice(whole.length)
  // What begins another block, at the start of a line or of an item.
  if (/^(?:\s|#{1,6}(?:\s|$)|[-+*](?:\s|$)|\d{1,9}[.)](?:\s|$)|>|~{3}|`{3,}[^`]*$|=+\s*$|<)/.test(rest))
    throw new Error(`another block begins: ${line.slice(0, 80)}`)
  return { kind: marker === '' ? 'p' : marker, rest }
}

interface Into {
  readonly signs: string[]
  readonly links: string[]
  readonly words: string[]
}

const TOKEN = /\\([!-/:-@[-`{-~])|(`+)|\]\(<([^<>\\\n]*)>\)|(\*\*|[*_[\]<>&~|$])|([^\\`\]*_[<>&~|$]+|.)/gsu

const scanLine = (line: string, { signs, links, words }: Into): void => {
  for (let at = 0; at < line.length; ) {
    TOKEN.lastIndex = at
    const [whole = '', escaped, ticks, target, sign, plain] = TOKEN.exec(line) ?? []
    if (whole === '') throw new Error('nothing is read any more')
    at += whole.length
    if (ticks !== undefined) at = closingAfter(line, at, ticks)
    else if (target !== undefined) links.push(target)
    else if (sign !== undefined) signs.push(sign)
    words.push(escaped ?? plain ?? '\n')
  }
}

/** Behind the next row of exactly as many backticks. */
const closingAfter = (line: string, from: number, ticks: string): number => {
  const close = [...line.slice(from).matchAll(/`+/g)].find(([run]) => run === ticks)
  if (close === undefined) throw new Error(`a code span has no end: ${line.slice(from - 20, from + 60)}`)
  return from + close.index + ticks.length
}
