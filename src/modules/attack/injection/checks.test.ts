import { describe, expect, it } from 'vitest'
import { harmOf } from '../../../safety/harmless.ts'
import { caseContext, judgeCases } from '../../testing/judge-cases.ts'
import { formatOf } from '../insertion-points/serialized.ts'
import { CASE_CRAWL, caseProbed } from '../insertion-points/testing/probed-facts.ts'
import { fileType, withType } from './documents.ts'
import type { AnswersHit, CalledHit, ComputedHit, FileHit, InjectionHit, OpenedHit, WaitedHit } from './facts.ts'
import { pathTraversal, xmlExternalEntity } from './files.ts'
import { code, command, template } from './interpreters.ts'
import * as paths from './paths.ts'
import { FILES, FOLDERS, NO_FILE, NO_FOLDER, PATHS, SIZED } from './paths.ts'
import { CALLING_CODE, CODE, COMMAND_WAITS, COMMANDS, callingCommand } from './payloads.ts'
import { ldap, nosql, xpath } from './queries.ts'
import { QUESTIONERS } from './questions.ts'
import { fileInclusion, serverSideLookup, serverSideRequest } from './requests.ts'
import { deserialization, serializedObject } from './serialized-object.ts'
import { BROKEN_TEMPLATE, ENGINES, FORMAT, TEMPLATE_WAITS } from './templates.ts'

const known = CASE_CRAWL
const facts = (...hits: InjectionHit[]) => ({ ...caseProbed<InjectionHit>(hits), listened: true })
const seen = (a: number, expected: string, shown = true) => ({
  payload: `{{${a}*3000}}`,
  expected,
  seen: shown,
  excerpt: `Hello ${expected}`,
  replay: 'curl',
})
const computed = (kind: ComputedHit['kind'], ...list: ComputedHit['computed']): ComputedHit => ({
  kind,
  proof: 'computed',
  flavour: 'x',
  computed: list.length > 0 ? list : [seen(2_000, '6000000'), seen(2_001, '6003000')],
})
const waited = (change: Partial<WaitedHit> = {}): WaitedHit => ({
  kind: 'command',
  proof: 'waited',
  flavour: 'shell, ;',
  payload: ';sleep 1.4;',
  baseline: [20, 21, 20, 22, 20, 19, 21, 20],
  trials: [1.4, 0, 2.6, 0.8, 0, 3, 1.9].map((delay) => ({ delay, ms: delay * 1_000 + 20 })),
  replay: 'curl',
  ...change,
})
const opened = (...paths: readonly string[]): OpenedHit => ({
  ...{ kind: 'traversal', proof: 'opened', flavour: '../', folder: '/srv/in/' },
  names: paths.map((path) => ({ payload: `..${path}`, path, excerpt: `ENOENT: ${path}`, replay: 'curl' })),
})
const file = (kind: FileHit['kind'], change: Partial<FileHit> = {}): FileHit => ({
  kind,
  proof: 'file',
  flavour: '../',
  files: [
    {
      ...{ path: '/proc/filesystems', mark: 'nodev\tproc', payload: '../proc/filesystems' },
      ...{ excerpt: 'nodev\tproc', replay: 'curl' },
    },
    {
      path: '/proc/version',
      mark: 'Linux version 6.1',
      payload: '../proc/version',
      excerpt: 'Linux version 6.1',
      replay: 'curl',
    },
  ],
  controlShows: false,
  ...change,
})
const answers = (kind: AnswersHit['kind'], change: Partial<AnswersHit> = {}): AnswersHit => ({
  kind,
  proof: 'answers',
  flavour: 'x',
  apart: 0.3,
  noise: 0,
  trials: Array.from({ length: 8 }, (_, index) => ({
    question: `q${index}`,
    truth: index % 2 === 0,
    answer: index % 2 === 0 ? ('true' as const) : ('false' as const),
  })),
  malformed: 'neither',
  excerpt: 'true: 200',
  replay: 'curl',
  ...change,
})

