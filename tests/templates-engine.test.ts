/** The engine around the format: what it refuses, holds back, chooses, sends once and keeps. */
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RE2JS } from 're2js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cvssOf } from '../src/engine/cvss.ts'
import { collectContext } from '../src/modules/testing/collecting.ts'
import { openCatalogue } from '../src/templates/language/catalogue.ts'
import { buildWordIndex } from '../src/templates/language/match/words.ts'
import { parseTemplate } from '../src/templates/language/parse/template.ts'
import { compileRegex, watchTogether } from '../src/templates/language/regex/regex.ts'
import { translate } from '../src/templates/language/regex/translate.ts'
import { policyOf, selectTemplates } from '../src/templates/language/select.ts'
import type { Template } from '../src/templates/language/template.ts'
import { hasSibling, siblingOf } from '../src/templates/run/control.ts'
import { createHttpClient } from '../src/templates/run/http/client.ts'
import { runAll } from '../src/templates/run/run-all.ts'
import { schedule } from '../src/templates/run/schedule.ts'
import {
  caseAddress,
  caseTarget,
  runCase,
  type Served,
  serveTemplateCase,
  templateOf,
} from '../src/templates/run/testing/template-case.ts'
import { targetOf } from '../src/templates/run/values.ts'
import fc from './support/properties.ts'

const ADDRESS = caseAddress(69)
const folder = mkdtempSync(join(tmpdir(), 'sonde-engine-'))
let served: Served

beforeAll(async () => {
  served = await serveTemplateCase(ADDRESS, (request, response) => {
    if (request.url === '/old') response.writeHead(301, { location: '/' }).end()
    else response.end(`a page of this shop ${'x'.repeat(200)}`)
  })
})
afterAll(async () => {
  await served.close()
  rmSync(folder, { recursive: true, force: true })
})

const MATCH = '    matchers: [{type: word, words: [shop]}]'
const get = (path: string, more = ''): string =>
  `http:\n  - method: GET\n    path: ["{{BaseURL}}${path}"]\n${more}${MATCH}`
const raw = (text: string, more = ''): string =>
  `http:\n  - raw:\n      - |\n${text
    .split('\n')
    .map((line) => `        ${line}`)
    .join('\n')}\n${more}${MATCH}`

describe('refused by policy', () => {
  it.each([
    ['programs', 'code: [{engine: [sh], source: id}]', 'code'],
    ['files of this machine', 'file: [{extensions: [all]}]', 'file'],
    ['races', `${get('/')}\n    race: true`, 'race'],
    ['pipelining', `${get('/')}\n    pipeline: true`, 'pipeline'],
    ['WebSocket', 'websocket: [{address: "ws://{{Hostname}}", inputs: [{data: x}]}]', 'websocket'],
    ['fuzzing', `${get('/')}\n    fuzzing: [{part: query}]`, 'fuzzing'],
    ['connections by a function', get('/{{public_ip()}}'), 'function'],
  ])('%s', (_what, yaml, code) => {
    const parsed = parseTemplate(`id: x\ninfo: {name: X, author: a, severity: info}\n${yaml}`, 'x.yaml')
    expect(parsed).toMatchObject({ kind: 'refused', refusal: { code } })
  })
})

