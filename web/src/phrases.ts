/** Sentences that the service writes in English, in the reader's language. Pure. */

/** English with `{1}`, `{2}` for what differs, and the same in the reader's language. */
export type Phrases = readonly (readonly [english: string, own: string])[]

/** In words of the reader's language; as it is where nobody has written them. */
export const saidIn = (phrases: Phrases, english: string): string => {
  for (const [pattern, own] of phrases) {
    const match = compiled(pattern).exec(english)
    if (match === null) continue
    return own.replace(/\{(\d)\}/g, (_, at: string) => saidIn(phrases, match[Number(at)] ?? ''))
  }
  return english
}

const known = new Map<string, RegExp>()
const compiled = (pattern: string): RegExp => {
  const before = known.get(pattern)
  if (before !== undefined) return before
  const literal = pattern.replace(/[.*+?^$()|[\]\\]/g, '\\$&')
  const made = new RegExp(`^${literal.replace(/\{\d\}/g, '(.+?)')}$`, 's')
  known.set(pattern, made)
  return made
}
