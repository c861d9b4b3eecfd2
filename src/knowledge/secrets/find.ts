import { SECRET_FORMATS, type SecretFormat } from './formats.ts'

export interface FoundSecret {
  readonly format: SecretFormat
  readonly secret: string
  /** Offset of the secret in the text. */
  readonly index: number
}

/** The longest text that is searched, in characters. */
export const LONGEST_TEXT = 4 * 1024 * 1024
const MOST_OF_A_KIND = 20

/** Every verified secret of a text, each value once. */
export const findSecrets = (text: string): readonly FoundSecret[] => {
  const searched = text.slice(0, LONGEST_TEXT)
  const found = new Map<string, FoundSecret>()
  for (const format of SECRET_FORMATS) {
    if (!format.hints.some((hint) => searched.includes(hint))) continue
    let tried = 0
    for (const match of searched.matchAll(format.pattern)) {
      if (++tried > MOST_OF_A_KIND) break
      const secret = match.groups?.secret ?? match[0]
      if (!format.verify(secret) || found.has(secret)) continue
      found.set(secret, { format, secret, index: match.index + match[0].lastIndexOf(secret) })
    }
  }
  return [...found.values()]
}

const AROUND = 120
/** Characters of the longest format: one may lie across the border. */
const LONGEST_SECRET = 8_200

/** What stands around the secrets behind the first `from` characters of a text, as lines behind a line break; '' where there are none. */
export const secretPassages = (text: string, from: number): string => {
  if (text.length <= from) return ''
  const rest = text.slice(Math.max(0, from - LONGEST_SECRET))
  return findSecrets(rest)
    .slice(0, MOST_OF_A_KIND)
    .map(({ secret, index }) => `\n${rest.slice(Math.max(0, index - AROUND), index + secret.length + AROUND)}`)
    .join('')
}

/** Enough to find the place again, far too little to use it. */
export const maskSecret = (secret: string): string => {
  const shown = secret.startsWith('-----')
    ? '-----BEGIN … PRIVATE KEY-----'
    : secret.slice(0, Math.min(4, secret.length >> 2))
  return `${shown}… (${secret.length} characters, masked)`
}

/** The text with every secret of the list masked. */
export const maskAll = (text: string, secrets: readonly string[]): string =>
  secrets
    .toSorted((a, b) => b.length - a.length)
    .reduce((masked, secret) => masked.replaceAll(secret, maskSecret(secret)), text)
