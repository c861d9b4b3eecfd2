import type { HttpStep } from '../template.ts'
import type { Fields } from './fields.ts'
import { parseMatcher, parseOperators } from './operators.ts'
import { parsePayloads, type ReadList } from './payloads.ts'
import type { RefusalCode } from './problem.ts'

export type Refuse = (code: RefusalCode, field: string) => void

const METHODS: ReadonlySet<string> = new Set(
  'GET HEAD POST PUT DELETE CONNECT OPTIONS TRACE PATCH PURGE DEBUG'.split(' '),
)

export const parseHttp = (fields: Fields, readList: ReadList, refuse: Refuse): HttpStep => {
  if (fields.has('fuzzing')) refuse('fuzzing', 'fuzzing')
  if (fields.flag('race')) refuse('race', 'race')
  if (fields.flag('pipeline')) refuse('pipeline', 'pipeline')
  if (fields.has('signature')) refuse('signature', 'signature')
  const method = (fields.text('method') ?? 'GET').toUpperCase()
  if (!METHODS.has(method) && !method.includes('{{')) fields.error('method', `"${method}" is no method of HTTP`)
  const paths = fields.texts('path')
  const raw = fields.texts('raw')
  const global = fields.flag('global-matchers')
  if (paths.length + raw.length === 0 && !global && !fields.has('fuzzing')) {
    fields.error('', 'a request needs path or raw')
  }
  for (const [at, request] of raw.entries()) {
    if (!START.test(request)) fields.error('raw', `raw request ${at + 1} does not begin with a method and a path`)
  }
  const host = fields.flag('host-redirects')
  const all = fields.flag('redirects')
  const disableCookie = fields.flag('disable-cookie')
  const username = fields.text('digest-username')
  const step: HttpStep = {
    protocol: 'http',
    id: fields.text('id'),
    method,
    paths,
    raw,
    headers: fields.pairs('headers'),
    body: fields.text('body'),
    ...parsePayloads(fields, readList),
    redirects: host ? 'host' : all ? 'all' : 'none',
    maxRedirects: fields.number('max-redirects') ?? 10,
    cookieJar: !disableCookie && (!fields.has('cookie-reuse') || fields.flag('cookie-reuse')),
    unsafe: fields.flag('unsafe'),
    autoMerge: !fields.flag('disable-path-automerge'),
    stopAtFirstMatch: fields.flag('stop-at-first-match'),
    skipVariablesCheck: fields.flag('skip-variables-check'),
    iterateAll: fields.flag('iterate-all'),
    maxSize: fields.number('max-size'),
    preCondition: fields.has('pre-condition')
      ? {
          condition: fields.oneOf('pre-condition-operator', ['and', 'or'], 'and'),
          matchers: fields.maps('pre-condition').flatMap((one) => parseMatcher(one, 'body') ?? []),
          extractors: [],
        }
      : null,
    digest: username === null ? null : { username, password: fields.text('digest-password') ?? '' },
    global,
    operators: parseOperators(fields, 'body'),
  }
  // Known, and of no weight here: pace, reading and history are the engine's own business.
  for (const name of IGNORED) fields.raw(name)
  fields.finish()
  return step
}

const START = /^\s*(?:@[^\n]*\n\s*)*[A-Za-z{][^\s]*\s+\S/
const IGNORED = ['threads', 'req-condition', 'read-all', 'name', 'race_count', 'max-redirect', 'fuzzing', 'analyzer']
