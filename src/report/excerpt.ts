/** Which part of an evidence text is shown: the lines around the decisive part, or the first ones. Pure. */
import type { Proof } from '../contract/finding.ts'

export interface ShownExcerpt {
  /** Lines above and below that stand in findings.json alone. */
  readonly linesBefore: number
  readonly linesAfter: number
  readonly text: string
  /** Where the decisive part stands in `text`; null where there is none. */
  readonly mark: { readonly from: number; readonly to: number } | null
}

/** Lines kept on each side of the decisive ones. */
const AROUND = 3
const MAX_LINES = 24

/** Null where there is nothing to show. */
export const shownExcerpt = ({ excerpt, mark }: Pick<Proof, 'excerpt' | 'mark'>): ShownExcerpt | null => {
  const text = excerpt.trimEnd()
  if (text === '') return null
  const at = mark ? text.indexOf(mark) : -1
  const lineOf = (end: number): number => text.slice(0, end).split('\n').length - 1
  const lines = text.split('\n')
  const from = at < 0 ? 0 : Math.max(0, lineOf(at) - AROUND)
  const to = Math.min(
    lines.length,
    at < 0 || mark === null ? MAX_LINES : Math.min(lineOf(at + mark.length) + 1 + AROUND, from + MAX_LINES + AROUND),
  )
  const start = lines.slice(0, from).join('\n').length + (from > 0 ? 1 : 0)
  return {
    linesBefore: from,
    linesAfter: lines.length - to,
    text: lines.slice(from, to).join('\n'),
    mark: at < 0 || mark === null ? null : { from: at - start, to: at - start + mark.length },
  }
}

/** Whether a shell runs it. Else it is an address to open, or says in a sentence what to do. */
export const isCommand = (replay: string): boolean => /^(?!https?:)[a-z]/.test(replay)
