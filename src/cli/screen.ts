/** Where the program writes, and how text gets there safely. */
import { SEVERITIES, type Severity } from '../contract/finding.ts'
import type { Counts } from '../contract/run.ts'

export interface Screen {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  readonly isTTY: boolean
  /** Characters in a line; 80 where nobody knows. */
  readonly columns: () => number
  readonly colour: boolean
}

/** NO_COLOR (no-color.org) switches colours off. */
export const processScreen = (): Screen => ({
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  isTTY: process.stdout.isTTY === true,
  // A terminal that does not know its size says 0.
  columns: () => process.stdout.columns || 80,
  colour: process.stdout.isTTY === true && !process.env.NO_COLOR,
})

/**
 * Texts come from scanned sites: control and formatting characters (terminal escapes, right-to-left overrides) become
 * visible and harmless.
 */
export const clean = (text: string): string =>
  text.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => (/\s/.test(character) ? ' ' : '\ufffd'))

/** Cut to a number of characters, the last being an ellipsis when something was cut. */
export const cut = (text: string, length: number): string => {
  const characters = [...text]
  return characters.length <= length ? text : `${characters.slice(0, Math.max(0, length - 1)).join('')}…`
}

/** "1 run", "2 runs"; `plural` where it is another word than with an s. */
export const counted = (number: number, noun: string, plural = `${noun}s`): string =>
  `${number} ${number === 1 ? noun : plural}`

/** Lines of at most `width` characters, broken at spaces, each after `indent`. */
export const wrap = (text: string, width: number, indent: string): string => {
  const room = Math.max(20, width - indent.length)
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line)
      line = ''
    }
    line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].map((each) => `${indent}${each}\n`).join('')
}

/** Rows below their headings; every cell is made safe. */
export const table = (headings: readonly string[], rows: readonly (readonly string[])[]): string => {
  const cells = [headings, ...rows.map((row) => row.map(clean))]
  const widths = headings.map((_heading, column) => Math.max(...cells.map((row) => [...(row[column] ?? '')].length)))
  const pad = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - [...text].length))
  return cells
    .map(
      (row) =>
        `${row
          .map((cell, column) => pad(cell, widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

export const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** SGR codes of ECMA-48. */
const PAINT: Readonly<Record<Severity | 'bold' | 'dim' | 'good' | 'bad', string>> = {
  critical: '1;35',
  high: '31',
  medium: '33',
  low: '34',
  info: '36',
  bold: '1',
  dim: '2',
  good: '32',
  bad: '31',
}
export const paint = (screen: Screen, style: keyof typeof PAINT, text: string): string =>
  screen.colour ? `\u001b[${PAINT[style]}m${text}\u001b[0m` : text

export const countsText = (screen: Screen, counts: Counts): string =>
  SEVERITIES.map((severity) => {
    const text = `${severity} ${counts[severity]}`
    return counts[severity] === 0 ? paint(screen, 'dim', text) : paint(screen, severity, text)
  }).join('  ')

/** `m:ss`, or `h:mm:ss`. */
export const elapsed = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  const two = (value: number): string => String(value).padStart(2, '0')
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`
}

export const bytesText = (bytes: number): string => {
  if (bytes < 1024) return `${bytes} B`
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KiB`
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`
}
