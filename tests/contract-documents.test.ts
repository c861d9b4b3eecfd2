/** The published documents say what the code does. */
import { existsSync, readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import type { Endpoint } from '../src/contract/endpoint.ts'
import { problemsOf } from '../src/contract/endpoint.ts'
import { ENDPOINTS } from '../src/contract/endpoints.ts'
import { type Json, openApi } from '../src/contract/openapi.ts'
import { breaks } from '../src/contract/openapi-compat.ts'
import { PROBLEM_CODES, PROBLEMS } from '../src/contract/problem.ts'
import { GENERATED } from '../src/main/generated.ts'
import { VERSION } from '../src/main/version.ts'

const ROOT = new URL('../', import.meta.url)
const rows: [id: string, row: Endpoint][] = Object.entries(ENDPOINTS)
const document = openApi(VERSION)

test.each(GENERATED.map(({ path, render }) => [path, render] as const))(
  '%s is fresh (npm run generate)',
  (path, render) => {
    expect(readFileSync(new URL(path, ROOT), 'utf8') === render()).toBe(true)
  },
)

test('nothing is broken since the last release', () => {
  const released = new URL('docs/openapi.released.json', ROOT)
  // Before the first release there is nothing to keep: then the document is held against itself.
  const older = existsSync(released) ? JSON.parse(readFileSync(released, 'utf8')) : document
  expect(breaks(older, document)).toEqual([])
})

describe('the OpenAPI document', () => {
  test('has every endpoint of the table once', () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(ENDPOINTS).sort())
  })
  test('says of each operation what it does, and of each parameter what it is', () => {
    const silent = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]) => [
        ...(operation.summary && operation.description ? [] : [`${method} ${path}`]),
        ...(operation.parameters ?? [])
          .filter((parameter) => ![parameter, parameter.schema].some((one) => 'description' in one))
          .map(({ name }) => `${method} ${path} ${name}`),
      ]),
    )
    expect(silent).toEqual([])
  })
  test('refers to nothing that is not there', () => {
    const text = JSON.stringify(document)
    for (const [, reference = ''] of text.matchAll(/"\$ref":"([^"]+)"/g)) {
      const value = reference
        .slice(2)
        .split('/')
        .reduce<unknown>((of, key) => (of as Json | undefined)?.[key], document)
      expect([reference, value !== undefined]).toEqual([reference, true])
    }
  })
  test('has examples that its schemas allow', () => {
    for (const [id, row] of rows) {
      if (row.bodyName !== undefined) expect([id, row.body.safeParse(row.bodyExample).success]).toEqual([id, true])
      for (const response of Object.values(row.responses)) {
        if (response.kind !== 'json') continue
        expect([id, response.schema.safeParse(response.example).error?.issues]).toEqual([id, undefined])
      }
    }
  })
  test('has schemas that compile', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    addFormats.default(ajv)
    ajv.addSchema({ $id: 'sonde', ...document })
    for (const name of Object.keys(document.components.schemas)) {
      expect(ajv.getSchema(`sonde#/components/schemas/${name}`)).toBeDefined()
    }
  })
  test('names every error code somewhere, but for those below the endpoints', () => {
    const named = new Set(rows.flatMap(([, row]) => problemsOf(row)))
    const rest = PROBLEM_CODES.filter((code) => !named.has(code))
    expect(rest).toEqual(['not_found', 'method_not_allowed'])
  })
})

test('docs/api.md names every error code with its status, and every endpoint', () => {
  const guide = readFileSync(new URL('docs/api.md', ROOT), 'utf8')
  for (const code of PROBLEM_CODES)
    expect(guide).toContain(`| ${PROBLEMS[code].status} | \`${code}\` | ${PROBLEMS[code].title} |`)
  for (const [, { method, path }] of rows) expect(guide).toContain(`\`${method} ${path}\``)
})
