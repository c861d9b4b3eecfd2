/**
 * Facts that hold what feeds said on the day of the run, made anew by what they say today: from the facts themselves, without the
 * target. A module whose facts rest on feeds says how.
 */

/** One question that the facts hold an answer of the feeds to. */
export interface Question {
  /** All that the answer depends on, as a text: the same question of two sites is the same text. */
  readonly question: string
  /** What the feeds answered, as far as it is news when it changes; null where the facts do not tell. */
  readonly answer: string | null
}

export interface Day {
  /** Folder of the imported feeds; without it there is what the product brings along. */
  readonly knowledge?: string
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly signal: AbortSignal
}

export interface Anew<Of, Known> {
  /** Whether the facts hold enough: older versions of the product kept less. Pure. */
  readonly suffices: (facts: Of, known: Known) => boolean
  /** Pure. */
  readonly questions: (facts: Of, known: Known) => readonly Question[]
  /** What the feeds answer today, in the order of the questions. */
  readonly answers: (questions: readonly string[], knowledge: string | undefined) => readonly string[]
  readonly facts: (facts: Of, known: Known, day: Day) => Promise<Of>
  /** The feeds that the difference between the two comes from, with their versions now. Pure. */
  readonly because: (before: Of, now: Of) => Readonly<Record<string, string>>
}
