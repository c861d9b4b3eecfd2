import { describe, expect, test } from 'vitest'
import { type Json, type OpenApi, openApi } from './openapi.ts'
import { breaks } from './openapi-compat.ts'

type Path = readonly (string | number)[]
const GONE = Symbol('gone')

/** The document with one value, at a path of keys, set or removed. */
const changed = (path: Path, value: unknown): OpenApi => {
  const copy = structuredClone(openApi('0.1.0'))
  const keys = [...path]
  const last = keys.pop() ?? ''
  const holder = keys.reduce<Json>((of, key) => of[key] as Json, copy as unknown as Json)
  if (value === GONE) delete holder[last]
  else holder[last] = value
  return copy
}
const field = (schema: string, ...rest: Path): Path => ['components', 'schemas', schema, ...rest]
const property = (schema: string, name: string, ...rest: Path): Path => field(schema, 'properties', name, ...rest)
const parameter = (index: number, ...rest: Path): Path => [...LIST, 'parameters', index, 'schema', ...rest]
const LIST: Path = ['paths', '/v1/scans', 'get']
const START: Path = ['paths', '/v1/scans', 'post']

test('the document is compatible with itself', () => {
  expect(breaks(openApi('0.1.0'), openApi('0.2.0'))).toEqual([])
})

describe('not a break', () => {
  const cases: readonly [trick: string, path: Path, value: unknown][] = [
    ['optional request field', property('StartScan', 'note'), { type: 'string' }],
    ['response field', property('Scan', 'note'), { type: 'string' }],
    ['endpoint', ['paths', '/v1/new'], { get: { parameters: [], responses: {} } }],
    ['wider limit', property('CreateDomain', 'domain', 'maxLength'), 300],
    ['error code', [...LIST, 'responses', '418'], { content: {} }],
    ['request value', parameter(2, 'enum'), ['passive', 'active', 'deep']],
  ]
  test.each(cases)('%s', (_, path, value) => {
    expect(breaks(openApi('0.1.0'), changed(path, value))).toEqual([])
  })
})

describe('a break', () => {
  const cases: readonly [trick: string, path: Path, value: unknown, message: RegExp][] = [
    ['endpoint gone', ['paths', '/v1/domains'], GONE, /\/v1\/domains: removed/],
    ['method gone', START, GONE, /POST \/v1\/scans: removed/],
    ['answer gone', [...START, 'responses', '202'], GONE, /202: removed/],
    ['field gone', property('Scan', 'phase'), GONE, /phase: removed/],
    ['field of a page gone', property('RunListItem', 'tier'), GONE, /tier: removed/],
    ['field not always there', field('Scan', 'required'), ['id'], /phase: no longer always there/],
    ['request field required', field('StartScan', 'required'), ['domain_id', 'active'], /active: now required/],
    ['request field gone', property('StartScan', 'privacy'), GONE, /privacy: removed/],
    ['type changed', property('Scan', 'progress', 'type'), 'string', /type "integer" became "string"/],
    ['new answer value', field('RunStatus', 'enum'), ['queued', 'lost'], /"lost" is a new value/],
    ['request value gone', parameter(2, 'enum'), ['passive'], /"active" no longer taken/],
    ['tighter limit', property('CreateDomain', 'domain', 'maxLength'), 10, /maxLength is now 10/],
    ['higher minimum', parameter(6, 'minimum'), 5, /minimum is now 5/],
    ['pattern', property('CreateDomain', 'domain', 'pattern'), '^a', /pattern changed/],
    ['parameter gone', [...LIST, 'parameters'], [], /query q: removed/],
    ['alternative gone', property('Scan', 'grade', 'anyOf'), [{ type: 'string' }], /alternatives became/],
  ]
  test.each(cases)('%s', (_, path, value, message) => {
    expect(breaks(openApi('0.1.0'), changed(path, value)).join('\n')).toMatch(message)
  })
})
