import { describe, expect, it } from 'vitest'
import fc from '../../tests/support/properties.ts'
import { Coverage, Proof } from '../contract/finding.ts'
import type { Finding, Judgement } from '../modules/module.ts'
import { judgeModule } from './judge.ts'
import { about, check, definition, fakeModule, finding } from './testing/modules.ts'

const thing = definition('demo/thing', { group: 'browser-policy' })
const other = definition('demo/other')
const sourced = definition('demo/sourced', { severity: 'from-source' })

const judge = (judgement: Judgement | (() => Judgement), context = about()) => {
  const judging = typeof judgement === 'function' ? judgement : () => judgement
  return judgeModule(fakeModule('demo', { checks: [check([thing, other, sourced], judging)] }), {}, {}, context)
}
const states = (judged: ReturnType<typeof judge>) => judged.coverage.map((line) => line.state)

describe('severity', () => {
  const shop = about({ context: 'shop' })
  it.each<[string, Partial<Finding>, ReturnType<typeof about>, string, unknown]>([
    ['no context leaves it', { page: 'login' }, about(), 'medium', null],
    ['raised on the login page of a shop', { page: 'login' }, shop, 'high', { base: 'medium' }],
    ['not raised on a plain page', {}, shop, 'medium', null],
    [
      'a hint is information, whatever the context',
      { page: 'login', confidence: 'tentative' },
      shop,
      'info',
      { base: 'medium' },
    ],
    ['lowered on a brochure site', {}, about({ context: 'brochure' }), 'low', { base: 'medium' }],
  ])('%s', (_name, change, context, severity, shift) => {
    const [one] = judge([finding(thing, change)], context).findings
    expect(one).toMatchObject({ severity, ...(shift === null ? { shift } : { shift }) })
  })

  it('of a vulnerability being exploited is not capped by the context', () => {
    const cve = definition('demo/cve', { severity: 'from-source', group: 'version-cve' })
    const kev = { date_added: '2026-01-01', ransomware: false }
    const judged = (known: typeof kev | null) =>
      judgeModule(
        fakeModule('demo', {
          checks: [
            check([cve], () => [
              finding(cve, {
                severity: 'high',
                cve: [{ id: 'CVE-2026-0001', match: 'certain', epss: null, kev: known }],
              }),
            ]),
          ],
        }),
        {},
        {},
        shop,
      ).findings[0]?.severity
    expect([judged(null), judged(kev)]).toEqual(['medium', 'high'])
  })

  it('leaves the contract able to hold what was found', () => {
    const proof = { excerpt: 'x'.repeat(20_000), mark: 'y'.repeat(2_000), replay: `curl ${'z'.repeat(20_000)}` }
    const [one] = judge([finding(thing, { proof })]).findings
    expect(Proof.safeParse(one?.proof).success).toBe(true)
    expect(one?.proof?.replay).toBeNull()
  })

  it('and score come with the vector of the rating, or the reason for having none', () => {
    const quiet = definition('headers/referrer-policy-missing')
    const silent = fakeModule('headers', { checks: [check([quiet], () => [finding(quiet)])] })
    expect(judgeModule(silent, {}, {}, about()).findings[0]).toMatchObject({
      cvss: null,
      cvss_reason: expect.stringContaining('defence'),
    })

    const injected = definition('sqli/boolean', { cwe: 89 })
    const module = fakeModule('sqli', { checks: [check([injected], () => [finding(injected)])] })
    expect(judgeModule(module, {}, {}, about()).findings[0]).toMatchObject({
      cvss: {
        v3_1: { vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', score: 9.8 },
        v4_0: { vector: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', score: 9.3 },
      },
      cvss_reason: null,
      standard: 'WSTG-INPV-05',
      owasp: ['A03:2021', 'A05:2025'],
    })
  })
})

describe('findings of one problem', () => {
  it('become one, with every place and all evidence', () => {
    const judged = judge([
      finding(thing, { at: { url: 'https://shop.test/b' }, evidence: [{ id: 'e2', filename: 'b.txt' }] }),
      finding(thing, { at: { url: 'https://shop.test/a' }, evidence: [{ id: 'e1', filename: 'a.txt' }] }),
      finding(thing, { at: { url: 'https://shop.test/a' }, confidence: 'confirmed', detail: 'best proven' }),
    ])
    expect(judged.findings).toMatchObject([
      {
        detail: 'best proven',
        confidence: 'confirmed',
        places: [{ url: 'https://shop.test/a' }, { url: 'https://shop.test/b' }],
        evidence: ['e1', 'e2'],
      },
    ])
  })

  it('stay apart by subject', () => {
    expect(judge([finding(thing, { subject: 'sid' }), finding(thing, { subject: 'lang' })]).findings).toHaveLength(2)
  })
})

describe('coverage', () => {
  it.each<[string, Judgement | (() => Judgement), string[]]>([
    ['nothing found', [], ['pass', 'pass', 'pass']],
    ['one found', [finding(other)], ['pass', 'fail', 'pass']],
    ['could not judge', { state: 'not_tested', reason: 'r' }, ['not_tested', 'not_tested', 'not_tested']],
    ['could not judge a part', { state: 'blocked', reason: 'r', only: ['demo/other'] }, ['pass', 'blocked', 'pass']],
    [
      'found although it could not judge all',
      { state: 'inconclusive', reason: 'r', findings: [finding(thing)] },
      ['fail', 'inconclusive', 'inconclusive'],
    ],
    [
      'threw',
      () => {
        throw new Error('bug')
      },
      ['inconclusive', 'inconclusive', 'inconclusive'],
    ],
    ['undeclared finding', [finding(definition('demo/stray'))], ['inconclusive', 'inconclusive', 'inconclusive']],
    ['severity missing', [finding(sourced)], ['pass', 'pass', 'inconclusive']],
    ['severity twice', [finding(thing, { severity: 'low' })], ['inconclusive', 'pass', 'pass']],
    ['one broken beside a sound one', [finding(thing), finding(thing, { severity: 'low' })], ['fail', 'pass', 'pass']],
    ['nothing at all', null as never, ['inconclusive', 'inconclusive', 'inconclusive']],
    ['a word in place of a list', 'garbage' as never, ['inconclusive', 'inconclusive', 'inconclusive']],
    ['a state of its own', { state: 'fine', reason: 'r' } as never, ['inconclusive', 'inconclusive', 'inconclusive']],
    ['null in place of a finding', [null as never], ['inconclusive', 'inconclusive', 'inconclusive']],
    ['a place that is none', [finding(other, { at: 'here' as never })], ['pass', 'inconclusive', 'pass']],
    ['a detail that is none', [finding(other, { detail: 7 as never })], ['pass', 'inconclusive', 'pass']],
  ])('%s', (_name, judgement, expected) => {
    expect(states(judge(judgement))).toEqual(expected)
  })

  it('names a fault of ours by one id, in the line and among the failures, the same each time', () => {
    const throwing = (): Judgement => {
      throw new Error('bug')
    }
    const [first, second] = [judge(throwing), judge(throwing)]
    const id = first.failures[0]?.id
    expect(id).toMatch(/^F-[0-9a-f]{8}$/)
    expect(second.failures[0]?.id).toBe(id)
    expect(first.coverage[0]).toMatchObject({
      state: 'inconclusive',
      reason: `a fault of the scanner (${id})`,
      reason_kind: 'scanner_fault',
      fault_id: id,
    })
  })

  it.each([
    ['below nothing', { asked: -3, known: 36, reasons: [] }],
    ['of nothing', { asked: 1, known: 2, reasons: [{ reason: 'r', count: 0 }] }],
    ['that are none', { asked: Number.NaN, known: 2, reasons: [] }],
  ])('counts %s cost the line and never the file', (_name, reached) => {
    const judged = judge({ state: 'inconclusive', reason: 'r', reached, findings: [finding(thing)] })
    expect(judged.findings).toHaveLength(1)
    expect(states(judged)).toEqual(['fail', 'inconclusive', 'inconclusive'])
    for (const line of judged.coverage) expect(Coverage.parse(line).reason_kind).toBe('scanner_fault')
    expect(judged.failures.map(({ id }) => id)).toContain(judged.coverage[1]?.fault_id)
  })

  it('says where a finding was kept back beside those that are shown', () => {
    const judged = judge([finding(thing), finding(thing, { severity: 'low' })])
    expect(judged.findings).toHaveLength(1)
    expect(judged.coverage[0]).toMatchObject({ state: 'fail', reason_kind: 'scanner_fault' })
  })

  it.each<[string, Partial<Finding>]>([
    ['a vector of no version', { cvss: 'CVSS:9.9/AV:N' }],
    ['a reference that is no address', {}],
    ['a CVE that is none', { cve: [{ id: 'CVE-1', match: 'certain', epss: null, kev: null }] }],
    ['a proof that is none', { proof: {} as never }],
  ])('%s costs the adornment and never the finding', (name, change) => {
    const odd = definition('demo/odd', {
      severity: 'from-source',
      ...(name.startsWith('a reference') ? { references: ['nowhere'] as never } : {}),
    })
    const module = fakeModule('demo', { checks: [check([odd], () => [finding(odd, { severity: 'high', ...change })])] })
    const judged = judgeModule(module, {}, {}, about())
    expect(judged.findings).toMatchObject([{ check_id: 'demo/odd', severity: 'high', cvss: null, cve: [] }])
    expect(judged.coverage[0]?.state).toBe('fail')
    expect(judged.failures).toHaveLength(1)
  })

  it('of another check is untouched by one that throws', () => {
    const broken = check([thing], () => {
      throw new Error('bug')
    })
    const judged = judgeModule(
      fakeModule('demo', { checks: [broken, check([other], () => [finding(other)])] }),
      {},
      {},
      about(),
    )
    expect(states(judged)).toEqual(['inconclusive', 'fail'])
    expect(judged.failures).toMatchObject([{ check: 'demo/thing' }])
  })
})

describe('the same facts', () => {
  const place = fc.record({
    at: fc.record({ url: fc.constantFrom('https://shop.test/', 'https://shop.test/a', 'https://cdn.test/') }),
    confidence: fc.constantFrom('confirmed', 'firm', 'tentative'),
    subject: fc.constantFrom(undefined, 'sid', 'lang'),
    page: fc.constantFrom('plain', 'login'),
    detail: fc.constantFrom('one', 'two'),
  })
  const findings = fc
    .array(place, { maxLength: 8 })
    .map((list) => list.map((one) => finding(thing, one as Partial<Finding>)))

  it('give the same findings in any order', () => {
    fc.assert(
      fc.property(findings, fc.infiniteStream(fc.nat()), (list, order) => {
        const keyed = list.map((one) => [order.next().value as number, one] as const)
        const shuffled = keyed.toSorted(([a], [b]) => a - b).map(([, one]) => one)
        expect(judge(shuffled).findings).toEqual(judge(list).findings)
      }),
    )
  })

  it('give one finding a fingerprint, and no two the same', () => {
    fc.assert(
      fc.property(findings, (list) => {
        const prints = judge(list).findings.map((one) => one.fingerprint)
        expect(new Set(prints).size).toBe(prints.length)
      }),
    )
  })

  it('keep their fingerprints when wording, proof and evidence change', () => {
    const print = (change: Partial<Finding>) => judge([finding(thing, change)]).findings[0]?.fingerprint
    const before = print({})
    expect(print({ detail: 'other words', confidence: 'confirmed', page: 'login' })).toBe(before)
    expect(print({ evidence: [{ id: 'x', filename: 'y' }], proof: { excerpt: 'z', mark: null, replay: null } })).toBe(
      before,
    )
  })
})

describe('a parameter that a program takes from the address as well', () => {
  const at = (method: string, parameter = 'q') => ({ url: 'https://shop.test/find', method, parameter })
  const posted = finding(thing, { at: at('POST') })
  const guess = finding(thing, { at: at('GET'), guessed: true })

  it('is one flaw with that of its form, whose place it is, and keeps what was decided of it', () => {
    const alone = judge([guess]).findings[0]
    const { findings } = judge([guess, posted])
    expect(findings).toHaveLength(1)
    expect(findings[0]).toMatchObject({
      location: at('POST'),
      places: [at('GET'), at('POST')],
      fingerprint: judge([posted]).findings[0]?.fingerprint,
    })
    expect(findings[0]?.formerly).toContain(alone?.fingerprint)
  })

  it('is a flaw of its own where the form has none, or another parameter has, and where it was seen to be sent so', () => {
    expect(judge([guess]).findings).toHaveLength(1)
    expect(judge([guess, finding(thing, { at: at('POST', 'r') })]).findings).toHaveLength(2)
    expect(judge([finding(thing, { at: at('GET') }), posted]).findings).toHaveLength(2)
  })
})
