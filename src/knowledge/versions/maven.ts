/** Maven's order: https://maven.apache.org/pom.html#version-order-specification */
import { compareNumbers, compareTexts, isNumber } from './numbers.ts'

interface Token {
  readonly separator: '.' | '-'
  readonly text: string
}

export const compareMaven = (a: string, b: string): number => {
  const [left, right] = [tokensOf(a), tokensOf(b)]
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const [one, other] = [left[index], right[index]]
    const order = compareTokens(one ?? padding(other), other ?? padding(one))
    if (order !== 0) return order
  }
  return 0
}

/** Older to newer; '' is the release itself. Other words come after these, by letter. */
const QUALIFIERS = ['alpha', 'beta', 'milestone', 'rc', 'snapshot', '', 'sp']
const ALIASES: Readonly<Record<string, string>> = { cr: 'rc', ga: '', final: '', release: '' }
const SHORT: Readonly<Record<string, string>> = { a: 'alpha', b: 'beta', m: 'milestone' }

const tokensOf = (version: string): readonly Token[] => {
  const tokens: Token[] = []
  let separator: Token['separator'] = '-'
  let fresh = true
  const text = version.trim().toLowerCase()
  for (const match of text.matchAll(/\d+|[^\d.\-_]+|[.\-_]/g)) {
    const [part] = match
    if (part === '.' || part === '-' || part === '_') {
      // An empty token is a 0: `1..2` is `1.0.2`.
      if (fresh) tokens.push({ separator, text: '0' })
      separator = part === '.' ? '.' : '-'
      fresh = true
      continue
    }
    // From digits to letters or back is a hyphen.
    const word = isNumber(part) ? part : qualifier(part, text[match.index + part.length])
    tokens.push({ separator: fresh ? separator : '-', text: word })
    fresh = false
  }
  return trimmed(tokens)
}

const qualifier = (word: string, next: string | undefined): string => {
  const long = next !== undefined && isNumber(next) ? SHORT[word] : undefined
  return long ?? ALIASES[word] ?? word
}

/** Without the null values (0, '') at the end and before each hyphen. */
const trimmed = (tokens: readonly Token[]): readonly Token[] => {
  const kept: Token[] = []
  const drop = (): void => {
    while (kept.length > 1 && isNull(kept.at(-1))) kept.pop()
  }
  for (const token of tokens) {
    if (token.separator === '-') drop()
    kept.push(token)
  }
  drop()
  return kept
}

const isNull = (token: Token | undefined): boolean =>
  token !== undefined && (token.text === '' || /^0+$/.test(token.text))

const padding = (other: Token | undefined): Token => ({
  separator: other?.separator ?? '.',
  text: other !== undefined && isNumber(other.text) ? '0' : '',
})

const compareTokens = (a: Token, b: Token): number => {
  const [left, right] = [isNumber(a.text), isNumber(b.text)]
  if (left !== right) return left ? 1 : -1
  if (!left) return compareQualifiers(a.text, b.text)
  if (a.separator !== b.separator) return a.separator === '-' ? -1 : 1
  return compareNumbers(a.text, b.text)
}

const compareQualifiers = (a: string, b: string): number => {
  const [left, right] = [QUALIFIERS.indexOf(a), QUALIFIERS.indexOf(b)]
  if (left < 0 && right < 0) return compareTexts(a, b)
  return (left < 0 ? QUALIFIERS.length : left) - (right < 0 ? QUALIFIERS.length : right)
}
