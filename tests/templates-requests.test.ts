/** Conformance: how requests are built, sent and repeated. */
import { describe, expect } from 'vitest'
import { always, type ConformanceCase, conform, when } from './support/template-conformance.ts'

const WORD = '\n    matchers:\n      - type: word\n        words: ["the expected text"]\n'
const get = (path: string, more = ''): string => `http:\n  - method: GET\n    path: ["${path}"]${more}${WORD}`

const CASES: readonly ConformanceCase[] = [
  { name: 'path below the base', yaml: get('{{BaseURL}}/a'), answer: when(({ url }) => url === '/a'), hits: 1 },
  {
    name: 'path below a base with a folder',
    path: '/app',
    yaml: get('{{BaseURL}}/a'),
    answer: when(({ url }) => url === '/app/a'),
    hits: 1,
  },
  {
    name: 'root of a base with a folder',
    path: '/app',
    yaml: get('{{RootURL}}/a'),
    answer: when(({ url }) => url === '/a'),
    hits: 1,
  },
  {
    name: 'query of the target is kept',
    path: '/app?k=1',
    yaml: get('{{BaseURL}}/a'),
    answer: when(({ url }) => url === '/app/a?k=1'),
    hits: 1,
  },
  {
    name: 'host and port variables',
    yaml: get('http://{{Host}}:{{Port}}/a'),
    answer: when(({ url }) => url === '/a'),
    hits: 1,
  },
  {
    name: 'another host is never asked',
    yaml: get('http://other.test/a'),
    answer: always('the expected text'),
    hits: 0,
    also: (ran, seen) => {
      expect(ran.skipped).toMatch(/not the target/)
      expect(seen).toEqual([])
    },
  },
  {
    name: 'header',
    yaml: get('{{BaseURL}}/', '\n    headers: {x-test: "{{to_upper(\'abc\')}}"}'),
    answer: when(({ headers }) => headers['x-test'] === 'ABC'),
    hits: 1,
  },
  {
    name: 'dot segments go out verbatim',
    yaml: get('{{BaseURL}}/a/../../b/./c'),
    answer: when(({ url }) => url === '/a/../../b/./c'),
    hits: 1,
  },
  { name: 'double slashes stay', yaml: get('{{BaseURL}}//a//b'), answer: when(({ url }) => url === '//a//b'), hits: 1 },
  {
    name: 'brackets and quotes stay',
    yaml: `http:\n  - method: GET\n    path: ['{{BaseURL}}/a?x=<"b">\\']${WORD}`,
    answer: when(({ url }) => url === '/a?x=<"b">\\'),
    hits: 1,
  },
  {
    name: 'a percent sign that is no escape is encoded',
    yaml: get('{{BaseURL}}/a%zz%41'),
    answer: when(({ url }) => url === '/a%25zz%41'),
    hits: 1,
  },
  { name: 'a space is encoded', yaml: get('{{BaseURL}}/a b'), answer: when(({ url }) => url === '/a%20b'), hits: 1 },
  {
    name: 'the route of a page is not sent',
    yaml: get('{{BaseURL}}/a#/login'),
    answer: when(({ url }) => url === '/a'),
    hits: 1,
  },
  {
    name: 'post with a body',
    yaml: `http:\n  - method: POST\n    path: ["{{BaseURL}}/"]\n    body: "a={{md5('x')}}"${WORD}`,
    answer: when(({ method }, body) => method === 'POST' && body === 'a=9dd4e461268c8034f5c8564e155c67a6'),
    hits: 1,
  },
  {
    name: 'raw request',
    yaml: `http:\n  - raw:\n      - |\n        POST /a HTTP/1.1\n        Host: {{Hostname}}\n        Content-Type: application/json\n        Content-Length: 999\n\n        {"a": 1}${WORD}`,
    answer: when(({ headers, url }, body) => url === '/a' && body === '{"a": 1}' && headers['content-length'] === '8'),
    hits: 1,
  },
  {
    name: 'raw path behind the target',
    path: '/app?k=1',
    yaml: `http:\n  - raw:\n      - |\n        GET /a?m=2 HTTP/1.1\n        Host: {{Hostname}}${WORD}`,
    answer: when(({ url }) => url === '/app/a?m=2&k=1'),
    hits: 1,
  },
  {
    name: 'raw path alone',
    path: '/app',
    yaml: `http:\n  - raw:\n      - |\n        GET /a HTTP/1.1\n        Host: {{Hostname}}\n    disable-path-automerge: true${WORD}`,
    answer: when(({ url }) => url === '/a'),
    hits: 1,
  },
  {
    name: 'raw with a whole address',
    yaml: `http:\n  - raw:\n      - |\n        GET {{RootURL}}/a HTTP/1.1\n        Host: {{Hostname}}${WORD}`,
    answer: when(({ url }) => url === '/a'),
    hits: 1,
  },
  {
    name: 'raw host header of another name',
    yaml: `http:\n  - raw:\n      - |\n        GET / HTTP/1.1\n        Host: evil.example${WORD}`,
    answer: when(({ headers }) => headers.host === 'evil.example'),
    hits: 1,
  },
  {
    name: 'line ends of a multipart body',
    yaml: `http:\n  - raw:\n      - |\n        POST / HTTP/1.1\n        Host: {{Hostname}}\n        Content-Type: multipart/form-data; boundary=b\n\n        --b\n        Content-Disposition: form-data; name="a"\n\n        1\n        --b--${WORD}`,
    answer: when((_, body) => body === '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n'),
    hits: 1,
  },
  {
    name: 'unsafe goes out as written',
    yaml: `http:\n  - raw:\n      - |\n        GET /a|b HTTP/1.1\n        Host: {{Hostname}}\n        X-Twice: 1\n        X-Twice: 2\n        Connection: close\n\n    unsafe: true${WORD}`,
    answer: when(
      ({ url, rawHeaders }) => url === '/a|b' && rawHeaders.filter((name) => name === 'X-Twice').length === 2,
    ),
    hits: 1,
  },
  {
    name: 'several paths, each a result',
    yaml: `http:\n  - method: GET\n    path: ["{{BaseURL}}/a", "{{BaseURL}}/b"]${WORD}`,
    answer: always('the expected text'),
    hits: 2,
  },
  {
    name: 'stop at the first match',
    yaml: `http:\n  - method: GET\n    path: ["{{BaseURL}}/a", "{{BaseURL}}/b"]\n    stop-at-first-match: true${WORD}`,
    answer: always('the expected text'),
    hits: 1,
    also: (_, seen) => expect(seen).toHaveLength(1),
  },
  {
    name: 'batteringram: one list after another',
    yaml: `http:\n  - method: GET\n    path: ["{{BaseURL}}/{{x}}"]\n    payloads: {x: [a, b, c]}${WORD}`,
    answer: when(({ url }) => url === '/b'),
    hits: 1,
    also: (_, seen) => expect(seen.map(({ line }) => line)).toEqual(['GET /a', 'GET /b', 'GET /c']),
  },
  {
    name: 'pitchfork: in step',
    yaml: `http:\n  - method: GET\n    path: ["{{BaseURL}}/{{x}}/{{y}}"]\n    attack: pitchfork\n    payloads: {x: [a, b], y: [1, 2]}${WORD}`,
    answer: when(({ url }) => url === '/b/2'),
    hits: 1,
    also: (_, seen) => expect(seen).toHaveLength(2),
  },
  {
    name: 'clusterbomb: every pair',
    yaml: `http:\n  - method: GET\n    path: ["{{BaseURL}}/{{x}}/{{y}}"]\n    attack: clusterbomb\n    payloads: {x: [a, b], y: [1, 2, 3]}${WORD}`,
    answer: when(({ url }) => url === '/b/3'),
    hits: 1,
    also: (_, seen) => expect(seen).toHaveLength(6),
  },
  {
    name: 'a list from a file',
    yaml: `http:\n  - method: GET\n    path: ["{{BaseURL}}/{{x}}"]\n    payloads: {x: lists/names.txt}${WORD}`,
    answer: when(({ url }) => url === '/three'),
    hits: 1,
  },
  {
    name: 'section signs mark a payload',
    yaml: `http:\n  - raw:\n      - |\n        GET /§x§/{{base64(x)}} HTTP/1.1\n        Host: {{Hostname}}\n    payloads: {x: [ab]}${WORD}`,
    answer: when(({ url }) => url === '/ab/YWI='),
    hits: 1,
  },
  {
    name: 'a payload may be an expression',
    yaml: `http:\n  - method: GET\n    path: ["{{BaseURL}}/{{x}}"]\n    payloads: {x: ["{{to_lower('ABC')}}"]}${WORD}`,
    answer: when(({ url }) => url === '/abc'),
    hits: 1,
  },
  {
    name: 'variables, one by the other',
    yaml: `variables:\n  a: "{{rand_int(5, 6)}}"\n  b: "{{concat(a, 'x')}}"\n${get('{{BaseURL}}/{{b}}')}`,
    answer: when(({ url }) => url === '/5x'),
    hits: 1,
  },
  {
    name: 'a value of the operator is over a variable',
    yaml: `variables: {a: own}\n${get('{{BaseURL}}/{{a}}')}`,
    given: { a: 'given' },
    answer: when(({ url }) => url === '/given'),
    hits: 1,
  },
  {
    name: 'but never over a constant',
    yaml: `constants: {a: own}\n${get('{{BaseURL}}/{{a}}')}`,
    given: { a: 'given' },
    answer: when(({ url }) => url === '/own'),
    hits: 1,
  },
  {
    name: 'nested markers',
    yaml: get("{{BaseURL}}/{{base64('{{Host}}')}}"),
    answer: when(({ url }) => url === '/c2hvcC50ZXN0'),
    hits: 1,
  },
  {
    name: 'numbers alone are no expression',
    yaml: `http:\n  - method: GET\n    path: ["{{BaseURL}}/?x={{7*7}}"]${WORD}`,
    answer: when(({ url }) => url === '/?x={{7*7}}'),
    hits: 1,
  },
  {
    name: 'an unknown variable ends the block',
    yaml: get('{{BaseURL}}/{{nobody}}'),
    answer: always('the expected text'),
    hits: 0,
    also: (ran, seen) => {
      expect(ran.skipped).toMatch(/nobody/)
      expect(seen).toEqual([])
    },
  },
  {
    name: 'unless the check is switched off',
    yaml: get('{{BaseURL}}/{{nobody}}', '\n    skip-variables-check: true'),
    answer: when(({ url }) => url === '/{{nobody}}'),
    hits: 1,
  },
  {
    name: 'randstr is one value everywhere',
    yaml: `http:\n  - raw:\n      - |\n        GET /{{randstr}} HTTP/1.1\n        Host: {{Hostname}}\n      - |\n        GET /{{randstr}}/{{randstr_1}} HTTP/1.1\n        Host: {{Hostname}}\n    matchers: [{type: word, words: ["{{randstr}}"]}]`,
    answer: (request, response) => response.end(request.url),
    hits: 2,
    also: (_, seen) => {
      const [, a = ''] = /^GET \/(\w{27})$/.exec(seen[0]?.line ?? '') ?? []
      expect(seen[1]?.line).toMatch(new RegExp(`^GET /${a}/\\w{27}$`))
    },
  },
  {
    name: 'cookies are kept from one request to the next',
    yaml: `http:\n  - raw:\n      - |\n        GET /in HTTP/1.1\n        Host: {{Hostname}}\n      - |\n        GET /out HTTP/1.1\n        Host: {{Hostname}}${WORD}`,
    answer: (request, response) => {
      if (request.url === '/in') response.setHeader('set-cookie', 'sid=7; Path=/')
      response.end(request.headers.cookie === 'sid=7' ? 'the expected text' : '')
    },
    hits: 1,
  },
  {
    name: 'unless the template wants none',
    yaml: `http:\n  - raw:\n      - |\n        GET /in HTTP/1.1\n        Host: {{Hostname}}\n      - |\n        GET /out HTTP/1.1\n        Host: {{Hostname}}\n    disable-cookie: true${WORD}`,
    answer: (request, response) => {
      if (request.url === '/in') response.setHeader('set-cookie', 'sid=7; Path=/')
      response.end(request.headers.cookie ? 'the expected text' : '')
    },
    hits: 0,
  },
  {
    name: 'no redirect unless asked',
    yaml: get('{{BaseURL}}/a'),
    answer: (request, response) => {
      if (request.url === '/a') response.writeHead(302, { location: '/b' }).end()
      else response.end('the expected text')
    },
    hits: 0,
  },
  {
    name: 'redirects',
    yaml: get('{{BaseURL}}/a', '\n    redirects: true'),
    answer: (request, response) => {
      if (request.url === '/a') response.writeHead(302, { location: '/b' }).end()
      else response.end('the expected text')
    },
    hits: 1,
    also: (ran) => expect(ran.urls[0]).toMatch(/\/b$/),
  },
  {
    name: 'redirects leave the host never',
    yaml: get('{{BaseURL}}/a', '\n    host-redirects: true'),
    answer: (_, response) => response.writeHead(302, { location: 'http://other.test/' }).end(),
    hits: 0,
    also: (_, seen) => expect(seen).toHaveLength(1),
  },
  {
    name: 'no more redirects than allowed',
    yaml: get('{{BaseURL}}/0', '\n    redirects: true\n    max-redirects: 2'),
    answer: (request, response) => response.writeHead(302, { location: `/${Number(request.url?.slice(1)) + 1}` }).end(),
    hits: 0,
    also: (_, seen) => expect(seen).toHaveLength(3),
  },
  {
    name: 'a hop in the middle matches',
    yaml: `http:\n  - method: GET\n    path: ["{{BaseURL}}/a"]\n    redirects: true\n    matchers-condition: and\n    matchers: [{type: status, status: [302]}, {type: word, part: header, words: ["X-Mark: yes"]}]`,
    answer: (request, response) => {
      if (request.url === '/a') response.writeHead(302, { location: '/b' }).end()
      else if (request.url === '/b') response.writeHead(302, { location: '/c', 'x-mark': 'yes' }).end()
      else response.end()
    },
    hits: 1,
    also: (ran) => expect(ran.urls[0]).toMatch(/\/b$/),
  },
  {
    name: 'the last hop is judged first',
    yaml: get('{{BaseURL}}/a', '\n    redirects: true\n    stop-at-first-match: true'),
    answer: (request, response) => {
      if (request.url === '/a') response.writeHead(302, { location: '/b' }).end('the expected text')
      else response.end('the expected text')
    },
    hits: 1,
    also: (ran) => expect(ran.urls[0]).toMatch(/\/b$/),
  },
  {
    name: '@timeout ends the wait',
    yaml: `http:\n  - raw:\n      - |\n        @timeout: 200ms\n        GET / HTTP/1.1\n        Host: {{Hostname}}${WORD}`,
    answer: (_, response) => {
      response.flushHeaders()
    },
    hits: 0,
  },
  {
    name: '@Host stays with the target',
    yaml: `http:\n  - raw:\n      - |\n        @Host: https://other.test\n        GET / HTTP/1.1\n        Host: {{Hostname}}${WORD}`,
    answer: always('the expected text'),
    hits: 0,
  },
  {
    name: '@once is sent for the first payload alone',
    yaml: `http:\n  - raw:\n      - |\n        @once\n        GET /in HTTP/1.1\n        Host: {{Hostname}}\n      - |\n        GET /{{x}} HTTP/1.1\n        Host: {{Hostname}}\n    payloads: {x: [a, b]}${WORD}`,
    answer: always(''),
    hits: 0,
    also: (_, seen) => expect(seen.map(({ line }) => line)).toEqual(['GET /in', 'GET /a', 'GET /b']),
  },
  {
    name: 'a pre-condition that does not hold',
    yaml: get('{{BaseURL}}/', '\n    pre-condition: [{type: dsl, dsl: ["method == \'POST\'"]}]'),
    answer: always('the expected text'),
    hits: 0,
    also: (_, seen) => expect(seen).toEqual([]),
  },
]

describe('requests', () => conform(62, CASES))
