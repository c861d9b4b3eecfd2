/** Sites that take a posted search only with what their own pages bring: crawled, and then probed with it, on real servers. */
import type { IncomingMessage } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { TRIES_OF_REFUSED, UNPROVEN } from '../../../safety/policy.ts'
import { collect as collectSite } from '../../passive/site/collect.ts'
import { collectContext, serveCase } from '../../testing/collecting.ts'
import { collectCrawl } from '../crawl/collect.ts'
import { type Answer, cleanups, closeCrawled, listener, type Pages } from '../crawl/testing/crawling.ts'
import { probeAll } from '../insertion-points/run.ts'
import { cookiesOf, html, plan } from '../insertion-points/testing/probing.ts'

afterEach(closeCrawled)

const CALL = (headers: string) =>
  `<script>function go(v){fetch('/find',{method:'POST',headers:{${headers}},body:JSON.stringify({word:'tents'})})}</script>`

/** Whether a posted request is the site's own; and the page with what its script brings. */
interface Site {
  readonly start: (request: IncomingMessage) => Answer
  readonly pages?: Pages
  readonly takes: (request: IncomingMessage) => boolean
  readonly refusal?: Answer
  readonly stores?: (body: string) => void
}

const found = (body: string): Answer => {
  const word = String((JSON.parse(body) as { word: unknown }).word)
  return html(word.includes("'") ? 'boom' : word === 'tents' ? 'Three tents.' : 'Nothing.')
}

let last = 30
const scanned = async (site: Site, cookie: string | null = null, environment: 'production' | 'test' = 'production') => {
  last += 1
  const posts: number[] = []
  const pages: Pages = {
    '/': (request) => site.start(request),
    ...site.pages,
    '/find': (request, body) => {
      if (request.method !== 'POST') return { status: 405, body: 'Post it.' }
      const takes = site.takes(request)
      posts.push(takes ? 200 : 403)
      if (takes) site.stores?.(body)
      return takes ? found(body) : (site.refusal ?? { status: 403, body: html('Forbidden.') })
    },
  }
  const served = await serveCase(last, { http: listener(pages, []) })
  cleanups.push(served.close)
  const made = collectContext(served.address, { module: 'crawl', requests: 2_000, cookie })
  cleanups.push(made.close)
  const hidden: string[] = []
  const egress = { ...made.ctx.egress, hideCookies: (cookies: string) => void hidden.push(cookies) }
  const ctx = { ...made.ctx, egress, target: { ...made.ctx.target, environment } }
  const facts = await collectCrawl(ctx, await collectSite(ctx))
  const learned = posts.splice(0)
  const probed = await probeAll(ctx, facts, plan)
  const hits = probed.points.filter(({ hits }) => hits.length > 0).map(({ at }) => `${at.place} ${at.name}`)
  const request = facts.requests.find(({ method, encoding }) => method === 'POST' && encoding === 'json')
  return { requests: facts.requests, request, learned, posts, hits, hidden }
}

const mint = () => {
  const tokens = new Map<string, string>()
  return (): { session: string; token: string; tokens: Map<string, string> } => {
    const session = `s${tokens.size + 1}`
    tokens.set(session, `Minted-For_${session}-0123456789`)
    return { session, token: tokens.get(session) ?? '', tokens }
  }
}

/** Who comes without a cookie gets one of his own. */
let given = 0
const doubleSubmit = (name: string, header: string): Site => ({
  start: (request) => ({
    body: `<title>Shop</title>${CALL("'Content-Type':'application/json'")}`,
    headers: {
      'Set-Cookie': `${name}=${cookiesOf(request.headers.cookie)[name] ?? `tok%3Den0123456789abcdef${++given}`}; Path=/`,
    },
  }),
  takes: ({ headers }) => {
    const sent = cookiesOf(headers.cookie)[name]
    return sent !== undefined && headers[header.toLowerCase()] === decodeURIComponent(sent)
  },
})

const synchronised = (shown: (token: string) => string, header: string, once = false): Site => {
  const begin = mint()
  const known = new Map<string, string>()
  return {
    start: () => {
      const { session, token } = begin()
      known.set(session, token)
      return { body: `<title>Shop</title>${shown(token)}`, headers: { 'Set-Cookie': `sid=${session}; HttpOnly` } }
    },
    takes: ({ headers }) => {
      const { sid = '' } = cookiesOf(headers.cookie)
      const right = known.get(sid) !== undefined && headers[header] === known.get(sid)
      if (once) known.delete(sid)
      return right
    },
  }
}

