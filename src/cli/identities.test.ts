import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as example from '../contract/examples.ts'
import { type FakeService, fakeService } from './testing/fake-service.ts'
import { runWords } from './testing/run-words.ts'

const DOMAIN = example.domain.id
const { id } = example.identity
const PATH = `/v1/domains/${DOMAIN}/identities`
const STEPS = [
  { title: 'GET /login', ok: true, detail: null, picture: false },
  { title: 'POST /login', ok: false, detail: 'It answered 403.', picture: true },
]
let folder = ''
let service: FakeService
let looks = 0
beforeEach(async () => {
  looks = 0
  folder = mkdtempSync(join(tmpdir(), 'sonde-cli-'))
  service = await fakeService(() => ({
    'GET /v1/domains': { json: { items: [{ ...example.domain, domain: 'shop.example' }], next_cursor: null } },
    [`POST ${PATH}`]: { status: 201, json: example.identity },
    [`GET ${PATH}`]: { json: { items: [example.identity] } },
    [`DELETE ${PATH}/${id}`]: { status: 204, type: 'text/plain', text: '' },
    [`GET ${PATH}/${id}/test/pictures/1`]: { text: 'jpeg', type: 'image/jpeg' },
    [`POST ${PATH}/${id}/test`]: { status: 202, json: example.loginTest },
    [`GET ${PATH}/${id}`]: () => {
      looks += 1
      const state = looks === 1 ? 'running' : 'rejected'
      return {
        json: { ...example.identity, test: { ...example.loginTested, state, reason: 'Refused.', steps: STEPS } },
      }
    },
  }))
})
afterEach(async () => {
  await service.close()
  rmSync(folder, { recursive: true })
})

const run = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runWords(words, { env: { SONDE_URL: service.url, SONDE_API_KEY: 'sonde_key', ...env } })
const add = (...words: readonly string[]) => run(['domain', 'identity', 'add', 'shop.example', ...words])

test('one is stored of a file, and the words say what it is called', async () => {
  const file = join(folder, 'customer.json')
  writeFileSync(file, JSON.stringify(example.createIdentity))
  const result = await add(file, '--name', 'second', '--role', 'editor')
  expect(result.err).toBe('')
  expect(result).toMatchObject({ code: 0, out: `${id}  customer  request, totp\n` })
  const sent = service.seen.find(({ method }) => method === 'POST')
  expect(sent?.body).toMatchObject({ ...example.createIdentity, name: 'second', role: 'editor' })
})

test('what the help shows of files can be stored as it stands', async () => {
  const { out } = await run(['domain', 'identity', 'add', '--help'])
  const shown = out.match(/^ {2}\{.*\}$/gm) ?? []
  expect(shown.length).toBe(3)
  for (const [at, text] of shown.entries()) {
    const file = join(folder, `${at}.json`)
    writeFileSync(file, text)
    expect((await add(file)).err).toBe('')
  }
})

test('one is stored of the environment', async () => {
  const given = { SONDE_AUTH_COOKIE: 'session=kanarie', SONDE_AUTH_HEADER: 'User-Agent: own' }
  const result = await run(['domain', 'identity', 'add', 'shop.example', '--name', 'editor'], given)
  expect(result.code).toBe(0)
  expect(service.seen.find(({ method }) => method === 'POST')?.body).toMatchObject({
    ...{ name: 'editor', kind: 'cookie', cookie: 'session=kanarie', header: 'User-Agent: own' },
  })
})

test('what is none is said before anything is sent, and never quoted', async () => {
  const file = join(folder, 'broken.json')
  writeFileSync(file, '{"password": "kanarie", ')
  expect(await add(file)).toMatchObject({ code: 3, err: `${file} is no JSON object\n` })
  writeFileSync(file, JSON.stringify({ ...example.createIdentity, totp: { secret: 'kanarie 0189' } }))
  const result = await add(file)
  expect([result.code, result.err]).toEqual([3, expect.stringContaining('totp.secret: is no base32')])
  expect(result.err).not.toContain('kanarie')
  writeFileSync(file, '[]')
  expect((await add(file)).err).toContain('  name: is required\n  kind: is required\n')
  expect((await add()).err).toContain('SONDE_AUTH_COOKIE')
  expect(service.seen).toEqual([])
})

test('they are listed and removed by name', async () => {
  const list = await run(['domain', 'identity', 'list', 'shop.example'])
  expect(list.out).toMatch(/customer +customer +request, totp +not tested/)
  expect((await run(['domain', 'identity', 'remove', 'shop.example', 'customer'])).out).toBe('Removed.\n')
  const unknown = await run(['domain', 'identity', 'remove', 'shop.example', 'nobody'])
  expect(unknown).toMatchObject({ code: 3, err: 'The domain has no identity called "nobody", but customer\n' })
})

test.each([[['login', 'test']], [['domain', 'identity', 'test']]])(
  '%s waits for the worker and names the step that failed',
  async (words) => {
    const pictures = join(folder, 'pictures')
    const result = await run([...words, 'shop.example', 'customer', '--pictures', pictures])
    expect(readFileSync(join(pictures, '2.jpeg'), 'utf8')).toBe('jpeg')
    expect(result.code).toBe(1)
    expect(result.out).toBe('1. GET /login: ok\n2. POST /login: failed: It answered 403.\nIt is refused: Refused.\n')
  },
)
