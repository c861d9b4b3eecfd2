import { describe, expect, test } from 'vitest'
import { caseContext, judgeCases } from '../testing/judge-cases.ts'
import { readTcString } from './consent/signals.ts'
import type { TcfRecord } from './facts.ts'
import { dialog, effect } from './judge/dialog.ts'
import { tcf } from './judge/tcf.ts'
import { gpc } from './judge/transfer.ts'
import { privacy } from './module.ts'
import { button, contact, fairDialog, noDialog, privacyFacts } from './testing/facts.ts'

const TRACKER = 'https://static.criteo.net/js/ld/ld.js'
const COUNTER = 'https://plausible.io/api/event'
const internal = { target: { ...caseContext().target, context: 'internal' } } as const

describe('dialog', () => {
  const withDialog = (change: Parameters<typeof fairDialog>[0]) => privacyFacts({}, { dialog: fairDialog(change) })
  judgeCases(dialog, [
    { name: 'fair', facts: privacyFacts(), expect: [] },
    {
      name: 'none, and nobody to ask about',
      facts: privacyFacts(noDialog(), { dialog: null }),
      expect: [],
      unjudged: 'not_applicable',
    },
    {
      name: 'none, and a tracker',
      facts: privacyFacts({ ...noDialog(), untouched: { contacts: [contact(TRACKER)] } }, { dialog: null }),
      expect: ['privacy/consent-absent'],
      unjudged: 'not_applicable',
    },
    {
      name: 'none, and visits counted without an identifier',
      facts: privacyFacts({ ...noDialog(), untouched: { contacts: [contact(COUNTER)] } }, { dialog: null }),
      expect: [],
      unjudged: 'not_applicable',
    },
    {
      name: 'none, and a counter that gets an identifier',
      facts: privacyFacts(
        { ...noDialog(), untouched: { contacts: [{ ...contact(COUNTER), identifiers: ['localStorage:id'] }] } },
        { dialog: null },
      ),
      expect: ['privacy/consent-absent'],
      unjudged: 'not_applicable',
    },
    {
      name: 'refusing on the second layer',
      facts: withDialog({ clicksToReject: 2 }),
      expect: ['privacy/reject-hidden'],
    },
    {
      name: 'no way to refuse at all',
      facts: privacyFacts(
        { reject: { missed: 'no way to refuse was found' } },
        { dialog: fairDialog({ clicksToReject: null }) },
      ),
      expect: ['privacy/reject-hidden'],
    },
    {
      name: 'the refusing profile hung: nothing is claimed',
      facts: privacyFacts(
        { reject: { missed: 'the page did not load: timeout' } },
        { dialog: fairDialog({ clicksToReject: null }) },
      ),
      expect: [],
      unjudged: 'inconclusive',
    },
    {
      name: 'a button and a link',
      facts: withDialog({
        buttons: [button({ role: 'accept', text: 'Accept' }), button({ role: 'reject', text: 'Reject', look: 'link' })],
      }),
      expect: ['privacy/reject-less-visible'],
    },
    {
      name: 'one stands out',
      facts: withDialog({
        buttons: [
          button({ role: 'accept', text: 'Accept', prominence: 6 }),
          button({ role: 'reject', text: 'Reject', prominence: 1.1 }),
        ],
      }),
      expect: ['privacy/reject-less-visible'],
    },
    {
      name: 'a longer word is no larger button',
      facts: withDialog({
        buttons: [
          button({ role: 'accept', text: 'Accept all', width: 160 }),
          button({ role: 'reject', text: 'No', width: 90 }),
        ],
      }),
      expect: [],
    },
    { name: 'ticked beforehand', facts: withDialog({ preTicked: ['Marketing'] }), expect: ['privacy/pre-ticked'] },
    { name: 'covers the page without a way out', facts: withDialog({ wall: true }), expect: ['privacy/consent-wall'] },
    { name: 'no way back', facts: withDialog({ revisit: null }), expect: ['privacy/revisit-absent'] },
    {
      name: 'forgets a refusal',
      facts: withDialog({ forgets: { reject: true, accept: false } }),
      expect: ['privacy/choice-forgotten'],
    },
    {
      name: 'an internal site',
      facts: withDialog({ preTicked: ['Marketing'] }),
      about: internal,
      expect: [],
      unjudged: 'not_applicable',
    },
  ])

  judgeCases(effect, [
    {
      name: 'refusing is agreeing',
      facts: privacyFacts({
        reject: { contacts: [contact(TRACKER, { moment: 'rejected' })] },
        accept: { contacts: [contact(TRACKER, { moment: 'accepted' })] },
      }),
      expect: ['privacy/reject-ineffective'],
    },
    {
      name: 'one of two stays out',
      facts: privacyFacts({
        reject: { contacts: [contact(TRACKER, { moment: 'rejected' })] },
        accept: {
          contacts: [
            contact(TRACKER, { moment: 'accepted' }),
            contact('https://cdn.taboola.com/x.js', { moment: 'accepted' }),
          ],
        },
      }),
      expect: [],
    },
    {
      name: 'still there after withdrawing',
      facts: privacyFacts({
        accept: { contacts: [contact(TRACKER, { moment: 'accepted' })] },
        revoke: { contacts: [contact(TRACKER, { moment: 'revoked' })] },
      }),
      expect: ['privacy/revoke-ineffective'],
    },
  ])
})

