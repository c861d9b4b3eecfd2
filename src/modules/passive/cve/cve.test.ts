import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importFeed } from '../../../knowledge/feeds/import.ts'
import type { Detected, Evidence } from '../../../knowledge/fingerprints/match.ts'
import { collectContext } from '../../testing/collecting.ts'
import { caseContext, judgeCases } from '../../testing/judge-cases.ts'
import type { TechnologyFacts } from '../technology/facts.ts'
import { isIdentified } from './certainty.ts'
import { collectCve } from './collect.ts'
import { component, possibleComponent } from './component.ts'
import type { Component, ComponentCve, CveFacts } from './facts.ts'
import { cveTables } from './tables.ts'

const URL_OF = 'https://shop.test/'
const sign = (source: Evidence['source'], text: string, version: string): Evidence => ({
  ...{ source, text, version, name: '', url: URL_OF, weak: false },
})
const product = (name: string, cpe: string, kind: Detected['kind'], evidence: readonly Evidence[]): Detected => ({
  ...{ name, kind, cpe: [cpe], confidence: 'firm', otherVersions: [], impliedBy: [], evidence },
  version: evidence[0]?.version ?? null,
})
const inventory = (...technologies: readonly Detected[]): TechnologyFacts => ({
  ...{ technologies, favicon: null, endOfLife: [], knowledge: {} },
})

const jquery = (...evidence: readonly Evidence[]) => product('jQuery', 'jquery:jquery', 'library', evidence)
const banner = sign('code', 'jQuery v3.4.1 | (c) JS Foundation', '3.4.1')
const address = sign('asset', '/jquery-3.4.1.min.js', '3.4.1')

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-cve-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const look = async (facts: TechnologyFacts, knowledge?: string): Promise<CveFacts> => {
  const { ctx, close } = collectContext('127.0.0.1', {
    module: 'cve',
    ...(knowledge === undefined ? {} : { knowledge }),
  })
  try {
    return await collectCve(ctx, facts)
  } finally {
    await close()
  }
}

const found = ({ components }: CveFacts) =>
  Object.fromEntries(components.flatMap(({ cves }) => cves.map(({ id, match }) => [id, match])))

