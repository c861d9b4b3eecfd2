import { describe, expect, it } from 'vitest'
import { SEVERITIES, type Severity } from '../src/contract/finding.ts'
import { bandOf, cvssOf } from '../src/engine/cvss.ts'
import { orderModules } from '../src/engine/plan.ts'
import { RATINGS } from '../src/knowledge/ratings/ratings.ts'
import { MODULES } from '../src/modules/index.ts'
import { owaspOf } from '../src/modules/owasp.ts'

const KNOWN_BY_NAME = 'a named attack on TLS weighs as the published scales of TLS testers weigh it'
/** Definitions whose severity is the band of neither of their vectors, with the reason. */
const BAND_EXCEPTIONS: Readonly<Record<string, string>> = {
  'dns/private-address': 'an address by itself; the vector counts any leak as medium',
  'tls-deep/suite-md5': KNOWN_BY_NAME,
  'tls-deep/drown': KNOWN_BY_NAME,
  'tls-deep/poodle': KNOWN_BY_NAME,
  'tls-deep/crime': KNOWN_BY_NAME,
  'tls-deep/heartbleed': 'the memory holds the private key: CVSS counts no consequence beyond the component',
  'tls-deep/ticketbleed': 'the memory holds sessions of others: CVSS counts no consequence beyond the component',
  'tls-deep/robot': KNOWN_BY_NAME,
  'tls-deep/poodle-tls': KNOWN_BY_NAME,
  'tls-deep/renegotiation-insecure': KNOWN_BY_NAME,
  'tls-deep/fallback-ignored-ssl3': KNOWN_BY_NAME,
  'markup/form-action-insecure': 'what is typed goes out in clear at every use, not only where somebody lies in wait',
  'markup/form-csrf': 'a hint: whether the server checks cannot be seen from outside',
  'markup/link-opener': 'browsers in use prevent it by themselves',
}

const definitions = MODULES.flatMap((module) =>
  module.checks.flatMap((check) => check.findings.map((definition) => ({ module: module.id, definition }))),
)

/** Weaknesses of which neither edition of the Top 10 lists themselves or what they are a kind of. */
const NO_CATEGORY: Readonly<Record<number, string>> = {
  125: 'out-of-bounds read (Heartbleed): memory safety is no category',
  358: 'a standard implemented wrongly',
  400: 'consumption of resources',
  406: 'amplification of traffic',
  477: 'an obsolete function',
  672: 'a name used after it was given up (takeover)',
  770: 'no limit on what is asked for',
  838: 'the wrong encoding of output',
  1188: 'a default that is insecure',
}

describe('modules', () => {
  it('can be ordered: every need exists and none is a ring', () => {
    expect(orderModules(MODULES)).toHaveLength(MODULES.length)
  })

  it.each(MODULES.map((module) => [module.id, module] as const))('%s is whole', (id, module) => {
    expect(id).toMatch(/^[a-z][a-z0-9-]*$/)
    expect(module.title.trim()).not.toBe('')
    // A module may live on what others fetched.
    expect(module.budget.requests).toBeGreaterThanOrEqual(0)
    expect(module.budget.seconds).toBeGreaterThan(0)
    for (const check of module.checks) expect(check.findings.length).toBeGreaterThan(0)
  })
})

describe('definitions', () => {
  it('have ids of their own', () => {
    const ids = definitions.map(({ definition }) => definition.id)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })

  it.each(definitions.map((one) => [one.definition.id, one] as const))('%s', (id, { module, definition }) => {
    expect(id).toMatch(/^[a-z0-9-]+\/[a-z0-9-]+$/)
    expect(id.startsWith(`${module}/`), 'the prefix is the module').toBe(true)
    expect([...SEVERITIES, 'from-source']).toContain(definition.severity)
    for (const text of [definition.title, definition.why, definition.remediation]) {
      expect(text.trim()).not.toBe('')
      expect(text).toBe(text.trim())
    }
    expect(definition.title.endsWith('.'), 'a title has no full stop').toBe(false)
    expect(definition.references.length).toBeGreaterThan(0)
    for (const reference of definition.references) expect(new URL(reference).protocol).toBe('https:')
    if (definition.cwe !== null) expect(Number.isInteger(definition.cwe) && definition.cwe > 0).toBe(true)
  })

  it('are rated, each once: two vectors, or why none applies', () => {
    expect([...RATINGS.keys()].toSorted()).toEqual(definitions.map(({ definition }) => definition.id).toSorted())
    for (const [id, { vectors, reason }] of RATINGS) expect((vectors === null) === (reason !== null), id).toBe(true)
  })

  it('name their weakness (CWE), unless they are none', () => {
    const without = definitions.filter(({ definition }) => definition.cwe === null)
    expect(without.filter(({ definition: { id } }) => RATINGS.get(id)?.vectors !== null)).toEqual([])
  })

  it('have a category of the OWASP Top 10, unless their weakness has none', () => {
    const without = definitions.filter(({ definition: { cwe } }) => cwe !== null && owaspOf(cwe).length === 0)
    expect([...new Set(without.map(({ definition }) => definition.cwe))].toSorted()).toEqual(
      Object.keys(NO_CATEGORY).map(Number).toSorted(),
    )
  })

  it('that rate a vulnerability of a website name the item of WSTG or ASVS', () => {
    const without = [...RATINGS].filter(([, { vectors, standard }]) => vectors !== null && standard === null)
    // Of the senders of mail neither has an item, nor of a charset that lets markup through.
    const others = without.map(([id]) => id).filter((id) => !id.startsWith('mail/'))
    expect(others).toEqual(['markup/charset-unsafe'])
  })

  /** Bands of CVSS 3.1 and 4.0. */
  const bandsOf = (id: string): readonly (Severity | null)[] => {
    const vectors = RATINGS.get(id)?.vectors
    return vectors ? [bandOf(cvssOf(vectors.v3_1).v3_1?.score ?? 0), bandOf(cvssOf(vectors.v4_0).v4_0?.score ?? 0)] : []
  }
  const odd = definitions
    .filter(({ definition: { id, severity } }) => severity !== 'from-source' && bandsOf(id).length > 0)
    .filter(({ definition: { id, severity } }) => !bandsOf(id).some((band) => band === severity))
    .map(({ definition }) => definition.id)

  it('have the severity of one of their vectors, or stand among the exceptions', () => {
    expect(odd.toSorted()).toEqual(Object.keys(BAND_EXCEPTIONS).toSorted())
  })
})
