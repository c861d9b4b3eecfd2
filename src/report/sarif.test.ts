import { describe, expect, test } from 'vitest'
import type { FindingsFile } from '../contract/findings-file.ts'
import { openCounts, UNDECIDED } from '../contract/triage.ts'
import { countFindings } from './canonical.ts'
import { renderSarif } from './sarif.ts'
import { sampleFile, sampleFinding } from './testing/sample.ts'

interface Place {
  readonly physicalLocation: {
    readonly artifactLocation: { readonly uri: string; readonly uriBaseId: string }
    readonly region: { readonly startLine: number }
  }
}
interface Run {
  readonly tool: {
    readonly driver: { readonly name: string; readonly version: string; readonly rules: readonly Rule[] }
  }
  readonly originalUriBaseIds: Readonly<Record<string, { readonly uri: string }>>
  readonly results: readonly {
    readonly ruleId: string
    readonly ruleIndex: number
    readonly level: string
    readonly message: { readonly text: string }
    readonly locations: readonly Place[]
    readonly partialFingerprints: Readonly<Record<string, string>>
  }[]
}
interface Rule {
  readonly id: string
  readonly help: { readonly text: string; readonly markdown: string }
  readonly properties: { readonly tags: readonly string[]; readonly 'security-severity'?: string }
}

const run = (file: FindingsFile): Run => JSON.parse(renderSarif(file)).runs[0]
const only = (change: object): Run =>
  run({
    ...sampleFile({ findings: 0 }),
    counts: countFindings([{ ...sampleFinding(0), ...change }]),
    open_counts: openCounts([{ ...sampleFinding(0), ...change }]),
    findings: [{ ...sampleFinding(0), ...change }],
  })
const uri = (change: object): string =>
  only(change).results[0]?.locations[0]?.physicalLocation.artifactLocation.uri ?? ''

describe('what GitHub code scanning asks for', () => {
  const whole = run(sampleFile({ findings: 40 }))

  test('one driver with name and version', () => {
    expect(whole.tool.driver).toMatchObject({ name: 'Sonde', version: '0.1.0' })
  })
  test('every result points to its rule', () => {
    for (const { ruleId, ruleIndex } of whole.results) expect(whole.tool.driver.rules[ruleIndex]?.id).toBe(ruleId)
  })
  test('rule ids are unique and every rule has help', () => {
    const { rules } = whole.tool.driver
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length)
    for (const { help } of rules) {
      expect(help.text).not.toBe('')
      expect(help.markdown).toContain('## How to fix it')
    }
  })
  test('every location is relative, not empty, below a base that ends in a slash, with a start line', () => {
    const places = whole.results.flatMap(({ locations }) => locations)
    expect(places.length).toBeGreaterThan(whole.results.length)
    for (const { physicalLocation } of places) {
      const { uri: path, uriBaseId } = physicalLocation.artifactLocation
      expect(path).toMatch(/^[^/:?#\s][^:?#\s]*$/)
      expect(whole.originalUriBaseIds[uriBaseId]?.uri).toMatch(/^[a-z]+:\/\/[^/]+\/$/)
      expect(physicalLocation.region.startLine).toBe(1)
    }
    for (const { locations } of whole.results) expect(locations.length).toBeGreaterThan(0)
  })
  test('levels, messages and fingerprints', () => {
    for (const { level, message, partialFingerprints } of whole.results) {
      expect(['error', 'warning', 'note']).toContain(level)
      expect(message.text).not.toBe('')
      expect(partialFingerprints.primaryLocationLineHash).toMatch(/^[0-9a-f]{32}:1$/)
    }
  })
  test('tags carry the CWE with three digits, at most 20 of them', () => {
    const tags = whole.tool.driver.rules.map(({ properties }) => properties.tags)
    expect(tags.flat()).toContain('external/cwe/cwe-089')
    for (const list of tags) expect(list.length).toBeLessThanOrEqual(20)
  })
})

describe('paths', () => {
  test.each([
    ['the root has a name', { url: 'https://shop.test/' }, 'index'],
    ['the query is no part', { url: 'https://shop.test/a/b?c=d#e' }, 'a/b'],
    ['empty segments', { url: 'https://shop.test//a///b/' }, 'a/b'],
    ['dot segments', { url: 'https://shop.test/../a/./b' }, 'a/b'],
    ['a colon', { url: 'https://shop.test/a:b' }, 'a%3Ab'],
    ['host and port', { host: 'shop.test', port: 443 }, 'port-443'],
    ['host alone', { host: 'shop.test' }, 'host'],
    ['no place at all', {}, 'host'],
    ['an address that is none', { url: 'not an address' }, 'host'],
  ])('%s', (_, location, path) => {
    expect(uri({ location, places: [] })).toBe(path)
  })
  test('another host has a base of its own', () => {
    const { originalUriBaseIds } = only({ location: { url: 'https://cdn.test/x.js' }, places: [] })
    expect(Object.values(originalUriBaseIds)).toEqual([{ uri: 'https://shop.test/' }, { uri: 'https://cdn.test/' }])
  })
  test('no more than 100 places', () => {
    const places = Array.from({ length: 500 }, (_, index) => ({ url: `https://shop.test/${index}` }))
    expect(only({ places }).results[0]?.locations).toHaveLength(100)
  })
})

describe('what the owners decided', () => {
  test('an open finding is not suppressed', () => {
    expect(only({}).results[0]).not.toHaveProperty('suppressions')
  })
  test.each([
    ['accepted', 'Accepted (J. Weber): until spring'],
    ['false_positive', 'False positive (J. Weber): until spring'],
  ])('%s', (state, justification) => {
    const triage = { ...UNDECIDED, state, owner: 'J. Weber', reason: 'until spring' }
    expect(only({ triage }).results[0]).toMatchObject({
      suppressions: [{ kind: 'external', status: 'accepted', justification }],
    })
  })
})

describe('severity', () => {
  const score = (change: object) => only(change).tool.driver.rules[0]?.properties['security-severity']
  test('the score of the vector within its band', () => {
    expect(score({})).toBe('9.3')
  })
  test('a shifted severity wins over the vector', () => {
    const cvss = { v3_1: { vector: 'CVSS:3.1/x', score: 4.2 }, v4_0: null }
    expect(score({ cvss })).toBe('9.5')
  })
  test('exactly 9.0 would be read as high', () => {
    const cvss = { v3_1: { vector: 'CVSS:3.1/x', score: 9 }, v4_0: null }
    expect(Number(score({ cvss }))).toBeGreaterThan(9)
  })
  test('information has no score', () => {
    const { rules } = run(sampleFile({ findings: 12 })).tool.driver
    expect(rules.find(({ id }) => id === 'disclosure/banner')?.properties).not.toHaveProperty('security-severity')
  })
})
