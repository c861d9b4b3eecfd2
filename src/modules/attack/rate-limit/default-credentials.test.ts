import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import type { Environment } from '../../../contract/run.ts'
import type { RunSession } from '../../module.ts'
import { collectContext, serveCase } from '../../testing/collecting.ts'
import { judgeCases } from '../../testing/judge-cases.ts'
import { caseCrawl, caseRequest } from '../crawl/testing/crawl-facts.ts'
import { CHECKS } from './checks.ts'
import { collectRateLimit } from './collect.ts'
import type { CredentialsTrial, RateLimitFacts } from './facts.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const FORM =
  '<form method=post action=/login><input name=user><input type=password name=pass><input type=hidden name=csrf value=fresh></form>'

interface Asked {
  readonly name: string
  readonly password: string
}
type Answering = (asked: Asked, response: ServerResponse) => void

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

/** What was tried at a sign-in that answers so, by a form or by JSON. */
const tried = async (
  last: number,
  answer: Answering,
  {
    environment = 'test',
    session,
    json = false,
    name: called = 'user',
    more = [],
  }: {
    environment?: Environment
    session?: object
    json?: boolean
    name?: string
    more?: readonly string[]
  } = {},
) => {
  const asked: Asked[] = []
  const http: RequestListener = async (request, response) => {
    if (request.method === 'GET') return void response.writeHead(200, { 'Content-Type': 'text/html' }).end(FORM)
    const body = await bodyOf(request)
    const { email: name = '', password = '' } = json
      ? JSON.parse(body)
      : Object.fromEntries([...new URLSearchParams(body)].map(([key, value]) => [NAMES[key] ?? key, value]))
    asked.push({ name, password })
    answer({ name, password }, response)
  }
  const site = await serveCase(last, { http })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'rate-limit', requests: 300 })
  cleanups.push(close)
  const at = { method: 'POST', url: 'http://shop.test/login', seenOn: ['http://shop.test/'], sent: false } as const
  const request = json
    ? caseRequest({ ...at, encoding: 'json', fields: [], body: '{"email":"a@example.org","password":"x"}' })
    : caseRequest({
        ...{ ...at, encoding: 'urlencoded' as const },
        fields: [
          { name: called, type: 'text', value: 'sam' },
          { name: 'pass', type: 'password', value: 'x' },
          { name: 'csrf', type: 'hidden', value: 'stale' },
          ...more.map((one) => ({ name: one, type: 'text', value: 'a' })),
        ],
      })
  const own = session ? { session: session as RunSession } : {}
  const facts = await collectRateLimit(
    { ...ctx, ...own, target: { ...ctx.target, environment } },
    caseCrawl({ requests: [request] }),
  )
  // A series against guessing follows.
  const names = asked.filter(({ password }) => !password.startsWith('Wrong-')).map(({ name }) => name)
  return { credentials: facts.credentials, trial: facts.credentials?.[0], names, asked }
}
const OWN = { form: { url: 'http://shop.test/login' } }
const NAMES: Readonly<Record<string, string>> = { user: 'email', log: 'email', pass: 'password' }

const refused = (response: ServerResponse, status = 200): void =>
  void response.writeHead(status, { 'Content-Type': 'text/html' }).end(`<p>Wrong</p>${FORM}`)
const isAdmin = ({ name, password }: Asked): boolean => name === 'admin' && password === 'password'

