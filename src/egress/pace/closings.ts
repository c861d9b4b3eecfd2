/**
 * What answers 429 (RFC 6585, 4) or 503 while all else is answered: a form with a limit of its own waits by itself, and the host goes on. Where
 * another is refused as well, and nothing was answered in between, or where several of the last answers are refusals of several addresses, it is the host.
 */

/** Answers of others since the last refusal that tell that the host has had enough of this one alone. */
const ENOUGH = 3
const KEPT = 1_000
/**
 * Of so many of the last answers this share are refusals, of so many addresses at least that are not known for a limit of their own: whatever was
 * answered in between, the host has enough.
 */
const LAST = 64
const SHARE = 1 / 8
const SEVERAL = 3

export interface Closings {
  readonly isOpen: (of: string) => boolean
  /** When it may be asked again; 0 where it may be now. */
  readonly opensAt: (of: string) => number
  /** `yes`: this alone waits for `pause` milliseconds, for the first time; `again`: not for the first; `no`: all of the host has to. */
  readonly refused: (of: string, pause: number) => 'yes' | 'again' | 'no'
  /** It was answered otherwise. */
  readonly answered: (of: string) => void
}

export const createClosings = (clock: () => number): Closings => {
  /** What was refused, and until when it waits; the last refusal at the end. */
  const until = new Map<string, number>()
  /** What was refused again while others were answered. */
  const own = new Set<string>()
  let others = 0
  /** The last answers: what was refused, null where it was not. */
  const last: (string | null)[] = []
  const note = (refused: string | null): void => {
    last.push(refused)
    if (last.length > LAST) last.shift()
  }
  const areMany = (): boolean => {
    const refused = last.filter((one) => one !== null && !own.has(one))
    return refused.length >= last.length * SHARE && new Set(refused).size >= SEVERAL
  }
  const opensAt = (of: string): number => {
    const at = until.get(of) ?? 0
    return at > clock() ? at : 0
  }
  return {
    opensAt,
    isOpen: (of) => opensAt(of) === 0,
    refused: (of, pause) => {
      if (of === '') return 'no'
      note(of)
      const now = clock()
      const isAgain = until.has(of)
      const isHost =
        areMany() || (others < ENOUGH && [...until].some(([other, at]) => other !== of && !own.has(other) && at > now))
      if (isAgain && others >= ENOUGH) own.add(of)
      // What was on its way when the first was refused says nothing more.
      if (opensAt(of) === 0) others = 0
      until.delete(of)
      until.set(of, now + pause)
      for (const [one] of until) {
        if (until.size <= KEPT) break
        until.delete(one)
        own.delete(one)
      }
      if (isHost) return 'no'
      return isAgain ? 'again' : 'yes'
    },
    answered: (of) => {
      note(null)
      if (!until.has(of)) others += 1
    },
  }
}
