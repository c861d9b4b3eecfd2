/** A script that the page behind a form keeps: who is told of it. */
import { expect, it } from 'vitest'
import { caseContext, judgeCases } from '../../testing/judge-cases.ts'
import { caseProbed, CASE_CRAWL as known } from '../insertion-points/testing/probed-facts.ts'
import type { ReflectedHit, StoredHit, XssFacts, XssHit } from './facts.ts'
import { reflected } from './reflected.ts'
import { stored } from './stored.ts'

const PAGE = 'https://shop.test/reviews'
const SCRIPT = '<svg onload=qxproof(1)>'
const AT = { url: 'https://shop.test/find', method: 'POST', place: 'form', name: 'q' } as const
const PROOF = { payload: SCRIPT, excerpt: SCRIPT, mark: SCRIPT, replay: 'curl', screenshot: null }
const CONTEXT = { kind: 'text', tag: 'p', attribute: null, quote: '' } as const

const facts = (hit: Partial<ReflectedHit>, later: readonly StoredHit[] = [], place: string = AT.place): XssFacts => ({
  ...caseProbed<XssHit>(
    [
      {
        ...{ kind: 'reflected', context: CONTEXT, ...PROOF, parsed: true, ran: 'load', refused: false },
        ...{ unproven: null, address: null, behind: PAGE, ...hit },
      },
    ],
    { at: { ...AT, place } },
  ),
  ...{ browser: null, stored: { planted: 1, pages: 3, hits: later } },
  ...{ dom: { pages: 1, left: 0, hits: [] }, blind: { planted: 1, hits: [] } },
})
const LATER: StoredHit = { at: AT, page: PAGE, context: CONTEXT, ...PROOF, ran: true, seenBy: 'anyone' }

const BY_TOKEN = facts({ guarded: true, kept: 'anyone' })
const IN_PARTS = facts({ kept: 'account' }, [], 'multipart')
const TWICE = facts({ guarded: true, kept: 'anyone' }, [LATER])
const NOTICE = facts({ guarded: true })

judgeCases(stored, [
  { name: 'for everybody, and gone later', known, facts: BY_TOKEN, expect: ['xss/stored'] },
  { name: 'for the account', known, facts: IN_PARTS, expect: ['xss/stored-in-account'] },
  { name: 'and seen later', known, facts: TWICE, expect: ['xss/stored'] },
  { name: 'once alone', known, facts: NOTICE, expect: [] },
])

it.each([
  ['another’s form cannot send it: stored, for everybody', BY_TOKEN, []],
  ['in parts: stored, for the account', IN_PARTS, []],
  ['a notice that is shown once', NOTICE, ['xss/reflected-own-request']],
] as const)('%s', (_what, one, ids) => {
  const judgement = reflected.judge(one, known, caseContext())
  const findings = 'state' in judgement ? (judgement.findings ?? []) : judgement
  expect(findings.map(({ definition }) => definition.id)).toEqual(ids)
})

it.each([
  [undefined, 'firm'],
  [true, 'confirmed'],
] as const)('that it ran in another session, too: %s', (ranAgain, confidence) => {
  const judgement = stored.judge(
    facts({ guarded: true, kept: 'anyone', ...(ranAgain ? { ranAgain } : {}) }),
    known,
    caseContext(),
  )
  const findings = 'state' in judgement ? (judgement.findings ?? []) : judgement
  expect(findings.map((one) => one.confidence)).toEqual([confidence])
})
