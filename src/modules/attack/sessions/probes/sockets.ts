/** Opens WebSockets (RFC 6455) as a page of another site would, and reads what comes without being asked for. */

import { randomBytes } from 'node:crypto'
import type { HttpExchange, HttpRequest } from '../../../../egress/door/egress.ts'
import { ANOTHER_SITE } from '../../../../page/another-site.ts'
import { plainName } from '../../../../page/names.ts'
import type { CollectContext } from '../../../module.ts'
import type { CrawlFacts, RequestTemplate } from '../../crawl/facts.ts'
import { isTokenName } from '../../insertion-points/tokens.ts'
import { ask, goThrough, Left } from '../asking.ts'
import type { SocketSeen, Topic } from '../facts.ts'

const MOST = 60
/** So many guesses without an answer, and what scripts alone name is not tried any more. */
const MOST_HANGING = 4
/** Milliseconds in which something may come. */
const LISTENS = 2_500

export const askSockets = async (
  ctx: CollectContext,
  crawl: CrawlFacts,
  sameSite: string | null,
  until: number,
): Promise<Topic<SocketSeen>> => {
  const opened = new Set(crawl.browser.sockets)
  const candidates = crawl.requests
    .filter((one) => isCandidate(one, crawl))
    .toSorted((a, b) => likelihood(b, opened) - likelihood(a, opened))
    .slice(0, MOST)
  const sockets: RequestTemplate[] = []
  let [silent, hanging] = [0, 0]
  for (const one of candidates) {
    if (performance.now() > until) break
    // Some servers leave a handshake unanswered wherever no socket is: each guess costs its whole time there.
    if (hanging >= MOST_HANGING && likelihood(one, opened) === 0) break
    const { origin } = new URL(one.url)
    const answer = await openOrNull(ctx, one.url, origin, ctx.hasCredentials)
    if (answer?.status === 101) sockets.push(one)
    // What is called so may be one.
    else if (answer === null && likelihood(one, opened) > 1) silent += 1
    else if (answer === null) hanging += 1
  }
  const left: Readonly<Record<string, number>> = silent > 0 ? { 'without an answer': silent } : {}
  return goThrough(ctx, { name: 'WebSockets', items: sockets, until, left }, (one) => look(ctx, one, sameSite))
}

/** What pages were seen to open, what is called so, and what pages have asked for where nobody saw which they open. */
const likelihood = ({ source, url }: RequestTemplate, opened: ReadonlySet<string>): number =>
  4 * Number(opened.has(url)) + 2 * Number(NAMED.test(new URL(url).pathname)) + Number(source === 'browser')
const NAMED =
  /(?:^|[/_.-])(?:wss?|web-?sockets?|sockets?|sock|cable|live|chat|stream|realtime|hubs?|events?|feed|notif\w*|push|ticker)(?:$|[/_.-])/i

/** What pages open by themselves, and what may be one where only a script names it and it was not answered as a page. */
const isCandidate = ({ method, source, harm, url }: RequestTemplate, { urls, browser }: CrawlFacts): boolean => {
  if (method !== 'GET' || harm !== null || !['browser', 'script'].includes(source)) return false
  if (browser.sockets?.includes(url)) return true
  // What a page was seen to ask for otherwise is none.
  if (source === 'browser' && browser.sockets !== undefined && !NAMED.test(new URL(url).pathname)) return false
  const answers = urls.filter((one) => one.url === url)
  return answers.every(({ status, contentType }) => [400, 404, 405, 426].includes(status) || /html/.test(contentType))
}

const REFUSED = { status: 0, headers: [], body: Buffer.alloc(0) } as unknown as HttpExchange