test('a notice on a page where no tracker was seen is an indication that nobody is sure of', () => {
  const confidenceOf = (change: Parameters<typeof privacyFacts>[0]) => {
    const facts = privacyFacts(change, { dialog: fairDialog({ clicksToReject: 2 }) })
    const judged = dialog.judge(facts, {} as never, caseContext())
    const found = 'state' in judged ? (judged.findings ?? []) : judged
    return found.map(({ confidence, detail }) => [confidence, detail.includes('No tracker was seen')])
  }
  const contacts = [contact(TRACKER)]
  expect(confidenceOf({ untouched: { contacts: [] }, accept: { contacts: [] } })).toEqual([['tentative', true]])
  expect(confidenceOf({ untouched: { contacts: [] }, accept: { contacts } })).toEqual([['firm', false]])
})

describe('signals', () => {
  const record = (change: Partial<TcfRecord>): TcfRecord => ({
    moment: 'before',
    source: 'api',
    text: 'CQ…',
    error: null,
    purposes: [],
    legitimateInterests: [2, 7],
    vendors: 0,
    vendorsDisclosed: 600,
    disclosed: [],
    cmpId: 10,
    policyVersion: 5,
    ...change,
  })
  judgeCases(tcf, [
    { name: 'legitimate interests alone', facts: privacyFacts({ untouched: { tcf: [record({})] } }), expect: [] },
    {
      name: 'consent before a choice',
      facts: privacyFacts({ untouched: { tcf: [record({ purposes: [1, 3] })] } }),
      expect: ['privacy/tcf-consent-early'],
    },
    {
      name: 'consent after a refusal',
      facts: privacyFacts({ reject: { tcf: [record({ moment: 'rejected', vendors: 4 })] } }),
      expect: ['privacy/tcf-consent-after-reject'],
    },
    {
      name: 'consent after agreeing',
      facts: privacyFacts({ accept: { tcf: [record({ moment: 'accepted', purposes: [1], vendors: 4 })] } }),
      expect: [],
    },
    {
      name: 'no disclosed vendors',
      facts: privacyFacts({ untouched: { tcf: [record({ vendorsDisclosed: null })] } }),
      expect: ['privacy/tcf-disclosed-vendors-absent'],
    },
    {
      name: 'no string',
      facts: privacyFacts({ untouched: { tcf: [record({ error: 'too short' })] } }),
      expect: ['privacy/tcf-invalid'],
    },
    {
      name: 'a vendor that was not disclosed',
      facts: privacyFacts({
        accept: {
          contacts: [contact(TRACKER, { moment: 'accepted' })],
          tcf: [record({ moment: 'accepted', disclosed: [2, 755] })],
        },
      }),
      expect: ['privacy/tcf-vendor-undisclosed'],
    },
    {
      name: 'a vendor that was disclosed',
      facts: privacyFacts({
        accept: {
          contacts: [contact(TRACKER, { moment: 'accepted' })],
          tcf: [record({ moment: 'accepted', disclosed: [91] })],
        },
      }),
      expect: [],
    },
    { name: 'no framework', facts: privacyFacts(), expect: [], unjudged: 'not_applicable' },
  ])

  test.each([
    ['core alone', [], null],
    ['with a segment of disclosed vendors', [disclosed([2, 755])], 2],
  ])('a string written bit by bit, %s', (_name, segments, vendorsDisclosed) => {
    const text = [core({ purposes: [1, 4], interests: [2], vendors: [755], cmpId: 10 }), ...segments].join('.')
    const read = readTcString(text, 'before', 'cookie')
    expect(read).toMatchObject({
      error: null,
      purposes: [1, 4],
      legitimateInterests: [2],
      vendors: 1,
      cmpId: 10,
      vendorsDisclosed,
    })
  })

  test('what is no string is a fact, too', () => {
    expect(readTcString('nonsense', 'before', 'cookie').error).not.toBeNull()
  })

  judgeCases(gpc, [
    {
      name: 'the same trackers',
      facts: privacyFacts({ untouched: { contacts: [contact(TRACKER)] } }, { gpc: { hosts: ['static.criteo.net'] } }),
      expect: ['privacy/gpc-ignored'],
    },
    { name: 'heeded', facts: privacyFacts({ untouched: { contacts: [contact(TRACKER)] } }), expect: [] },
    { name: 'no tracker without it', facts: privacyFacts(), expect: [], unjudged: 'not_applicable' },
    { name: 'no time for it', facts: privacyFacts({}, { gpc: null }), expect: [], unjudged: 'not_tested' },
  ])
})

