import { createHash, generateKeyPairSync } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BUILT_IN_LOGS, openCtLogs } from '../tls/ct-logs.ts'
import { dataFile, readActive } from './active.ts'
import { openCveKnowledge } from './cve-knowledge.ts'
import type { FeedId } from './feed.ts'
import { importFeed } from './import.ts'
import { openFeed } from './items.ts'
import { importedCycles } from './parse/endoflife.ts'
import { retiredOf } from './parse/retire.ts'
import { recogniseFeed } from './recognise.ts'
import { listFeeds, verifyFeed } from './state.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-feeds-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const write = (name: string, content: unknown): string => {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content))
  return path
}
const bring = (feed: FeedId, name: string, content: unknown) =>
  importFeed(join(folder, 'k'), feed, write(name, content), new Date('2026-11-20T10:00:00Z'))
const ids = (key: string, version: string): readonly string[] => {
  const knowledge = openCveKnowledge(join(folder, 'k'))
  try {
    return knowledge.find([key], version).map(({ id }) => id)
  } finally {
    knowledge.close()
  }
}

const nvd = (id: string, configurations: unknown, more: object = {}) => ({
  cve: { id, descriptions: [{ lang: 'en', value: 'A flaw.' }], configurations, ...more },
})
const match = (criteria: string, more: object = {}) => [
  { nodes: [{ operator: 'OR', cpeMatch: [{ vulnerable: true, criteria, ...more }] }] },
]
const ACME = 'cpe:2.3:a:acme:shop:*:*:*:*:*:*:*:*'

const osv = (id: string, events: readonly object[], more: object = {}) => ({
  id,
  affected: [{ package: { ecosystem: 'npm', name: 'Shop' }, ranges: [{ type: 'SEMVER', events }] }],
  ...more,
})

const cve5 = (versions: readonly object[], more: object = {}) => ({
  dataType: 'CVE_RECORD',
  cveMetadata: { cveId: 'CVE-2024-1000', state: 'PUBLISHED' },
  containers: { cna: { affected: [{ vendor: 'Acme Inc', product: 'Shop', versions }], ...more } },
})