const feed = (name: string, content: unknown): string => {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

describe('the built-in records', () => {
  it('a library that was read itself: certain', async () => {
    const facts = await look(inventory(jquery(banner, address)))
    expect(found(facts)).toMatchObject({ 'CVE-2020-11022': 'certain', 'CVE-2020-11023': 'certain' })
    expect(facts.knowledge).toEqual({ nvd: 'built-in 2026.11' })
  })

  it('an address alone: possible', async () => {
    expect(found(await look(inventory(jquery(address))))).toMatchObject({ 'CVE-2020-11022': 'possible' })
  })

  it('a fixed version: nothing', async () => {
    const fixed = jquery(sign('code', 'jQuery v3.7.1', '3.7.1'), sign('asset', '/jquery-3.7.1.js', '3.7.1'))
    expect(found(await look(inventory(fixed)))).toEqual({})
  })

  it('a banner with the family of the distribution: possible', async () => {
    const apache = product('Apache HTTP Server', 'apache:http_server', 'server', [
      sign('header', 'Apache/2.4.49 (Debian)', '2.4.49'),
    ])
    expect(found(await look(inventory(apache)))).toMatchObject({ 'CVE-2021-41773': 'possible' })
  })

  it('they follow no product: what they hold nothing against is not tested', async () => {
    const nginx = product('Nginx', 'f5:nginx', 'server', [sign('header', 'nginx/1.99.1', '1.99.1')])
    const facts = await look(inventory(nginx))
    expect(component.judge(facts, known, caseContext())).toMatchObject({ state: 'not_applicable' })
    const named = { state: 'not_tested', reason: expect.stringContaining('Nginx 1.99.1') }
    expect(possibleComponent.judge(facts, known, caseContext())).toMatchObject(named)
    expect(possibleComponent.judge(facts, known, caseContext(asked))).toMatchObject({ ...named, reached: { asked: 0 } })
    const library = await look(inventory(nginx, jquery(sign('hash', 'ab', '9.9.9'))))
    expect(component.judge(library, known, caseContext())).toMatchObject({
      state: 'not_tested',
      findings: [],
      reached: { asked: 0, known: 1, reasons: [{ reason: expect.stringContaining('jQuery 9.9.9'), count: 1 }] },
    })
  })

  it('the report says what was known, and what never was', async () => {
    const [table] = cveTables(await look(inventory()))
    const rows = new Map(table?.rows.map((row) => [row[0], row]))
    expect(rows.get('nvd')?.slice(2)).toEqual(['built-in 2026.11', '304', '-', expect.stringContaining('selection')])
    expect(rows.get('kev')?.slice(2)).toEqual(['none', '0', '-', expect.stringContaining('not tested')])
  })

  it('a product without a version is named, not guessed', async () => {
    const facts = await look(inventory({ ...jquery(), version: null }))
    expect(facts).toMatchObject({ components: [], withoutVersion: ['jQuery'] })
  })
})

describe('with the tracker of Debian, EPSS and KEV', () => {
  const php = (text: string) => product('PHP', 'php:php', 'language', [sign('header', text, '7.4.33')])
  const releases = (status: string, fixed?: string) => ({
    releases: { bullseye: { status, ...(fixed === undefined ? {} : { fixed_version: fixed }) } },
  })

  beforeAll(() => {
    const cve = (id: string) => ({
      cve: {
        id,
        descriptions: [{ lang: 'en', value: 'A flaw.' }],
        metrics: {
          cvssMetricV31: [
            {
              type: 'Primary',
              cvssData: { vectorString: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', baseScore: 9.8 },
            },
          ],
        },
        configurations: [
          {
            nodes: [
              {
                operator: 'OR',
                cpeMatch: [
                  { vulnerable: true, criteria: 'cpe:2.3:a:php:php:*:*:*:*:*:*:*:*', versionEndExcluding: '8.0.0' },
                ],
              },
            ],
          },
        ],
      },
    })
    const ids = ['CVE-2024-0001', 'CVE-2024-0002', 'CVE-2024-0003', 'CVE-2024-0004', 'CVE-2024-0005']
    importFeed(folder, 'nvd', feed('nvd.json', { vulnerabilities: ids.map(cve) }), new Date())
    const tracker = {
      'php7.4': {
        'CVE-2024-0001': releases('resolved', '7.4.33-1+deb11u5'),
        'CVE-2024-0002': releases('resolved', '7.4.33-1+deb11u3'),
        'CVE-2024-0003': releases('open'),
        'CVE-2024-0004': releases('resolved', '0'),
      },
    }
    importFeed(folder, 'debian', feed('debian.json', tracker), new Date())
    importFeed(folder, 'epss', feed('epss.csv', 'cve,epss,percentile\nCVE-2024-0001,0.97,0.999\n'), new Date())
    const kev = {
      vulnerabilities: [{ cveID: 'CVE-2024-0001', dateAdded: '2024-05-01', knownRansomwareCampaignUse: 'Known' }],
    }
    importFeed(folder, 'kev', feed('kev.json', kev), new Date())
  })

  it('a product that a feed follows passes, one that none follows does not, and an old feed is warned of', async () => {
    const fixed = product('PHP', 'php:php', 'language', [sign('header', 'PHP/8.4.1-1+deb13u1', '8.4.1')])
    const followed = await look(inventory(fixed), folder)
    expect(component.judge(followed, known, caseContext())).toEqual([])
    const both = await look(inventory(fixed, jquery(sign('hash', 'ab', '9.9.9'))), folder)
    expect(component.judge(both, known, caseContext())).toMatchObject({
      state: 'inconclusive',
      reached: { asked: 1, known: 2, reasons: [{ reason: expect.stringContaining('jQuery 9.9.9'), count: 1 }] },
    })
    const feeds = (followed.feeds ?? []).map((one) => (one.feed === 'kev' ? { ...one, days: 15 } : one))
    const warned = cveTables({ ...followed, feeds })[0]?.rows.filter((row) => row[5]?.startsWith('older'))
    expect(warned?.map(([feed, , , , age]) => [feed, age])).toEqual([['kev', '15 days']])
  })

  it('the exact revision decides, by the order of dpkg', async () => {
    const facts = await look(inventory(php('PHP/7.4.33-1+deb11u4')), folder)
    expect(found(facts)).toEqual({
      'CVE-2024-0001': 'certain',
      'CVE-2024-0003': 'certain',
      'CVE-2024-0005': 'possible',
    })
    expect(facts.components[0]?.cves[0]).toMatchObject({
      id: 'CVE-2024-0001',
      epss: { score: 0.97, percentile: 0.999 },
      kev: { date_added: '2024-05-01', ransomware: true },
    })
    expect(Object.keys(facts.knowledge).toSorted()).toEqual(['debian', 'epss', 'kev', 'nvd'])
  })

  it('the family alone: possible with the fix, and silent where no release was affected', async () => {
    const facts = await look(inventory(php('PHP/7.4.33 (Debian)')), folder)
    expect(found(facts)).toEqual({
      'CVE-2024-0001': 'possible',
      'CVE-2024-0002': 'possible',
      'CVE-2024-0003': 'possible',
      'CVE-2024-0005': 'possible',
    })
    expect(facts.components[0]?.cves.find(({ id }) => id === 'CVE-2024-0001')?.because).toContain('7.4.33-1+deb11u5')
  })
})

describe('identified', () => {
  it.each([
    ['banner and address', [banner, address], true],
    ['banner and constant', [banner, sign('code', 'jquery:"3.4.1",constructor:', '3.4.1')], true],
    ['the banner alone', [banner], false],
    ['the address alone', [address], false],
    ['two that disagree', [banner, sign('asset', '/jquery-3.5.0.js', '3.5.0')], false],
  ])('%s', (_trick, evidence, expected) => {
    expect(isIdentified({ kind: 'library', evidence }, '3.4.1')).toBe(expected)
  })
})

const entry = (change: Partial<ComponentCve> = {}): ComponentCve => ({
  id: 'CVE-2020-11022',
  summary: 'A flaw.',
  score: 9.8,
  vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  references: [],
  range: 'before 3.5.0',
  match: 'certain',
  because: 'the code itself was read',
  epss: null,
  kev: null,
  ...change,
})
const facts = (...cves: readonly ComponentCve[]): CveFacts => {
  const one: Component = {
    product: 'jQuery',
    version: '3.4.1',
    keys: [],
    url: URL_OF,
    evidence: 'jQuery v3.4.1',
    revision: null,
    cves,
  }
  return { components: [one], withoutVersion: [], knowledge: {} }
}
const known = { technology: inventory() }
const asked = { options: { ...caseContext().options, cve_include_possible: true } }

judgeCases(component, [
  {
    name: 'two certain ones are one finding',
    known,
    facts: facts(entry(), entry({ id: 'CVE-2020-11023' })),
    expect: ['cve/vulnerable-component'],
  },
  {
    name: 'a possible one is neither certain nor a pass',
    known,
    facts: facts(entry({ match: 'possible' })),
    expect: [],
    unjudged: 'not_tested',
  },
  { name: 'a product that feeds follow, with nothing against it', known, facts: facts(), expect: [] },
  {
    name: 'no product that records could be about',
    known,
    facts: { components: [], withoutVersion: [], knowledge: {} },
    expect: [],
    unjudged: 'not_applicable',
  },
  {
    name: 'a product that hides its version',
    known,
    facts: { components: [], withoutVersion: ['Nginx'], knowledge: {} },
    expect: [],
    unjudged: 'not_applicable',
  },
])

judgeCases(possibleComponent, [
  {
    name: 'asked for',
    known,
    about: asked,
    facts: facts(entry({ match: 'possible' })),
    expect: ['cve/possibly-vulnerable-component'],
  },
  { name: 'not asked for', known, facts: facts(entry({ match: 'possible' })), expect: [], unjudged: 'not_tested' },
  { name: 'only certain ones', known, about: asked, facts: facts(entry()), expect: [] },
  {
    name: 'a product that hides its version',
    known,
    about: asked,
    facts: { components: [], withoutVersion: ['Nginx'], knowledge: {} },
    expect: [],
    unjudged: 'not_tested',
  },
])

describe('severity', () => {
  const severity = (check: typeof component, ...cves: readonly ComponentCve[]) => {
    const judged = check.judge(facts(...cves), known, caseContext(asked))
    return Array.isArray(judged) ? judged[0]?.severity : null
  }
  const kev = { date_added: '2024-05-01', ransomware: false }

  it.each([
    ['certain: the band', component, [entry()], 'critical'],
    ['certain: the gravest', component, [entry({ score: 5 }), entry({ id: 'CVE-2020-1', score: 7.1 })], 'high'],
    ['certain without a score', component, [entry({ score: null, vector: null })], 'medium'],
    ['possible: medium at most', possibleComponent, [entry({ match: 'possible' })], 'medium'],
    ['possible: low stays', possibleComponent, [entry({ match: 'possible', score: 3.1 })], 'low'],
    ['possible and exploited', possibleComponent, [entry({ match: 'possible', kev })], 'high'],
  ])('%s', (_trick, check, cves, expected) => {
    expect(severity(check, ...cves)).toBe(expected)
  })
})
