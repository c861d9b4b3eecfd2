/** Functions for administrators that do as they are told by somebody who is none. */
import { expect, test } from 'vitest'
import type { Environment } from '../../../contract/run.ts'
import { PUTS_AWAY } from '../../../safety/deeds.ts'
import { UNPROVEN } from '../../../safety/policy.ts'
import type { CollectContext } from '../../module.ts'
import { caseAnswer } from '../../testing/answers.ts'
import { caseRequest } from '../crawl/testing/crawl-facts.ts'
import { createWrites } from '../insertion-points/writes.ts'
import { createWrittenValues } from '../insertion-points/written-values.ts'
import { readAnswer } from './answers.ts'
import type { World } from './judging.ts'
import { loneRoleWrites } from './named-writes.ts'
import { operationOf } from './operations.ts'
import type { Party, Reply } from './parties.ts'

const ORIGIN = 'http://shop.test'
const answer = (status: number, body: object = {}): Reply =>
  readAnswer(caseAnswer({ path: '/x', type: 'application/json', status, body: JSON.stringify(body) }))
const MADE = answer(201, { voucher: 'SPRING', worth: 5 })

interface Case {
  readonly path?: string
  readonly method?: string
  readonly beside?: number
  readonly role?: string
  readonly rank?: number
  readonly toThem?: Reply
  readonly toNobody?: Reply
  readonly environment?: Environment
  /** What the crawl did not send, and why. */
  readonly boundBy?: string
}

const looked = async ({
  path = '/v1/admin/vouchers',
  method = 'POST',
  beside = 403,
  role = 'parent',
  rank = 1,
  toThem = MADE,
  toNobody = answer(401),
  environment = 'test',
  boundBy,
}: Case) => {
  const asked: string[] = []
  const operation = operationOf(
    caseRequest({
      ...{ method, url: `${ORIGIN}${path}`, encoding: 'json', body: '{"code":"SPRING","worth":5}' },
      ...(boundBy === undefined ? {} : { sent: false, bound: 40, boundBy }),
    }),
    'test',
  )
  const other = operationOf(caseRequest({ url: `${ORIGIN}/v1/admin/turnover` }), 'test')
  const partyOf = (name: string, reply: Reply): Party =>
    ({
      ...{ name, role: name === '' ? '' : role, rank: name === '' ? null : rank, isNobody: name === '', left: null },
      own: new Map([[other, { request: { url: '' }, values: new Map(), first: answer(beside) }]]),
      ask: async () => {
        asked.push(name)
        return reply
      },
    }) as unknown as Party
  const world: World = {
    ...{ identities: [partyOf('mia', toThem), partyOf('noah', toThem)], nobody: partyOf('', toNobody) },
    operations: [other, operation],
  }
  const ctx = {
    ...{ target: { environment }, scope: { of: () => ({ writes: createWrites(), written: createWrittenValues() }) } },
    evidence: () => ({ id: 'e', filename: 'e.txt' }),
  } as unknown as CollectContext
  return { flaws: await loneRoleWrites(ctx, world.operations, world), asked }
}

test('what is named for administrators makes something for a member, who is refused beside it', async () => {
  const { flaws, asked } = await looked({})
  expect(flaws).toMatchObject([{ kind: 'function', writes: true, by: 'mia', confidence: 'firm', method: 'POST' }])
  expect(flaws[0]?.detail).toBe(
    'mia (parent) is answered status 201 by POST /v1/admin/vouchers: its name says that it is for administrators, and GET /v1/admin/turnover beside it is refused to mia.',
  )
  // Once each.
  expect(asked).toEqual(['', 'mia'])
})

test('what closes a thing is asked though the crawl has kept from it', async () => {
  const { flaws } = await looked({ path: '/v1/admin/vouchers/3/close', boundBy: PUTS_AWAY })
  expect(flaws).toMatchObject([{ kind: 'function', writes: true, by: 'mia' }])
})

test.each<[string, Case]>([
  ['the crawl has kept from it otherwise', { boundBy: UNPROVEN }],
  ['it refuses them', { toThem: answer(403) }],
  ['it fails', { toThem: answer(500) }],
  ['it leads elsewhere', { toThem: answer(302) }],
  ['nobody is asked who they are', { toNobody: MADE }],
  ['nothing beside it is refused', { beside: 200 }],
  ['what is beside it asks for a sign-in', { beside: 401 }],
  ['it is called otherwise', { path: '/v1/vouchers' }],
  ['it deletes', { method: 'DELETE' }],
  ['they may be one of the few', { rank: 3 }],
  ['nobody has said what they are', { role: '' }],
  ['the system is in use', { environment: 'production' }],
])('nothing is said where %s', async (_name, given) => {
  expect((await looked(given)).flaws).toEqual([])
})
