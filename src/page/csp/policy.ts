/**
 * Content Security Policy Level 3, section 2.2: from header lines or a meta element to policies.
 * https://www.w3.org/TR/CSP3/#parse-serialized-policy
 */
export interface Policy {
  readonly disposition: 'enforce' | 'report'
  readonly delivery: 'header' | 'meta'
  /** As sent, at most MAX_LENGTH characters. */
  readonly text: string
  /** Lower case name to its tokens. The first of a name counts, later ones are in `duplicates`. */
  readonly directives: ReadonlyMap<string, readonly string[]>
  readonly duplicates: readonly string[]
  /** Directives that the browser drops because of a character outside ASCII, as sent. */
  readonly nonAscii: readonly string[]
  /** Names that a policy in a meta element cannot carry and that the browser removes. */
  readonly removed: readonly string[]
}

/** Longer text is cut: no server sends more in one header, and nobody shall make us read it. */
export const MAX_LENGTH = 32_768
const MAX_POLICIES = 32

/** HTML, section 4.2.5.3: these have no meaning in a meta element. */
const NOT_IN_META = ['report-uri', 'frame-ancestors', 'sandbox']

/** Every value of a header of this name, in order. A comma separates policies, in one line or over several. */
export const parsePolicyHeader = (
  values: readonly string[],
  disposition: Policy['disposition'] = 'enforce',
): readonly Policy[] =>
  values
    .join(',')
    .slice(0, MAX_LENGTH)
    .split(',', MAX_POLICIES)
    .map((text) => parsePolicy(text, disposition, 'header'))
    .filter(({ directives, nonAscii }) => directives.size + nonAscii.length > 0)

/** The content of `<meta http-equiv="Content-Security-Policy">`: one policy, where a comma separates nothing. */
export const parsePolicyMeta = (content: string): Policy => parsePolicy(content, 'enforce', 'meta')

const parsePolicy = (source: string, disposition: Policy['disposition'], delivery: Policy['delivery']): Policy => {
  const text = trim(source.slice(0, MAX_LENGTH))
  const directives = new Map<string, readonly string[]>()
  const duplicates: string[] = []
  const nonAscii: string[] = []
  const removed: string[] = []
  for (const part of text.split(';')) {
    const [name, ...tokens] = part.split(SPACE).filter((token) => token !== '')
    if (name === undefined) continue
    const key = name.toLowerCase()
    if (!ASCII.test(part)) nonAscii.push(trim(part))
    else if (directives.has(key)) duplicates.push(key)
    else if (delivery === 'meta' && NOT_IN_META.includes(key)) removed.push(key)
    else directives.set(key, tokens)
  }
  return { disposition, delivery, text, directives, duplicates, nonAscii, removed }
}

/** ASCII white space as HTML means it: a no-break space separates nothing. */
const SPACE = /[\t\n\f\r ]+/
const trim = (text: string): string => text.replace(/^[\t\n\f\r ]+/, '').replace(/[\t\n\f\r ]+$/, '')
// biome-ignore lint/suspicious/noControlCharactersInRegex: the specification says "ASCII string", controls included
const ASCII = /^[\x00-\x7f]*$/