const PLAIN = CALL("'Content-Type':'application/json'")

it.each<readonly [string, Site, string | null]>([
  ['a cookie that a header repeats', doubleSubmit('csrftoken', 'X-CSRFToken'), 'cookie csrftoken'],
  ['one by another convention', doubleSubmit('XSRF-TOKEN', 'X-XSRF-TOKEN'), 'cookie XSRF-TOKEN'],
  [
    'the head of the page',
    synchronised((token) => `<meta name=csrf-token content="${token}">${PLAIN}`, 'x-csrf-token'),
    'meta csrf-token',
  ],
  [
    'the head of the page, for one answer',
    synchronised((token) => `<meta name=csrf-token content="${token}">${PLAIN}`, 'x-csrf-token', true),
    'meta csrf-token',
  ],
  [
    'the head of the page, of a site that says nothing of it',
    {
      ...synchronised((token) => `<meta name=csrf-token content="${token}">${PLAIN}`, 'x-csrf-token'),
      refusal: { status: 422, body: html('<h1>The change was rejected.</h1><p>Perhaps it was not yours to make.</p>') },
    },
    'meta csrf-token',
  ],
  [
    'a variable of a script, by a header that is its own',
    synchronised(
      (token) => `<script>var csrfValue = "${token}"; const H = 'X-Shop-CSRF-Key'</script>${PLAIN}`,
      'x-shop-csrf-key',
    ),
    'variable csrfValue',
  ],
  [
    'a header that no framework has',
    synchronised(
      (token) => `<script data-csrf="${token}">xhr.setRequestHeader('X-Request-Token', t)</script>${PLAIN}`,
      'x-request-token',
    ),
    'variable data-csrf',
  ],
  [
    'who sends it',
    {
      start: () => `<title>Shop</title>${PLAIN}`,
      takes: ({ headers }) => headers.origin === 'http://shop.test',
      refusal: { status: 400, body: 'Bad Origin' },
    },
    null,
  ],
])('%s', async (name, site, source) => {
  const { request, learned, posts, hits } = await scanned(site)
  expect(request).toMatchObject({ harm: null, effect: 'reads' })
  const { token } = request?.antiForgery ?? {}
  expect(token ? `${token.kind} ${token.name}` : token).toBe(source)
  expect(JSON.stringify(request)).not.toMatch(/Minted|tok.{1,3}en01/)
  expect(learned.filter((status) => status === 403).length).toBeLessThanOrEqual(TRIES_OF_REFUSED)
  expect(hits).toEqual(['json /word'])
  // That a token is good for one answer alone is learned by using it twice.
  expect(posts.filter((status) => status === 403).length).toBeLessThanOrEqual(name.endsWith('one answer') ? 4 : 0)
})

it('the head of a page of an account, with a session that the page begins beside the run’s own', async () => {
  const own = synchronised((token) => `<meta name=csrf-token content="${token}">${PLAIN}`, 'x-csrf-token')
  const isIn = ({ headers }: IncomingMessage) => cookiesOf(headers.cookie).account === 'anna'
  const { request, hits, hidden } = await scanned(
    {
      start: (asked) => (isIn(asked) ? own.start(asked) : { status: 302, body: '', headers: { Location: '/in' } }),
      takes: (asked) => isIn(asked) && own.takes(asked),
    },
    'account=anna',
    'test',
  )
  expect(request?.antiForgery?.token).toMatchObject({ kind: 'meta', name: 'csrf-token' })
  expect(hits).toEqual(['json /word'])
  // It is a session of whoever is signed in.
  expect(hidden.filter((cookies) => /=s\d+/.test(cookies))).not.toEqual([])
})

it('a cookie of the run that a header repeats', async () => {
  const start = ({ headers }: IncomingMessage) =>
    `<title>Shop</title><h1>${cookiesOf(headers.cookie).sid === 'me' ? 'Welcome, this is your account' : 'Sign in'}</h1>${PLAIN}`
  const takes = ({ headers }: IncomingMessage) =>
    cookiesOf(headers.cookie).sid === 'me' && headers['x-csrftoken'] === cookiesOf(headers.cookie).csrftoken
  const { request, hits } = await scanned({ start, takes }, 'sid=me; csrftoken=Of-The-Run-0123456789', 'test')
  expect(request?.antiForgery?.token).toMatchObject({ kind: 'cookie', name: 'csrftoken' })
  expect(JSON.stringify(request)).not.toContain('Of-The-Run')
  expect(hits).toEqual(['json /word'])
})

