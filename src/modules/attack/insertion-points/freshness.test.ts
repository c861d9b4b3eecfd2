/** Forms whose token belongs to a session, on a real site. */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, expect, it } from 'vitest'
import type { Egress, HeaderPairs, HttpExchange, HttpRequest } from '../../../egress/door/egress.ts'
import { caseRequest } from '../crawl/testing/crawl-facts.ts'
import { createFreshness, sendFresh } from './freshness.ts'
import type { ProbeRequest } from './inventory.ts'
import type { Plan } from './plan.ts'
import { memory } from './shared.ts'
import { closeProbed, cookiesOf, crawlOf, html, pointOf, probed } from './testing/probing.ts'

afterEach(closeProbed)

/** Around what a refusal leaves out. */
const LONG = 'All that stands on every page of this site. '.repeat(40)

/** A search that takes the token of its own session, for one answer or for many. `says`: in words, or by its status, that it is too old. */
const searching = (once: boolean, says = true) => {
  const tokens = new Map<string, string>()
  let last = 0
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === 'GET') {
      last += 1
      const [session, token] = [`s${last}`, `fresh-${last}`]
      tokens.set(session, token)
      response.setHeader('Set-Cookie', `sid=${session}; HttpOnly`)
      response.end(
        `<form method=post action=/find><input name=q><input type=hidden name=csrf_token value=${token}></form>`,
      )
      return
    }
    const session = cookiesOf(request.headers.cookie).sid ?? ''
    const body = new URLSearchParams(await text(request))
    const right = body.get('csrf_token') === tokens.get(session)
    if (once) tokens.delete(session)
    if (right) response.end(html(`${says ? '' : LONG}${body.get('q')?.includes("'") ? 'boom' : 'fine'}`))
    else if (!says) response.end(html(LONG))
    else response.writeHead(403).end('<title>Sorry</title>This form is too old.')
  }
}

const FORM = caseRequest({
  ...{ id: 'find', method: 'POST', url: 'http://shop.test/find', encoding: 'urlencoded', effect: 'reads' },
  ...{ seenOn: ['http://shop.test/'] },
  fields: [
    { name: 'q', value: 'tents', type: 'text' },
    { name: 'csrf_token', value: 'old-1', type: 'hidden' },
  ],
})
const crawl = crawlOf([pointOf('find', 'form', 'q', 'tents'), pointOf('find', 'form', 'csrf_token', 'old-1')], {
  requests: [FORM],
})
const probe: Plan<string>['probe'] = async (one, found) => {
  if ((await one.send(`${one.point.value}'`)).text.includes('boom')) found('boom')
}

it.each([
  ['many answers', false, true, 8],
  ['one answer', true, true, 20],
  ['one answer, and then leaves one word out', true, false, 20],
])('a token that is good for %s', async (_name, once, says, most) => {
  const { hits, ends, asked } = await probed(searching(once, says), crawl, null, null, { probe })
  expect(hits).toEqual(['form q'])
  expect(ends).toEqual(['tested', 'tested'])
  expect(asked).toBeLessThanOrEqual(most)
})

it('of several forms on a page each has a token of its own', async () => {
  const forms = (token: string): string =>
    [
      `<form method=post action=/leave><input type=hidden name=csrf_token value=leave-${token}></form>`,
      `<form method=post action=/find><input name=q><input type=hidden name=csrf_token value=find-${token}></form>`,
      `<form method=post action=/find><input type=hidden name=_method value=put><input type=hidden name=csrf_token value=put-${token}></form>`,
      `<form method=post action=/note><input name=q><input type=hidden name=csrf_token value=note-${token}></form>`,
    ].join('')
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === 'GET') return void response.end(forms('new'))
    const body = new URLSearchParams(await text(request))
    if (body.get('csrf_token') !== 'find-new') return void response.writeHead(422).end('<title>Sorry</title>Refused.')
    response.end(html(body.get('q')?.includes("'") ? 'boom' : 'fine'))
  }
  const { hits } = await probed(serve, crawl, null, null, { probe })
  expect(hits).toEqual(['form q'])
})

