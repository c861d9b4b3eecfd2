import { describe, expect, it } from 'vitest'
import type { Environment } from '../contract/run.ts'
import { ACCOUNTS } from './policy.accounts.ts'
import { COMMANDS } from './policy.commands.ts'
import { FRONT_ENDS } from './policy.front-ends.ts'
import { SECTORS } from './policy.sectors.ts'
import { type Row, POLICY as TABLE } from './policy.table.ts'
import { type Asked, type Decision, decide, isToLearn, WRITES_PER_FORM } from './policy.ts'
import { takesAway } from './putting-away.ts'

const POLICY: readonly Row[] = [...TABLE, ...SECTORS, ...FRONT_ENDS, ...ACCOUNTS, ...COMMANDS]

const askedOf = ({ request, labels, names, told, writes, json, xml, onDemand }: Row): Asked => {
  const [method = '', path = '', ...given] = request.split(' ')
  const fields = given.map((text) => {
    const [, name = '', type = 'text', value = 'test'] = /^([^:=]+)(?::([\w-]+))?(?:=(.*))?$/.exec(text) ?? []
    return { name, type, value }
  })
  const encoding = json ? 'json' : xml ? 'xml' : fields.length > 0 ? 'urlencoded' : 'none'
  return {
    ...{ method, url: `https://shop.test${path}`, encoding, fields, body: json ?? xml ?? null },
    ...{ told: told ?? null, writes: writes ?? null },
    ...(labels ? { labels } : {}),
    ...(names ? { names } : {}),
    ...(onDemand ? { onDemand } : {}),
  }
}

const shown = (decision: Decision): string => {
  if (decision.send === 'send') return 'send'
  if (decision.send === 'never') return decision.reason
  expect(decision.reason).not.toBe('')
  return decision.most === 1 ? 'once' : 'bounded'
}

const decided = (row: Row, environment: Environment, writes?: number): Decision =>
  decide(askedOf(row), row.seen ?? null, {
    environment,
    signedIn: row.signedIn ?? false,
    staff: row.staff ?? false,
    account: row.account,
    excludes: (url) => url.includes('/excluded'),
    writes,
  })

const nameOf = ({ request, labels = [], seen, signedIn, staff, account, told, onDemand }: Row): string =>
  [
    request,
    ...labels,
    seen ?? '',
    told ?? '',
    onDemand ? 'on demand' : '',
    staff ? 'staff' : signedIn ? `signed in ${account ?? ''}`.trim() : '',
  ]
    .filter(Boolean)
    .join(' | ')

describe.each(['production', 'test'] as const)('%s', (environment) => {
  it.each(POLICY.map((row) => [nameOf(row), row] as const))('%s', (_name, row) => {
    expect(shown(decided(row, environment))).toBe(row[environment])
  })
})

it('has a row for everything it decides', () => {
  expect(new Set(POLICY.map(nameOf)).size).toBeGreaterThanOrEqual(400)
})

it('a test system is never more careful than production', () => {
  const rank = (decision: Decision) => ['never', 'bounded', 'send'].indexOf(decision.send)
  for (const row of POLICY)
    expect(rank(decided(row, 'test')), nameOf(row)).toBeGreaterThanOrEqual(rank(decided(row, 'production')))
})

it('what may be learned is what nobody has sent yet, and takes nothing away', () => {
  for (const row of POLICY) {
    const decision = decided(row, 'test')
    const isOpen = decision.send === 'bounded' && !takesAway(decision.reason)
    expect(isToLearn(decision), nameOf(row)).toBe(isOpen && (row.seen ?? null) === null)
    if (decision.send === 'bounded') expect(decision.most).toBe(WRITES_PER_FORM)
  }
})

it('an owner may allow another number of writes on a test system; a production system keeps to what it allows', () => {
  for (const row of POLICY) {
    expect(decided(row, 'production', 300), nameOf(row)).toEqual(decided(row, 'production'))
    const decision = decided(row, 'test', 300)
    if (decision.send === 'bounded') expect(decision.most).toBe(300)
  }
})
