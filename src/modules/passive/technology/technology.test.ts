import { afterEach, describe, expect, it } from 'vitest'
import type { Detected } from '../../../knowledge/fingerprints/match.ts'
import { faviconHash, murmur3 } from '../../../knowledge/murmur.ts'
import { distributionOf } from '../../../knowledge/versions/distribution.ts'
import { type CaseServers, collectContext, serveCase } from '../../testing/collecting.ts'
import { caseContext, judgeCases } from '../../testing/judge-cases.ts'
import { casePage, caseSite } from '../../testing/site-facts.ts'
import type { DisclosureFacts } from '../disclosure/facts.ts'
import { collectTechnology } from './collect.ts'
import { endOfLife } from './end-of-life.ts'
import type { TechnologyFacts } from './facts.ts'
import { technology } from './module.ts'

const DISCLOSURE: DisclosureFacts = {
  scripts: [],
  unfetched: 0,
  maps: [],
  robots: null,
  securityTxt: null,
  securityTxtAtRoot: null,
  malformed: null,
  folders: [],
}

describe('hashes', () => {
  // Reference values of MurmurHash3_x86_32 with seed 0, as published with its verification tests.
  it.each([
    ['empty', '', 0],
    ['one tail byte', 'a', 0x3c2569b2],
    ['a block', 'test', 0xba6bd213 | 0],
    ['a block and a tail', 'Hello, world!', 0xc0363e43 | 0],
  ])('%s', (_name, text, expected) => {
    expect(murmur3(Buffer.from(text))).toBe(expected)
  })

  it('of an icon is taken over Base64 in lines', () => {
    const lines = `${'QUFB'.repeat(19)}\n${'QUFB'.repeat(1)}\n`
    expect(faviconHash(Buffer.from('A'.repeat(60)))).toBe(murmur3(Buffer.from(lines)))
  })
})

describe('distributions in banners', () => {
  it.each([
    ['PHP of Debian', 'PHP/7.4.33-1+deb11u4', ['debian', '7.4.33-1+deb11u4', '11']],
    ['OpenSSH of Debian', 'OpenSSH_9.2p1 Debian-2+deb12u3', ['debian', '9.2p1-2+deb12u3', '12']],
    ['MariaDB of Debian', '5.5.5-10.11.6-MariaDB-0+deb12u1', ['debian', '10.11.6-0+deb12u1', '12']],
    ['PHP of Ubuntu', 'PHP/8.1.2-1ubuntu2.14', ['ubuntu', '8.1.2-1ubuntu2.14', null]],
    ['the family alone', 'Apache/2.4.57 (Debian)', ['debian', null, null]],
    ['Red Hat', 'Apache/2.4.6 (CentOS)', ['redhat', null, null]],
    ['none', 'nginx/1.25.3', null],
  ])('%s', (_name, banner, expected) => {
    const found = distributionOf(banner)
    expect(found && [found.family, found.revision, found.release]).toEqual(expected)
  })
})

describe('collecting', () => {
  let servers: CaseServers | null = null
  afterEach(async () => {
    await servers?.close()
    servers = null
  })

  const names = (facts: TechnologyFacts) =>
    Object.fromEntries(facts.technologies.map((one) => [one.name, [one.confidence, one.version]]))

  it('reads what the pages show and asks for the icon they name', async () => {
    const asked: string[] = []
    servers = await serveCase(61, {
      http: (request, response) => {
        asked.push(request.url ?? '')
        response.setHeader('Content-Type', 'image/png')
        response.end('icon')
      },
    })
    const { ctx, close } = collectContext(servers.address, { module: 'technology' })
    const body = `<html><head><meta name="generator" content="WordPress 6.4.2"><link rel="icon" href="/i.png">
      <script src="/wp-includes/js/jquery/jquery.min.js?ver=3.7.1"></script></head></html>`
    const site = caseSite({
      baseUrl: 'http://shop.test/',
      pages: [
        casePage({ url: 'http://shop.test/', body, headers: { Server: 'nginx/1.24.0', 'Set-Cookie': 'PHPSESSID=a' } }),
      ],
    })
    const facts = await collectTechnology(ctx, site, {
      ...DISCLOSURE,
      scripts: [
        {
          url: 'http://shop.test/wp-includes/js/jquery/jquery.min.js?ver=3.7.1',
          status: 200,
          headers: [],
          body: '/*! jQuery v3.7.1 | (c) OpenJS Foundation */',
          truncated: false,
          mapUrl: null,
        },
      ],
    })
    await close()
    expect(asked).toEqual(['/i.png'])
    expect(facts.favicon).toEqual({ url: 'http://shop.test/i.png', hash: faviconHash(Buffer.from('icon')) })
    expect(names(facts)).toMatchObject({
      WordPress: ['firm', '6.4.2'],
      Nginx: ['firm', '1.24.0'],
      PHP: ['firm', null],
      jQuery: ['firm', '3.7.1'],
    })
    expect(JSON.parse(JSON.stringify(facts))).toEqual(facts)
    const [table] = technology.tables?.(facts) ?? []
    expect(table?.rows.find(([name]) => name === 'jQuery')?.slice(0, 4)).toEqual(['jQuery', 'library', '3.7.1', 'firm'])
  })

  it('takes a page in place of the icon for none', async () => {
    servers = await serveCase(62, {
      http: (_request, response) => {
        response.setHeader('Content-Type', 'text/html')
        response.end('<h1>Shop</h1>')
      },
    })
    const { ctx, close } = collectContext(servers.address, { module: 'technology' })
    const facts = await collectTechnology(ctx, caseSite({ baseUrl: 'http://shop.test/' }), DISCLOSURE)
    await close()
    expect(facts.favicon).toBeNull()
    expect(facts.technologies).toEqual([])
  })
})

const php = (text: string): Detected => ({
  name: 'PHP',
  kind: 'language',
  cpe: ['php:php'],
  confidence: 'firm',
  version: '8.1.2',
  otherVersions: [],
  impliedBy: [],
  evidence: [
    { source: 'header', name: 'x-powered-by', url: 'https://shop.test/', text, version: '8.1.2', weak: false },
  ],
})

const facts = (end: string, distribution: string | null = null): TechnologyFacts => ({
  technologies: [php('PHP/8.1.2')],
  favicon: null,
  endOfLife: [{ product: 'PHP', version: '8.1.2', cycle: '8.1', end, distribution }],
  knowledge: {},
})

judgeCases(endOfLife, [
  { name: 'ended last year', facts: facts('2025-12-31'), expect: ['technology/end-of-life'] },
  { name: 'ends next year', facts: facts('2027-12-31'), expect: [] },
  { name: 'a distribution cares for it', facts: facts('2025-12-31', 'debian'), expect: ['technology/end-of-life'] },
])

describe('who cares for it longer', () => {
  const confidence = (end: string, product: string, distribution: string | null = null) => {
    const line = { product, version: '1', cycle: '1', end, distribution }
    const judged = endOfLife.judge({ ...facts(end), endOfLife: [line] }, {}, caseContext())
    return Array.isArray(judged) ? judged[0]?.confidence : null
  }
  it.each([
    ['a package of distributions, which none is named for', '2022-11-28', 'PHP', null, 'tentative'],
    ['one whose banner names it', '2022-11-28', 'PHP', 'redhat', 'tentative'],
    ['one that ended before any care goes back', '2010-01-01', 'PHP', null, 'firm'],
    ['a library of a page', '2021-03-02', 'jQuery', null, 'firm'],
  ] as const)('%s', (_what, end, product, distribution, expected) => {
    expect(confidence(end, product, distribution)).toBe(expected)
  })
})
