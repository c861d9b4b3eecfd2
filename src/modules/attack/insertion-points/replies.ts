/** Replies to probes: made of what came back, and compared. */
import type { HttpExchange, HttpRequest } from '../../../egress/door/egress.ts'
import { headerOf } from '../../../page/exchange.ts'
import type { Reply } from './prober.ts'
import { curlOf } from './replay.ts'

const MAX_TEXT = 262_144

export const replyOf = (
  value: string,
  echoes: readonly string[],
  request: HttpRequest,
  exchange: HttpExchange,
): Reply => ({
  value,
  ...(echoes.length > 1 ? { echoes } : {}),
  status: exchange.status,
  text: exchange.body.subarray(0, MAX_TEXT).toString('utf8'),
  contentType: ((headerOf(exchange, 'content-type') ?? '').split(';')[0] ?? '').trim().toLowerCase(),
  location: headerOf(exchange, 'location') ?? '',
  headers: exchange.headers,
  ms: exchange.timing.total - exchange.timing.connect,
  replay: curlOf(request),
})

/** With the page that it leads to in place of its own text, where that has one: how it ends is told by that page, too. */
export const withPage = (reply: Reply, page: HttpExchange | null): Reply => {
  if (page === null) return reply
  const { text, contentType, status } = replyOf('', [], { url: page.request.url }, page)
  return {
    ...reply,
    ...{ text, contentType },
    status: status >= 400 ? status : reply.status,
    ms: reply.ms + page.timing.total - page.timing.connect,
    replay: reply.replay.replace('curl -isk ', 'curl -iskL ').replace(/ -X POST(?= )/, ''),
  }
}

/** Why a request was not sent, without its address, which the place says itself. */
export const leftAlone = (said: string): string =>
  / is left alone: (.+)$/s.exec(said)?.[1] ?? 'the run excludes this address'

/** To what was not answered in time. */
export const silence = (value: string, request: HttpRequest, ms: number): Reply => ({
  value,
  status: 0,
  text: '',
  contentType: '',
  location: '',
  headers: [],
  ms,
  replay: curlOf(request),
})

/** Two answers to one request, but for numbers and keys, which change by themselves. One word may be what a token gives. */
export const isSame = ([a, b]: readonly [Reply, Reply]): boolean => a.status === b.status && plainly(a) === plainly(b)

const plainly = ({ text }: Reply): string => text.replace(/[\w+/=.-]{20,}/g, '').replace(/\d+/g, '')