it('a token in a link is that of the link to the same page, for the same action', async () => {
  const tokens = new Map<string, string>()
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop.test')
    if (pathname === '/') {
      const session = `s${tokens.size + 1}`
      tokens.set(session, `minted-for-${session}`)
      response.setHeader('Set-Cookie', `sid=${session}; HttpOnly`)
      const link = (to: string): string => `<a href="/${to}">x</a>`
      response.end(
        `${link('list?csrf=other')}${link('rows?by=size&csrf=another')}${link(`rows?by=name&csrf=${tokens.get(session)}`)}`,
      )
      return
    }
    const isRight = searchParams.get('csrf') === tokens.get(cookiesOf(request.headers.cookie).sid ?? '')
    response.end(html(isRight ? (searchParams.get('q')?.includes("'") ? 'boom' : 'fine') : 'This link is too old.'))
  }
  const url = 'http://shop.test/rows?by=name&q=tents&csrf=old-1'
  const link = caseRequest({ id: 'rows', method: 'GET', url, effect: 'reads', seenOn: ['http://shop.test/'] })
  const known = crawlOf([pointOf('rows', 'query', 'q', 'tents')], { requests: [link] })
  const { hits } = await probed(serve, known, null, null, { probe })
  expect(hits).toEqual(['query q'])
})

it('a token that holds for a cookie of its own, beside the session of the run, is brought with that cookie', async () => {
  const refused: string[] = []
  const site: RequestListener = async (request, response) => {
    const cookies = cookiesOf(request.headers.cookie)
    if (request.method === 'POST') {
      const given = new URLSearchParams(await text(request)).get('csrf')
      if (given !== `of ${cookies.basket}` || cookies.sid !== '1') refused.push(String(given))
      response.end(html('Thank you'))
      return
    }
    const basket = cookies.basket ?? `b${Math.random().toString(36).slice(2)}`
    response.setHeader('Set-Cookie', [`basket=${basket}; Path=/`, 'sid=2; Path=/'])
    response.end(
      `${html('Form')}<form method="post" action="/add"><input name="csrf" type="hidden" value="of ${basket}"><input name="q"></form>`,
    )
  }
  const fields = [
    { name: 'csrf', value: 'of nobody', type: 'hidden' },
    { name: 'q', value: 'tents', type: 'text' },
  ]
  const form = caseRequest({
    ...{ id: 'add', method: 'POST', url: 'http://shop.test/add', encoding: 'urlencoded', fields, effect: 'reads' },
    seenOn: ['http://shop.test/'],
  })
  await probed(site, crawlOf([pointOf('add', 'form', 'q', 'tents')], { requests: [form] }), null, 'sid=1', {
    probe: async (probe) => void (await probe.send('stove')),
  })
  expect(refused).toEqual([])
})

it('the state of another step of a page goes back as it came', async () => {
  const sent: string[] = []
  const site: RequestListener = async (request, response) => {
    if (request.method === 'POST') {
      const body = new URLSearchParams(await text(request))
      sent.push(`${body.get('__VIEWSTATE')} ${body.has('city') ? 'second' : 'first'}`)
    }
    response.end(
      `${html('Wizard')}<form method=post action=/new><input type=hidden name=__VIEWSTATE value=today><input name=name><input type=submit name=next value=Next></form>`,
    )
  }
  const step = (id: string, state: string, ...names: readonly string[]) =>
    caseRequest({
      ...{ id, method: 'POST', url: 'http://shop.test/new', encoding: 'urlencoded', effect: 'reads' },
      seenOn: ['http://shop.test/new'],
      fields: [
        { name: '__VIEWSTATE', value: state, type: 'hidden' },
        ...names.map((name) => ({ name, value: 'tents', type: 'text' })),
      ],
    })
  const requests = [step('first', 'old', 'name', 'next'), step('second', 'of-the-second-step', 'city')]
  const points = [pointOf('first', 'form', 'name', 'tents'), pointOf('second', 'form', 'city', 'tents')]
  await probed(site, crawlOf(points, { requests }), null, null, {
    probe: async (one) => void (await one.send('stove')),
  })
  expect(new Set(sent)).toEqual(new Set(['today first', 'of-the-second-step second']))
})

