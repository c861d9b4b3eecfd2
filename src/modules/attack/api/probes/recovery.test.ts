/** What knows accounts beside the sign-in, asked of real servers. */
import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { collectContext, serveCase } from '../../../testing/collecting.ts'
import { caseRequest } from '../../crawl/testing/crawl-facts.ts'
import { Left } from '../asking.ts'
import type { AccountHit, DataHit } from '../facts.ts'
import { askingOf, recoveryWork } from './recovery.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

const OWN = 'ada@mail.test'
const json = (path: string, body: object) =>
  caseRequest({
    method: 'POST',
    url: `http://shop.test${path}`,
    encoding: 'json',
    body: JSON.stringify(body),
    id: path,
  })
const QUESTION = caseRequest({ url: 'http://shop.test/api/security-question?email=a', id: 'question' })
const RESET = json('/api/reset-password', { email: 'a', answer: 'b', new: 'c' })
const REGISTRATION = json('/api/users', { email: 'a@mail.test', password: 'b', city: 'c' })

const leftBy = async (work: () => Promise<void>): Promise<string | null> => {
  try {
    await work()
    return null
  } catch (error) {
    if (error instanceof Left) return error.message
    throw error
  }
}

let last = 180
/** Kinds of what is found; `asked`: names that the server was asked for. */
const found = async (
  request: typeof QUESTION,
  answer: (name: string, asked: readonly string[]) => readonly [number, string],
) => {
  last += 1
  const asked: string[] = []
  const bodies: string[] = []
  const site = await serveCase(last, {
    http: async (incoming, response) => {
      const body = await text(incoming)
      bodies.push(body)
      const name = new URL(incoming.url ?? '', 'http://x').searchParams.get('email') ?? JSON.parse(body).email
      const [status, said] = answer(name, asked)
      asked.push(name)
      const patience = status === 429 ? { 'Retry-After': '1' } : {}
      response.writeHead(status, { 'Content-Type': 'application/json', ...patience }).end(said)
    },
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'api', requests: 100 })
  cleanups.push(close)
  const hits: AccountHit[] = []
  const shown: DataHit[] = []
  const work = recoveryWork(ctx, { mail: OWN, name: null }, (hit) => void shown.push(hit))
  const left = await leftBy(async () => work(request, (hit) => void hits.push(hit)))
  return { left, shown, kinds: hits.map(({ kind }) => kind), asked, bodies, told: JSON.stringify(hits) }
}

test.each<[string, typeof QUESTION, (name: string) => string, readonly string[]]>([
  [
    'a question for who has an account',
    QUESTION,
    (name) => (name === OWN ? '{"question":"Your pet?"}' : '{}'),
    ['recovery'],
  ],
  ['a question for everybody', QUESTION, () => '{"question":"Your pet?"}', []],
  ['the name back', QUESTION, (name) => JSON.stringify({ name }), []],
  [
    'another text of a reset',
    RESET,
    (name) => (name === OWN ? '"Wrong answer."' : '"Nobody of that name."'),
    ['recovery'],
  ],
  ['one text of a reset', RESET, () => '"If the address is known, a mail is on its way."', []],
])('%s', async (_name, request, answer, kinds) => {
  const seen = await found(request, (name) => [200, answer(name)])
  expect(seen.kinds).toEqual(kinds)
  // Whoever has the account is asked for twice, with answers that are wrong, and not told of.
  expect(seen.asked.filter((name) => name === OWN)).toHaveLength(2)
  expect(seen.told).not.toContain(OWN)
  for (const body of seen.bodies.filter((one) => one.includes(OWN))) expect(body).toContain('"answer":"wrong ')
})

test('a token that the answer hands to whoever names an account is told as what it is, and not shown', async () => {
  const token = (): string => JSON.stringify({ message: 'Sent', reset_token: randomBytes(12).toString('hex') })
  const asked = await found(RESET, (name) => [200, name === OWN ? token() : '{"message":"Sent"}'])
  expect(asked.shown).toMatchObject([{ kind: 'secret', names: ['/reset_token'], open: true, method: 'POST' }])
  expect(JSON.stringify(asked.shown)).not.toMatch(/[\da-f]{24}/)
  expect((await found(RESET, () => [200, '{"token_type":"reset"}'])).shown).toEqual([])
})

