/**
 * The door of the application: four ways to become one of its people, and sessions that die. Where a cookie says who asks, what writes needs
 * a token against forged requests (CWE-352), each kind its own way.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { SignIn } from '../../src/contract/identity.ts'
import type { User } from './data.ts'

export const SIGN_INS = ['form', 'bearer', 'oauth2', 'totp'] as const
export type SignInKind = (typeof SIGN_INS)[number]

/** What the door sends by itself. */
export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Asking {
  readonly method: string
  readonly url: URL
  readonly cookies: ReadonlyMap<string, string>
  readonly authorization: string
  readonly csrf: string
  readonly form: URLSearchParams
  readonly json: Readonly<Record<string, unknown>>
}

export interface Door {
  /** Who asks; counts against the life of the session. */
  readonly userOf: (asking: Asking) => User | null
  /** Null for what is the application's. */
  readonly answer: (asking: Asking, user: User | null) => Answered | null
  /** The head of its start page, for who asks. */
  readonly head: (asking: Asking) => string
  /** How many sessions have died, by the name of the person. */
  readonly deaths: ReadonlyMap<string, number>
  /** All that is secret: passwords, seeds, sessions. */
  readonly secrets: () => readonly string[]
}

const PERIOD = 10
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const random = (): string => randomBytes(18).toString('base64url')
export const passwordOf = ({ id }: User): string =>
  `kanarie-${id}-${createHash('sha1').update(`p${id}`).digest('hex').slice(0, 12)}`
const seedOf = ({ id }: User): string =>
  [...createHash('sha256').update(`s${id}`).digest()].map((byte) => ALPHABET[byte % 32]).join('')

/** `lasts`: requests of a person's session, and of that after each death; those that follow last. */
export const createDoor = (kind: SignInKind, users: readonly User[], lasts: readonly number[]): Door => {
  const sessions = new Map<string, { readonly user: User; left: number }>()
  const deaths = new Map<string, number>()
  const tokens = new Map<string, string>()
  /** By the cookie of a form: its token, and who has given the right password. */
  const forms = new Map<string, { readonly token: string; passed: User | null }>()
  const codes = new Map<string, { readonly user: User; readonly challenge: string }>()
  const flows = new Map<string, { readonly state: string; readonly verifier: string }>()
  const usedCodes = new Set<string>()
  const all: string[] = []

  const begin = (user: User): string => {
    const sid = random()
    sessions.set(sid, { user, left: lasts[deaths.get(user.name) ?? 0] ?? Number.POSITIVE_INFINITY })
    all.push(sid)
    return sid
  }
  const userBy = (name: string | null, password: unknown): User | null =>
    users.find((user) => user.email === name && passwordOf(user) === password) ?? null
  const signedIn = (user: User): Answered => redirect('/', `sid=${begin(user)}; Path=/; HttpOnly`)

  const sidOf = ({ cookies, authorization }: Asking): string =>
    kind === 'bearer' ? authorization.replace(/^Bearer /, '') : (cookies.get('sid') ?? '')

  const openForm = (action: string): Answered => {
    const id = random()
    const form = { token: random(), passed: null }
    forms.set(id, form)
    return page(passwordForm(action, form.token), `form=${id}; Path=/`)
  }
  const byPassword = (
    { cookies, form }: Asking,
    done: (user: User, held: { passed: User | null }) => Answered,
  ): Answered => {
    const held = forms.get(cookies.get('form') ?? '')
    if (held === undefined || form.get('_csrf') !== held.token) return page('<p>The form is not ours.</p>', null, 403)
    const user = userBy(form.get('user'), form.get('password'))
    return user === null ? page('<p>No such account.</p>', null, 401) : done(user, held)
  }

  const atDoor = (asking: Asking): Answered | null => {
    const { method, url, form, json, cookies } = asking
    const at = `${method} ${url.pathname}`
    if (kind === 'bearer') {
      if (at !== 'POST /api/login') return null
      const user = userBy(String(json.user), json.password)
      return user === null
        ? send(401, { error: 'no such account' })
        : send(200, { data: { token: begin(user), token_type: 'Bearer' } })
    }
    if (kind === 'oauth2') return byProvider(asking, at)
    if (at === 'GET /login') return openForm('/login')
    if (at === 'POST /login')
      return byPassword(asking, (user, held) => {
        if (kind === 'form') return signedIn(user)
        held.passed = user
        return redirect('/code')
      })
    if (kind === 'totp' && at === 'GET /code')
      return page('<form method="post" action="/code"><input name="code"></form>')
    if (kind === 'totp' && at === 'POST /code') {
      const user = forms.get(cookies.get('form') ?? '')?.passed ?? null
      const code = form.get('code') ?? ''
      const step = Math.floor(Date.now() / 1_000 / PERIOD)
      const fits = user !== null && [step, step - 1].some((one) => codeOf(seedOf(user), one) === code)
      const key = `${user?.id} ${code}`
      if (user === null || !fits || usedCodes.has(key)) return page('<p>No.</p>', null, 403)
      usedCodes.add(key)
      return signedIn(user)
    }
    return null
  }

  /** The code flow of OAuth 2.0 (RFC 6749, 4.1) with PKCE (RFC 7636); the provider stands at /idp. */
  const byProvider = (asking: Asking, at: string): Answered | null => {
    const { url, form, cookies } = asking
    if (at === 'GET /login') {
      const [flow, state, verifier] = [random(), random(), random()]
      flows.set(flow, { state, verifier })
      const query = new URLSearchParams({
        ...{ response_type: 'code', client_id: 'books', redirect_uri: '/callback', state },
        ...{ code_challenge: challengeOf(verifier), code_challenge_method: 'S256' },
      })
      return redirect(`/idp/authorize?${query}`, `flow=${flow}; Path=/; HttpOnly`)
    }
    if (at === 'GET /idp/authorize') return openForm(`/idp/login${url.search}`)
    if (at === 'POST /idp/login')
      return byPassword(asking, (user) => {
        const code = random()
        const back = form.get('state') ?? url.searchParams.get('state') ?? ''
        codes.set(code, { user, challenge: url.searchParams.get('code_challenge') ?? '' })
        return redirect(`/callback?${new URLSearchParams({ code, state: back })}`)
      })
    if (at !== 'GET /callback') return null
    const flow = flows.get(cookies.get('flow') ?? '')
    const given = codes.get(url.searchParams.get('code') ?? '')
    codes.delete(url.searchParams.get('code') ?? '')
    if (flow === undefined || given === undefined || url.searchParams.get('state') !== flow.state)
      return page('<p>Not our flow.</p>', null, 400)
    return given.challenge === challengeOf(flow.verifier) ? signedIn(given.user) : page('<p>No.</p>', null, 400)
  }

  /** Of forms in a meta element of the start page and good for once; by JSON until the next; of the provider's kind by a cookie that a header repeats. */
  const newToken = (sid: string): string => {
    const token = random()
    tokens.set(sid, token)
    return token
  }
  const isForged = (asking: Asking): boolean => {
    const { method, csrf, cookies, url } = asking
    if (kind === 'bearer' || method === 'GET' || !url.pathname.startsWith('/api/')) return false
    if (kind === 'oauth2') return csrf === '' || csrf !== cookies.get('XSRF-TOKEN')
    const sid = sidOf(asking)
    const isGood = csrf !== '' && csrf === tokens.get(sid)
    if (kind === 'form') tokens.delete(sid)
    return !isGood
  }

  return {
    deaths,
    secrets: () => [...users.flatMap((user) => [passwordOf(user), seedOf(user)]), ...all],
    userOf: (asking) => {
      const session = sessions.get(sidOf(asking))
      if (session === undefined) return null
      session.left -= 1
      if (session.left >= 0) return session.user
      if (session.left === -1) deaths.set(session.user.name, (deaths.get(session.user.name) ?? 0) + 1)
      return null
    },
    answer: (asking, user) => {
      const own = atDoor(asking)
      if (own !== null) return own
      if (kind === 'totp' && asking.url.pathname === '/api/csrf')
        return user === null
          ? send(401, { error: 'unauthenticated' })
          : send(200, { csrf_token: newToken(sidOf(asking)) })
      return user !== null && isForged(asking) ? send(403, { error: 'CSRF token missing or incorrect' }) : null
    },
    head: (asking) => (kind === 'form' ? `<meta name="csrf-token" content="${newToken(sidOf(asking))}">` : ''),
  }
}