/** A form of a session whose token is `now()`; `spent` when one that was right was taken. */
const taking = (
  now: () => string,
  {
    name = '_csrf',
    isRight = (token) => token === now(),
    spent = () => undefined,
    credentials = () => [],
  }: {
    readonly name?: string
    readonly isRight?: (token: string) => boolean
    readonly spent?: () => void
    readonly credentials?: () => HeaderPairs
  } = {},
) => {
  const freshness = createFreshness(memory(() => 1))
  const seen = { pages: 0, taken: 0, refused: 0 }
  const answered = (status: number, body: string): HttpExchange =>
    ({ status, headers: [['Content-Type', 'text/html']], body: Buffer.from(body) }) as unknown as HttpExchange
  const http = async ({ method = 'GET', body }: HttpRequest): Promise<HttpExchange> => {
    if (method === 'GET') {
      seen.pages += 1
      return answered(
        200,
        `<form method=post action=/wall><input type=hidden name=${name} value="${now()}"><input name=text></form>`,
      )
    }
    const right = isRight(new URLSearchParams(String(body)).get(name) ?? '')
    seen[right ? 'taken' : 'refused'] += 1
    if (right) spent()
    return answered(right ? 200 : 403, '')
  }
  const request = {
    ...{ id: 'wall', method: 'POST', url: 'http://shop.test/wall', seenOn: ['http://shop.test/wall'] },
    ...{ body: `${encodeURIComponent(name)}=old-token-1&text=a`, tokens: [{ name, value: 'old-token-1' }] },
  } as unknown as ProbeRequest
  const egress = { http, credentialsFor: async () => credentials() } as unknown as Egress
  const send = async (): Promise<number> => {
    const own = { method: 'POST', url: request.url, body: request.body ?? '' }
    return (await sendFresh(egress, freshness, true, request, own)).exchange.status
  }
  const times = async (count: number): Promise<void> => {
    for (let sent = 0; sent < count; sent += 1) await send()
  }
  return { freshness, seen, send, times }
}

it('a token that its page shows again once it was taken is sent a few times', async () => {
  const { freshness, seen, times } = taking(() => 'of-the-session-1')
  freshness.once.add('wall')
  await times(12)
  expect(seen).toEqual({ pages: 4, taken: 12, refused: 0 })
})

it('one of which another stands there once it was taken is good for one answer', async () => {
  let count = 1
  const { freshness, seen, times } = taking(() => `of-one-answer-${count}`, {
    spent: () => {
      count += 1
    },
  })
  freshness.once.add('wall')
  await times(6)
  expect(seen).toEqual({ pages: 6, taken: 6, refused: 0 })
})

it.each([
  ['Django', 'csrfmiddlewaretoken', () => randomBytes(32).toString('hex'), 4],
  ['Rails', 'authenticity_token', () => randomBytes(64).toString('base64url'), 4],
  ['Yii', '_csrf-frontend', () => `${randomBytes(64).toString('base64url')}==`, 4],
  ['Spring Security', '_csrf', () => randomBytes(72).toString('base64url'), 4],
  [
    'Symfony',
    'note[_token]',
    () => `a1.${[32, 32].map((size) => randomBytes(size).toString('base64url')).join('.')}`,
    4,
  ],
  ['nobody that is known', 'form_token', () => randomBytes(64).toString('base64'), 12],
])('another stands there each time, masked by %s', async (_who, name, written, pages) => {
  const given = new Set<string>()
  const masked = (): string => {
    const token = written()
    given.add(token)
    return token
  }
  const { freshness, seen, times } = taking(masked, { name, isRight: (token) => given.has(token) })
  freshness.once.add('wall')
  await times(12)
  expect(seen).toEqual({ pages, taken: 12, refused: 0 })
})

it('one that ended with its session is asked for again', async () => {
  let session = 1
  const { seen, send, times } = taking(() => `of-the-session-${session}`)
  await times(3)
  session = 2
  expect(await send()).toBe(200)
  await times(2)
  expect(seen).toEqual({ pages: 3, taken: 6, refused: 1 })
})

it('one that was kept is asked for again as soon as its session has ended', async () => {
  let session = 1
  const { freshness, seen, send, times } = taking(() => `of-the-session-${session}`)
  freshness.once.add('wall')
  await times(3)
  session = 2
  expect(await send()).toBe(200)
  expect(seen).toEqual({ pages: 3, taken: 4, refused: 1 })
})

it('whenever the run has signed in anew, the first refusal has it asked for again', async () => {
  const known = { session: 1 }
  const { freshness, send, times } = taking(() => `of-the-session-${known.session}`, {
    credentials: () => [['Cookie', `sid=${known.session}`]],
  })
  await times(2)
  for (const session of [2, 3, 4]) {
    known.session = session
    // Values were refused meanwhile, for another reason than its token.
    freshness.once.clear()
    Object.assign(freshness.seen.get('wall') ?? {}, { refusals: 3 })
    expect(await send()).toBe(200)
  }
})

it('a page that held none while nobody was signed in is asked again by the next session', async () => {
  const known = { session: 1 }
  const { send, times } = taking(() => (known.session === 1 ? '' : `of-the-session-${known.session}`), {
    credentials: () => [['Cookie', `sid=${known.session}`]],
  })
  await times(2)
  known.session = 2
  expect(await send()).toBe(200)
})