describe('a usual name and password', () => {
  it('is let in by a form that leads on, and others are refused by the page of the form', async () => {
    const { trial, names } = await tried(138, (asked, response) =>
      isAdmin(asked)
        ? void response.writeHead(302, { Location: '/home', 'Set-Cookie': 'sid=1' }).end()
        : refused(response),
    )
    expect(trial).toMatchObject({
      ...{ aborted: null, tried: 2, method: 'POST', at: 'http://shop.test/login' },
      hit: { name: 'admin', password: 'password', status: 302, location: '/home', refused: 200 },
    })
    // What its page hands out once is good for nobody else.
    expect(trial?.hit?.replay).toBeNull()
    expect(names).toEqual(['admin', 'admin', 'admin'])
  })

  it('is let in by the only field beside the password, whatever it is called', async () => {
    const { trial } = await tried(
      153,
      ({ name, password }, response) =>
        isAdmin({ name, password }) ? void response.writeHead(302, { Location: '/home' }).end() : refused(response),
      { name: 'log', session: OWN },
    )
    expect(trial?.hit).toMatchObject({ name: 'admin' })
  })

  it('is let in where whoever is refused is led away as well', async () => {
    const { trial } = await tried(139, (asked, response) => {
      const to = isAdmin(asked) ? '/home' : '/login?failed=1'
      response.writeHead(302, { Location: to, 'Set-Cookie': 'sid=1' }).end()
    })
    expect(trial?.hit).toMatchObject({ name: 'admin', location: '/home', refused: 302 })
  })

  it('is let in by JSON, by a mailbox of the site', async () => {
    const { trial } = await tried(
      140,
      ({ name, password }, response) => {
        const isIn = name === 'test@shop.test' && password === 'test'
        response.writeHead(200, { 'Content-Type': 'application/json' })
        response.end(isIn ? '{"token":"eyJhbGciOi","role":"member"}' : '{"error":"the name or the password is wrong"}')
      },
      { json: true },
    )
    expect(trial?.hit).toMatchObject({ name: 'test@shop.test', password: 'test' })
    expect(trial?.hit?.replay).toMatch(/^curl .*"password":"test"/)
  })

  it.each<[string, number, Answering]>([
    ['nobody', 141, (_, response) => refused(response)],
    ['everybody', 142, (_, response) => void response.writeHead(302, { Location: '/home' }).end()],
    [
      'nobody by who says that a name is known',
      143,
      ({ name }, response) =>
        void response.end(
          name === 'admin' ? 'That is not the password of this account' : 'Nobody here has such a name',
        ),
    ],
    [
      'a name that is led elsewhere whatever its password',
      144,
      ({ name }, response) =>
        name === 'admin' ? void response.writeHead(302, { Location: '/locked' }).end() : refused(response),
    ],
  ])('is none of those that are let in where that is %s', async (_name, last, answer) => {
    const { trial, asked } = await tried(last, answer)
    expect(trial).toMatchObject({ aborted: null, hit: null })
    expect(asked.filter(({ name }) => name === 'admin')).toHaveLength(3)
  })

  it.each<[string, number, Answering, object, number, string]>([
    ['refuses all as nobody’s page does', 149, (_, response) => refused(response, 403), {}, 2, 'status 403'],
    [
      'answers as it does without a form',
      150,
      (_, response) => void response.writeHead(200, { 'Content-Type': 'text/html' }).end(FORM),
      {},
      2,
      'without the form',
    ],
    [
      'asks for two things',
      151,
      (_, response) => refused(response),
      { name: 'log', more: ['realm'], session: OWN },
      2,
      'not known',
    ],
    ['refuses what may be no sign-in at all', 152, (_, response) => refused(response, 422), {}, 10, 'status 422'],
  ])('is not told of where the address %s', async (_name, last, answer, change, sent, why) => {
    const { trial, asked } = await tried(last, answer, change)
    expect(trial).toMatchObject({ hit: null, aborted: expect.stringContaining(why) })
    const attempts = asked.filter((_one, index) => index < sent)
    expect(attempts).toHaveLength(sent)
    expect(trial?.tried).toBe(sent - 2)
  })

  it('is tried of no account of the run itself', async () => {
    const { names } = await tried(145, (_, response) => refused(response), { session: { account: 'Admin' } })
    expect(names).toEqual(['test', 'user', 'guest', 'root', 'demo'])
  })

  it('is tried no more once a guard answers, and it says so', async () => {
    let times = 0
    const { trial, names } = await tried(146, (_, response) => {
      times += 1
      if (times < 5) return refused(response)
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>Too many attempts. Try again later.</p>')
    })
    expect(trial).toMatchObject({ tried: 3, hit: null, aborted: expect.stringContaining('guard against guessing') })
    expect(names).toEqual(['admin', 'admin', 'test'])
  })

  it('is not tried on a production system', async () => {
    const { credentials, names } = await tried(147, (_, response) => refused(response), { environment: 'production' })
    expect([credentials, names]).toEqual([null, []])
  })
})

const check = CHECKS.find(({ findings }) => findings.some(({ id }) => id === 'rate-limit/default-credentials'))
if (!check) throw new Error('a check is missing')
const HIT = {
  ...{ name: 'admin', password: 'admin', status: 302, location: '/home', refused: 200 },
  replay: "curl -isk --data-binary 'user=admin&pass=admin' 'https://shop.test/login'",
}
const facts = (change: Partial<CredentialsTrial> | null, left: RateLimitFacts['left'] = []): RateLimitFacts => {
  const place = { method: 'POST', url: 'https://shop.test/login', at: 'https://shop.test/login' }
  const trial = { ...place, tried: 8, aborted: null, hit: null, ...change }
  return { endpoints: [], batch: null, left, credentials: change === null ? [] : [trial] }
}
judgeCases(check, [
  { name: 'one is let in', facts: facts({ hit: HIT }), expect: ['rate-limit/default-credentials'] },
  { name: 'none is', facts: facts({}), expect: [] },
  { name: 'a guard came', facts: facts({ aborted: 'a guard' }), expect: [], unjudged: 'inconclusive' },
  {
    name: 'one is let in, and another sign-in was beyond',
    facts: facts({ hit: HIT }, [{ kind: 'login', reason: 'beyond the first 3' }]),
    ...{ expect: ['rate-limit/default-credentials'], unjudged: 'inconclusive' },
  },
  { name: 'no login', facts: facts(null), expect: [], unjudged: 'not_applicable' },
  {
    name: 'of a production system',
    facts: { ...facts(null), credentials: null },
    ...{ expect: [], unjudged: 'not_tested' },
  },
  { name: 'of an older run', facts: { endpoints: [], batch: null }, expect: [], unjudged: 'not_tested' },
])
