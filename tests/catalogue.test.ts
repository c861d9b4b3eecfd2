import { describe, expect, it } from 'vitest'
import { compareSeverity, SEVERITIES } from '../src/contract/finding.ts'
import { bandOf, cvssOf } from '../src/engine/cvss.ts'
import { orderModules } from '../src/engine/plan.ts'
import { MODULES } from '../src/modules/index.ts'

/** Definitions whose severity is not the band of their vector, with the reason. */
const BAND_EXCEPTIONS: Readonly<Record<string, string>> = {}

const definitions = MODULES.flatMap((module) =>
  module.checks.flatMap((check) => check.findings.map((definition) => ({ module: module.id, definition }))),
)

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

  const scored = definitions.flatMap(({ definition }) =>
    definition.cvss === null ? [] : [[definition.id, definition, definition.cvss] as const],
  )
  it('hold only valid vectors, and severities in the band of the score', () => {
    for (const [id, definition, vector] of scored) {
      const { v4_0, v3_1 } = cvssOf(vector)
      const band = bandOf((v4_0 ?? v3_1)?.score ?? 0)
      if (definition.severity === 'from-source' || id in BAND_EXCEPTIONS) continue
      expect(
        compareSeverity(definition.severity, band ?? 'info'),
        `${id}: ${definition.severity}, scored ${band}`,
      ).toBe(0)
    }
  })

  it('make no exception that is not needed', () => {
    expect(Object.keys(BAND_EXCEPTIONS).filter((id) => !scored.some(([one]) => one === id))).toEqual([])
  })
})
