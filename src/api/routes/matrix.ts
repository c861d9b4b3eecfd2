/** Who may do what: read from what the module has kept of a run, with the findings that tell its flaws. */
import { z } from 'zod'
import type { Coverage, Finding } from '../../contract/finding.ts'
import {
  type AccessCell,
  type AccessRow,
  accessRows,
  findingOf,
  type ListMatrix,
  type MatrixCell,
  type MatrixPage,
  type MatrixRow,
  type StoredMatrix,
} from '../../contract/matrix.ts'
import { ProblemError } from '../../contract/problem.ts'
import { coverageIn } from '../../knowledge/texts/localise.ts'
import { translator } from '../../knowledge/texts/texts.ts'
import { allFindings } from '../../store/findings.ts'
import { loadModule, type ModuleRecord } from '../../store/modules.ts'
import type { RunRecord } from '../../store/run-row.ts'
import { pageOf } from '../page.ts'
import { answer, bind, type Route } from '../route.ts'
import type { Services } from '../services.ts'
import { callersRun } from './scans.ts'

const MODULE = 'authorization'
/** How many of the filtered rows stand before the page. */
const Position = z.strictObject({ after: z.int().min(0) })

export const matrixRoutes = (services: Services): readonly Route[] => [
  bind('readMatrix', async ({ params, query, caller }) => {
    const { db, cursors } = services
    const run = await callersRun(services, caller, params.id)
    const kept = await loadModule(db, run.id, MODULE)
    if (kept === null || kept.facts === null) throw none(run, kept)
    if ((kept.facts as StoredMatrix).people.every(({ name }) => name === ''))
      throw new ProblemError('matrix_not_found', 'It was not asked who may do what: the run looks as nobody.')
    const { limit, cursor, language, ...filters } = query
    const scope = ['matrix', run.id, filters]
    const after = cursor === undefined ? 0 : Position.parse(cursors.open(scope, cursor)).after
    // As the module has left it, whose facts the compiler holds to this.
    const stored = kept.facts as StoredMatrix
    const rows = wanted(stored.rows, filters)
    const page = pageOf(rows.slice(after, after + limit + 1), limit, () =>
      cursors.seal(scope, { after: after + limit }),
    )
    const findings = await allFindings(db, run.id, MODULE)
    return answer(200, {
      ...about(
        stored,
        kept.coverage.map((line) => coverageIn(translator(language), line)),
      ),
      ...page,
      items: accessRows({ ...stored, rows: page.items }).map((row) => shown(row, findings)),
    })
  }),
]

const wanted = (
  rows: StoredMatrix['rows'],
  { verdict, q = '' }: Omit<ListMatrix, 'limit' | 'cursor' | 'language'>,
): StoredMatrix['rows'] => {
  const words = q.toLowerCase()
  return rows.filter(
    (row) => (verdict === undefined || row.verdict === verdict) && row.name.toLowerCase().includes(words),
  )
}

const about = (
  { people, rows, left = 0, requests }: StoredMatrix,
  coverage: readonly Coverage[],
): Omit<MatrixPage, 'items' | 'next_cursor'> => ({
  people: people.map(({ name, role, left: why }) => ({ name, role, requests: requests[name] ?? 0, left: why })),
  ...{ operations: rows.length, flawed: rows.filter(({ verdict }) => verdict === 'flaw').length, left },
  coverage: [...coverage],
})

const shown = ({ row, cells }: AccessRow, findings: readonly Finding[]): MatrixRow => ({
  ...{ operation: row.name, method: row.method, url: row.url, parameter: row.parameter ?? null },
  ...{ cells: cells.map((cell) => shownCell(cell, findings)), verdict: row.verdict, note: row.note },
})

const shownCell = ({ access, status, why, flaw }: AccessCell, findings: readonly Finding[]): MatrixCell => ({
  ...{ access, status, reason: why },
  finding_id: flaw === null ? null : (findingOf(flaw, findings)?.id ?? null),
})

/** Says why there is none: nobody asked for it, it is still to come, or what kept it. */
const none = (run: RunRecord, kept: ModuleRecord | null): ProblemError => {
  const why = kept?.outcome.reason
  const reason =
    kept !== null
      ? `It was not asked who may do what${why ? `: ${why.replace(/\.$/, '')}` : ''}.`
      : run.tier === 'passive'
        ? 'Who may do what is asked by active runs alone.'
        : run.finished_at === null
          ? 'The run has not come to who may do what yet.'
          : 'The run had no part that asks who may do what.'
  return new ProblemError('matrix_not_found', reason)
}