test('every check is in the module, and says "indication"', () => {
  expect(privacy.checks).toHaveLength(23)
  const facts = privacyFacts({ untouched: { contacts: [contact(TRACKER)] } })
  const said = privacy.checks.flatMap((check) => {
    const judged = check.judge(facts, {} as never, caseContext())
    return 'state' in judged ? (judged.findings ?? []) : judged
  })
  expect(said.length).toBeGreaterThan(0)
  for (const { detail } of said) {
    expect(detail).toMatch(/^Indication: /)
    expect(detail).not.toMatch(/violat|illegal|unlawful/i)
  }
})

// ---- writing a string

const bits = (value: number, width: number): string => value.toString(2).padStart(width, '0')
const field = (set: readonly number[], width: number): string =>
  Array.from({ length: width }, (_, index) => (set.includes(index + 1) ? '1' : '0')).join('')
const coded = (text: string): string => {
  const padded = text.padEnd(Math.ceil(text.length / 8) * 8, '0')
  return Buffer.from((padded.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))).toString('base64url')
}
const vendorField = (set: readonly number[]): string => {
  const most = Math.max(0, ...set)
  return bits(most, 16) + bits(0, 1) + field(set, most)
}

/** The core segment as the TCF v2 format lays it out. */
const core = (choice: {
  readonly purposes: readonly number[]
  readonly interests: readonly number[]
  readonly vendors: readonly number[]
  readonly cmpId: number
}): string =>
  coded(
    bits(2, 6) +
      bits(17_000_000_000, 36) +
      bits(17_000_000_000, 36) +
      bits(choice.cmpId, 12) +
      bits(1, 12) +
      bits(0, 6) +
      bits(4, 6) +
      bits(13, 6) +
      bits(100, 12) +
      bits(5, 6) +
      '1' +
      '0' +
      field([], 12) +
      field(choice.purposes, 24) +
      field(choice.interests, 24) +
      '0' +
      bits(3, 6) +
      bits(4, 6) +
      vendorField(choice.vendors) +
      vendorField([]) +
      bits(0, 12),
  )
const disclosed = (vendors: readonly number[]): string => coded(bits(1, 3) + vendorField(vendors))
