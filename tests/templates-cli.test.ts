/** `sonde templates`: what a person sees who writes templates. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../src/main/config.ts'
import { templateTool } from '../src/main/templates.ts'
import { caseAddress, type Served, serveTemplateCase } from '../src/templates/run/testing/template-case.ts'

const ADDRESS = caseAddress(66)
const folder = mkdtempSync(join(tmpdir(), 'sonde-templates-'))
let served: Served

const write = (file: string, text: string): void => {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}
const template = (id: string, rest: string, tags = 'own'): string =>
  `id: ${id}\ninfo:\n  name: ${id}\n  author: me\n  severity: medium\n  tags: ${tags}\n${rest}\n`
const get = (path: string, word: string, name = ''): string =>
  `http:\n  - method: GET\n    path: ["{{BaseURL}}${path}"]\n    matchers:\n      - type: word\n        words: ["${word}"]${name === '' ? '' : `\n        name: ${name}`}`

beforeAll(async () => {
  served = await serveTemplateCase(ADDRESS, (request, response) => {
    const known: Readonly<Record<string, string>> = {
      '/panel': 'the panel of the warehouse',
      '/panel/users?as=demo': 'the users of the warehouse',
    }
    const text = known[request.url ?? '']
    response.statusCode = text === undefined ? 404 : 200
    response.end(text ?? 'nothing')
  })
  write('panel.yaml', template('panel', get('/panel', 'the panel of the warehouse', 'warehouse')))
  write('users.yaml', template('users', get('/panel/users?as={{username}}', 'the users of the warehouse')))
  write('all.yaml', template('all', get('/{{randstr}}', 'nothing')))
  write('wipe.yaml', template('wipe', get('/panel', 'panel'), 'own,intrusive'))
  write(
    'flow.yaml',
    'id: flow\ninfo: {name: flow, author: me}\nworkflows:\n  - template: panel.yaml\n    matchers:\n      - name: warehouse\n        subtemplates:\n          - template: users.yaml\n',
  )
  write(
    'broken/typo.yaml',
    'id: typo\ninfo: {name: t, author: me, severity: low}\nhttp:\n  - method: GET\n    path: ["/"]\n    matchers:\n      - type: wrod\n',
  )
  write('broken/tab.yaml', 'id: tab\ninfo:\n\tname: t\n')
  write('program.yaml', template('program', 'code:\n  - engine: [sh]\n    source: id'))
})
afterAll(async () => {
  await served.close()
  rmSync(folder, { recursive: true, force: true })
})

const tool = templateTool(
  readConfig({ SONDE_HOSTS: `shop.test=${ADDRESS}`, SONDE_ALLOW_NETWORKS: '127.0.0.0/8' }, '/nonexistent'),
)
const run = (change: { allow?: string[]; values?: Record<string, string>; only?: string[] } = {}) =>
  tool.run(
    { folder, target: `http://shop.test:${served.port}`, allow: [], values: {}, only: [], ...change },
    new AbortController().signal,
    () => undefined,
  )

describe('lint', () => {
  it('names file, line and what is wrong', () => {
    const { problems, summary, ...sums } = tool.lint(folder)
    expect(sums).toEqual({ templates: 5, refused: 1, broken: 2 })
    expect(summary.map(({ protocol, files, allowed }) => [protocol, files, allowed])).toEqual([
      ['http', 5, 2],
      ['workflow', 1, 1],
      ['code', 1, 0],
      ['none', 1, 0],
    ])
    const listed = problems.filter(({ level }) => level !== 'warning')
    expect(listed.map(({ file, line, level }) => `${file}:${line} ${level}`)).toEqual([
      'broken/tab.yaml:3 error',
      'broken/typo.yaml:7 error',
      'program.yaml:7 refused',
    ])
    expect(listed[1]?.message).toMatch(/http\[0\]\.matchers\[0\]\.type.*it is "wrod"/)
  })

  const BROKEN: readonly (readonly [trick: string, body: string, problem: RegExp])[] = [
    [
      'a pattern that looks ahead',
      'http:\n  - path: ["{{BaseURL}}"]\n    matchers:\n      - type: regex\n        regex:\n          - ok\n          - "a(?=b)"',
      /^13 error http\[0\]\.matchers\[0\]\.regex\[1\]: .*cannot look ahead/,
    ],
    [
      'a list in place of a text',
      'http:\n  - method: [GET]\n    path: ["{{BaseURL}}"]',
      /^8 error http\[0\]\.method: method has to be a text/,
    ],
    [
      'a matcher that the format has not',
      'http:\n  - path: ["{{BaseURL}}"]\n    matchers:\n      - type: favicon',
      /^10 error .*one of status, size, word.*"favicon"/,
    ],
    [
      'a function misspelt',
      `http:\n  - path: ["{{BaseURL}}"]\n    matchers:\n      - type: dsl\n        dsl: ['contians(body, "x")']`,
      /^11 defect .*no function "contians"; did you mean "contains"/,
    ],
    ['a field misspelt', 'http:\n  - path: ["{{BaseURL}}"]\n    matcher: []', /^9 warning .*did you mean "matchers"/],
    ['nothing to find', 'http:\n  - path: ["{{BaseURL}}"]', /^1 defect it has neither matchers nor extractors/],
    ['a flow that breaks off', `flow: http(1) &&\n${get('/', 'x')}`, /^7 error flow: flow is no script/],
    [
      'a flow to nowhere',
      `flow: http(1) && http(2)\n${get('/', 'x')}`,
      /^7 defect flow: flow asks for http\(2\), but there are 1/,
    ],
    [
      'a script that breaks off',
      'javascript:\n  - code: "let a = ;"\n    matchers: [{type: word, words: [x]}]',
      /^8 error javascript\[0\]\.code: code is no script/,
    ],
    [
      'a value that nobody gives',
      get('/{{shopid}}', 'x'),
      /^9 warning nothing in it gives a value to shopid.*--var shopid=/,
    ],
    ['a key twice', 'http:\n  - method: GET\n    method: POST', /^9 error not YAML: Map keys must be unique/],
    ['bytes', '\0\x01\x02', /^7 error not a text file/],
  ]
  it.each(BROKEN)('%s', (_trick, body, problem) => {
    const alone = mkdtempSync(join(tmpdir(), 'sonde-lint-'))
    try {
      writeFileSync(join(alone, 'one.yaml'), template('one', body))
      // A file by itself is checked like a folder.
      const { problems } = tool.lint(join(alone, 'one.yaml'))
      expect(problems.map(({ line, level, message }) => `${line} ${level} ${message}`)).toContainEqual(
        expect.stringMatching(problem),
      )
    } finally {
      rmSync(alone, { recursive: true, force: true })
    }
  })

  it('two with one id, a file without text, a workflow to nowhere', () => {
    const alone = mkdtempSync(join(tmpdir(), 'sonde-lint-'))
    try {
      for (const name of ['a', 'b']) writeFileSync(join(alone, `${name}.yaml`), template('same', get('/', 'x')))
      writeFileSync(join(alone, 'empty.yaml'), '\n')
      writeFileSync(join(alone, 'w.yaml'), 'id: w\ninfo: {name: w, author: me}\nworkflows:\n  - template: gone.yaml\n')
      const { problems } = tool.lint(alone)
      expect(problems.map(({ file, line, message }) => `${file}:${line} ${message}`)).toEqual([
        expect.stringMatching(/^b\.yaml:1 id: a\.yaml has the id "same" already/),
        'empty.yaml:1 the file is empty',
        expect.stringMatching(/^w\.yaml:0 workflows: it names gone\.yaml/),
      ])
    } finally {
      rmSync(alone, { recursive: true, force: true })
    }
  })

  it('says which folder cannot be read', () =>
    expect(() => tool.lint('/nonexistent')).toThrow(/\/nonexistent cannot be read/))
})

describe('run', () => {
  it('finds, asks wrongly, and holds back', async () => {
    const ran = await run({ only: ['panel', 'all', 'wipe'] })
    expect(ran.hits.map((hit) => [hit.template, hit.matcher, hit.confidence])).toEqual([
      ['panel', 'warehouse', 'confirmed'],
    ])
    // What matches everywhere matches beside itself too.
    expect(ran).toMatchObject({ refuted: 1, heldBack: { intrusive: 1 }, run: 2 })
  })

  it('needs a value that only a person knows', async () => {
    expect((await run({ only: ['users'] })).skipped[0]?.reason).toMatch(/username/)
    expect((await run({ only: ['users'], values: { username: 'demo' } })).hits).toHaveLength(1)
  })

  it('runs a workflow', async () => {
    const ran = await run({ only: ['flow'], values: { username: 'demo' } })
    expect(ran.hits.map((hit) => hit.template)).toEqual(['users'])
  })

  it.each([
    ['an unknown id', { only: ['nobody'] }, /nobody/],
    ['an unknown tier', { allow: ['everything'] }, /everything/],
  ])('%s', async (_trick, change, message) => expect(run(change)).rejects.toThrow(message))
})