describe('ranges as the feeds write them', () => {
  it.each([
    ['end excluded', match(ACME, { versionEndExcluding: '2.0' }), ['1.9'], ['2.0', '3']],
    ['end included', match(ACME, { versionEndIncluding: '2.0' }), ['2.0', '2.0.0'], ['2.0.1']],
    [
      'start excluded',
      match(ACME, { versionStartExcluding: '1.0', versionEndExcluding: '2' }),
      ['1.0.1'],
      ['1.0', '0.9'],
    ],
    [
      'an exact one, any update',
      match('cpe:2.3:a:acme:shop:8.5:*:*:*:*:*:*:*'),
      ['8.5', '8.5p1'],
      ['8.5.1', '8.50', '8.4'],
    ],
    ['an exact update', match('cpe:2.3:a:acme:shop:8.5:p1:*:*:*:*:*:*'), ['8.5p1'], ['8.5', '8.5p2']],
    ['no update', match('cpe:2.3:a:acme:shop:9.8:-:*:*:*:*:*:*'), ['9.8'], ['9.8p1']],
    ['no version at all', match('cpe:2.3:a:acme:shop:-:*:*:*:*:*:*:*'), [], ['1.0']],
    [
      'letters',
      match(ACME, { versionStartIncluding: '1.0.2', versionEndExcluding: '1.0.2zd' }),
      ['1.0.2', '1.0.2k'],
      ['1.0.2zd', '1.0.1'],
    ],
  ])('NVD: %s', (_trick, configurations, inside, outside) => {
    bring('nvd', 'a.json', { vulnerabilities: [nvd('CVE-2024-1000', configurations)] })
    for (const version of inside) expect(ids('cpe:acme:shop', version), version).toEqual(['CVE-2024-1000'])
    for (const version of outside) expect(ids('cpe:acme:shop', version), version).toEqual([])
  })

  it.each([
    [
      'introduced and fixed',
      osv('CVE-2024-1000', [{ introduced: '0' }, { fixed: '1.2.0' }]),
      ['1.1.9', '1.2.0-rc.1'],
      ['1.2.0'],
    ],
    [
      'last affected',
      osv('CVE-2024-1000', [{ introduced: '1.0.0' }, { last_affected: '1.2.0' }]),
      ['1.2.0'],
      ['0.9.0', '1.2.1'],
    ],
    [
      'two ranges',
      osv('CVE-2024-1000', [{ introduced: '1.0.0' }, { fixed: '1.1.0' }, { introduced: '2.0.0' }, { fixed: '2.1.0' }]),
      ['1.0.5', '2.0.5'],
      ['1.5.0', '2.1.0'],
    ],
    [
      'an alias',
      osv('GHSA-aaaa', [{ introduced: '0' }, { fixed: '1.0.0' }], { aliases: ['CVE-2024-1000'] }),
      ['0.1.0'],
      ['1.0.0'],
    ],
    ['withdrawn', osv('CVE-2024-1000', [{ introduced: '0' }], { withdrawn: '2024-01-01T00:00:00Z' }), [], ['1.0.0']],
  ])('OSV: %s', (_trick, advisory, inside, outside) => {
    bring('osv', 'a.json', [advisory, osv('CVE-2024-9999', [{ introduced: '99.0.0' }])])
    for (const version of inside) expect(ids('npm:shop', version), version).toEqual(['CVE-2024-1000'])
    for (const version of outside) expect(ids('npm:shop', version), version).toEqual([])
  })

  it.each([
    [
      'less than',
      cve5([{ version: '1.0', status: 'affected', lessThan: '1.4', versionType: 'semver' }]),
      ['1.3.9'],
      ['1.4', '0.9'],
    ],
    ['up to', cve5([{ version: '0', status: 'affected', lessThanOrEqual: '1.4' }]), ['0.1', '1.4'], ['1.5']],
    ['exact', cve5([{ version: '1.4', status: 'affected' }]), ['1.4'], ['1.4.1']],
    [
      'fixed on the way',
      cve5([{ version: '1.0', status: 'affected', lessThan: '2.0', changes: [{ at: '1.7', status: 'unaffected' }] }]),
      ['1.6'],
      ['1.7', '1.8'],
    ],
    ['disputed', cve5([{ version: '1.4', status: 'affected' }], { tags: ['disputed'] }), [], ['1.4']],
  ])('CVE 5: %s', (_trick, record, inside, outside) => {
    const empty = { ...cve5([]), cveMetadata: { cveId: 'CVE-2024-9999', state: 'PUBLISHED' } }
    mkdirSync(join(folder, 'records'))
    write('records/a.json', record)
    write('records/b.json', empty)
    importFeed(join(folder, 'k'), 'cve5', join(folder, 'records'), new Date())
    for (const version of inside) expect(ids('cpe:acme_inc:shop', version), version).toEqual(['CVE-2024-1000'])
    for (const version of outside) expect(ids('cpe:acme_inc:shop', version), version).toEqual([])
  })

  it('rejected and disputed records of NVD are left out', () => {
    const all = match(ACME, { versionEndExcluding: '2' })
    const vulnerabilities = [
      nvd('CVE-2024-1000', all),
      nvd('CVE-2024-1001', all, { vulnStatus: 'Rejected' }),
      nvd('CVE-2024-1002', all, { cveTags: [{ sourceIdentifier: 'x', tags: ['disputed'] }] }),
    ]
    bring('nvd', 'a.json', { vulnerabilities })
    expect(ids('cpe:acme:shop', '1')).toEqual(['CVE-2024-1000'])
  })

  it('a platform makes a record conditional', () => {
    const platform = { vulnerable: false, criteria: 'cpe:2.3:o:microsoft:windows:-:*:*:*:*:*:*:*' }
    const nodes = [
      { operator: 'OR', cpeMatch: [{ vulnerable: true, criteria: ACME }] },
      { operator: 'OR', cpeMatch: [platform] },
    ]
    bring('nvd', 'a.json', { vulnerabilities: [nvd('CVE-2024-1000', [{ operator: 'AND', nodes }])] })
    const knowledge = openCveKnowledge(join(folder, 'k'))
    expect(knowledge.find(['cpe:acme:shop'], '1')[0]?.affected.conditional).toBe(true)
    expect(knowledge.find(['cpe:microsoft:windows'], '1')).toEqual([])
    knowledge.close()
  })
})

