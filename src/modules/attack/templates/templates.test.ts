import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Hit } from '../../../templates/run/hit.ts'
import type { TemplateResult } from '../../../templates/run/match.ts'
import {
  caseAddress,
  caseTarget,
  type Served,
  serveTemplateCase,
} from '../../../templates/run/testing/template-case.ts'
import type { CollectContext } from '../../module.ts'
import type { TechnologyFacts } from '../../passive/technology/facts.ts'
import { collectContext } from '../../testing/collecting.ts'
import { judgeCases } from '../../testing/judge-cases.ts'
import { caseSite } from '../../testing/site-facts.ts'
import { TEMPLATE_CHECKS } from './checks.ts'
import { baseOf, collectTemplates } from './collect.ts'
import { confidenceOf } from './confidence.ts'
import type { TemplatesFacts } from './facts.ts'
import { templateTables } from './tables.ts'

const ADDRESS = caseAddress(70)
const folder = mkdtempSync(join(tmpdir(), 'sonde-catalogue-'))
let served: Served

const write = (file: string, severity: string, tags: string, path: string, word: string, more = ''): void => {
  mkdirSync(join(folder, file, '..'), { recursive: true })
  const id = file.split('/').at(-1)?.replace('.yaml', '')
  writeFileSync(
    join(folder, file),
    `id: ${id}\ninfo:\n  name: ${id}\n  author: a\n  severity: ${severity}\n  tags: ${tags}\n  classification:\n    cve-id: ${more}\nhttp:\n  - method: GET\n    path: ["{{BaseURL}}${path}"]\n    matchers: [{type: word, words: ["${word}"]}]\n`,
  )
}

beforeAll(async () => {
  write('http/exposures/notes.yaml', 'high', 'exposure', '/notes.txt', 'notes of the meeting')
  write('http/exposures/any.yaml', 'critical', 'exposure', '/anything.bak', 'the shop of the town')
  write('http/misconfiguration/word.yaml', 'high', 'misconfig', '/notes.txt', 'admin')
  write(
    'http/cves/2024/CVE-2024-0001.yaml',
    'critical',
    'cve,wiki',
    '/wiki/run',
    'wiki ran the command',
    'CVE-2024-0001',
  )
  write('http/cves/2024/CVE-2024-0002.yaml', 'critical', 'cve,blog', '/blog/run', 'blog', 'CVE-2024-0002')
  write('http/cves/2024/wipe.yaml', 'critical', 'wiki,intrusive', '/wiki/wipe', 'wiped')
  write('http/misconfiguration/login.yaml', 'low', 'misconfig', '/{{username}}', 'hello')
  served = await serveTemplateCase(ADDRESS, (request, response) => {
    if (request.url === '/notes.txt') response.end('notes of the meeting with the admin')
    else if (request.url === '/wiki/run') response.end('the wiki ran the command')
    // A site that answers everything with its own page.
    else response.end('the shop of the town')
  })
})
afterAll(async () => {
  await served.close()
  rmSync(folder, { recursive: true, force: true })
})

const technology = (...names: string[]): TechnologyFacts =>
  ({
    technologies: names.map((name) => ({
      name,
      kind: 'cms',
      cpe: [],
      confidence: 'firm',
      version: null,
      otherVersions: [],
      evidence: [],
      impliedBy: [],
    })),
    favicon: null,
    endOfLife: [],
    knowledge: {},
  }) as unknown as TechnologyFacts

const collect = async (full: boolean, products: readonly string[]) => {
  const { ctx, close } = collectContext(ADDRESS, {
    module: 'templates',
    requests: 500,
    port: served.port,
    settings: { templatesFolder: folder },
  })
  const asked: CollectContext = { ...ctx, options: { ...ctx.options, template_full: full } }
  try {
    const site = caseSite({ baseUrl: `${caseTarget(served.port)}/` })
    return await collectTemplates(asked, site, technology(...products), 60)
  } finally {
    await close()
  }
}
const ids = (facts: TemplatesFacts) =>
  facts.results.map(({ template, confidence }) => `${template.id} ${confidence}`).toSorted()

it.each([
  ['https://shop.test/', 'https://shop.test/'],
  ['https://shop.test/login.php', 'https://shop.test/'],
  ['https://shop.test/mail/index.php?lang=en', 'https://shop.test/mail/'],
  ['https://shop.test/blog/', 'https://shop.test/blog/'],
  ['https://shop.test/users/sign_in', 'https://shop.test/'],
  ['https://shop.test/v1.2', 'https://shop.test/'],
])('a site that starts at %s is asked below %s', (start, folder) => {
  expect(baseOf(start)).toBe(folder)
})

