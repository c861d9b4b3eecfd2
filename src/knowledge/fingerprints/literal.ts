/**
 * Texts, in lower case, of which one stands in whatever a pattern matches: of each of its alternatives the longest; none where an alternative
 * has none for sure. Looking for them spares the compilation of a pattern, which costs a hundred times as much, and most rules match nothing
 * on most sites.
 */
export const literalsOf = (pattern: RegExp): readonly string[] => {
  const known = read.get(pattern)
  if (known !== undefined) return known
  // Foldings of Unicode are others than those of lower case.
  const literals = /[uv]/.test(pattern.flags) ? [] : literalsIn(pattern.source)
  const sure = literals.includes('') ? [] : literals
  read.set(pattern, sure)
  return sure
}

const read = new WeakMap<RegExp, readonly string[]>()

/** Whether a pattern of these literals may match a text of which this is the lower case. */
export const mayMatch = (literals: readonly string[], lower: string): boolean =>
  literals.length === 0 || literals.some((literal) => lower.includes(literal))

/** What stands for one character, or none, of unknown value (ECMA-262, 22.2.1). */
const CLASS = /[dDwWsSbBnrtfv0]/
const QUANTIFIER = /\{\d+(?:,\d*)?\}/y
/** A character that is itself in both cases. */
const PLAIN = /[\x20-\x7e]/

const literalsIn = (source: string): readonly string[] => {
  const literals: string[] = []
  let longest = ''
  let run = ''
  const flush = (): void => {
    if (run.length > longest.length) longest = run
    run = ''
  }
  const endAlternative = (): void => {
    flush()
    literals.push(longest)
    longest = ''
  }
  for (let at = 0; at < source.length; at += 1) {
    const one = source.charAt(at)
    if (one === '\\') {
      at += 1
      const escaped = source.charAt(at)
      if (CLASS.test(escaped)) flush()
      // A number in some notation, or what a group held.
      else if (/[a-z\d]/i.test(escaped)) return []
      else run += escaped
    } else if (one === '[' || one === '(') {
      flush()
      at = endOf(source, at)
    } else if (one === ')') return []
    else if (one === '|') endAlternative()
    else if (one === '*' || one === '?') {
      run = run.slice(0, -1)
      flush()
    } else if (one === '{') {
      QUANTIFIER.lastIndex = at
      const [quantifier = ''] = QUANTIFIER.exec(source) ?? []
      run = run.slice(0, -1)
      flush()
      at += Math.max(0, quantifier.length - 1)
    } else if ('^$.+'.includes(one) || !PLAIN.test(one)) flush()
    else run += one.toLowerCase()
  }
  endAlternative()
  return literals
}

/** Where the class or group that begins there ends. */
const endOf = (source: string, from: number): number => {
  const isClass = source.charAt(from) === '['
  for (let at = from + 1; at < source.length; at += 1) {
    const one = source.charAt(at)
    if (one === '\\') at += 1
    else if (one === (isClass ? ']' : ')')) return at
    else if (!isClass && (one === '[' || one === '(')) at = endOf(source, at)
  }
  return source.length
}