describe('an import', () => {
  const good = { vulnerabilities: [{ cveID: 'CVE-2024-1000', dateAdded: '2024-05-01' }] }

  it('is versioned, listed and sound', () => {
    const made = bring('kev', 'kev.json', good)
    expect(made).toMatchObject({ feed: 'kev', records: 1, source: 'kev.json' })
    expect(made.version).toMatch(/^2026-11-20-[\da-f]{8}$/)
    expect(listFeeds(join(folder, 'k')).find(({ feed }) => feed === 'kev')?.active?.version).toBe(made.version)
    expect(verifyFeed(join(folder, 'k'), 'kev')).toBeNull()
    expect(openFeed(join(folder, 'k'), 'kev')?.get('CVE-2024-1000')).toEqual({
      date_added: '2024-05-01',
      ransomware: false,
    })
  })

  it('packed is the same', () => {
    expect(bring('kev', 'kev.json.gz', gzipSync(JSON.stringify(good))).records).toBe(1)
  })

  it.each([
    ['no JSON', 'kev', '{', /^feed\.json: it is no JSON/],
    ['another shape', 'kev', [], /^feed\.json: the record: /],
    [
      'one wrong record',
      'kev',
      { vulnerabilities: [...good.vulnerabilities, { cveID: 'CVE-1' }] },
      /^feed\.json, entry 2: cveID/,
    ],
    [
      'a record of NVD',
      'nvd',
      { vulnerabilities: [{ cve: { id: 'CVE-2024-1', descriptions: [] } }] },
      /^feed\.json, CVE-2024-1: id/,
    ],
    ['nothing in it', 'kev', { vulnerabilities: [] }, /^feed\.json: it holds no record/],
    ['EPSS without a head', 'epss', '1,2,3', /head “cve,epss,percentile” is missing/],
    ['EPSS out of bounds', 'epss', 'cve,epss,percentile\nCVE-2024-1000,1.5,0.1', /^feed\.json, line 2: /],
    [
      'Debian',
      'debian',
      { php: { 'CVE-2024-1': { releases: { sid: {} } } } },
      /^feed\.json, php CVE-2024-1: releases\.sid\.status/,
    ],
    [
      'retire.js',
      'retire',
      { jquery: { vulnerabilities: [{ below: 3 }] } },
      /^feed\.json, jquery: vulnerabilities\.0\.below/,
    ],
    ['end of life', 'endoflife', '# none', /^feed\.json: the YAML head is missing/],
  ])('refused with file, record and reason: %s', (_trick, feed, content, message) => {
    const before = bring('kev', 'good.json', good)
    expect(() => bring(feed as FeedId, 'feed.json', content)).toThrow(message)
    expect(readActive(join(folder, 'k'), 'kev')?.version).toBe(before.version)
    expect(readdirSync(join(folder, 'k', feed)).filter((file) => file.startsWith('new-'))).toEqual([])
  })

  it('keeps the version before it for runs that have it open, and no older one', () => {
    const versions = [1, 2, 3].map((day) => bring('kev', 'kev.json', { ...good, day }).version)
    const files = readdirSync(join(folder, 'k', 'kev')).filter((file) => file.endsWith('.db'))
    expect(files.toSorted()).toEqual(
      versions
        .slice(1)
        .map((version) => `${version}.db`)
        .toSorted(),
    )
  })

  it('verify notices damage', () => {
    const { version } = bring('kev', 'kev.json', good)
    writeFileSync(dataFile(join(folder, 'k'), 'kev', version), 'damaged')
    expect(verifyFeed(join(folder, 'k'), 'kev')).not.toBeNull()
  })
})

describe('other feeds', () => {
  it('endoflife.date by our names', () => {
    const head =
      'title: Eclipse Jetty\nreleases:\n  - releaseCycle: "9.4"\n    eol: 2025-08-14\n  - releaseCycle: "12.0"\n    eol: false\n'
    bring('endoflife', 'jetty.md', `---\n${head}---\n\n> Jetty\n`)
    const feed = openFeed(join(folder, 'k'), 'endoflife')
    expect(feed && importedCycles(feed, 'Jetty')).toEqual([
      { cycle: '9.4', end: '2025-08-14' },
      { cycle: '12.0', end: null },
    ])
    feed?.close()
  })

  it('retire.js by range, with CVE numbers only', () => {
    const vulnerabilities = [
      {
        ...{ below: '3.5.0', atOrAbove: '1.2.0', excludes: ['1.12.4-aem'], severity: 'medium', info: [] },
        identifiers: { CVE: ['CVE-2020-11022'] },
      },
      { below: '9', severity: 'low', identifiers: { summary: 'no number' }, info: [] },
    ]
    bring('retire', 'r.json', { jquery: { vulnerabilities } })
    const feed = openFeed(join(folder, 'k'), 'retire')
    expect(feed && retiredOf(feed, 'jQuery', '3.4.1').map(({ id }) => id)).toEqual(['CVE-2020-11022'])
    expect(feed && retiredOf(feed, 'jQuery', '3.5.0')).toEqual([])
    expect(feed && retiredOf(feed, 'jQuery', '1.12.4-aem')).toEqual([])
    feed?.close()
  })
})

describe('lists of transparency logs', () => {
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'der' })
  const id = createHash('sha256').update(key).digest()
  const log = (change: object = {}) => ({
    description: 'Log 1',
    log_id: id.toString('base64'),
    key: key.toString('base64'),
    ...change,
  })
  const list = (...tiled: readonly object[]) => ({ operators: [{ name: 'Acme', email: [], tiled_logs: tiled }] })

  it('take the place of the built-in ones', () => {
    const state = { retired: { timestamp: '2026-05-01T00:00:00Z' } }
    const { version } = bring('ct-logs', 'log_list.json', list(log({ state })))
    const logs = openCtLogs(join(folder, 'k'))
    expect(logs.version).toBe(version)
    expect(logs.find(id.toString('hex'))).toMatchObject({ operator: 'Acme', retired: Date.UTC(2026, 4, 1) })
    expect(logs.find('00')).toBeNull()
    expect(openCtLogs(undefined)).toBe(BUILT_IN_LOGS)
    expect(recogniseFeed(write('unnamed.json', list(log())))).toBe('ct-logs')
  })

  it('whose id is not the hash of the key are refused', () => {
    const wrong = Buffer.alloc(32).toString('base64')
    expect(() => bring('ct-logs', 'log_list.json', list(log({ log_id: wrong })))).toThrow(/not the hash of the key/)
  })
})
