/** Conformance: matchers, extractors, history and flow. */
import { describe, expect } from 'vitest'
import { always, type ConformanceCase, conform } from './support/template-conformance.ts'

const on = (operators: string, path = '/'): string =>
  `http:\n  - method: GET\n    path: ["{{BaseURL}}${path}"]\n${operators
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')}`
const matchers = (...list: string[]): string => on(`matchers:\n${list.map((one) => `  - ${one}`).join('\n')}`)
const every = (...list: string[]): string =>
  on(`matchers-condition: and\nmatchers:\n${list.map((one) => `  - ${one}`).join('\n')}`)
const extractor = (one: string): string => on(`extractors:\n  - ${one}`)
const extracts =
  (...values: string[]): ConformanceCase['also'] =>
  (ran) =>
    expect(ran.hits.flatMap(({ extracted }) => extracted.flatMap(({ values: found }) => found))).toEqual(values)

const PAGE =
  '<html><head><title>Shop Admin</title></head><body>Version 1.2.3 and 4.5.6<input name="t" value="x&amp;y"></body></html>'
const raw2 = (operators: string): string =>
  `http:\n  - raw:\n      - "GET /1 HTTP/1.1\\nHost: {{Hostname}}"\n      - "GET /2?t={{t}} HTTP/1.1\\nHost: {{Hostname}}"\n    skip-variables-check: true\n${operators}`
const numbered: ConformanceCase['answer'] = (request, response) => {
  const first = request.url?.startsWith('/1') ?? false
  response.writeHead(first ? 201 : 202, { 'x-step': first ? 'one' : 'two' })
  response.end(first ? 'token=abc{{md5("x")}};' : `second ${decodeURIComponent(request.url ?? '')}`)
}
const flow = (source: string): string =>
  `flow: |\n${source
    .split('\n')
    .map((line) => `  ${line}`)
    .join(
      '\n',
    )}\nhttp:\n  - id: list\n    method: GET\n    path: ["{{BaseURL}}/list"]\n    matchers: [{type: status, status: [200], internal: true}]\n    extractors: [{type: regex, name: names, internal: true, group: 1, regex: ["<(\\\\w+)>"]}]\n  - id: one\n    method: GET\n    path: ["{{BaseURL}}/{{names}}"]\n    matchers: [{type: word, words: ["hit"]}]\n`
const listing: ConformanceCase['answer'] = (request, response) => {
  if (request.url === '/list') response.end('<a><b><c>')
  else response.end(request.url === '/b' ? 'hit' : 'miss')
}

