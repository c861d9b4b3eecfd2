/**
 * A small site whose pages are for members alone, with four ways to become one. Its sessions may die: after so many requests, or where
 * a harmless looking address ends them.
 */
import { createHmac, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

export const PASSWORD = 'kanarie-vogel-91'
export const SEED = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
/** Good for one use; a second one ends its line (RFC 9700, 4.14.2). */
export const FIRST_REFRESH = 'auffrischung-kanarie-1'
export const CLIENT_SECRET = 'geheim-kanarie-55'

export interface MemberSite {
  readonly answer: (request: IncomingMessage, response: ServerResponse) => void
  /** Requests as they came: method, address, and whether somebody was signed in. */
  readonly asked: readonly { readonly method: string; readonly url: string; readonly member: boolean }[]
  /** Each that was ever handed out. */
  readonly sessions: readonly string[]
  /** Refresh tokens, the newest last. */
  readonly refreshes: readonly string[]
}

export interface MemberOptions {
  /** Requests that each of the first sessions lasts; what follows lasts. */
  readonly lasts?: readonly number[]
  /** Asks for the code of a one-time password after the password. */
  readonly totp?: boolean
  /** Tells strangers by 200 and a form, not by a redirect. */
  readonly friendly?: boolean
  /** Each answer to a member gives the session another value, and the former is good no more, or for the next ones. */
  readonly rotates?: 'strictly' | 'gently'
  /** Seconds that what a sign-in by JSON gives lives, as it says. */
  readonly seconds?: number
  /** Proves whose site it is, by address. */
  readonly files?: () => Readonly<Record<string, string>>
}

const PAGES = ['/account', '/orders?id=1', '/profile', '/search?q=tent', '/news', '/help', '/team', '/terms']

export const memberSite = ({
  lasts = [],
  totp = false,
  friendly = false,
  rotates,
  seconds,
  files = () => ({}),
}: MemberOptions = {}): MemberSite => {
  const asked: { method: string; url: string; member: boolean }[] = []
  const left = new Map<string, number>()
  const forms = new Map<string, { csrf: string; passed: boolean }>()
  const sessions: string[] = []
  const ends = new Map<string, number>()
  const usedCodes = new Set<string>()
  const refreshes = [FIRST_REFRESH]
  let isRevoked = false

  const begin = (): string => {
    const sid = randomBytes(16).toString('hex')
    left.set(sid, lasts[sessions.length] ?? Number.POSITIVE_INFINITY)
    sessions.push(sid)
    if (seconds !== undefined) ends.set(sid, Date.now() + seconds * 1_000)
    return sid
  }
  /** Under another value; those that are under way with the former are in time where it is gentle. */
  const renewed = (sid: string): Record<string, string> => {
    if (rotates === undefined || sid === '') return {}
    const next = randomBytes(16).toString('hex')
    left.set(next, left.get(sid) ?? 0)
    sessions.push(next)
    left.set(sid, rotates === 'strictly' ? 0 : 60)
    return { 'Set-Cookie': `sid=${next}; Path=/; HttpOnly` }
  }
  const isCode = (code: string): boolean => {
    const step = Math.floor(Date.now() / 10_000)
    const isGood = [step, step - 1].some((one) => codeOf(one) === code) && !usedCodes.has(code)
    usedCodes.add(code)
    return isGood
  }

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request)
    const url = new URL(request.url ?? '/', 'http://shop.test')
    const cookies = new Map((request.headers.cookie ?? '').split('; ').map((one) => one.split('=') as [string, string]))
    const bearer = /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1]
    const sid = bearer ?? cookies.get('sid') ?? ''
    const rest = (ends.get(sid) ?? Number.POSITIVE_INFINITY) < Date.now() ? 0 : (left.get(sid) ?? 0)
    const member = rest > 0
    left.set(sid, rest - 1)
    asked.push({ method: request.method ?? '', url: request.url ?? '', member })
    const send = (status: number, content: string, headers: Record<string, string | string[]> = {}): void => {
      const type = content.startsWith('{') ? 'application/json' : 'text/html'
      response.writeHead(status, { 'Content-Type': type, ...headers }).end(content)
    }
    const toLogin = (): void => send(302, '', { Location: '/login' })

    const file = files()[url.pathname]
    if (file !== undefined) return send(200, file)
    if (url.pathname === '/login' && request.method === 'GET') {
      const form = randomBytes(8).toString('hex')
      forms.set(form, { csrf: randomBytes(12).toString('hex'), passed: false })
      return send(200, loginPage(forms.get(form)?.csrf ?? ''), { 'Set-Cookie': `form=${form}; Path=/` })
    }
    if (url.pathname === '/login' && request.method === 'POST') {
      const form = forms.get(cookies.get('form') ?? '')
      const given = new URLSearchParams(body)
      if (form === undefined || given.get('_csrf') !== form.csrf) return send(403, page('The form is not ours.'))
      if (given.get('user') !== 'ada' || given.get('password') !== PASSWORD) return send(200, loginPage(form.csrf))
      form.passed = true
      if (totp) return send(302, '', { Location: '/code' })
      return send(302, '', { Location: '/account', 'Set-Cookie': `sid=${begin()}; Path=/; HttpOnly` })
    }
    if (url.pathname === '/code' && request.method === 'GET')
      return send(200, page('<form method="post" action="/code"><input name="code"></form>'))
    if (url.pathname === '/code') {
      const form = forms.get(cookies.get('form') ?? '')
      if (!form?.passed || !isCode(new URLSearchParams(body).get('code') ?? '')) return send(403, page('No.'))
      return send(302, '', { Location: '/account', 'Set-Cookie': `sid=${begin()}; Path=/; HttpOnly` })
    }
    if (url.pathname === '/api/session') {
      const given = body.startsWith('{') ? (JSON.parse(body) as Record<string, unknown>) : {}
      if (given.user !== 'ada' || given.password !== PASSWORD) return send(401, '{"error":"no"}')
      return send(
        200,
        JSON.stringify({ data: { token: begin(), ...(seconds === undefined ? {} : { expires_in: seconds }) } }),
      )
    }
    if (url.pathname === '/token') {
      const basic = Buffer.from(
        /^Basic (.*)$/.exec(request.headers.authorization ?? '')?.[1] ?? '',
        'base64',
      ).toString()
      const given = new URLSearchParams(body)
      const isClient = basic === `scanner:${CLIENT_SECRET}` || given.get('client_secret') === CLIENT_SECRET
      if (!isClient) return send(401, '{"error":"invalid_client"}')
      if (given.get('grant_type') === 'refresh_token') {
        isRevoked ||= given.get('refresh_token') !== refreshes.at(-1)
        if (isRevoked) return send(400, '{"error":"invalid_grant"}')
        const refresh_token = randomBytes(24).toString('hex')
        refreshes.push(refresh_token)
        return send(200, JSON.stringify({ access_token: begin(), refresh_token, token_type: 'Bearer', expires_in: 60 }))
      }
      return send(200, JSON.stringify({ access_token: begin(), token_type: 'Bearer', expires_in: 3_600 }))
    }
    if (url.pathname === '/') return send(200, page('<a href="/account">Your account</a> <a href="/login">Sign in</a>'))
    if (!member) return friendly ? send(200, page('Please <a href="/login">sign in</a> first.')) : toLogin()
    if (url.pathname === '/adieu') {
      left.set(sid, 0)
      return send(302, '', { Location: '/', 'Set-Cookie': 'sid=; Path=/; Max-Age=0' })
    }
    const known = PAGES.some((one) => one.split('?')[0] === url.pathname)
    // A template engine that reckons, for members alone.
    const found = (url.searchParams.get('q') ?? '').replace(/\{\{(\d+)\*(\d+)\}\}/g, (_, a, b) =>
      String(Number(a) * Number(b)),
    )
    const links = PAGES.map((one) => `<a href="${one}">${one}</a>`).join(' ')
    // The session comes back, as careless sites have it do.
    const shown = `<!-- ${sid} --><p>Hello Ada. <a href="/adieu">Adieu</a></p> ${links}
      <form action="/search"><input name="q" value="tent"></form> <p>Results for ${found.replaceAll('<', '&lt;')}</p>`
    return send(known ? 200 : 404, page(known ? shown : 'Nothing here.'), renewed(sid))
  }
  return { answer: (request, response) => void respond(request, response), asked, sessions, refreshes }
}

const page = (body: string): string => `<!doctype html><html lang="en"><title>Shop</title><body>${body}</body></html>`
const loginPage = (csrf: string): string =>
  page(`<form method="post" action="/login"><input type="hidden" name="_csrf" value="${csrf}">
    <input id="user" name="user"><input id="password" name="password" type="password"><button>Sign in</button></form>`)

const codeOf = (step: number): string => {
  const key = Buffer.from(
    [...SEED]
      .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
      .join('')
      .match(/.{8}/g)
      ?.map((bits) => Number.parseInt(bits, 2)) ?? [],
  )
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', key).update(counter).digest()
  return String((mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}
