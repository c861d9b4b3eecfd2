/** Back-ports: what a distribution's own data says of the revision in a banner. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importFeed } from '../../../knowledge/feeds/import.ts'
import { recogniseFeed } from '../../../knowledge/feeds/recognise.ts'
import type { Detected, Evidence } from '../../../knowledge/fingerprints/match.ts'
import { collectContext } from '../../testing/collecting.ts'
import { collectCve } from './collect.ts'

const sign = (text: string, version: string): Evidence => ({
  ...{ source: 'header', name: 'server', url: 'https://shop.test/', text, version, weak: false },
})
const product = (name: string, cpe: string, text: string, version: string): Detected => ({
  ...{ name, kind: 'server', cpe: [cpe], confidence: 'firm', version, otherVersions: [], impliedBy: [] },
  evidence: [sign(text, version)],
})

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-distributions-'))
  importFeed(folder, 'nvd', file('nvd.json', NVD), new Date())
  for (const [name, content] of Object.entries({ ubuntu: UBUNTU, redhat: REDHAT })) {
    const path = file(`${name}.json`, content)
    importFeed(folder, recogniseFeed(path), path, new Date())
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const file = (name: string, content: unknown): string => {
  const path = join(folder, name)
  writeFileSync(path, JSON.stringify(content))
  return path
}

const IDS = [
  'CVE-2024-0001',
  'CVE-2024-0002',
  'CVE-2024-0003',
  'CVE-2024-0004',
  'CVE-2024-0005',
  'CVE-2024-0006',
] as const
const NVD = {
  vulnerabilities: IDS.map((id) => ({
    cve: {
      id,
      descriptions: [{ lang: 'en', value: 'A flaw.' }],
      configurations: ['php:php', 'openbsd:openssh', 'apache:http_server'].map((name) => ({
        nodes: [
          {
            operator: 'OR',
            cpeMatch: [{ vulnerable: true, criteria: `cpe:2.3:a:${name}:*:*:*:*:*:*:*:*`, versionEndExcluding: '99' }],
          },
        ],
      })),
    },
  })),
}

const released = (ecosystem: string, name: string, fixed: string | null, versions: readonly string[] = []) => ({
  package: { ecosystem, name },
  ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, ...(fixed === null ? [] : [{ fixed }])] }],
  versions,
})
const ubuntu = (id: string, ...affected: readonly object[]) => ({ id: `UBUNTU-${id}`, upstream: [id], affected })
const UBUNTU = [
  ubuntu(
    IDS[0],
    released('Ubuntu:22.04:LTS', 'php8.1', '8.1.2-1ubuntu2.20'),
    released('Ubuntu:20.04:LTS', 'php7.4', '7.4.3-4ubuntu2.24'),
    released('Ubuntu:22.04:LTS', 'openssh', '1:8.9p1-3ubuntu0.10'),
    released('Ubuntu:24.04:LTS', 'openssh', '1:9.6p1-3ubuntu13.3'),
  ),
  ubuntu(IDS[1], released('Ubuntu:22.04:LTS', 'php8.1', '8.1.2-1ubuntu2.10')),
  ubuntu(IDS[2], released('Ubuntu:22.04:LTS', 'php8.1', null, ['8.1.2-1ubuntu2.14', '8.1.2-1ubuntu2.15'])),
  ubuntu(IDS[3], released('Ubuntu:Pro:22.04:LTS', 'php8.1', '8.1.2-1ubuntu2.99+esm1')),
  { ...ubuntu(IDS[4], released('Ubuntu:22.04:LTS', 'php8.1', '8.1.2-1ubuntu2.99')), withdrawn: '2024-01-01T00:00:00Z' },
]
const REDHAT = {
  document: { category: 'csaf_vex', csaf_version: '2.0' },
  vulnerabilities: [
    {
      cve: IDS[0],
      product_status: {
        fixed: [
          'AppStream-8.9.0.Z.MAIN:httpd-0:2.4.37-62.module+el8.9.0+19699+7a7a2044.src::httpd:2.4',
          'BaseOS-9.4.0.Z.MAIN:httpd-0:2.4.57-8.el9.x86_64',
        ],
        known_affected: ['red_hat_enterprise_linux_7:httpd', 'red_hat_enterprise_linux_8:httpd:2.4/httpd'],
      },
    },
    {
      cve: IDS[1],
      product_status: {
        known_not_affected: ['red_hat_enterprise_linux_7:httpd', 'BaseOS-9.4.0.Z.MAIN:httpd-0:2.4.57-8.el9.src'],
      },
    },
    { cve: IDS[2], product_status: { known_affected: ['red_hat_enterprise_linux_7:httpd'] } },
  ],
}

const look = async (...technologies: readonly Detected[]) => {
  const { ctx, close } = collectContext('127.0.0.1', { module: 'cve', knowledge: folder })
  try {
    const facts = await collectCve(ctx, { technologies, favicon: null, endOfLife: [], knowledge: {} })
    const cves = facts.components.flatMap((one) => one.cves)
    return {
      facts,
      found: Object.fromEntries(cves.map(({ id, match }) => [id, match])),
      because: Object.fromEntries(cves.map(({ id, because }) => [id, because])),
    }
  } finally {
    await close()
  }
}

describe('Ubuntu', () => {
  it('a revision against the release that it belongs to', async () => {
    const { found, because, facts } = await look(product('PHP', 'php:php', 'PHP/8.1.2-1ubuntu2.14', '8.1.2'))
    expect(found).toEqual({
      // Fixed later, fixed already (left out), open in a list, fixed for subscribers alone; withdrawn and unknown ones.
      'CVE-2024-0001': 'certain',
      'CVE-2024-0003': 'certain',
      'CVE-2024-0004': 'certain',
      'CVE-2024-0005': 'possible',
      'CVE-2024-0006': 'possible',
    })
    expect(because['CVE-2024-0001']).toBe('Ubuntu fixed it in php8.1 8.1.2-1ubuntu2.20, and 8.1.2-1ubuntu2.14 runs')
    expect(facts.knowledge.ubuntu).toBeDefined()
  })

  it.each([
    ['before the fix', 'OpenSSH_8.9p1 Ubuntu-3ubuntu0.6', '8.9p1', 'certain'],
    ['with the fix', 'OpenSSH_8.9p1 Ubuntu-3ubuntu0.10', '8.9p1', undefined],
    ['of another release', 'OpenSSH_9.6p1 Ubuntu-3ubuntu13', '9.6p1', 'certain'],
    ['of a release that nobody lists', 'OpenSSH_9.0p1 Ubuntu-1ubuntu7', '9.0p1', 'possible'],
    ['the family alone', 'OpenSSH_8.9p1 Ubuntu', '8.9p1', 'possible'],
  ])('OpenSSH, %s', async (_trick, banner, version, expected) => {
    const { found } = await look(product('OpenSSH', 'openbsd:openssh', banner, version))
    expect(found['CVE-2024-0001']).toBe(expected)
  })
})

describe('Red Hat and what is built from it', () => {
  it('the family alone: possible with the fixes, silent where no release is affected', async () => {
    const { found, because } = await look(
      product('Apache HTTP Server', 'apache:http_server', 'Apache/2.4.37 (CentOS)', '2.4.37'),
    )
    expect(found).toEqual({
      'CVE-2024-0001': 'possible',
      'CVE-2024-0003': 'possible',
      'CVE-2024-0004': 'possible',
      'CVE-2024-0005': 'possible',
      'CVE-2024-0006': 'possible',
    })
    expect(because['CVE-2024-0001']).toBe(
      'Red Hat fixed it in 2.4.37-62.module+el8.9.0+19699+7a7a2044, 2.4.57-8.el9; the banner does not say which revision runs',
    )
  })
})