const MATCHERS: readonly ConformanceCase[] = [
  { name: 'status', yaml: matchers('{type: status, status: [404, 200]}'), answer: always(''), hits: 1 },
  { name: 'size', yaml: matchers('{type: size, size: [5]}'), answer: always('12345'), hits: 1 },
  { name: 'size counts bytes', yaml: matchers('{type: size, size: [6]}'), answer: always('äöü'), hits: 1 },
  {
    name: 'word: one is enough',
    yaml: matchers('{type: word, words: [nothing, Shop]}'),
    answer: always(PAGE),
    hits: 1,
  },
  {
    name: 'word: all are needed',
    yaml: matchers('{type: word, words: [nothing, Shop], condition: and}'),
    answer: always(PAGE),
    hits: 0,
  },
  { name: 'word with case', yaml: matchers('{type: word, words: [shop admin]}'), answer: always(PAGE), hits: 0 },
  {
    name: 'word without case',
    yaml: matchers('{type: word, words: [sHOP admin], case-insensitive: true}'),
    answer: always(PAGE),
    hits: 1,
  },
  { name: 'word in UTF-8', yaml: matchers('{type: word, words: ["Größe"]}'), answer: always('Größe'), hits: 1 },
  {
    name: 'word in hex',
    yaml: matchers('{type: word, encoding: hex, words: ["53686f70"]}'),
    answer: always(PAGE),
    hits: 1,
  },
  {
    name: 'word with a variable',
    yaml: matchers('{type: word, words: ["{{md5(\'1\')}}"]}'),
    answer: always('c4ca4238a0b923820dcc509a6f75849b'),
    hits: 1,
  },
  { name: 'negative', yaml: matchers('{type: word, words: [Nothing], negative: true}'), answer: always(PAGE), hits: 1 },
  {
    name: 'header part, spelt as in the standard',
    yaml: matchers('{type: word, part: header, words: ["X-Test: yes"]}'),
    answer: always('', { 'x-test': 'yes' }),
    hits: 1,
  },
  {
    name: 'a header by its own name',
    yaml: matchers('{type: word, part: content_type, words: ["text/x-own"]}'),
    answer: always('', { 'content-type': 'text/x-own' }),
    hits: 1,
  },
  {
    name: 'a cookie by its name',
    yaml: matchers('{type: dsl, dsl: ["sid == \'7\'"]}'),
    answer: always('', { 'set-cookie': 'SID=7; Path=/' }),
    hits: 1,
  },
  {
    name: 'the whole response',
    yaml: matchers('{type: regex, part: response, regex: ["(?s)HTTP/1.1 200.*Shop"]}'),
    answer: always(PAGE),
    hits: 1,
  },
  {
    name: 'regex without case inside',
    yaml: matchers('{type: regex, regex: ["a(?i)DMIN"]}'),
    answer: always('adMIN'),
    hits: 1,
  },
  {
    name: 'regex: $ is the end of the text alone',
    yaml: matchers('{type: regex, regex: ["one$"]}'),
    answer: always('one\ntwo'),
    hits: 0,
  },
  {
    name: 'regex: $ is the end of a line with m',
    yaml: matchers('{type: regex, regex: ["(?m)one$"]}'),
    answer: always('one\ntwo'),
    hits: 1,
  },
  {
    name: 'regex of exponential time for others',
    yaml: matchers('{type: regex, regex: ["(a+)+$"]}'),
    answer: always(`${'a'.repeat(200)}b`),
    hits: 0,
  },
  {
    name: 'binary',
    yaml: matchers('{type: binary, binary: ["504b0304"]}'),
    answer: (_, response) => response.end(Buffer.from('504b0304ff', 'hex')),
    hits: 1,
  },
  {
    name: 'xpath',
    yaml: matchers('{type: xpath, xpath: ["/html/head/title[contains(text(), \'Admin\')]"]}'),
    answer: always(PAGE),
    hits: 1,
  },
  {
    name: 'dsl',
    yaml: matchers('{type: dsl, dsl: ["status_code == 200 && contains(to_lower(body), \'shop\') && len(body) > 10"]}'),
    answer: always(PAGE),
    hits: 1,
  },
  {
    name: 'dsl that is no truth value',
    yaml: matchers('{type: dsl, dsl: ["len(body)"]}'),
    answer: always(PAGE),
    hits: 0,
  },
  {
    name: 'dsl that cannot be evaluated, negated',
    yaml: matchers('{type: dsl, negative: true, dsl: ["nothing_like_it > 3"]}'),
    answer: always(PAGE),
    hits: 1,
  },
  {
    name: 'dsl: versions',
    yaml: every(
      "{type: dsl, dsl: [\"compare_versions('1.2.3', '>= 1.0', '< 1.2.4')\"]}",
      "{type: dsl, dsl: [\"!compare_versions('2.0-rc1', '>= 1.0')\"]}",
    ),
    answer: always(PAGE),
    hits: 1,
  },
  {
    name: 'dsl: content length that lies',
    yaml: matchers('{type: dsl, dsl: ["content_length == 500 && len(body) == 14"]}'),
    answer: (request, response) => {
      response.writeHead(200, { 'content-length': '500' })
      response.write('14 bytes body!')
      setTimeout(() => request.socket.destroy(), 20)
    },
    hits: 1,
  },
  {
    name: 'and: all matchers',
    yaml: every('{type: status, status: [200]}', '{type: word, words: [absent]}'),
    answer: always(PAGE),
    hits: 0,
  },
  {
    name: 'or: each named matcher is told',
    yaml: matchers(
      '{type: word, name: first, words: [Shop]}',
      '{type: word, name: second, words: [Version]}',
      '{type: word, name: third, words: [absent]}',
    ),
    answer: always(PAGE),
    hits: 1,
    also: (ran) => expect(ran.names).toEqual(['first, second']),
  },
  {
    name: 'internal matchers are no result',
    yaml: matchers('{type: word, words: [Shop], internal: true}'),
    answer: always(PAGE),
    hits: 0,
  },
  {
    name: 'max-size cuts the body',
    yaml: on('max-size: 10\nmatchers:\n  - {type: word, words: [Version]}'),
    answer: always(PAGE),
    hits: 0,
  },
  {
    name: 'compressed bodies are read',
    yaml: matchers('{type: word, words: [hello]}'),
    answer: (_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      response.end(Buffer.from('1f8b0800000000000003cb48cdc9c9070086a6103605000000', 'hex'))
    },
    hits: 1,
  },
]