test('a form of one record, whose token holds for a session and whose answer stands on the page it leads to', async () => {
  const sessions = new Map<string, string>()
  let known = 0
  const site = await serveCase(179, {
    http: async (incoming, response) => {
      known += 1
      const id = /sid=(\w+)/.exec(incoming.headers.cookie ?? '')?.[1] ?? `s${known}`
      response.setHeader('Content-Type', 'text/html').setHeader('Set-Cookie', `sid=${id}; Path=/`)
      if (incoming.method === 'GET') {
        const said = sessions.get(id) ?? ''
        sessions.delete(id)
        // Masked anew at each look, and of another length.
        const mask = `${'ab3'.repeat(2 + (known % 3))}f.${Buffer.from(`m4sk-${id}-${known}-${'x'.repeat(12)}`).toString('base64url')}`
        return void response.end(
          `${said}<form method=post action=/en/forgot><input name="forgot[email]"><input type=submit name="forgot[send]"><input type=hidden name="forgot[_token]" value="${mask}.${Buffer.from(`${id}-of-the-session-1`).toString('base64url')}"></form>`,
        )
      }
      const body = new URLSearchParams(await text(incoming))
      const token = (body.get('forgot[_token]') ?? '').split('.').at(-1) ?? ''
      const isRight = Buffer.from(token, 'base64url').toString() === `${id}-of-the-session-1`
      if (!isRight) return void response.writeHead(422).end('The token is invalid')
      sessions.set(id, body.get('forgot[email]') === OWN ? 'A letter is on its way.' : 'There is no such account.')
      return void response.writeHead(302, { Location: '/en/forgot' }).end()
    },
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'api', requests: 100 })
  cleanups.push(close)
  const fields = [
    { name: 'forgot[email]', value: 'a@mail.test', type: 'email' },
    { name: 'forgot[send]', value: '', type: 'submit' },
    { name: 'forgot[_token]', value: 'ab3f.bTRzay1hLWItYw.czEtb2YtdGhlLXNlc3Npb24tMQ', type: 'hidden' },
  ]
  const url = 'http://shop.test/en/forgot'
  const form = caseRequest({ method: 'POST', url, encoding: 'urlencoded', fields, seenOn: [url], id: 'form' })
  const hits: AccountHit[] = []
  expect(askingOf(form)).toBe('recovery')
  await recoveryWork(ctx, { mail: OWN, name: null })(form, (hit) => void hits.push(hit))
  expect(hits.map(({ kind }) => kind)).toEqual(['recovery'])
})

describe('an operation whose fields a script alone fills in', () => {
  const BARE = caseRequest({
    method: 'POST',
    url: 'http://shop.test/api/password/forgot',
    encoding: 'none',
    id: 'bare',
  })
  test('is asked with the member that such interfaces take', async () => {
    const { kinds, asked } = await found(BARE, (name) => [200, name === OWN ? '{"sent":true}' : '{"sent":false}'])
    expect(kinds).toEqual(['recovery'])
    expect(asked.filter((name) => name === OWN)).toHaveLength(2)
  })
  test('is no pass where that tells nothing', async () => {
    expect((await found(BARE, () => [200, '{}'])).left).toBe('whose fields no page and no script shows')
  })
  test('is a recovery by its name alone', () => {
    const called = (path: string) => askingOf(caseRequest({ ...BARE, url: `http://shop.test${path}` }))
    expect(['/api/password/forgot', '/account/recover', '/reset-password'].map(called)).toEqual(
      Array(3).fill('recovery'),
    )
    const others = ['/api/cache/reset', '/api/exists', '/api/session', '/api/reminders', '/files/recover/7']
    expect(others.map(called)).toEqual(Array(5).fill(null))
  })
})

test('what is slowed down in between is asked again when it said that it may be', async () => {
  let refused = 0
  const seen = await found(QUESTION, (name, asked) => {
    if (asked.length - refused === 3 && refused === 0) {
      refused += 1
      return [429, '{"error":"Too many attempts"}']
    }
    return [200, name === OWN ? '{"question":"Your pet?"}' : '{}']
  })
  expect(seen.kinds).toEqual(['recovery'])
  expect(refused).toBe(1)
})

describe('a registration', () => {
  test('that says that a name is taken', async () => {
    const seen = await found(REGISTRATION, (name, asked) =>
      asked.includes(name) ? [400, '{"error":"email must be unique"}'] : [201, `{"id":${asked.length + 40}}`],
    )
    expect(seen.kinds).toEqual(['registration'])
    expect(seen.asked).not.toContain(OWN)
    expect(seen.asked.every((name) => /^sonde[\da-f]{12}@sonde\.invalid$/.test(name))).toBe(true)
  })
  test('that says nothing of it', async () => {
    const seen = await found(REGISTRATION, () => [202, '{"message":"A mail is on its way."}'])
    expect(seen.kinds).toEqual([])
  })
})

test.each([
  ['recovery', QUESTION],
  ['recovery', RESET],
  ['registration', REGISTRATION],
  [null, json('/api/login', { email: 'a', password: 'b' })],
  ['recovery', json('/forgot', { mail: 'a' })],
  [null, json('/api/contact', { email: 'a', text: 'b' })],
  [null, caseRequest({ url: 'http://shop.test/search?q=a' })],
  [null, caseRequest({ url: 'http://shop.test/users?email=a&page=1&sort=b&limit=3' })],
  [
    'recovery',
    caseRequest({
      ...{ url: 'http://shop.test/ajax.php?do=check_login&login=a' },
      shape: 'http://shop.test/ajax.php?do=check_login&login',
    }),
  ],
  [
    null,
    caseRequest({ url: 'http://shop.test/ajax.php?do=check&login=a', shape: 'http://shop.test/ajax.php?do&login' }),
  ],
] as const)('what knows accounts: %s', (kind, request) => {
  expect(askingOf(request)).toBe(kind)
})

test.each([
  ['a recovery that is named for the password alone', '/users/password', ['user[email]'], 'recovery'],
  ['one by mail', '/password/email', ['email'], 'recovery'],
  ['what changes a password', '/users/password', ['email', 'password'], null],
])('%s', (_name, path, names, kind) => {
  const fields = names.map((name) => ({ name, type: name === 'password' ? 'password' : 'text', value: '' }))
  const form = caseRequest({ method: 'POST', url: `http://shop.test${path}`, encoding: 'urlencoded', fields })
  expect(askingOf(form)).toBe(kind)
})