/** As the operator would write it down. */
export const signInOf = (kind: SignInKind, user: User): SignIn => {
  const proof = { path: '/api/me', text: user.email }
  const account = { user: user.email, password: passwordOf(user) }
  const form = (url: string) => ({ url, form: { ...account, _csrf: '{{csrf}}' } })
  const opened = { url: '/login', read: { csrf: { field: '_csrf' } } }
  switch (kind) {
    case 'form':
      return { request: { requests: [opened, form('/login')] }, proof }
    case 'totp':
      return {
        request: { requests: [opened, form('/login'), { url: '/code', form: { code: '{{totp}}' } }] },
        totp: { secret: seedOf(user), period: PERIOD },
        proof,
      }
    case 'oauth2':
      return {
        request: {
          requests: [
            {
              url: '/login',
              read: { csrf: { field: '_csrf' }, state: { field: 'state' }, challenge: { field: 'challenge' } },
            },
            form('/idp/login?state={{state}}&code_challenge={{challenge}}'),
          ],
        },
        proof,
      }
    case 'bearer':
      return {
        request: {
          requests: [{ url: '/api/login', json: account, read: { token: { pointer: '/data/token' } } }],
          header: 'Authorization: Bearer {{token}}',
        },
        proof,
      }
  }
}

const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

/** RFC 6238 with SHA-1 and six digits. */
const codeOf = (seed: string, step: number): string => {
  const bits = [...seed].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [])
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', key).update(counter).digest()
  return String((mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

const passwordForm = (action: string, token: string): string => {
  const query = new URL(action, 'http://books.test').searchParams
  const hidden = [
    ['_csrf', token],
    ...['state', 'code_challenge'].flatMap((name) => {
      const value = query.get(name)
      return value === null ? [] : [[name === 'state' ? 'state' : 'challenge', value]]
    }),
  ]
  return `<form method="post" action="${action.replaceAll('&', '&amp;')}">${hidden
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`)
    .join('')}<input name="user"><input name="password" type="password"><button>Sign in</button></form>`
}

const page = (body: string, cookie: string | null = null, status = 200): Answered => ({
  status,
  headers: { 'Content-Type': 'text/html', ...(cookie === null ? {} : { 'Set-Cookie': cookie }) },
  body: `<!doctype html><html lang="en"><head><title>Books</title></head><body>${body}</body></html>`,
})
const redirect = (to: string, cookie: string | null = null): Answered => ({
  status: 302,
  headers: { Location: to, ...(cookie === null ? {} : { 'Set-Cookie': cookie }) },
  body: '',
})
const send = (status: number, json: unknown): Answered => ({
  status,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(json),
})