describe('a run', () => {
  it('takes what fits the site, asks again, and refutes', async () => {
    const facts = await collect(false, ['Wiki'])
    expect(ids(facts)).toEqual(['CVE-2024-0001 confirmed', 'notes confirmed', 'word tentative'])
    expect(facts).toMatchObject({
      catalogue: { templates: 7 },
      counts: { failed: 0, late: 0, notFitting: 1, refuted: 1, skipped: 0 },
      heldBack: [
        { tier: 'destructive', templates: 1 },
        { tier: 'operator-values', templates: 1 },
      ],
      skips: [],
    })
    expect(served.seen.filter(({ line }) => line.includes('/blog/') || line.includes('/wipe'))).toEqual([])
    expect(templateTables(facts).map(({ id }) => id)).toEqual(['templates', 'templates-held-back'])
  })

  it('takes the whole allowed catalogue when asked', async () => {
    const facts = await collect(true, [])
    expect(facts.counts).toMatchObject({ notFitting: 0 })
    expect(ids(facts)).toContain('CVE-2024-0001 confirmed')
    expect(served.seen.some(({ line }) => line.includes('/wipe'))).toBe(false)
  })
})

const result = (change: Partial<TemplateResult>): TemplateResult => ({
  template: {
    id: 'x',
    name: 'X',
    file: 'x.yaml',
    hash: 'ab',
    severity: 'critical',
    description: 'It is so.',
    remediation: '',
    references: [],
    tags: [],
    cvss: null,
  },
  kind: 'vulnerability',
  matcher: '',
  at: { url: 'http://shop.test/x' },
  confidence: 'confirmed',
  because: 'matched twice',
  extracted: [],
  mark: 'sign',
  excerpt: 'a sign of it',
  replay: null,
  cve: [],
  evidence: null,
  ...change,
})
const facts = (results: readonly TemplateResult[], change: Partial<TemplatesFacts> = {}): TemplatesFacts => ({
  catalogue: { version: '1', templates: 9 },
  own: 2,
  full: false,
  counts: { selected: 5, run: 5, skipped: 0, failed: 0, late: 0, notFitting: 0, pruned: 0, refuted: 0 },
  heldBack: [],
  refused: [],
  broken: 0,
  skips: [],
  requests: { named: 5, sent: 4, failed: 0 },
  results,
  ...change,
})

for (const check of TEMPLATE_CHECKS) {
  const [definition] = check.findings
  const kind = (definition?.id.split('/')[1] ?? 'detection') as TemplateResult['kind']
  judgeCases(check, [
    { name: 'found', facts: facts([result({ kind })]), expect: [`templates/${kind}`] },
    { name: 'a hint', facts: facts([result({ kind, confidence: 'tentative' })]), expect: [`templates/${kind}`] },
    {
      name: 'of another kind',
      facts: facts([result({ kind: kind === 'exposure' ? 'detection' : 'exposure' })]),
      expect: [],
    },
    { name: 'no catalogue', facts: facts([], { catalogue: null }), expect: [], unjudged: 'not_tested' },
    {
      name: 'time ran out',
      facts: facts([result({ kind })], { counts: { ...facts([]).counts, late: 3 } }),
      expect: [`templates/${kind}`],
      unjudged: 'inconclusive',
    },
  ])
}

describe('confidence', () => {
  const sign = (type: 'word' | 'status', ...values: string[]) => ({
    name: null,
    type,
    part: 'body',
    values,
    negative: false,
  })
  const hit = (...signs: readonly ReturnType<typeof sign>[]): Hit => ({
    ...{ name: '', at: {}, request: '', response: '', extracted: [], http: null, outOfBand: false },
    signs,
  })
  const [borne, moved] = [
    { again: true, sibling: false },
    { again: true, sibling: null },
  ]
  it.each([
    [
      'a short word and a status, borne out by both controls',
      hit(sign('word', '[global]'), sign('status', '200')),
      borne,
      'firm',
    ],
    [
      'the same without a path to compare with',
      hit(sign('word', '[global]'), sign('status', '200')),
      moved,
      'tentative',
    ],
    ['a short word alone', hit(sign('word', '[global]')), borne, 'tentative'],
    ['a common word and a status', hit(sign('word', 'admin'), sign('status', '200')), borne, 'tentative'],
    ['a phrase', hit(sign('word', 'root:x:0:0:root')), borne, 'confirmed'],
  ] as const)('%s', (_what, one, controls, expected) => {
    expect(confidenceOf(one, controls).confidence).toBe(expected)
  })
})

describe('severity', () => {
  it.each([
    ['confirmed', 'critical'],
    ['firm', 'high'],
    ['tentative', 'info'],
  ] as const)('%s is %s at most', (confidence, severity) => {
    const judged = TEMPLATE_CHECKS[0]?.judge(facts([result({ confidence })]), {}, {} as never)
    expect(judged).toMatchObject([{ severity }])
  })
})
