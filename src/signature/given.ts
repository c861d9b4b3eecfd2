/** A file as somebody hands it over to be checked: read once, in pieces, whatever its size. */
import { createHash } from 'node:crypto'
import { type AuditChain, followAudit } from './audit-chain.ts'
import { looksSealed, MAX_ENVELOPE } from './envelope.ts'

export interface GivenFile {
  /** As it is shown to the person. */
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** Lower case hex. */
  readonly sha256: string
  /** All of it, where it wants to be a signature. */
  readonly signature: Buffer | null
  /** Of which run and version it says that it is. Anybody can write that: it explains, and proves nothing. */
  readonly claim: Claim | null
  /** As an audit log. */
  readonly chain: AuditChain
}

export interface Claim {
  readonly runId: string
  /** Null in files of older versions of the product. */
  readonly version: number | null
}

/** Bytes at the beginning of a report that hold its claim. */
const HEAD = 64 * 1024

export const readGiven = (path: string): { readonly add: (chunk: Buffer) => void; readonly end: () => GivenFile } => {
  const hash = createHash('sha256')
  const chain = followAudit()
  let size = 0
  let held: Buffer[] = []
  let keep: 'all' | 'head' = 'head'
  return {
    add: (chunk) => {
      if (size === 0 && (looksSealed(chunk.subarray(0, HEAD)) || isNamedSignature(path))) keep = 'all'
      if (size < (keep === 'all' ? MAX_ENVELOPE + 1 : HEAD)) held.push(chunk)
      size += chunk.length
      hash.update(chunk)
      chain.add(chunk)
    },
    end: () => {
      const bytes = Buffer.concat(held)
      held = []
      return {
        ...{ path, size, sha256: hash.digest('hex') },
        signature: keep === 'all' ? bytes : null,
        claim: claimOf(bytes.subarray(0, HEAD).toString('latin1')),
        chain: chain.end(),
      }
    },
  }
}

/** What browsers make of a name that is taken: "report (1).pdf". */
export const plainName = (path: string): string =>
  (path.split(/[/\\]/).at(-1) ?? '').replace(/ ?\(\d{1,4}\)(?=\.[a-z]+$|$)/, '')

export const isNamedSignature = (path: string): boolean => plainName(path) === 'signature.json'

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const IN_JSON = new RegExp(
  `^\\{\\s*"schema_version": "[^"]{1,20}",\\s*(?:"version": (\\d{1,9}),\\s*)?"run": \\{\\s*"id": "(${UUID})"`,
)
const IN_TEXT = new RegExp(`\\b(${UUID}), [vV]ersion (\\d{1,9})\\b`)

const claimOf = (text: string): Claim | null => {
  const json = IN_JSON.exec(text)
  if (json?.[2] !== undefined) return { runId: json[2], version: json[1] === undefined ? null : Number(json[1]) }
  const words = IN_TEXT.exec(text)
  return words?.[1] === undefined ? null : { runId: words[1], version: Number(words[2]) }
}
