import type { CoverageState, Severity } from '../../contract/finding.ts'
import type { ReportColours } from '../../contract/report.ts'

/** Colours as RRGGBB; white text is readable on each severity and grade (contrast of 4.5 : 1 or more). */
export const SEVERITY_COLOURS: Readonly<Record<Severity, string>> = {
  critical: '8B1A2B',
  high: 'C23A22',
  medium: 'B45F06',
  low: '2F6DA8',
  info: '5F6B7A',
}

export const STATE_COLOURS: Readonly<Record<CoverageState, string>> = {
  pass: '2E7D4F',
  fail: 'C23A22',
  not_applicable: '9AA5B1',
  not_tested: '8A6D1D',
  blocked: '8A6D1D',
  inconclusive: '8A6D1D',
}

export const COLOURS = {
  ink: '1C2733',
  navy: '14253D',
  ring: '22385A',
  accent: '1B7A78',
  muted: '5F6B7A',
  line: 'D5DBE3',
  paper: 'F3F5F8',
  mark: 'FFE08A',
  warn: 'B45F06',
  warnpaper: 'FFF6E0',
} as const

/** Ours with those of a house in their place; a colour has been checked before it is stored. */
export const coloursOf = ({ accent, dark }: ReportColours): Readonly<Record<keyof typeof COLOURS, string>> => ({
  ...COLOURS,
  ...(accent === undefined ? {} : { accent: hex(accent) }),
  ...(dark === undefined ? {} : { navy: hex(dark), ring: lighter(hex(dark)) }),
})

const hex = (colour: string): string => colour.replace('#', '').toUpperCase()

/** An eighth of the way to white: rings that show on the cover and distract nobody. */
const lighter = (colour: string): string =>
  [0, 2, 4]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
    .map((part) => Math.round(part + (255 - part) / 8))
    .map((part) => part.toString(16).padStart(2, '0').toUpperCase())
    .join('')

/** By the letter; TLS grades T and M (not trusted, wrong name) are as bad as F. */
export const gradeColour = (grade: string): string => GRADE_COLOURS[grade.charAt(0).toUpperCase()] ?? '5F6B7A'

const GRADE_COLOURS: Readonly<Record<string, string>> = {
  A: '2E7D4F',
  B: '547A1D',
  C: '946200',
  D: 'B45F06',
  E: 'C23A22',
  F: '8B1A2B',
  T: '8B1A2B',
  M: '8B1A2B',
}
