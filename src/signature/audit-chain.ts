/** Follows audit-log.jsonl: each line carries the SHA-256 of the exact text of the line before, the first one zeros. */
import { createHash } from 'node:crypto'
import { parsedJson } from './json.ts'

export interface AuditChain {
  /** Lines that were read. */
  readonly lines: number
  /** The first line that does not follow from the one before; null: the chain holds to its end. */
  readonly broken: { readonly line: number; readonly why: string } | null
}

/** Bytes of one line; a longer one breaks the chain. */
const MAX_LINE = 8 * 1024 * 1024
const NEWLINE = 0x0a

/** Takes the file in pieces, as it is read. */
export const followAudit = (): { readonly add: (chunk: Buffer) => void; readonly end: () => AuditChain } => {
  let rest: Buffer[] = []
  let length = 0
  let lines = 0
  let head = '0'.repeat(64)
  let broken: AuditChain['broken'] = null

  const line = (text: Buffer): void => {
    lines += 1
    const why = faultOf(text, lines, head)
    if (why !== null) broken = { line: lines, why }
    head = createHash('sha256').update(text).digest('hex')
  }
  const keep = (chunk: Buffer): void => {
    length += chunk.length
    if (length > MAX_LINE) broken = { line: lines + 1, why: `it is longer than ${MAX_LINE} bytes` }
    else rest.push(chunk)
  }
  const add = (chunk: Buffer): void => {
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at >= 0 && broken === null; at = chunk.indexOf(NEWLINE, from)) {
      line(Buffer.concat([...rest, chunk.subarray(from, at)]))
      rest = []
      length = 0
      from = at + 1
    }
    if (broken === null && from < chunk.length) keep(chunk.subarray(from))
  }
  const end = (): AuditChain => {
    if (broken === null && length > 0) {
      line(Buffer.concat(rest))
      broken ??= { line: lines, why: 'it ends without a line end' }
    }
    return { lines, broken }
  }
  return { add, end }
}

/** Null: the line follows from the one before. */
const faultOf = (text: Buffer, number: number, head: string): string | null => {
  const entry = entryOf(text)
  if (entry === null) return 'it is no line of an audit log'
  if (entry.seq !== number) return `it says that it is line ${String(entry.seq).slice(0, 20)}`
  if (entry.prev === head) return null
  return number === 1
    ? 'the first line of a log carries no hash of a line before'
    : `it does not carry the hash of line ${number - 1}: one of the two was altered`
}

const entryOf = (text: Buffer): { readonly seq: unknown; readonly prev: unknown } | null => {
  const entry = parsedJson(text)
  return typeof entry === 'object' && entry !== null && 'seq' in entry && 'prev' in entry ? entry : null
}
