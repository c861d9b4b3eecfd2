import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import * as example from '../contract/erasure-examples.ts'
import { type FakeService, fakeService } from './testing/fake-service.ts'
import { runWords } from './testing/run-words.ts'

const NAME = 'shop.example.com'
let folder: string
let service: FakeService | null = null
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-erase-'))
})
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(async () => {
  await service?.close()
  service = null
})

const run = async (words: readonly string[]) => {
  let looks = 0
  service = await fakeService(() => ({
    'POST /v1/erasures': { status: 202, json: example.erasing },
    [`GET /v1/erasures/${example.erasing.id}`]: () => {
      looks += 1
      return { json: looks === 1 ? example.erasing : example.erasure }
    },
  }))
  const env = { SONDE_URL: service.url, SONDE_API_KEY: 'sonde_x' }
  return runWords(['erase', ...words], { env })
}

test('a domain is erased once its name is said twice, and its receipt written', async () => {
  const file = join(folder, 'erased.json')
  const { code, out, err } = await run([NAME, '--confirm', NAME, '--receipt', file])
  expect([code, err]).toEqual([0, ''])
  expect(out).toBe(
    `${NAME} is erased: 14 runs, 322 findings, 190 files of 48211930 bytes.\nThe receipt is in ${file}.\n`,
  )
  expect(readFileSync(file, 'utf8')).toBe(example.erasure.receipt)
})

test.each([
  ['nothing', []],
  ['another name', ['--confirm', 'other.example.com']],
])('with %s to confirm it nothing is asked for', async (_how, more) => {
  const { code, err } = await run([NAME, ...more])
  expect(code).toBe(3)
  expect(err).toContain(`--confirm "${NAME}"`)
  expect(service?.seen).toEqual([])
})

test('an organisation is the operator’s to erase', async () => {
  const asked: unknown[] = []
  const call = async (verb: string, input: unknown) => {
    asked.push([verb, input])
    return verb === 'org_erase'
      ? { ...example.erasing, domain: null, organisation: 'Acme Ltd' }
      : { ...example.erasure, domain: null, organisation: 'Acme Ltd' }
  }
  const { code, out } = await runWords(['erase', '--organisation', 'Acme Ltd', '--confirm', 'Acme Ltd'], {
    operator: async () => ({ call, close: async () => undefined }) as never,
  })
  expect([code, out]).toEqual([
    0,
    'The organisation Acme Ltd is erased: 14 runs, 322 findings, 190 files of 48211930 bytes.\n',
  ])
  expect(asked).toEqual([
    ['org_erase', { organisation: 'Acme Ltd', confirm: 'Acme Ltd' }],
    ['erasure', { id: example.erasing.id }],
  ])
})

test('where its file is there already, nothing is erased', async () => {
  const file = join(folder, 'erased.json')
  const { code, err } = await run([NAME, '--confirm', NAME, '--receipt', file])
  expect([code, err]).toEqual([3, `${file} cannot be made: name a file that is not there yet\n`])
  expect(service?.seen).toEqual([])
})

test('a receipt that came later is fetched by the id', async () => {
  service = await fakeService(() => ({ [`GET /v1/erasures/${example.erasure.id}`]: { json: example.erasure } }))
  const file = join(folder, 'later.json')
  const env = { SONDE_URL: service.url, SONDE_API_KEY: 'sonde_x' }
  expect((await runWords(['erasure', example.erasure.id, '--receipt', file], { env })).code).toBe(0)
  expect(readFileSync(file, 'utf8')).toBe(example.erasure.receipt)
})

test('one that is not there yet leaves no file', async () => {
  service = await fakeService(() => ({ [`GET /v1/erasures/${example.erasing.id}`]: { json: example.erasing } }))
  const file = join(folder, 'none.json')
  const env = { SONDE_URL: service.url, SONDE_API_KEY: 'sonde_x' }
  const { code, out } = await runWords(['erasure', example.erasing.id, '--receipt', file], { env })
  expect([code, existsSync(file)]).toEqual([2, false])
  expect(out).toContain(`sonde erasure ${example.erasing.id} --receipt FILE`)
})
