import { createServer, type RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import Provider from 'oidc-provider'
import { afterEach, describe, expect, test } from 'vitest'
import type { SignIn } from '../contract/identity.ts'
import { caseAnswer } from '../modules/testing/answers.ts'
import { type CaseServers, collectContext, serveCase } from '../modules/testing/collecting.ts'
import { proven } from './proof.ts'
import { createSignIn, type Step } from './sign-in.ts'

const PROOF = { path: '/account', status: 200 }
let servers: CaseServers | null = null
let close: () => Promise<void> = async () => undefined
afterEach(async () => {
  await close()
  await servers?.close()
  servers = null
})

interface Tokens {
  readonly ClientCredentials: { readonly find: (token: string) => Promise<unknown> }
}

/** Signs in once, or as often as wanted, at a site of the test's own. */
const signing = async (how: Partial<SignIn>, http: RequestListener, hosts: readonly string[] = []) => {
  servers = await serveCase(63, { http })
  const made = collectContext(servers.address)
  close = made.close
  const steps: Step[] = []
  const signIn = createSignIn({ ...how, proof: PROOF } as SignIn, {
    egress: made.ctx.egress,
    place: { domain: 'shop.test', hosts },
    clock: () => 1_000,
    browser: { open: made.ctx.browser },
    sleep: async () => undefined,
    told: (step) => void steps.push(step),
  })
  return { signIn, steps }
}

type Answer = (given: {
  readonly method: string
  readonly path: string
  readonly body: string
  readonly cookie: string
  readonly authorization: string
}) =>
  | {
      readonly status?: number
      readonly headers?: Readonly<Record<string, string | undefined>>
      readonly body?: string
    }
  | undefined
const site =
  (answer: Answer): RequestListener =>
  async (request, response) => {
    const body = await text(request)
    const { cookie = '', authorization = '' } = request.headers
    const found = answer({ method: request.method ?? '', path: request.url ?? '', body, cookie, authorization })
    response.writeHead(found?.status ?? (found ? 200 : 404), found?.headers ?? {}).end(found?.body ?? '')
  }

test('cookies that scripts of its pages may read are kept for them, and no others', async () => {
  const { signIn } = await signing(
    { request: { requests: [{ url: '/login', json: { user: 'ada' } }] } },
    site(() => ({
      headers: { 'Set-Cookie': ['csrf=4f1c9a; Path=/', 'sid=9b2d; Path=/; HttpOnly'] as unknown as string },
    })),
  )
  const { cookie, storage } = await signIn()
  expect(cookie).toBe('csrf=4f1c9a; sid=9b2d')
  expect(storage.items).toEqual([{ area: 'cookie', name: 'csrf', value: '4f1c9a' }])
})

test('the page that it is redirected to is told, without what stands in its query', async () => {
  const { signIn } = await signing(
    {
      request: {
        requests: [
          { url: '/token', json: { user: 'ada' }, read: { token: { pointer: '/token' } } },
          { url: '/console/login', form: { user: 'ada' } },
        ],
        header: 'Authorization: Bearer {{token}}',
      },
    },
    site(({ method, path }) => {
      if (path === '/token') return { body: '{"token":"abc"}' }
      if (method === 'POST')
        return { status: 303, headers: { Location: '/console?ticket=9f3b', 'Set-Cookie': 'staff=1' } }
      return { body: 'Orders' }
    }),
  )
  expect((await signIn()).landed).toEqual(['http://shop.test/console'])
})

describe('by requests', () => {
  test.each([
    ['a form field', { field: '_csrf' }],
    ['a meta element', { meta: 'csrf-token' }],
    ['a header', { header: 'X-Csrf' }],
    ['a cookie', { cookie: 'XSRF-TOKEN' }],
  ] as const)('with a token that stands in %s', async (_name, place) => {
    const { signIn } = await signing(
      {
        request: {
          requests: [
            { url: '/login', read: { csrf: place } },
            { url: '/login', json: { user: 'ada', list: ['{{csrf}}'] }, headers: { 'X-XSRF-TOKEN': '{{csrf}}' } },
          ],
        },
      },
      site(({ method, path, body }) => {
        if (path !== '/login') return {}
        if (method === 'GET')
          return {
            headers: { 'Content-Type': 'text/html', 'X-Csrf': 't=1', 'Set-Cookie': 'XSRF-TOKEN=t%3D1; Path=/' },
            body: '<meta name="csrf-token" content="t=1"><form><input type="hidden" name="_csrf" value="t=1"></form>',
          }
        return body === '{"user":"ada","list":["t=1"]}'
          ? { headers: { 'Set-Cookie': 'sid=abc; Path=/app' } }
          : { status: 400 }
      }),
    )
    const { cookie, header } = await signIn()
    // Of whichever path.
    expect(cookie?.split('; ')).toEqual(expect.arrayContaining(['sid=abc']))
    expect(header).toBeNull()
  })

  test('with a field that is there and empty for nobody', async () => {
    const { signIn } = await signing(
      {
        request: {
          requests: [
            { url: '/login', read: { csrf: { field: 'token' } } },
            { url: '/login', form: { user: 'ada', token: '{{csrf}}' } },
          ],
        },
      },
      site(({ method, body }) => {
        if (method === 'GET')
          return {
            headers: { 'Content-Type': 'text/html' },
            body: '<form><input type="hidden" name="token" value=""></form>',
          }
        return body === 'user=ada&token=' ? { headers: { 'Set-Cookie': 'sid=abc; Path=/' } } : { status: 400 }
      }),
    )
    expect((await signIn()).cookie).toBe('sid=abc')
  })

  test.each([
    [
      'a step that is refused',
      { requests: [{ url: '/login' }, { url: '/refused', form: { password: 'kanarie' } }] },
      'POST http://shop.test/refused answered 403',
    ],
    [
      'a value that is not there',
      { requests: [{ url: '/login', read: { csrf: { field: 'token' } } }] },
      'GET http://shop.test/login answered 200, and without field "token"',
    ],
    [
      'a value that nobody has read',
      { requests: [{ url: '/login', form: { a: '{{csrf}}' } }] },
      '{{csrf}} has no value: no answer before has given it',
    ],
    [
      'another status than is said',
      { requests: [{ url: '/login', status: 302 }] },
      'GET http://shop.test/login answered 200, not 302',
    ],
    [
      'a way to another site',
      { requests: [{ url: '/away' }] },
      'GET http://shop.test/away leads to https://evil.test, where nothing secret goes',
    ],
    [
      'ways without an end',
      { requests: [{ url: '/round' }] },
      'GET http://shop.test/round is redirected more than 10 times',
    ],
    ['nothing that stays', { requests: [{ url: '/login' }] }, 'Nothing was set that later requests could carry'],
  ] as const)('that fail by %s, in one sentence', async (_name, request, sentence) => {
    const { signIn, steps } = await signing(
      { request: request as unknown as NonNullable<SignIn['request']> },
      site(({ path }) => {
        if (path === '/refused') return { status: 403 }
        if (path === '/away') return { status: 302, headers: { Location: 'https://evil.test/' } }
        if (path.startsWith('/round')) return { status: 302, headers: { Location: `${path}x` } }
        return { headers: { 'Content-Type': 'text/html' }, body: '<p>hello</p>' }
      }),
    )
    await expect(signIn()).rejects.toMatchObject({ name: 'SignInFailed', message: expect.stringContaining(sentence) })
    expect(JSON.stringify(steps)).not.toContain('kanarie')
    if (!sentence.startsWith('Nothing')) expect(steps.at(-1)).toMatchObject({ ok: false })
  })
})

describe('by OAuth 2.0', () => {
  const CLIENT = { token_url: '/token', client_id: 'scanner', client_auth: 'basic' } as const

  test('with client credentials, at a provider of others', async () => {
    const provider = new Provider('http://shop.test', {
      clients: [
        {
          ...{ client_id: 'scanner', client_secret: 'geheim:kanarie+55', redirect_uris: [], response_types: [] },
          grant_types: ['client_credentials'],
        },
      ],
      features: { clientCredentials: { enabled: true }, devInteractions: { enabled: false } },
    })
    const served = createServer(provider.callback())
    const { signIn } = await signing(
      { oauth2: { ...CLIENT, grant: 'client_credentials', client_secret: 'geheim:kanarie+55' } },
      (request, response) => void served.emit('request', request, response),
    )
    const { header, expiresAt } = await signIn()
    const token = /^Authorization: Bearer (\S+)$/.exec(header ?? '')?.[1] ?? ''
    expect(await (provider as unknown as Tokens).ClientCredentials.find(token)).toMatchObject({ clientId: 'scanner' })
    expect(expiresAt).toBeGreaterThan(1_000)
  })

  test('refused, says what the provider says', async () => {
    const provider = new Provider('http://shop.test', {
      clients: [],
      features: { clientCredentials: { enabled: true }, devInteractions: { enabled: false } },
    })
    const served = createServer(provider.callback())
    const { signIn } = await signing(
      { oauth2: { ...CLIENT, grant: 'client_credentials', client_secret: 'falsch' } },
      (request, response) => void served.emit('request', request, response),
    )
    await expect(signIn()).rejects.toThrow('POST http://shop.test/token answered 401 invalid_client')
  })

  test('with a refresh token that is replaced by each use', async () => {
    let valid = 'r1'
    const { signIn } = await signing(
      { oauth2: { ...CLIENT, client_auth: 'body', grant: 'refresh_token', refresh_token: 'r1' } },
      site(({ body }) => {
        const given = new URLSearchParams(body)
        if (given.get('refresh_token') !== valid || given.get('client_id') !== 'scanner')
          return { status: 400, body: '{"error":"invalid_grant"}' }
        valid = `${valid}+`
        return { body: JSON.stringify({ access_token: `a-${valid.length}`, refresh_token: valid, expires_in: 60 }) }
      }),
    )
    expect(await signIn()).toMatchObject({ header: 'Authorization: Bearer a-3', expiresAt: 61_000 })
    expect(await signIn()).toMatchObject({ header: 'Authorization: Bearer a-4' })
  })
})

test('a form that leads to another address each time is sent to where it leads now', async () => {
  const { signIn } = await signing(
    {
      request: {
        requests: [
          { url: '/sign-in', read: { at: { action: 'login' } } },
          { url: '{{at}}', form: { login: 'ada', password: 'x' } },
        ],
      },
    },
    site(({ method, path, body }) =>
      method === 'GET' && path === '/sign-in'
        ? {
            headers: { 'Content-Type': 'text/html' },
            body: '<form action=/find><input name=q></form><form method=post action="/interaction/k7Q2"><input name=login><input name=password></form>',
          }
        : path === '/interaction/k7Q2' && body === 'login=ada&password=x'
          ? { headers: { 'Set-Cookie': 'sid=abc; Path=/' } }
          : undefined,
    ),
  )
  expect((await signIn()).cookie).toBe('sid=abc')
})

test('to no other site, wherever a form leads', async () => {
  const { signIn } = await signing(
    {
      request: {
        requests: [
          { url: '/sign-in', read: { at: { action: 'login' } } },
          { url: '{{at}}', form: { login: 'ada', password: 'x' } },
        ],
      },
    },
    site(() => ({
      headers: { 'Content-Type': 'text/html' },
      body: '<form method=post action="https://elsewhere.test/in"><input name=login></form>',
    })),
  )
  await expect(signIn()).rejects.toThrow('elsewhere.test')
})

test('a token that stands in bodies, proven there', async () => {
  const seen: string[] = []
  const { signIn } = await signing(
    {
      request: {
        requests: [{ url: '/rpc', json: { method: 'user.login' }, read: { token: { pointer: '/result' } } }],
        member: { name: 'auth', value: '{{token}}' },
      },
    },
    site(({ body }) => {
      seen.push(body)
      return { body: '{"result":"abc-4711"}' }
    }),
  )
  expect(await signIn()).toMatchObject({ cookie: null, header: null, member: { name: 'auth', value: 'abc-4711' } })
  const proof = { path: '/rpc', text: 'abc', json: { method: 'user.get', auth: '' } }
  const asked: unknown[] = []
  const http = async (request: { readonly url: string }) => {
    asked.push(request)
    return { ...caseAnswer({ path: '/rpc', body: '{"result":"abc"}' }) }
  }
  expect(await proven({ http }, 'http://shop.test', proof)).toMatchObject({ isSignedIn: true })
  expect(asked).toMatchObject([{ method: 'POST', body: '{"method":"user.get","auth":""}' }])
})
