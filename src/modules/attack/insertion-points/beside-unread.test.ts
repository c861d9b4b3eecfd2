/** What checks may say beside pages that the crawl knows of and did not read. */
import { describe, expect, it } from 'vitest'
import type { AnyCheck } from '../../any-module.ts'
import type { Finding, Judgement } from '../../module.ts'
import { api } from '../api/module.ts'
import { type CrawlFacts, PRESSED_IN_PART } from '../crawl/facts.ts'
import { caseCrawl } from '../crawl/testing/crawl-facts.ts'
import { rateLimit } from '../rate-limit/module.ts'
import { besideUnread } from './unread.ts'

const READ: CrawlFacts = { ...caseCrawl(), reach: { counts: [], rows: [] } }
const UNREAD: CrawlFacts = {
  ...READ,
  reach: {
    counts: [{ kind: 'address', fate: 'cut_off', holds: true, reason: 'the time for the crawl was over', count: 7 }],
    rows: [],
  },
}
const MAY = 'what the crawl did not come to may hold more: 7 not read: the time for the crawl was over'
const FINDING = { definition: { id: 'api/mass-assignment' } } as unknown as Finding
const NONE: Judgement = { state: 'not_applicable', reason: 'no login was found' }

const LEFT: CrawlFacts = {
  ...READ,
  reach: {
    counts: [
      { kind: 'address', fate: 'left_out', holds: true, reason: 'it sets a password', count: 4 },
      { kind: 'browser_page', fate: 'cut_off', holds: true, reason: PRESSED_IN_PART, count: 3 },
    ],
    rows: [],
  },
}

describe('beside pages that nobody read', () => {
  it.each<[string, Judgement, Judgement]>([
    ['a pass', [], { state: 'inconclusive', reason: `what was found was asked; ${MAY}`, findings: [] }],
    ['findings', [FINDING], { state: 'inconclusive', reason: `what was found was asked; ${MAY}`, findings: [FINDING] }],
    ['that there is none', NONE, { state: 'inconclusive', reason: `no login was found; ${MAY}` }],
    [
      'a pass with a note',
      { state: 'judged', note: 'but for robots', findings: [] },
      { state: 'inconclusive', reason: `what was found was asked; ${MAY}`, note: 'but for robots', findings: [] },
    ],
  ])('%s is open', (_, judgement, said) => {
    expect(besideUnread(judgement, UNREAD)).toEqual(said)
    expect(besideUnread(judgement, READ)).toBe(judgement)
    // What the policy leaves alone, and pages of which not everything was pressed.
    expect(besideUnread(judgement, LEFT)).toBe(judgement)
  })

  it.each<[string, Judgement]>([
    ['what applies to nothing anyway', { ...NONE, anyway: true }],
    ['what is told of some definitions alone', { ...NONE, only: ['api/mass-assignment'] }],
    ['what was left for another reason', { state: 'not_tested', reason: 'nobody is signed in' }],
    ['what was kept from it', { state: 'blocked', reason: 'probes were blocked' }],
  ])('%s stays as it is', (_, judgement) => {
    expect(besideUnread(judgement, UNREAD)).toBe(judgement)
  })

  it('one thing of the site that was found and asked is not found again', () => {
    expect(besideUnread([], UNREAD, 'to one')).toEqual([])
    expect(besideUnread(NONE, UNREAD, 'to one')).toMatchObject({ state: 'inconclusive' })
  })
})

describe('modules that go by the crawl', () => {
  const stateOf = (checks: readonly AnyCheck[], id: string, facts: object, crawl: CrawlFacts) => {
    const check = checks.find(({ findings }) => findings.some((one) => one.id === id))
    const judgement = check?.judge(facts as never, { crawl } as never, {} as never)
    return judgement === undefined || !('state' in judgement) ? 'passed' : judgement.state
  }

  it.each([
    ['rate-limit/login', rateLimit.checks, { endpoints: [], left: [], credentials: [], batch: null }],
    ['rate-limit/default-credentials', rateLimit.checks, { endpoints: [], credentials: [] }],
    ['api/mass-assignment', api.checks, { assigned: { known: 0, asked: 0, left: {}, hits: [] }, careful: false }],
  ] as const)('%s', (id, checks, facts) => {
    expect(stateOf(checks as readonly AnyCheck[], id, facts, READ)).toBe('not_applicable')
    expect(stateOf(checks as readonly AnyCheck[], id, facts, UNREAD)).toBe('inconclusive')
  })
})
