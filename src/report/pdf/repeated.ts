/** Cures that say again what an earlier one has said: a page has it once, and the others lead there. Pure. */
import type { Problem } from '../plan.ts'

/** A cure as it is printed: what it says alone, and the number of the finding that says the rest; null: it says all itself. */
export interface PrintedCure {
  readonly own: string
  readonly rest: number | null
}

/** Characters that are worth a reader's way to another page. */
const WORTH = 120

/** By the number of the finding that speaks for its problem; only for those whose cure is printed whole, in their order. */
export const printedCures = (problems: readonly Problem[]): ReadonlyMap<number, PrintedCure> => {
  const said = new Map<string, number>()
  return new Map(
    problems.map(({ first: { number, finding } }) => {
      const text = finding.remediation.trim()
      const ends = endsOf(text)
      const known = ends.find((end) => said.has(end))
      // What is left out itself is printed elsewhere, so it stays bound to that place.
      for (const end of ends) if (!said.has(end)) said.set(end, number)
      return [
        number,
        known === undefined
          ? { own: text, rest: null }
          : { own: text.slice(0, text.length - known.length).trim(), rest: said.get(known) ?? null },
      ]
    }),
  )
}

/** The text from each beginning of a sentence to its end, the longest first; none that opens or closes a code span of another part. */
const endsOf = (text: string): readonly string[] =>
  /\n|```/.test(text)
    ? [text]
    : [0, ...[...text.matchAll(/(?<=[.;]) (?=[\p{Lu}`])/gu)].map(({ index }) => index + 1)]
        .map((from) => text.slice(from))
        .filter((end) => end.length >= WORTH && (end.split('`').length - 1) % 2 === 0)
