/** The words of one language, as people press them. */
export interface LanguageWords {
  /** ISO 639-1. */
  readonly language: string
  /** Whole labels, here and below. */
  readonly accept: readonly string[]
  /** Closes a notice: neither yes nor no to anything. */
  readonly acknowledge: readonly string[]
  readonly reject: readonly string[]
  readonly settings: readonly string[]
  readonly save: readonly string[]
  readonly revoke: readonly string[]
  /** Words that turn an agreement into its opposite or narrow it to what is necessary: "not", "without", "only". */
  readonly negations: readonly string[]
  /** Beginnings of words that only a text about cookies and consent has together with others of them. */
  readonly topic: readonly string[]
  /** Texts of links. */
  readonly privacy: readonly string[]
  readonly imprint: readonly string[]
  readonly cookies: readonly string[]
  readonly terms: readonly string[]
}

/** Splits at "|"; line breaks count as spaces. */
export const phrases = (text: string): readonly string[] =>
  text.split('|').map((phrase) => phrase.replace(/\s+/g, ' ').trim())