const EXTRACTORS: readonly ConformanceCase[] = [
  {
    name: 'regex, all in order of the page',
    yaml: extractor('{type: regex, regex: ["[0-9.]{5}"]}'),
    answer: always(PAGE),
    hits: 1,
    also: extracts('1.2.3', '4.5.6'),
  },
  {
    name: 'regex, a group',
    yaml: extractor('{type: regex, group: 1, regex: ["Version ([0-9.]+)"]}'),
    answer: always(PAGE),
    hits: 1,
    also: extracts('1.2.3'),
  },
  {
    name: 'kval of a header',
    yaml: extractor('{type: kval, kval: [x_own]}'),
    answer: always('', { 'X-Own': 'v' }),
    hits: 1,
    also: extracts('v'),
  },
  {
    name: 'kval without case',
    yaml: extractor('{type: kval, case-insensitive: true, kval: [X_OWN]}'),
    answer: always('', { 'x-own': 'v' }),
    hits: 1,
    also: extracts('v'),
  },
  {
    name: 'json',
    yaml: extractor(`{type: json, json: ['.list[] | select(.on == true) | .name']}`),
    answer: always('{"list":[{"on":false,"name":"a"},{"on":true,"name":"b"}]}'),
    hits: 1,
    also: extracts('b'),
  },
  { name: 'json of something else', yaml: extractor(`{type: json, json: ['.a']}`), answer: always('<html>'), hits: 0 },
  {
    name: 'xpath with an attribute',
    yaml: extractor(`{type: xpath, attribute: value, xpath: ["//input[@name='t']"]}`),
    answer: always(PAGE),
    hits: 1,
    also: extracts('x&y'),
  },
  {
    name: 'dsl',
    yaml: extractor(`{type: dsl, dsl: ["to_upper(content_type)", "len(body)"]}`),
    answer: always('ab', { 'content-type': 'a/b' }),
    hits: 1,
    also: extracts('A/B', '2'),
  },
  {
    name: 'matchers that do not hold show nothing',
    yaml: on('matchers:\n  - {type: word, words: [absent]}\nextractors:\n  - {type: regex, regex: ["[0-9.]{5}"]}'),
    answer: always(PAGE),
    hits: 0,
  },
  {
    name: 'matchers see what was extracted',
    yaml: on(
      'matchers:\n  - {type: dsl, dsl: ["version == \'1.2.3\'"]}\nextractors:\n  - {type: regex, name: version, internal: true, group: 1, regex: ["Version ([0-9.]+)"]}',
    ),
    answer: always(PAGE),
    hits: 1,
  },
  {
    name: 'an internal value feeds the next request',
    yaml: raw2(
      '    extractors: [{type: regex, name: t, internal: true, group: 1, regex: ["token=(abc)"]}]\n    matchers: [{type: word, words: ["second /2?t=abc"]}]\n',
    ),
    answer: numbered,
    hits: 1,
  },
  {
    name: 'what a page says is never evaluated',
    yaml: raw2(
      '    extractors: [{type: regex, name: t, internal: true, group: 1, regex: ["token=([^;]+)"]}]\n    matchers: [{type: regex, regex: ["second /2.t=abc[{][{]md5"]}]\n',
    ),
    answer: numbered,
    hits: 1,
  },
  {
    name: 'iterate-all repeats for each value',
    yaml: `http:\n  - method: GET\n    path: ["{{BaseURL}}/list", "{{BaseURL}}/{{names}}"]\n    iterate-all: true\n    extractors: [{type: regex, name: names, internal: true, group: 1, regex: ["<(\\\\w+)>"]}]\n    matchers: [{type: word, words: [hit]}]\n`,
    answer: listing,
    hits: 1,
    also: (_, seen) => expect(seen.map(({ line }) => line)).toEqual(['GET /list', 'GET /a', 'GET /b', 'GET /c']),
  },
  {
    name: 'history: status and body of earlier requests',
    yaml: raw2(
      "    matchers: [{type: dsl, dsl: [\"status_code_1 == 201 && status_code_2 == 202 && contains(body_1, 'token') && contains(header_2, 'two')\"]}]\n",
    ),
    answer: numbered,
    hits: 1,
  },
  {
    name: 'history: a part of an earlier request',
    yaml: raw2(
      '    matchers-condition: and\n    matchers: [{type: word, part: body_1, words: [token]}, {type: word, part: body_2, words: [second]}]\n',
    ),
    answer: numbered,
    hits: 1,
  },
]

