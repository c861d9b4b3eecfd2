/** What the formats of CVE sources leave to read between the lines: defaults, changes, conditions, withdrawals. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openCveKnowledge } from './cve-knowledge.ts'
import type { FeedId } from './feed.ts'
import { importFeed } from './import.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-sources-'))
  mkdirSync(join(folder, 'records'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const ID = 'CVE-2024-1000'
const bring = (feed: FeedId, ...records: readonly unknown[]): void => {
  const path = mkdtempSync(join(folder, 'records-'))
  for (const [index, record] of records.entries()) writeFileSync(join(path, `${index}.json`), JSON.stringify(record))
  importFeed(join(folder, 'k'), feed, path, new Date())
}
const find = (key: string, version: string) => {
  const knowledge = openCveKnowledge(join(folder, 'k'))
  try {
    return knowledge.find([key], version)
  } finally {
    knowledge.close()
  }
}
const found = (key: string, version: string): boolean => find(key, version).some(({ id }) => id === ID)

const cve5 = (affected: object | null, more: object = {}, state = 'PUBLISHED', id = ID) => ({
  dataType: 'CVE_RECORD',
  cveMetadata: { cveId: id, state },
  containers: {
    cna: { ...(affected ? { affected: [{ vendor: 'Acme', product: 'Shop', ...affected }] } : {}), ...more },
  },
})
const OTHER = cve5({ versions: [{ version: '1', status: 'affected' }] }, {}, 'PUBLISHED', 'CVE-2024-9999')
const SHOP = 'cpe:acme:shop'

describe('CVE 5', () => {
  it.each([
    [
      'affected by default, with fixed lines',
      {
        defaultStatus: 'affected',
        versions: [
          { version: '2.4.5', status: 'unaffected', lessThan: '2.5', versionType: 'semver' },
          { version: '3.0.0', status: 'unaffected', lessThan: '*', versionType: 'semver' },
        ],
      },
      ['1.0.0', '2.4.4', '2.5.0', '2.9.9'],
      ['2.4.5', '2.4.9', '3.0.0', '4.0.0'],
    ],
    ['affected by default and nothing else', { defaultStatus: 'affected' }, ['0.1', '99'], []],
    [
      'unaffected until a change',
      {
        versions: [
          {
            ...{ version: '0', status: 'unaffected', lessThan: '*', versionType: 'semver' },
            changes: [
              { at: '1.7.0', status: 'unaffected' },
              { at: '1.2.0', status: 'affected' },
            ],
          },
        ],
      },
      ['1.2.0', '1.6.9'],
      ['1.1.9', '1.7.0', '2.0.0'],
    ],
    [
      'fixed, broken again, fixed again',
      {
        versions: [
          {
            ...{ version: '1.0', status: 'affected', lessThan: '3.0', versionType: 'custom' },
            changes: [
              { at: '1.5', status: 'unaffected' },
              { at: '2.0', status: 'affected' },
              { at: '2.5', status: 'unaffected' },
            ],
          },
        ],
      },
      ['1.0', '1.4', '2.0', '2.4'],
      ['0.9', '1.5', '1.9', '2.5', '2.9'],
    ],
    [
      'commits',
      { versions: [{ version: '0', status: 'affected', lessThan: 'deadbeef', versionType: 'git' }] },
      [],
      ['1.0'],
    ],
    ['a limit in words', { versions: [{ version: '0', status: 'affected', lessThan: 'the May update' }] }, [], ['1.0']],
    ['no version', { versions: [{ version: 'n/a', status: 'affected' }] }, [], ['1.0']],
  ])('%s', (_trick, affected, inside, outside) => {
    bring('cve5', cve5(affected), OTHER)
    for (const version of inside) expect(found(SHOP, version), version).toBe(true)
    for (const version of outside) expect(found(SHOP, version), version).toBe(false)
  })

  it.each([
    ['of npm', 'pkg:npm/%40acme/shop', 'npm:@acme/shop'],
    ['of Maven', 'pkg:maven/org.acme/shop', 'maven:org.acme:shop'],
    ['of Composer', 'pkg:composer/acme/shop', 'packagist:acme/shop'],
  ])('a package address %s', (_trick, packageURL, key) => {
    bring('cve5', cve5({ packageURL, versions: [{ version: '1.0.0', status: 'affected', lessThan: '2.0.0' }] }), OTHER)
    expect(found(key, '1.5.0')).toBe(true)
    expect(found(key, '2.0.0')).toBe(false)
  })

  it.each([
    ['a platform', { platforms: ['Windows'] }],
    ['a module', { modules: ['mod_proxy'] }],
  ])('%s is a condition', (_trick, more) => {
    bring('cve5', cve5({ ...more, versions: [{ version: '1.0', status: 'affected' }] }), OTHER)
    expect(find(SHOP, '1.0')[0]?.affected.conditional).toBe(true)
  })

  it('what applies by CPE counts as in NVD', () => {
    const criteria = 'cpe:2.3:a:acme:other:*:*:*:*:*:*:*:*'
    const cpeMatch = [{ vulnerable: true, criteria, versionEndExcluding: '2.0' }]
    bring('cve5', cve5(null, { cpeApplicability: [{ nodes: [{ operator: 'OR', negate: false, cpeMatch }] }] }), OTHER)
    expect(found('cpe:acme:other', '1.9')).toBe(true)
    expect(found('cpe:acme:other', '2.0')).toBe(false)
  })
})

const nvd = (more: object = {}) => ({
  vulnerabilities: [
    {
      cve: {
        ...{ id: ID, descriptions: [{ lang: 'en', value: 'A flaw.' }], ...more },
        configurations: [
          {
            nodes: [
              { operator: 'OR', cpeMatch: [{ vulnerable: true, criteria: 'cpe:2.3:a:acme:shop:1.0:*:*:*:*:*:*:*' }] },
            ],
          },
        ],
      },
    },
  ],
})
const npm = (more: object = {}) => ({
  ...{ id: ID, affected: [{ package: { ecosystem: 'npm', name: 'shop' }, ranges: [], versions: ['1.0'] }], ...more },
})

describe('one word against another', () => {
  it.each([
    ['rejected by its assigner', cve5(null, {}, 'REJECTED')],
    ['disputed by its assigner', cve5({ versions: [] }, { tags: ['disputed'] })],
    [
      'disputed by another container',
      { ...cve5({ versions: [] }), containers: { cna: {}, adp: [{ tags: ['disputed'] }] } },
    ],
  ])('%s: left out of NVD and OSV as well', (_trick, record) => {
    bring('nvd', nvd())
    bring('osv', npm())
    expect([found(SHOP, '1.0'), found('npm:shop', '1.0')]).toEqual([true, true])
    bring('cve5', record, OTHER)
    expect([found(SHOP, '1.0'), found('npm:shop', '1.0')]).toEqual([false, false])
  })

  it('score and vector come from one source', () => {
    const vector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'
    const cvssV3_0 = { vectorString: 'CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N', baseScore: 5.3 }
    bring('cve5', cve5({ versions: [{ version: '1.0', status: 'affected' }] }, { metrics: [{ cvssV3_0 }] }), OTHER)
    bring('nvd', nvd({ metrics: { cvssMetricV31: [{ cvssData: { vectorString: vector, baseScore: 9.8 } }] } }))
    expect(find(SHOP, '1.0')[0]).toMatchObject({ score: 9.8, vector })
  })
})

describe('OSV', () => {
  const ranges = (...events: readonly object[]) => [{ type: 'SEMVER', events }]
  const advisory = (affected: object) =>
    npm({ affected: [{ package: { ecosystem: 'npm', name: 'shop' }, ...affected }] })

  it.each([
    [
      'events in no order',
      { ranges: ranges({ fixed: '2.0.0' }, { introduced: '1.0.0' }) },
      ['1.5.0'],
      ['0.9.0', '2.0.0'],
    ],
    ['a limit', { ranges: ranges({ introduced: '0' }, { limit: '1.2.0' }) }, ['1.1.0'], ['1.2.0']],
    [
      'fixed in two lines',
      { ranges: ranges({ introduced: '0' }, { introduced: '2.0.0' }, { fixed: '2.1.0' }, { fixed: '1.9.0' }) },
      ['1.0.0', '2.0.5'],
      ['1.9.0', '2.1.0'],
    ],
    ['versions by name', { versions: ['1.0.0', '1.0.0-odd'] }, ['1.0.0'], ['1.0.1']],
    [
      'by name beside the range',
      { ranges: ranges({ introduced: '2.0.0' }), versions: ['1.0.0'] },
      ['1.0.0', '2.5.0'],
      ['1.5.0'],
    ],
  ])('%s', (_trick, affected, inside, outside) => {
    bring('osv', advisory(affected))
    for (const version of inside) expect(found('npm:shop', version), version).toBe(true)
    for (const version of outside) expect(found('npm:shop', version), version).toBe(false)
  })

  it.each([
    ['the best vector', [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N' }], 6.1],
    [
      '4.0 before 3.1',
      [
        { type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N' },
        { type: 'CVSS_V4', score: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N' },
      ],
      9.3,
    ],
    ['a word', [{ type: 'Ubuntu', score: 'medium' }], null],
    ['a broken vector', [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N' }], null],
  ])('rated by %s', (_trick, severity, score) => {
    bring('osv', npm({ severity }))
    expect(find('npm:shop', '1.0')[0]?.score).toBe(score)
  })
})
