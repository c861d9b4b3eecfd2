/**
 * Interfaces over HTTP that answer strangers, from `catalogue/services`: one template each, one request whose answer, by its
 * grammar and not by its status alone, shows what is open. Nothing is created, run or changed, and no stored value is read.
 */
import type { AccessKind } from '../../../protocols/services/probe.ts'
import { bytesOfText } from '../../../templates/language/bytes.ts'
import { fieldsOf, pathText, type Report } from '../../../templates/language/parse/fields.ts'
import { compileRegex, type Regex } from '../../../templates/language/regex/regex.ts'
import { filledWith, proofIn, type ShippedTemplate, shippedTemplates } from '../../../templates/language/shipped.ts'
import type { Operators } from '../../../templates/language/template.ts'

const KINDS: readonly AccessKind[] = ['datastore', 'listing', 'takeover', 'control', 'observability']

export interface WebAccess {
  readonly id: string
  /** Service that this proves, as the tables of knowledge/services call it. */
  readonly service: string
  readonly ports: readonly number[]
  /** Also asked on any port whose front page looks like this. */
  readonly front: Regex | null
  readonly path: string
  /** Sent by POST where the interface reads only so. */
  readonly post: string | null
  readonly operators: Operators
  readonly kind: AccessKind
  readonly says: string
}

let read: readonly WebAccess[] | null = null

/** Read once a process. @throws Error where a template is not whole */
export const webAccess = (): readonly WebAccess[] => {
  read ??= shippedTemplates('services').map(accessOf)
  return read
}

const accessOf = ({ id, description, steps, metadata }: ShippedTemplate): WebAccess => {
  const fields = fieldsOf(metadata, [id], REFUSE)
  const [step, ...more] = steps
  const [path, ...others] = step?.paths ?? []
  if (step === undefined || path === undefined || more.length + others.length > 0 || !fields.has('kind'))
    throw new Error(`catalogue/services: ${id} needs a kind and one request with one path`)
  const front = fields.text('front')
  const access: WebAccess = {
    id,
    service: fields.text('service') ?? 'http',
    ports: fields.numbers('ports'),
    front: front === null ? null : compileRegex(front),
    path: filledWith(path, { RootURL: '' }),
    post: step.body,
    operators: step.operators,
    kind: fields.oneOf('kind', KINDS, 'observability'),
    says: description,
  }
  fields.finish()
  return access
}

const refuse: Report['error'] = (path, message) => {
  throw new Error(`catalogue/services: ${pathText(path)}: ${message}`)
}
const REFUSE: Report = { error: refuse, defect: refuse, warn: refuse }

/** The decisive piece of the answer, null where it proves nothing. */
export const proofOf = ({ operators }: WebAccess, status: number, body: Buffer): string | null =>
  proofIn(operators, { status_code: status, body: body.toString('latin1') })

/** What to ask where this front page was served: what it names itself goes first. */
export const accessFor = (port: number, front: string): readonly WebAccess[] => {
  const page = bytesOfText(front)
  const rows = webAccess().map((row) => ({ row, shown: row.front?.test(page) ?? null, here: row.ports.includes(port) }))
  const where = (holds: (one: (typeof rows)[number]) => boolean) => rows.filter(holds).map(({ row }) => row)
  return [
    ...where(({ shown }) => shown === true),
    ...where(({ shown, here }) => shown === null && here),
    ...where(({ shown, here }) => shown === false && here && !COMMON_WEB.has(port)),
  ]
}

/** Ports that anything may use: there an interface that has a front page of its own is asked where it shows that page alone. */
const COMMON_WEB: ReadonlySet<number> = new Set([80, 443, 3000, 5000, 8000, 8080, 8081, 8443, 8888, 9000])