const FLOWS: readonly ConformanceCase[] = [
  {
    name: 'the first value where nothing iterates',
    yaml: flow('http(1) && http(2)'),
    answer: listing,
    hits: 0,
    also: (_, seen) => expect(seen.map(({ line }) => line)).toEqual(['GET /list', 'GET /a']),
  },
  {
    name: 'steps by name, in a loop',
    yaml: flow('http("list")\nfor (let name of iterate(template.names)) {\n  set("names", name)\n  http("one")\n}'),
    answer: listing,
    hits: 1,
    also: (_, seen) => expect(seen).toHaveLength(4),
  },
  {
    name: 'a condition',
    yaml: flow('if (http(1) && template.names.length > 5) { http(2) }'),
    answer: listing,
    hits: 0,
    also: (_, seen) => expect(seen).toHaveLength(1),
  },
  {
    name: 'a step that fails ends a chain',
    yaml: flow('http(2) && http(1)'),
    answer: listing,
    hits: 0,
    also: (ran) => expect(ran.skipped).toMatch(/names/),
  },
  {
    name: 'a list of the variables, gone through',
    yaml: `variables: {paths: [x, b]}\n${flow('http("list")\nfor (let name of iterate(template.paths)) {\n  set("names", name)\n  http("one")\n}')}`,
    answer: listing,
    hits: 1,
    also: (_, seen) => expect(seen.map(({ line }) => line)).toEqual(['GET /list', 'GET /x', 'GET /b']),
  },
  {
    name: 'what a gate saw is part of the proof',
    yaml: flow('http("list")\nset("names", "b")\nhttp("one")'),
    answer: listing,
    hits: 1,
    also: (ran) => expect(ran.hits[0]?.signs.map(({ type }) => type)).toEqual(['word', 'status']),
  },
  {
    name: 'a script that never ends',
    yaml: flow('while (true) { }'),
    answer: listing,
    hits: 0,
    also: (ran) => expect(ran.skipped).toMatch(/too many steps/),
  },
  {
    name: 'a script that reaches out',
    yaml: flow('template.constructor.constructor("return process")()'),
    answer: listing,
    hits: 0,
    also: (ran, seen) => expect([ran.skipped, seen]).toEqual([null, []]),
  },
]

describe('matchers', () => conform(63, MATCHERS))
describe('extractors and history', () => conform(64, EXTRACTORS))
describe('flow', () => conform(65, FLOWS))
