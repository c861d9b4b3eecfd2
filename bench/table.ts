/**
 * One result format for every benchmark: a table for people, a JSON file for machines.
 * A peer is measured in the same run on the same machine, so that the ratio holds when the machine does not.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'

export interface BenchRow {
  readonly id: string
  readonly what: string
  readonly unit: string
  readonly ours: number
  readonly peer_name: string | null
  /** Null where the peer is not installed; `hint` says how to install it. */
  readonly peer: number | null
  /** ours / peer. */
  readonly ratio: number | null
  readonly target: string | null
  readonly met: boolean | null
  readonly hint?: string
}

export interface Measurement {
  readonly id: string
  readonly what: string
  readonly unit: string
  readonly ours: number
  readonly peer?: { readonly name: string; readonly value: number | null; readonly hint?: string }
  /** What to reach, in words, with the decision over `ours` and the ratio. */
  readonly target?: { readonly text: string; readonly met: (ours: number, ratio: number | null) => boolean | null }
}

export const row = (measured: Measurement): BenchRow => {
  const peer = measured.peer?.value ?? null
  const ratio = peer === null || peer === 0 ? null : measured.ours / peer
  return {
    id: measured.id,
    what: measured.what,
    unit: measured.unit,
    ours: measured.ours,
    peer_name: measured.peer?.name ?? null,
    peer,
    ratio,
    target: measured.target?.text ?? null,
    met: measured.target?.met(measured.ours, ratio) ?? null,
    ...(measured.peer?.hint === undefined ? {} : { hint: measured.peer.hint }),
  }
}

/** Prints the table and writes `bench/results/NAME.json`. */
export const publish = (name: string, rows: readonly BenchRow[]): void => {
  const machine = `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`
  const header = ['id', 'what', 'unit', 'ours', 'peer', 'peer value', 'ratio', 'target', 'met']
  const cells = rows.map((entry) => [
    entry.id,
    entry.what,
    entry.unit,
    number(entry.ours),
    entry.peer_name ?? '',
    entry.peer === null ? (entry.peer_name === null ? '' : `not installed: ${entry.hint ?? ''}`) : number(entry.peer),
    entry.ratio === null ? '' : entry.ratio.toFixed(3),
    entry.target ?? '',
    entry.met === null ? '' : entry.met ? 'yes' : 'NO',
  ])
  const widths = header.map((title, column) =>
    Math.max(title.length, ...cells.map((line) => (line[column] ?? '').length)),
  )
  const draw = (line: readonly string[]) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
  process.stdout.write(`\n${name} (${machine})\n${draw(header)}\n${cells.map(draw).join('\n')}\n`)
  mkdirSync(new URL('results/', import.meta.url), { recursive: true })
  writeFileSync(new URL(`results/${name}.json`, import.meta.url), `${JSON.stringify({ machine, rows }, null, 2)}\n`)
}

/** The value below which a share (0 to 1) of the samples lie. */
export const percentile = (samples: readonly number[], share: number): number => {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

const number = (value: number): string =>
  Math.abs(value) >= 100 ? value.toFixed(0) : Math.abs(value) >= 1 ? value.toFixed(2) : value.toFixed(4)