const look = async (
  ctx: CollectContext,
  { url: address }: RequestTemplate,
  sameSite: string | null,
): Promise<readonly SocketSeen[]> => {
  const url = withoutSecrets(address)
  // What a header carries, no browser sends along.
  const byCookie = (ctx.ownCookies ?? []).length > 0 && (ctx.ownHeaders ?? []).length === 0
  // It has opened for its own pages just now: to close without a word, as most servers do, is to refuse.
  const handshake = async (authenticated: boolean): Promise<HttpExchange> =>
    (await openOrNull(ctx, url, ANOTHER_SITE, authenticated)) ?? REFUSED
  const nobody = await handshake(false)
  const kept = sameSite === 'lax' || sameSite === 'strict'
  const somebody = byCookie && !kept ? await handshake(true) : null
  if (somebody?.status === 101) {
    const [own, strange] = [textOf(somebody), nobody.status === 101 ? textOf(nobody) : '']
    const again = nobody.status === 101 ? textOf(await handshake(false)) : ''
    // A greeting with the time in it is another one each time.
    const isOwn = nobody.status !== 101 || (own !== '' && strange === again && own !== strange)
    if (isOwn) return [seenOf(url, 'session', somebody, nobody, sameSite)]
  }
  return nobody.status === 101 ? [seenOf(url, 'anybody', nobody, null, sameSite)] : []
}

/** What another site does not know is no part of what it asks for. */
export const withoutSecrets = (address: string): string => {
  const url = new URL(address)
  for (const name of [...url.searchParams.keys()])
    if (isTokenName(name) || SECRET.test(plainName(name))) url.searchParams.delete(name)
  return url.href
}
const SECRET = /token|ticket|jwt|auth|key|session|^sid$/

const requestOf = (url: string, origin: string): HttpRequest => ({
  ...{ url, method: 'GET', timeout: LISTENS, maxBody: 64 * 1024 },
  headers: [
    ['Origin', origin],
    ['Connection', 'Upgrade'],
    ['Upgrade', 'websocket'],
    ['Sec-WebSocket-Version', '13'],
    ['Sec-WebSocket-Key', randomBytes(16).toString('base64')],
  ],
})

/** Nobody's leave without the run's session. @throws Left */
const open = (ctx: CollectContext, url: string, origin: string, authenticated: boolean): Promise<HttpExchange> =>
  ask(ctx, { ...requestOf(url, origin), authenticated })

const openOrNull = async (...asked: Parameters<typeof open>): Promise<HttpExchange | null> => {
  try {
    return await open(...asked)
  } catch (error) {
    if (error instanceof Left) return null
    throw error
  }
}

/** Payloads of the frames that a server sends, which are not masked (RFC 6455, 5.2): text ones alone. */
export const textOf = ({ body }: Pick<HttpExchange, 'body'>): string => {
  const texts: string[] = []
  let at = 0
  while (at + 2 <= body.length) {
    const kind = (body[at] ?? 0) & 0x0f
    const short = (body[at + 1] ?? 0) & 0x7f
    const head = short === 126 ? 4 : short === 127 ? 10 : 2
    if (at + head > body.length) break
    const length =
      short === 126 ? body.readUInt16BE(at + 2) : short === 127 ? Number(body.readBigUInt64BE(at + 2)) : short
    if (kind <= 1) texts.push(body.subarray(at + head, at + head + length).toString('utf8'))
    at += head + length
  }
  return texts.join('\n')
}

const seenOf = (
  url: string,
  kind: SocketSeen['kind'],
  taken: HttpExchange,
  nobody: HttpExchange | null,
  sameSite: string | null,
): SocketSeen => {
  const mark = `Origin ${ANOTHER_SITE}: status ${taken.status}`
  const cookie = kind === 'session' ? " -b '<the cookies>'" : ''
  return {
    ...{ method: 'GET', url, kind, sameSite, bytes: taken.body.length },
    excerpt: [
      `GET ${new URL(url).pathname}, handshake of a WebSocket`,
      mark,
      ...(taken.body.length > 0 ? [`${taken.body.length} bytes came within ${LISTENS} ms`] : []),
      ...(nobody === null
        ? []
        : [`the same without the session: ${nobody.status === 0 ? 'closed' : `status ${nobody.status}`}`]),
    ].join('\n'),
    mark,
    replay: `curl -isk --http1.1 -m 5 -H 'Origin: ${ANOTHER_SITE}' -H 'Connection: Upgrade' -H 'Upgrade: websocket' -H 'Sec-WebSocket-Version: 13' -H 'Sec-WebSocket-Key: c29uZGUgc29uZGUgc29uZA=='${cookie} '${url}'`,
  }
}
