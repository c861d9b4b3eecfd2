/** A run whose matrix of who may do what is stored, as the module leaves it: a shop with an administrator, two customers and nobody. */
import { randomUUID } from 'node:crypto'
import * as example from '../../src/contract/examples.ts'
import type { AuthorizationFacts, Cell, Flaw, Row } from '../../src/modules/attack/authorization/facts.ts'
import type { Database } from '../../src/store/database.ts'
import type { LeasedRun } from '../../src/store/lease.ts'
import { saveModule } from '../../src/store/modules.ts'

const GRANTED: Cell = { state: 'granted', status: 200, why: '' }
const REFUSED: Cell = { state: 'refused', status: 403, why: '' }
const EMPTY: Cell = { state: 'empty', status: 200, why: '' }
const FAILED: Cell = { state: 'failed', status: null, why: 'no answer in time' }
const LEFT: Cell = { state: 'left', status: null, why: 'the policy leaves it alone' }

const row = (name: string, [ada, ben, cleo, nobody]: readonly Cell[], more: Partial<Row>): Row => ({
  ...{ name, method: 'GET', url: `https://mine.example.com${name.split(' ')[1]?.replaceAll('{}', '7')}` },
  cells: { ada: ada ?? LEFT, ben: ben ?? LEFT, cleo: cleo ?? LEFT, '': nobody ?? LEFT },
  ...{ verdict: 'restricted', note: '', owner: 'ada', ...more },
})

const flaw = (kind: Flaw['kind'], of: Row, by: string | null): Flaw => ({
  evidence: [{ id: randomUUID(), filename: 'as-another.txt' }],
  ...{ kind, writes: false, name: of.name, method: of.method, url: of.url, parameter: null, owner: 'ben', by },
  ...{ byRole: '', confidence: 'confirmed', values: [], detail: 'It is answered.', excerpt: '', mark: null },
  replay: '',
})

const ORDER = row('GET /api/orders/{}', [EMPTY, GRANTED, GRANTED, REFUSED], {
  ...{ verdict: 'flaw', note: 'not for cleo', owner: 'ben', parameter: 'orders' },
})
const EXPORT = row('GET /api/admin/export', [GRANTED, GRANTED, GRANTED, GRANTED], {
  ...{ verdict: 'flaw', note: 'not for ben, nobody' },
})
const [ASKED, REPORTS] = ['Query orders', 'Query reports'].map((field) =>
  row(`POST /graphql ${field}`, [GRANTED, REFUSED, GRANTED, REFUSED], {
    ...{ method: 'POST', verdict: 'flaw', note: 'not for cleo' },
  }),
) as [Row, Row]
const ROWS: readonly Row[] = [
  ...[ORDER, EXPORT, ASKED, REPORTS],
  row('GET /api/products', [GRANTED, GRANTED, GRANTED, GRANTED], { verdict: 'public', note: 'nobody sees the same' }),
  row('GET /api/me', [GRANTED, GRANTED, GRANTED, REFUSED], { verdict: 'own' }),
  row('GET /api/admin/users', [GRANTED, REFUSED, REFUSED, REFUSED], {}),
  row('GET /api/admin/audit', [GRANTED, FAILED, LEFT, REFUSED], {
    ...{ verdict: 'unclear', note: 'not everybody was answered' },
  }),
]
const FLAWS = [
  flaw('object', ORDER, 'cleo'),
  flaw('function', EXPORT, 'ben'),
  flaw('authentication', EXPORT, null),
  flaw('function', ASKED, 'cleo'),
  flaw('function', REPORTS, 'cleo'),
]
const CHECKS: Readonly<Record<string, string>> = {
  object: 'object-level',
  function: 'function-level',
  authentication: 'missing-authentication',
}
const ALL = { asked: 4, known: 4, reasons: [] }

/** With so many rows more in which nothing is wrong. */
export const matrixFacts = (more = 0): AuthorizationFacts => ({
  people: [
    { name: 'ada', role: 'administrator', rank: 3, left: null },
    { name: 'ben', role: 'customer', rank: 1, left: null },
    { name: 'cleo', role: '', rank: 1, left: 'its session was lost' },
    { name: '', role: '', rank: null, left: null },
  ],
  rows: [
    ...ROWS,
    ...Array.from({ length: more }, (_, n) =>
      row(`GET /api/parts/${n}/{}`, [GRANTED, REFUSED, REFUSED, REFUSED], { parameter: 'parts' }),
    ),
  ],
  flaws: FLAWS,
  ...{ objects: ALL, functions: ALL, authentication: ALL },
  requests: { ada: 214, ben: 203, cleo: 90, '': 120 },
})

/** With the findings that tell its flaws. */
export const addMatrix = async (db: Database, held: LeasedRun, facts: AuthorizationFacts): Promise<void> => {
  const { id: _id, status: _status, triage: _triage, ...base } = example.finding
  await saveModule(db, held, {
    ...{ module: 'authorization', facts },
    outcome: { state: 'completed', reason: null, duration_ms: 1, requests: 627 },
    coverage: Object.values(CHECKS).map((check, n) => ({
      ...{ module: 'authorization', check_id: `authorization/${check}`, title: `A check of ${check}` },
      ...(n === 2
        ? { state: 'inconclusive', reason: '4 of 5 operations were asked in full', asked: 4, known: 5 }
        : { state: 'fail', reason: null }),
    })),
    findings: facts.flaws.map(({ kind, name, url, method, evidence }, n) => ({
      ...{ ...base, module: 'authorization', check_id: `authorization/${CHECKS[kind]}`, title: `Flaw ${n}` },
      ...{ location: { url, method }, places: [{ url, method }], fingerprint: `f${n}`.padEnd(64, '0') },
      evidence: evidence.map(({ id }) => id),
      proof: { excerpt: name, mark: null, replay: null },
    })),
  })
}