judgeCases(template, [
  { name: 'two products', known, facts: facts(computed('template')), expect: ['injection/template'] },
  {
    name: 'a text with fields, which runs no code',
    known,
    facts: facts({ ...computed('template'), flavour: FORMAT }),
    expect: ['injection/format-string'],
  },
  { name: 'one product', known, facts: facts(computed('template', seen(2_000, '6000000'))), expect: [] },
  {
    name: 'the second did not come',
    known,
    facts: facts(computed('template', seen(2_000, '6000000'), seen(1, '3', false))),
    expect: [],
  },
  {
    name: 'the number stood in the text already',
    known,
    facts: facts(computed('template', seen(2_000, '6000000'), seen(2_001, '2001'))),
    expect: [],
  },
  {
    name: 'nothing was probed',
    known,
    facts: { points: [], left: 0, sessionLost: false, listened: true },
    expect: [],
    unjudged: 'not_applicable',
  },
])
judgeCases(code, [
  { name: 'two products', known, facts: facts(computed('code')), expect: ['injection/code'] },
  { name: 'of a template', known, facts: facts(computed('template')), expect: [] },
])
judgeCases(command, [
  { name: 'two products', known, facts: facts(computed('command')), expect: ['injection/command'] },
  { name: 'waits as told', known, facts: facts(waited()), expect: ['injection/command'] },
  {
    name: 'slow by itself',
    known,
    facts: facts(waited({ trials: waited().trials.map((one) => ({ ...one, ms: 2_000 })) })),
    expect: [],
  },
])
judgeCases(pathTraversal, [
  { name: 'two files', known, facts: facts(file('traversal')), expect: ['injection/path-traversal'] },
  {
    name: 'one file: a page about it',
    known,
    facts: facts(file('traversal', { files: file('traversal').files.slice(0, 1) })),
    expect: [],
  },
  {
    name: 'so does a file that is not there',
    known,
    facts: facts(file('traversal', { controlShows: true })),
    expect: [],
  },
  { name: 'names that are there', known, facts: facts(answers('traversal')), expect: ['injection/path-existence'] },
  {
    name: 'a path outside that an error tells',
    known,
    facts: facts(opened('/srv/qv1/a.txt', '/qv2/b.txt')),
    expect: ['injection/path-outside'],
  },
  {
    name: 'a path outside that an error tells, and two files',
    known,
    facts: facts(opened('/srv/qv1/a.txt', '/qv2/b.txt'), file('traversal')),
    expect: ['injection/path-traversal'],
  },
  {
    name: 'one path that an error tells twice',
    known,
    facts: facts(opened('/srv/qv1/a.txt', '/srv/qv1/a.txt')),
    expect: [],
  },
])
judgeCases(xmlExternalEntity, [
  { name: 'two files', known, facts: facts(file('xxe')), expect: ['injection/xml-external-entity'] },
  { name: 'by a path', known, facts: facts(file('traversal')), expect: [] },
])
it('a document has one parser, whichever of its parts holds the entity', () => {
  const at = { url: 'https://shop.test/books/7', method: 'POST', place: 'xml' } as const
  const parts = ['book/title', 'book/author'].map((name) => caseProbed([file('xxe')], { at: { ...at, name } }))
  const found = { ...facts(), points: parts.flatMap(({ points }) => points) }
  const judged = xmlExternalEntity.judge(found, known, caseContext())
  const findings = Array.isArray(judged) ? judged : []
  expect(findings.map(({ at: { parameter } }) => parameter)).toEqual(['book/title', 'book/author'])
  expect(new Set(findings.map(({ cause }) => cause))).toEqual(new Set(['document POST https://shop.test/books/{n} ']))
})
const call = (change: Partial<CalledHit['calls'][number]> = {}): CalledHit['calls'][number] => ({
  payload: 'http://192.0.2.7/abc/q.php?a=1&b=2',
  protocol: 'http',
  from: '192.0.2.9',
  detail: 'GET /q.php?a=1&b=2',
  agent: 'fetch',
  replay: 'curl',
  ...change,
})
const called = (kind: CalledHit['kind'], change: Partial<CalledHit> = {}): CalledHit => ({
  ...{ kind, proof: 'called', flavour: 'x', calls: [call(), call()], controlCalled: false },
  ...change,
})
const lookups = { calls: [call({ protocol: 'dns' }), call({ protocol: 'dns' })] } as const
const deaf = { ...caseProbed<InjectionHit>([]), listened: false }