it('a form with the token in a field beside it is learned of by that', async () => {
  const own = doubleSubmit('csrftoken', 'X-CSRFToken')
  let forms = 0
  const site: Site = {
    ...own,
    start: (request) => {
      const answer = own.start(request) as { body: string; headers: Record<string, string> }
      const token = /=([^;]*)/.exec(answer.headers['Set-Cookie'] ?? '')?.[1] ?? ''
      const field = `<input type=hidden name=csrf_token value="${decodeURIComponent(token)}">`
      return {
        ...answer,
        body: `${answer.body}<form method=post action=/look>${field}<input name=word value=tents></form>`,
      }
    },
    pages: {
      '/look': (request, body) => {
        if (request.method !== 'POST') return { status: 405, body: 'Post it.' }
        const { csrftoken } = cookiesOf(request.headers.cookie)
        const right =
          csrftoken !== undefined && new URLSearchParams(body).get('csrf_token') === decodeURIComponent(csrftoken)
        forms += right ? 1 : 0
        return right ? html('Three tents here.') : { status: 403, body: html('Forbidden.') }
      },
    },
  }
  const { requests } = await scanned(site)
  const form = requests.find(({ url, method }) => method === 'POST' && url.endsWith('/look'))
  expect({ effect: form?.effect, harm: form?.harm }).toEqual({ effect: 'reads', harm: null })
  expect(form?.antiForgery).toBeUndefined()
  expect(forms).toBeGreaterThan(1)
})

it('an answer of JSON that gives it', async () => {
  const begin = mint()
  const known = new Map<string, string>()
  const site: Site = {
    start: () => `<title>Shop</title><script>fetch('/api/csrf')</script>${PLAIN}`,
    pages: {
      '/api/csrf': () => {
        const { session, token } = begin()
        known.set(session, token)
        return {
          type: 'application/json',
          body: JSON.stringify({ data: { token } }),
          headers: { 'Set-Cookie': `sid=${session}; Path=/` },
        }
      },
    },
    takes: ({ headers }) => known.get(cookiesOf(headers.cookie).sid ?? '') === headers['x-csrf-token'],
  }
  const { request, hits } = await scanned(site)
  expect(request?.antiForgery?.token).toEqual({ page: 'http://shop.test/api/csrf', kind: 'member', name: 'token' })
  expect(hits).toEqual(['json /word'])
})

it('what nothing helps is sent as often as the policy says, and left alone', async () => {
  const site: Site = {
    start: () => `<title>Shop</title><meta name=csrf-token content=0123456789abcdef>${PLAIN}`,
    takes: () => false,
  }
  const { request, learned, posts } = await scanned(site)
  expect(request).toMatchObject({ harm: UNPROVEN })
  expect(learned.length).toBeGreaterThan(1)
  expect(learned.length).toBeLessThanOrEqual(1 + TRIES_OF_REFUSED)
  expect(posts).toEqual([])
})

it('what stores is bounded on a test system, and each of its requests is taken', async () => {
  const notes: string[] = []
  const own = doubleSubmit('csrftoken', 'X-CSRFToken')
  const site: Site = {
    ...own,
    start: (request) => {
      const answer = own.start(request) as { body: string }
      return { ...answer, body: `${answer.body}<ul>${notes.map((note) => `<li>${note.length}`).join('')}</ul>` }
    },
    stores: (body) => void notes.push(body),
  }
  const { request, learned, posts, hits } = await scanned(site, null, 'test')
  expect(request).toMatchObject({ effect: 'writes', bound: 40, tried: 1 })
  expect(learned.filter((status) => status === 200)).toHaveLength(1)
  expect(hits).toEqual(['json /word'])
  expect(posts).not.toContain(403)
  expect(posts.length).toBeLessThanOrEqual(39)
})

it('a wrong password is sent as often as any request that is learned of', async () => {
  const site: Site = {
    start: () =>
      `<title>Shop</title><meta name=csrf-token content=0123456789abcdef><script>function go(){fetch('/find',{method:'POST',body:JSON.stringify({mail:'a@b.test',password:'x'})})}</script>`,
    takes: () => false,
    refusal: { status: 401, body: 'Wrong password, or no such token.<form><input type=hidden name=csrf_token></form>' },
  }
  const { learned } = await scanned(site)
  expect(learned.length).toBeLessThanOrEqual(2)
})
