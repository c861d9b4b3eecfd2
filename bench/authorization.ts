/**
 * Authorization behind sign-ins: the application of testbed/tenants, with 26 planted flaws and as many places that look like one, behind each of
 * four kinds of sign-in, as four people of two companies and three roles whose sessions die three times each. A peer that does this without a
 * person who writes the requests down is not known.
 */

import { SIGN_INS } from '../testbed/tenants/sign-in.ts'
import { flawsOf, PLANTED, requestsOf, scanTenants, type TenantsScanned } from '../tests/support/tenants-scan.ts'
import { publish, row } from './table.ts'

/** Requests that the first three sessions of each person last. */
const LASTS = [40, 60, 80]

const rowsOf = (kind: string, scanned: TenantsScanned, seconds: number) => {
  const found = flawsOf(scanned)
  const all = [...found, ...flawsOf(scanned, 'firm')]
  const missed = PLANTED.filter((one) => !found.has(one))
  const wrong = all.filter((one) => !PLANTED.includes(one))
  for (const one of missed) process.stdout.write(`${kind}: missed ${one}\n`)
  for (const one of wrong) process.stdout.write(`${kind}: wrong ${one}\n`)
  const { most, average } = requestsOf(scanned)
  const deaths = [...(scanned.site.door?.deaths.values() ?? [])]
  const lost = scanned.audit.filter(({ event }) => event === 'session_lost').length
  const told = scanned.site.door?.secrets().filter((secret) => scanned.told.includes(secret)).length ?? 0
  const measured = (
    id: string,
    what: string,
    unit: string,
    ours: number,
    text?: string,
    met?: (ours: number) => boolean,
  ) => row({ id: `${kind}/${id}`, what, unit, ours, ...(text && met ? { target: { text, met } } : {}) })
  return [
    measured('operations', 'operations in the matrix', 'operations', scanned.facts.rows.length),
    measured(
      'recall',
      'planted flaws confirmed',
      '%',
      (100 * (PLANTED.length - missed.length)) / PLANTED.length,
      '≥ 95',
      (n) => n >= 95,
    ),
    measured('wrong', 'flaws told that are none', 'flaws', wrong.length, '0', (n) => n === 0),
    measured(
      'average',
      'requests an operation and identity, the identity that asked most',
      'requests',
      average,
      '≤ 12',
      (n) => n <= 12,
    ),
    measured('most', 'requests of one operation by one identity, at most', 'requests', most),
    measured(
      'deaths',
      'sessions that died, of all people',
      'sessions',
      deaths.reduce((sum, n) => sum + n, 0),
    ),
    measured('lost', 'sessions lost for good', 'sessions', lost, '0', (n) => n === 0),
    measured('told', 'secrets in anything told', 'secrets', told, '0', (n) => n === 0),
    measured('seconds', 'seconds of the scan', 's', seconds),
  ]
}

const rows = []
for (const kind of SIGN_INS) {
  const began = performance.now()
  const scanned = await scanTenants({ who: [0, 1, 3, 4], environment: 'test', signIn: kind, lasts: LASTS })
  rows.push(...rowsOf(kind, scanned, (performance.now() - began) / 1_000))
}
publish('authorization', rows)