judgeCases(serverSideRequest, [
  { name: 'two connections', known, facts: facts(called('ssrf')), expect: ['injection/server-side-request'] },
  { name: 'one connection', known, facts: facts(called('ssrf', { calls: [call()] })), expect: [] },
  { name: 'names alone', known, facts: facts(called('ssrf', lookups)), expect: [] },
  {
    name: 'whatever is in a request is followed',
    known,
    facts: facts(called('ssrf', { controlCalled: true })),
    expect: [],
  },
  { name: 'nobody listened', known, facts: deaf, expect: [], unjudged: 'not_tested' },
])
judgeCases(serverSideLookup, [
  { name: 'names alone', known, facts: facts(called('ssrf', lookups)), expect: ['injection/server-side-lookup'] },
  { name: 'connections', known, facts: facts(called('ssrf')), expect: [] },
  { name: 'nobody listened', known, facts: deaf, expect: [], unjudged: 'not_tested' },
])
judgeCases(fileInclusion, [
  { name: 'two products', known, facts: facts(computed('inclusion')), expect: ['injection/file-inclusion'] },
  { name: 'fetched, not run', known, facts: facts(called('ssrf')), expect: [] },
])
judgeCases(command, [
  { name: 'calls with products', known, facts: facts(called('command', lookups)), expect: ['injection/command'] },
  { name: 'none', known, facts: facts(), expect: [] },
])
judgeCases(code, [
  { name: 'calls with products', known, facts: facts(called('code', lookups)), expect: ['injection/code'] },
  { name: 'one call', known, facts: facts(called('code', { calls: [call()] })), expect: [] },
])
judgeCases(xmlExternalEntity, [
  { name: 'the parser called', known, facts: facts(called('xxe')), expect: ['injection/xml-external-entity'] },
  { name: 'a name was looked up', known, facts: facts(called('xxe', lookups)), expect: [] },
])
for (const [check, kind] of [
  [ldap, 'ldap'],
  [xpath, 'xpath'],
  [nosql, 'nosql'],
] as const) {
  const wrong = answers(kind).trials.map((trial, index) =>
    index === 7 ? { ...trial, answer: 'neither' as const } : trial,
  )
  judgeCases(check, [
    { name: 'eight right answers', known, facts: facts(answers(kind)), expect: [`injection/${kind}`] },
    { name: 'one of eight wrong', known, facts: facts(answers(kind, { trials: wrong })), expect: [] },
    { name: 'nonsense is true as well', known, facts: facts(answers(kind, { malformed: 'true' })), expect: [] },
    { name: 'a page that changes as much by itself', known, facts: facts(answers(kind, { noise: 0.2 })), expect: [] },
  ])
}
judgeCases(serializedObject, [
  {
    name: 'a Java object',
    known,
    facts: facts({ kind: 'serialized', proof: 'marker', format: 'Java object', beginning: 'rO0ABXNyABFq' }),
    expect: ['injection/serialized-object'],
  },
  {
    name: 'one in whose place others were built',
    known,
    facts: facts(
      { kind: 'serialized', proof: 'marker', format: 'Python pickle', beginning: 'gASV' },
      called('deserialization'),
    ),
    expect: [],
  },
  { name: 'none', known, facts: facts(), expect: [] },
])
judgeCases(deserialization, [
  { name: 'objects called', known, facts: facts(called('deserialization')), expect: ['injection/deserialization'] },
  {
    name: 'names alone',
    known,
    facts: facts(called('deserialization', lookups)),
    expect: ['injection/deserialization'],
  },
  {
    name: 'so did one that nobody reads',
    known,
    facts: facts(called('deserialization', { controlCalled: true })),
    expect: [],
  },
  { name: 'nobody listened', known, facts: deaf, expect: [], unjudged: 'not_tested' },
])

