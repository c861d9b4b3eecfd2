/** One line for everything that was asked of a target, whatever became of it. */
import type { AuditEntry } from '../../contract/event.ts'
import type { Redactor } from '../redaction/redact.ts'

export interface AuditFields {
  readonly event: 'request' | 'connect' | 'sweep' | 'tls' | 'dns' | 'resolve' | 'datagram' | 'tunnel' | 'refused'
  readonly method?: string
  readonly url?: string
  readonly address?: string
  readonly port?: number
  readonly status?: number | null
  /** Bytes received. */
  readonly bytes?: number
  readonly duration_ms?: number
  readonly error?: string
  readonly detail?: string
}

export type Audit = (fields: AuditFields) => void

/** Entries of one module, redacted before they leave egress. */
export const createAudit = (module: string, redact: Redactor, sink: (entry: AuditEntry) => void): Audit => {
  return (fields) => {
    const duration = fields.duration_ms === undefined ? {} : { duration_ms: Math.round(fields.duration_ms * 10) / 10 }
    sink(cleanEntry(redact, { ts: new Date().toISOString(), module, ...fields, ...duration }))
  }
}

/** An entry without secrets: in what is told of the target and by it; our own terms stay. */
export const cleanEntry = <Entry extends AuditEntry>(redact: Pick<Redactor, 'text'>, entry: Entry): Entry => {
  const told = TOLD.flatMap((key) => {
    const text = entry[key]
    return typeof text === 'string' ? [[key, redact.text(text)] as const] : []
  })
  return { ...entry, ...Object.fromEntries(told) }
}

const TOLD = ['method', 'url', 'address', 'error', 'detail', 'reason'] as const satisfies readonly (keyof AuditEntry)[]

/** Error text for an audit line: the code and one sentence. */
export const auditError = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? `${error.code}: ` : ''
  return `${code}${error.message}`.slice(0, 500)
}