describe('vectors of all four versions are kept as they are scored', () => {
  it.each([
    ['4.0', 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', 'v4_0'],
    ['3.1', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 'v3_1'],
    ['3.0', 'CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 'v3_0'],
    ['2.0', 'CVSS:2.0/AV:N/AC:L/Au:N/C:P/I:P/A:P', 'v2_0'],
    ['2.0, bare', 'AV:N/AC:L/Au:N/C:P/I:P/A:P', 'v2_0'],
    ['2.0, in parentheses', '(AV:N/AC:L/Au:N/C:P/I:P/A:P)', 'v2_0'],
    ['none', 'see the advisory', null],
  ])('%s', (_version, vector, key) => {
    const info = `{name: X, author: a, severity: high, classification: {cvss-metrics: "${vector}"}}`
    const parsed = parseTemplate(`id: x\ninfo: ${info}\n${get('/')}`, 'x.yaml')
    const kept = parsed.kind === 'template' ? parsed.template.info.cvss : expect.fail('it is refused')
    expect(kept === null ? null : Object.entries(cvssOf(kept)).find(([, one]) => one !== null)?.[0]).toBe(key)
  })
})

describe('what a template does, whatever its tags say', () => {
  it.each([
    ['reads', get('/a'), []],
    ['PUT', 'http:\n  - method: PUT\n    path: ["{{BaseURL}}/x"]', ['write']],
    [
      'an upload',
      raw('POST /u HTTP/1.1\nHost: {{Hostname}}\n\nContent-Disposition: form-data; name="f"; filename="a.php"'),
      ['write'],
    ],
    ['SQL that inserts', get('/?q=1;INSERT+INTO+users'), ['write']],
    ['a command that removes', get('/?q=;rm%20-rf'), ['write']],
    ['a command that only tells', get('/?q=;id'), []],
    [
      'passwords',
      `${get('/{{user}}/{{pass}}')}\n    payloads: {user: [a], pass: [b]}\n    attack: pitchfork`,
      ['login'],
    ],
    [
      'waiting',
      `http:\n  - raw:\n      - |\n        @timeout: 20s\n        GET /?q=SLEEP(6) HTTP/1.1\n        Host: {{Hostname}}\n    matchers: [{type: dsl, dsl: ["duration>=6"]}]`,
      ['time-based'],
    ],
    ['a callback', get('/?u={{interactsh-url}}'), ['out-of-band']],
    [
      'many requests',
      `${get('/{{x}}')}\n    payloads: {x: [${Array.from({ length: 101 }, (_, at) => at).join(', ')}]}`,
      ['bulk'],
    ],
    [
      'smuggling',
      raw(
        'POST / HTTP/1.1\nHost: {{Hostname}}\nTransfer-Encoding: chunked\nContent-Length: 4\n\n0',
        '    unsafe: true\n',
      ),
      ['smuggling', 'raw-socket'],
    ],
    ['others', `self-contained: true\n${get('/')}`, ['third-party']],
  ])('%s', (_what, yaml, tiers) => expect(templateOf(yaml).tiers).toEqual(tiers))

  it('tags count too', () => expect(templateOf(get('/'), { tags: 'dos' }).tiers).toEqual(['destructive']))

  it.each([
    ['asks for a page', get('/?q=;id'), ['intrusive']],
    ['asks for a page, and waits for a call', get('/?u={{interactsh-url}}'), ['intrusive', 'out-of-band']],
    ['posts', 'http:\n  - method: POST\n    path: ["{{BaseURL}}/x"]', ['destructive']],
    ['wipes by asking', get('/wiki/wipe'), ['destructive']],
    ['writes a file by a command', get('/?q=%60echo%20-e%20%27x%27%3E%20/www/a.html%60'), ['destructive', 'write']],
    ['writes a file by tee', get('/?q=|echo%20x|tee%20/var/www/a.txt'), ['destructive', 'write']],
    ['speaks to a socket', 'tcp: [{host: ["{{Hostname}}"], inputs: [{data: x}]}]', ['destructive']],
  ])('said to be intrusive: %s', (_what, yaml, tiers) => {
    expect(templateOf(yaml, { tags: 'intrusive' }).tiers).toEqual(tiers)
  })
})

describe('selection', () => {
  const named = (id: string, file: string, tags: string): Template => ({ ...templateOf(get('/'), { tags, file }), id })
  const all = [
    named('tomcat', 'http/cves/t.yaml', 'cve,tomcat'),
    named('generic', 'http/exposures/g.yaml', 'exposure'),
    named('other', 'http/cves/o.yaml', 'cve,jira'),
    named('kev', 'http/cves/k.yaml', 'cve,kev'),
    named('harm', 'http/cves/h.yaml', 'tomcat,intrusive'),
  ]
  const products = [{ name: 'Apache Tomcat', cpe: ['apache:tomcat'] }]
  it.each([
    ['what fits, and what fits every site', false, ['tomcat', 'generic', 'kev'], 1],
    ['everything that is allowed', true, ['tomcat', 'generic', 'other', 'kev'], 0],
  ])('%s', (_name, full, ids, notFitting) => {
    const selection = selectTemplates(all, products, policyOf({ full, listener: false }))
    expect(selection.templates.map(({ id }) => id)).toEqual(ids)
    expect(selection).toMatchObject({ heldBack: { intrusive: 1 }, notFitting })
  })

  it('a test system is asked what is said to be intrusive and only asks, and made to wait', () => {
    const waits: Template = { ...named('waits', 'http/cves/w.yaml', 'tomcat'), tiers: ['time-based'] }
    const writes: Template = { ...named('writes', 'http/cves/w.yaml', 'tomcat'), tiers: ['write'] }
    const ids = (test: boolean) =>
      selectTemplates(
        [...all, waits, writes],
        products,
        policyOf({ full: false, listener: false, test }),
      ).templates.map(({ id }) => id)
    expect(ids(true)).toEqual(['tomcat', 'generic', 'kev', 'harm', 'waits'])
    expect(ids(false)).toEqual(['tomcat', 'generic', 'kev'])
  })
})

describe('requests', () => {
  it('are sent once, path or raw, with every redirect mode judged by itself', async () => {
    const yamls = [
      get('/a'),
      get('/a', '    redirects: true\n'),
      raw('GET /a HTTP/1.1\nHost: {{Hostname}}\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64)\nConnection: close'),
      get('/a', '    headers: {X-Own: "1"}\n'),
      get('/old'),
      get('/old', '    redirects: true\n'),
    ]
    const { ctx, close } = collectContext(ADDRESS, { module: 'templates', requests: 100, port: served.port })
    try {
      const client = createHttpClient(ctx.egress, null)
      const target = targetOf(caseTarget(served.port))
      const scheduled = schedule(
        yamls.map((yaml) => templateOf(yaml)),
        target,
      )
      for (const { requests } of scheduled) for (const request of requests) client.expect(request)
      const parts = {
        egress: ctx.egress,
        client,
        signal: ctx.signal,
        browser: ctx.browser,
        given: new Map(),
        readList: () => null,
        listener: null,
      }
      const ran = await runAll(scheduled, target, parts, {
        until: performance.now() + 10_000,
        progress: () => undefined,
        fault: (error: unknown) => {
          throw error
        },
      })
      expect(ran).toMatchObject({ run: 6, failed: 0, late: 0 })
      // All but the one that must not follow.
      expect(ran.hits).toHaveLength(5)
      expect(client.stats()).toMatchObject({ named: 7, sent: 4 })
    } finally {
      await close()
    }
  })

  it.each([
    ['/a/b.php?x=1', '/a/bZZ.php?x=1'],
    ['/a/', '/aZZ/'],
    ['/.git/config', '/.git/configZZ'],
    ['/..%2f..%2fetc/passwd', '/..%2f..%2fetc/passwdZZ'],
  ])('the sibling of %s', (target, sibling) => expect(siblingOf(target, 'ZZ')).toBe(sibling))

  it('the root has none', () =>
    expect([hasSibling('/'), hasSibling('/?a=1'), hasSibling('/index.php')]).toEqual([false, false, false]))
})

describe('calls to our listener', () => {
  const listener = (called: boolean) => ({
    issue: () => ({ token: 't', host: 't.oob.example', url: 'http://t.oob.example/' }),
    hits: async () => (called ? [{ protocol: 'dns' as const, from: '192.0.2.1', detail: '', agent: 'A' }] : []),
  })
  const yaml = `http:\n  - method: GET\n    path: ["{{BaseURL}}/?u=http://{{interactsh-url}}/"]\n    matchers: [{type: word, part: interactsh_protocol, words: [dns]}]`
  it.each([
    [true, 1],
    [false, 0],
  ])('came: %s', async (called, hits) => {
    const ran = await runCase(templateOf(yaml), { address: ADDRESS, port: served.port }, { listener: listener(called) })
    expect(ran.hits).toHaveLength(hits)
    expect(served.seen.at(-1)?.line).toBe('GET /?u=http://t.oob.example/')
  })

  it('without a listener there is nothing to put in', async () => {
    const ran = await runCase(templateOf(yaml), { address: ADDRESS, port: served.port })
    expect(ran).toMatchObject({ hits: [], skipped: expect.stringMatching(/interactsh/) })
  })
})

describe('the compiled plan', () => {
  it('is used again, until a file changes', () => {
    const cache = join(folder, 'plans')
    const file = join(folder, 'one.yaml')
    const text = (severity: string): string =>
      `id: one\ninfo: {name: One, author: a, severity: ${severity}}\n${get('/')}\n`
    writeFileSync(file, text('low'))
    const first = openCatalogue(folder, cache)
    expect(openCatalogue(folder, cache)).toEqual(first)
    writeFileSync(file, text('high'))
    utimesSync(file, new Date(), new Date(Date.now() + 5_000))
    const changed = openCatalogue(folder, cache)
    expect([changed.hash === first.hash, changed.templates[0]?.info.severity]).toEqual([false, 'high'])
    writeFileSync(join(cache, `${changed.hash}.json`), '{"plan":')
    expect(openCatalogue(folder, cache).templates).toHaveLength(1)
  })
})

describe('patterns', () => {
  const PIECES = [
    'a',
    'b',
    '.',
    '\\s',
    '\\d+',
    '[^a]',
    '[[:alpha:]]',
    '(?i:B)',
    '(a|b)',
    '^',
    '$',
    '\\b',
    '\\n',
    '[\\]-]',
    'x?',
    '(?:ab)*',
    '{',
    '\\.',
    '[a-c]{1,2}',
    '\\x41',
    '(?m)',
    'é',
  ]
  const TEXT = ['a', 'b', 'A', 'B', ' ', '\n', '\r', '7', '.', ']', '-', '{', 'é', '\u2028', '\u017f']
  it('mean in V8 what they mean in RE2', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }).map((pieces) => pieces.join('')),
        fc.array(fc.constantFrom(...TEXT), { maxLength: 12 }).map((pieces) => pieces.join('')),
        (pattern, text) => {
          let linear: RE2JS
          try {
            linear = RE2JS.compile(pattern)
          } catch {
            return
          }
          const { source, flags } = translate(pattern)
          expect(new RegExp(source, flags).test(text), `${JSON.stringify(pattern)} on ${JSON.stringify(text)}`).toBe(
            linear.matcher(text).find(),
          )
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it.each([
    ['exponential', '(a+)+$', `${'a'.repeat(50_000)}b`],
    ['cubic', '(.*)(.*)(.*)x$', 'a'.repeat(20_000)],
    ['ordinary', 'Version ([0-9.]+)', 'Version '.repeat(20_000)],
  ])('%s time is bounded', (_kind, pattern, text) => {
    const began = performance.now()
    expect(watchTogether(() => compileRegex(pattern).test(text))).toBe(false)
    expect(performance.now() - began).toBeLessThan(5_000)
  })

  it('words: one pass finds what a search for each finds', () => {
    const words = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 5 }), {
      maxLength: 20,
    })
    fc.assert(
      fc.property(words, fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: 60 }), (list, text) => {
        const index = buildWordIndex(list)
        const found = index.scan(text)
        for (const word of list) expect(found[index.idOf(word) ?? -1] === 1).toBe(text.includes(word))
      }),
      { numRuns: 500 },
    )
  })
})
