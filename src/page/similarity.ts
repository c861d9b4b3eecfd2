/** Whether two pages say the same, by the words in them. */
const MAX_TEXT = 100_000

const words = (html: string): string[] =>
  html
    .slice(0, MAX_TEXT)
    .replace(/<(script|style)\b[^>]*>[\s\S]{0,50000}?<\/\1>/gi, ' ')
    .replace(/<[^>]{0,2000}>/g, ' ')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** 32 bits a half; equal texts have equal ones, alike texts differ in few bits (Charikar, 2002). */
export const simhash = (html: string): readonly [number, number] => {
  const weights = new Int32Array(64)
  // A calendar's days differ in nothing but numbers.
  const list = words(html).map((one) => one.replace(/\p{N}+/gu, '0'))
  for (let index = 0; index < Math.max(1, list.length - 2); index += 1) {
    const shingle = list.slice(index, index + 3).join(' ')
    const halves = [hash(shingle, 0x811c9dc5), hash(shingle, 0x01234567)]
    for (let bit = 0; bit < 64; bit += 1) {
      const half = halves[bit >> 5] ?? 0
      weights[bit] = (weights[bit] ?? 0) + (((half >>> (bit & 31)) & 1) === 1 ? 1 : -1)
    }
  }
  const half = (from: number): number => {
    let bits = 0
    for (let bit = 0; bit < 32; bit += 1) if ((weights[from + bit] ?? 0) > 0) bits |= 1 << bit
    return bits >>> 0
  }
  return [half(0), half(32)]
}

export const distance = (a: readonly [number, number], b: readonly [number, number]): number =>
  ones(a[0] ^ b[0]) + ones(a[1] ^ b[1])

export const wordsIn = (html: string): ReadonlySet<string> => new Set(words(html))

/** Share of words in common (Jaccard), 0 to 1. Two empty pages are the same. */
export const likeness = (a: string, b: string): number => shareInCommon(wordsIn(a), wordsIn(b))

/** Words that each of these texts has and none of the others. `share`: how much of them a text has, 0 to 1; null where there are none. */
export const tellingWords = (
  these: readonly string[],
  others: readonly string[],
): { readonly share: (text: string) => number | null } => {
  const [first = new Set<string>(), ...rest] = these.map((text) => new Set(words(text)))
  const common = rest.reduce((all, one) => all.intersection(one), first)
  const own = others.reduce((left, text) => left.difference(new Set(words(text))), common)
  return { share: (text) => (own.size === 0 ? null : own.intersection(new Set(words(text))).size / own.size) }
}

/** Of two sets, what both have of what either has (Jaccard), 0 to 1. Two empty ones are the same. */
export const shareInCommon = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  const union = a.union(b).size
  return union === 0 ? 1 : a.intersection(b).size / union
}

/** FNV-1a, then mixed: the plain one leaves the upper bits of short texts alike. */
const hash = (text: string, seed: number): number => {
  let value = seed
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}

const ones = (value: number): number => {
  let count = 0
  for (let rest = value >>> 0; rest !== 0; rest &= rest - 1) count += 1
  return count
}
