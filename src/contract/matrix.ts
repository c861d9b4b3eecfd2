/** Who may do what: operations of a site by the identities of a run, and by nobody. */
import { z } from 'zod'
import { Coverage, type Finding } from './finding.ts'
import { AskLanguage } from './language.ts'
import { Cursor, pageSize } from './query.ts'
import { Uuid } from './run.ts'

/** Operations that are kept of a run. */
export const MOST_OPERATIONS = 5_000

/** What an answer said of who may; `left`: it was not asked. */
export type CellState = 'granted' | 'empty' | 'refused' | 'failed' | 'left'

export const MatrixVerdict = z
  .enum(['flaw', 'public', 'shared', 'restricted', 'own', 'unclear'])
  .describe(
    'flaw: somebody is answered who should not be; public: everybody sees the same; shared: it is for several; restricted: whoever ' +
      'should not is refused; own: each sees what is theirs; unclear: not enough was answered to say',
  )
export type MatrixVerdict = z.infer<typeof MatrixVerdict>

export const Access = z
  .enum(['may', 'could', 'should_not', 'empty', 'refused', 'unclear', 'not_asked'])
  .describe(
    'may: it was shown to this one by right; could: this one was answered, and nothing says that it is for them or not; should_not: ' +
      'answered, and a finding says that it must not be; empty: an answer with nothing in it; refused: by status, redirect or words; ' +
      'unclear: an answer that says nothing of who may, or none; not_asked: with the reason',
  )
export type Access = z.infer<typeof Access>

/** What is read of the facts of the module `authorization`, which are stored with the run. */
export interface StoredMatrix {
  readonly people: readonly { readonly name: string; readonly role: string; readonly left: string | null }[]
  readonly rows: readonly StoredRow[]
  readonly left?: number
  readonly flaws: readonly StoredFlaw[]
  readonly requests: Readonly<Record<string, number>>
}

interface StoredRow {
  readonly name: string
  readonly method: string
  readonly url: string
  readonly parameter?: string
  readonly owner?: string
  readonly cells: Readonly<
    Record<string, { readonly state: CellState; readonly status: number | null; readonly why: string }>
  >
  readonly verdict: MatrixVerdict
  readonly note: string
}

export interface StoredFlaw {
  readonly kind: 'object' | 'function' | 'authentication' | 'open'
  readonly name: string
  readonly method: string
  readonly url: string
  readonly by: string | null
  readonly evidence: readonly { readonly id: string }[]
}

/** One operation as one person, '' of nobody. */
export interface AccessCell {
  readonly access: Access
  readonly status: number | null
  readonly why: string
  /** What is wrong with it, of should_not. */
  readonly flaw: StoredFlaw | null
}

/** A row with its cells in the order of `people`. */
export interface AccessRow {
  readonly row: StoredRow
  readonly cells: readonly AccessCell[]
}

/** What everybody is to every operation, as report, findings.json and interface tell it. Pure. */
export const accessRows = ({ people, rows, flaws }: Pick<StoredMatrix, 'people' | 'rows' | 'flaws'>): AccessRow[] => {
  // Of one address a GraphQL server has many operations.
  const key = ({ name, url }: { readonly name: string; readonly url: string }) => JSON.stringify([name, url])
  const wrong = Map.groupBy(flaws, key)
  return rows.map((row) => {
    const own = wrong.get(key(row)) ?? []
    return {
      row,
      cells: people.map(({ name }) =>
        cellOf(
          row,
          name,
          own.find(({ by }) => (by ?? '') === name),
        ),
      ),
    }
  })
}

const cellOf = (row: StoredRow, person: string, flaw: StoredFlaw | undefined): AccessCell => {
  const { state, status, why } = row.cells[person] ?? { state: 'left', status: null, why: '' }
  if (flaw !== undefined) return { access: 'should_not', status, why, flaw }
  const isByRight = row.owner === person || BY_RIGHT.has(row.verdict)
  return { access: state === 'granted' ? (isByRight ? 'may' : 'could') : ACCESS[state], status, why, flaw: null }
}
const BY_RIGHT: ReadonlySet<MatrixVerdict> = new Set(['public', 'shared', 'own'])
const ACCESS = { empty: 'empty', refused: 'refused', failed: 'unclear', left: 'not_asked' } as const

const CHECKS = {
  object: 'authorization/object-level',
  function: 'authorization/function-level',
  authentication: 'authorization/missing-authentication',
  open: 'authorization/open-administration',
} as const satisfies Record<StoredFlaw['kind'], string>
/** The finding that tells a flaw: of its place, with its evidence, since one address may serve many operations. Pure. */
export const findingOf = <Told extends Pick<Finding, 'check_id' | 'places' | 'evidence'>>(
  { kind, method, url, evidence }: StoredFlaw,
  findings: readonly Told[],
): Told | null =>
  findings.find(
    (finding) =>
      finding.check_id === CHECKS[kind] &&
      finding.places.some((place) => place.url === url && place.method === method) &&
      evidence.some(({ id }) => finding.evidence.includes(id)),
  ) ?? null

const Count = z.int().min(0)

export const MatrixCell = z.strictObject({
  access: Access,
  status: z.int().nullable().describe('HTTP status; null without an answer'),
  reason: z.string().describe('In a few words; empty where `access` says all'),
  finding_id: Uuid.nullable().describe('The finding of this run that says so, of should_not'),
})
export type MatrixCell = z.infer<typeof MatrixCell>

export const MatrixRow = z.strictObject({
  operation: z.string().describe('Method and path with {} for objects; of GraphQL with the field'),
  method: z.string(),
  url: z.string().describe('As it was asked'),
  parameter: z.string().nullable().describe('What names the object in it'),
  cells: z.array(MatrixCell).describe('One for each of `people`, in their order'),
  verdict: MatrixVerdict,
  note: z.string().describe('In a few words; empty where the verdict says all'),
})
export type MatrixRow = z.infer<typeof MatrixRow>

export const MatrixPerson = z.strictObject({
  name: z.string().describe('Name of the identity; empty of nobody, who is the last'),
  role: z.string(),
  requests: Count.describe('Requests that were sent as this one'),
  left: z.string().nullable().describe('Why nothing is known of what it may do; null where it was asked'),
})
export type MatrixPerson = z.infer<typeof MatrixPerson>

export const MatrixPage = z.strictObject({
  people: z.array(MatrixPerson).describe('Columns: identities in the order of the run, then nobody'),
  operations: Count.describe('Rows in all, whatever the filters'),
  flawed: Count.describe('Rows with a flaw'),
  left: Count.describe(`Operations beyond the ${MOST_OPERATIONS} that are kept`),
  coverage: z.array(Coverage).describe('What was looked for in it, and how far: as in findings.json'),
  items: z.array(MatrixRow).describe('Flaws first'),
  next_cursor: z.string().nullable(),
})
export type MatrixPage = z.infer<typeof MatrixPage>

export const ListMatrix = z.strictObject({
  verdict: MatrixVerdict.optional().describe('Only operations that come to this'),
  language: AskLanguage,
  q: z.string().max(200).optional().describe('Only operations whose name has this in it, whatever the case'),
  limit: pageSize(100, 500),
  cursor: Cursor,
})
export type ListMatrix = z.output<typeof ListMatrix>