describe('payloads of injection', () => {
  it.each(['2', 'Ridge tent', ''])('do no harm behind "%s"', (v) => {
    const shell = [...COMMANDS.map((one) => one.with(v, 12, 34)), ...COMMAND_WAITS.map((one) => one.with(v, '1.4'))]
    const others = [
      ...TEMPLATE_WAITS.map((one) => one.with(v, '1.4')),
      `${v}${BROKEN_TEMPLATE}`,
      ...[...CODE, ...ENGINES].map((one) => one.with(v, 12, 34)),
      ...PATHS.flatMap((way) => [...FILES, ...FOLDERS, SIZED].map(({ path }) => way.with(v, path))),
      ...QUESTIONERS.flatMap((one) => [true, false].map((truth) => one.with(v, one.ask(truth, 'qabc', v)))),
      ...QUESTIONERS.flatMap((one) => [one.holds?.(v) ?? [], one.fails?.(v) ?? []].flat()),
    ]
    const home = 'http://192.0.2.7/abc/'
    for (const host of ['abc.oob.test', null])
      expect(
        harmOf(callingCommand(v, { host, url: home }, 12, 34), { effect: 'writes', language: 'shell', home }),
      ).toBeNull()
    for (const payload of shell) expect(harmOf(payload, { effect: 'writes', language: 'shell' }), payload).toBeNull()
    for (const payload of others) expect(harmOf(payload, { effect: 'writes' }), payload).toBeNull()
  })

  it.each(CALLING_CODE.map((way) => [way.flavour, way] as const))('call from %s nobody but ourselves', (_name, way) => {
    const home = 'http://192.0.2.7/abc/'
    const named = 'http://abc.oob.test/'
    const of = (url: string, host: string | null): string => way.with({ url, host }, 12, 34)
    expect(harmOf(of(home, null), { effect: 'writes', home })).toBeNull()
    expect(harmOf(of(named, 'abc.oob.test'), { effect: 'writes', home: named })).toBeNull()
    expect(harmOf(of(home, null), { effect: 'reads' })).not.toBeNull()
    expect(harmOf(of('http://192.0.2.8/abc/', null), { effect: 'reads', home })).not.toBeNull()
    expect(harmOf(of('http://abc.other.test/', 'abc.other.test'), { effect: 'reads', home: named })).not.toBeNull()
  })

  it('call nobody but ourselves', () => {
    const payload = callingCommand('x', { host: null, url: 'http://192.0.2.8/abc/' }, 12, 34)
    expect(harmOf(payload, { effect: 'reads', language: 'shell', home: 'http://192.0.2.7/abc/' })).not.toBeNull()
    expect(harmOf(payload, { effect: 'reads', language: 'shell' })).not.toBeNull()
  })

  it('read no file but those of the kernel, whatever names more of them', () => {
    const named = Object.values(paths)
      .flat()
      .flatMap((one) => (typeof one === 'object' && 'shows' in one ? [one.path] : typeof one === 'string' ? [one] : []))
    expect(named.filter((path) => path.startsWith('/') && !/^\/(?:proc|sys)\//.test(path))).toEqual([])
    expect(named.length).toBeGreaterThan(5)
    expect(FILES.map((one) => one.path)).toEqual(['/proc/version', '/proc/filesystems'])
    expect([NO_FILE, NO_FOLDER, ...FOLDERS.map((one) => one.path)].join()).toMatch(/^(?:\/proc\/\w+(?:\/\w+)?,?)+$/)
    expect([SIZED.path, SIZED.none]).toEqual(['/sys/kernel/notes', '/sys/kernel/notet'])
  })

  it('replace a document type that is there', () => {
    expect(withType('<?xml version="1.0"?><!DOCTYPE o><o>1</o>', fileType('/x'))).toBe(
      '<?xml version="1.0"?><!DOCTYPE q [<!ENTITY q SYSTEM "file:///x">]><o>1</o>',
    )
  })

  it.each([
    ['rO0ABXNyABFq', 'Java object'],
    ['O:4:"User":1:{s:4:"name";s:1:"x";}', 'PHP object'],
    ['Tzo0OiJVc2VyIjoxOnt9', 'PHP object'],
    ['TzoxMjoiU2hvcFxDYXJ0Ijow', 'PHP object'],
    ['Tzolkin', undefined],
    ['AAEAAAD/////AQAA', '.NET BinaryFormatter object'],
    ['gASVHgAAAAAA', 'Python pickle'],
    ['gAN9cQBYAQAAAGFxAUsBcy4=', 'Python pickle'],
    ['gANdcQAu', 'Python pickle'],
    ['gANdcQAA', undefined],
    ['gALERY2026', undefined],
    ['\uFFFD\u0004\uFFFD\u0005\u0000}\uFFFD.', 'Python pickle'],
    ['(dp0\nS"a"\np1\nI1\ns.', 'Python pickle'],
    ['BAhvOglVc2Vy', 'Ruby Marshal object'],
    ['{"$type":"Shop.Cart, Shop","items":[]}', 'JSON that names a class'],
    ['{"@type":"com.shop.Cart"}', 'JSON that names a class'],
    ['{"@type":"Product","name":"Tent"}', undefined],
    ['!!python/object:shop.Cart {}', 'YAML that names a class'],
    ['eyJhbGciOiJIUzI1NiJ9', undefined],
    ['a:1:{i:0;s:1:"x";}', 'PHP array'],
    ['YToyOntzOjU6InNlZWRzIjtpOjI7fQ==', 'PHP array'],
    ['a:1', undefined],
    ['YTonic', undefined],
    [`BAhvOglVc2Vy--${'40d16b181e'.repeat(4)}`, undefined],
    ['gASVHgAAAAAA:1tabcd:6pXbQ1-hP2y9L0mN4rS7tU8vW3xY5zA', undefined],
  ])('%s begins like: %s', (value, format) => expect(formatOf(value)).toBe(format ?? null))
})
