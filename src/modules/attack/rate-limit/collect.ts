/**
 * A short series of requests to each endpoint that matters, ended by the first sign of a limit. After a sign: does a
 * header that claims another address lift it? Thirty attempts at five a second prove no absence for ever, and the finding says so.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { HeaderPairs, HttpExchange } from '../../../egress/door/egress.ts'
import { headerOf, pageRequest } from '../../../page/exchange.ts'
import { likeness } from '../../../page/similarity.ts'
import { textOf } from '../../../page/text.ts'
import type { CollectContext } from '../../module.ts'
import type { CrawlFacts, RequestTemplate } from '../crawl/facts.ts'
import { ownSignIn, signInWithout } from '../insertion-points/own-sign-in.ts'
import { addressOf } from '../insertion-points/routed.ts'
import { untilWithin } from '../insertion-points/times.ts'
import { ask } from './asking.ts'
import type { Attempts } from './attempts.ts'
import { askBatches } from './batching.ts'
import { tryDefaultCredentials } from './default-credentials.ts'
import { type Chosen, choose, couponsBeside, isForms, MOST_OF_FORMS } from './endpoints.ts'
import {
  type Answer,
  type Bypass,
  type CredentialsTrial,
  type Endpoint,
  type EndpointKind,
  type RateLimitFacts,
  SENT_OUT,
} from './facts.ts'
import { asksWho, isOfToken, isRefusedAtOnce, isUnknownValue, OF_TOKEN } from './refusing.ts'
import { beginSeries } from './series.ts'
import { isOfForm, isSilent, isTaken, signalOf, signalOfSilence } from './signals.ts'
import { lookTwice, UNREAD } from './without-form.ts'

interface Series {
  readonly requests: number
  /** Milliseconds between the beginnings of two requests. */
  readonly every: number
}

const PERSON: Series = { requests: 30, every: 200 }
const MACHINE: Series = { requests: 60, every: 100 }

export interface Patience {
  /** Milliseconds for an answer. */
  readonly timeout: number
  /** Milliseconds before the first attempt is made again where it had no answer: what this run tried before may still be held against it. */
  readonly quiet: readonly number[]
}
const PATIENCE: Patience = { timeout: 10_000, quiet: [15_000, 30_000] }
/** Milliseconds that all of it may take; a slow site gets fewer endpoints. */
const ALL = 150_000
const BYPASS_TRIES = 3
/** How often the page of a form is asked for while its answers are slow; a server that is slow each time is busy. */
const MOST_LOOKS = 5

export const collectRateLimit = async (
  ctx: CollectContext,
  crawl: CrawlFacts,
  patience = PATIENCE,
): Promise<RateLimitFacts> => {
  const until = untilWithin(ctx, ALL)
  const all = choose(crawl, ownSignIn(ctx.session, crawl.requests))
  const chosen = [...Map.groupBy(all, ({ kind }) => kind).values()].flatMap((group) => group.slice(0, MOST_OF_FORMS))
  const left: { kind: EndpointKind; reason: string }[] = all
    .filter((one) => !chosen.includes(one))
    .map(({ kind }) => ({ kind, reason: `beyond the first ${MOST_OF_FORMS}` }))
  const unknown = signInWithout(
    ctx.session,
    all.filter(({ kind }) => kind === 'login'),
  )
  if (unknown !== null) left.push({ kind: 'login', reason: NO_REQUEST })
  for (let count = couponsBeside(crawl.requests); count > 0; count -= 1)
    left.push({ kind: 'coupon', reason: 'a code is sent with all that is ordered, which is not ordered so often' })
  const credentials = ctx.target.environment === 'test' ? await askCredentials(ctx, chosen, until) : null
  const endpoints: Endpoint[] = []
  ctx.soFar?.(() => ({ endpoints, left, credentials, batch: null }))
  for (const [index, one] of chosen.entries()) {
    if (performance.now() > until) {
      left.push({ kind: one.kind, reason: 'not reached, as its time was used up' })
      continue
    }
    ctx.progress(`${one.kind}: ${new URL(one.request.url).pathname}`, index / (chosen.length + 1))
    endpoints.push(await measure(ctx, one, until, patience))
  }
  return { endpoints, left, credentials, batch: await askBatches(ctx, crawl) }
}

/** Before the series, behind which a guard may shut everybody out. */
const askCredentials = async (
  ctx: CollectContext,
  chosen: readonly Chosen[],
  until: number,
): Promise<readonly CredentialsTrial[]> => {
  const trials: CredentialsTrial[] = []
  for (const { request } of chosen.filter(({ kind }) => kind === 'login')) {
    ctx.progress(`usual names and passwords: ${new URL(request.url).pathname}`, 0)
    trials.push(await tryDefaultCredentials(ctx, request, until))
  }
  return trials
}

const measure = async (ctx: CollectContext, chosen: Chosen, until: number, patience: Patience): Promise<Endpoint> => {
  const { kind } = chosen
  const request = await answeringNobody(ctx, chosen)
  const series = isForms(kind) ? PERSON : MACHINE
  const tries = await beginSeries(ctx, { kind, request }, patience.timeout)
  const without = series === PERSON ? await lookTwice((one) => ask(ctx, one), request.url) : null
  const answers: Answer[] = []
  let told: Record<string, string> = {}
  let first = ''
  let saysUnknown = false
  let signal: Endpoint['signal'] = null
  let aborted: string | null = null
  const quiet = [...patience.quiet]
  let looks = 0
  while (answers.length < series.requests && signal === null && aborted === null) {
    const began = performance.now()
    const exchange = await tries.ask()
    if (exchange === 'left') {
      aborted = answers.length === 0 ? LEFT : SENT_OUT
      break
    }
    if (exchange === null) {
      const wait = answers.length === 0 && performance.now() < until ? quiet.shift() : undefined
      if (wait === undefined) {
        signal = signalOfSilence(answers, await timeOfPage(ctx, request), patience.timeout)
        if (signal === null) aborted = `no answer within ${patience.timeout} ms`
        break
      }
      await pause(ctx, wait)
      continue
    }
    const text = textOf(exchange)
    if (answers.length === 0) first = text
    answers.push(answerOf(exchange, likeness(first, text)))
    if (answers.length === 1 && without?.isSame(exchange)) {
      aborted = UNREAD
      break
    }
    if (answers.length === 1 && exchange.status === 401 && (await asksWho(ctx, chosen, request, exchange))) {
      aborted = 'whoever is not signed in is answered the same whatever is sent, so no code was looked at'
      break
    }
    if (
      answers.length === 1 &&
      request.encoding === 'urlencoded' &&
      (await isOfToken(ctx, tries.attempts().next(), exchange))
    ) {
      aborted = OF_TOKEN
      break
    }
    if (answers.length === 1)
      saysUnknown = await isUnknownValue(ctx, { kind, request }, tries.attempts().next(), exchange)
    told = { ...told, ...toldBy(exchange) }
    signal = signalOf(answers, first, text)
    if (signal?.kind === 'delay') {
      looks += 1
      if (looks > MOST_LOOKS || !isOfForm(answers, await timeOfPage(ctx, request))) signal = null
    }
    if (signal === null && answers.length === 1 && isRefusedAtOnce(kind, exchange.status, saysUnknown)) {
      aborted = 'the first attempt was refused'
      break
    }
    if (signal === null)
      aborted = strain(answers) ?? (performance.now() > until ? 'its share of the time was used up' : null)
    await pause(ctx, series.every - (performance.now() - began))
  }
  const refuses = signal !== null && (signal.kind === 'status' || signal.kind === 'retry-after')
  return {
    kind,
    method: request.method,
    url: request.url,
    at: addressOf(request),
    answers,
    signal,
    told,
    bypasses: refuses ? await tryBypasses(ctx, tries.attempts(), answers, until) : [],
    aborted,
    planned: series.requests,
    ...(saysUnknown ? { saysUnknown } : {}),
  }
}

/** The first, where none of them does. */
const answeringNobody = async (ctx: CollectContext, { request, others }: Chosen): Promise<RequestTemplate> => {
  if (others.length === 0) return request
  for (const one of [request, ...others]) {
    const answer = await ask(ctx, pageRequest(one.url, { authenticated: false }))
    if (answer !== null && isTaken(answer.status)) return one
  }
  return request
}

/** Of an identity that a browser signs in. */
const NO_REQUEST =
  'the run signs in by steps in a browser, and what they send is not known: an identity of the kind "request" shows it'

const CLAIMS: readonly string[] = ['X-Forwarded-For', 'X-Real-IP', 'True-Client-IP']

/**
 * All claims of another address at once; only where that is let in, each by itself, three times with another address of
 * the documentation's range, between requests that claim nothing. After each refusal egress waits as the server asks.
 */
const tryBypasses = async (
  ctx: CollectContext,
  attempts: Attempts,
  answers: readonly Answer[],
  until: number,
): Promise<readonly Bypass[]> => {
  const refused = answers.at(-1)?.status
  const isRefused = async (headers: HeaderPairs): Promise<boolean> =>
    (await ask(ctx, attempts.next(headers)))?.status === refused
  if (await isRefused(CLAIMS.map((name) => [name, '198.51.100.7'] as const))) {
    return [{ by: CLAIMS.join(', '), accepted: 0, asked: 1, controlsRefused: 0, controls: 0 }]
  }
  const made: Bypass[] = []
  for (const by of CLAIMS) {
    const count = { accepted: 0, asked: 0, controlsRefused: 0, controls: 0 }
    for (let round = 0; round < BYPASS_TRIES && performance.now() < until; round += 1) {
      count.controls += 1
      // Without the header it is let in again: the window is over, and nothing can be told.
      if (!(await isRefused([]))) break
      count.controlsRefused += 1
      count.asked += 1
      if (await isRefused([[by, `198.51.100.${10 + round * 40}`]])) break
      count.accepted += 1
    }
    made.push({ by, ...count })
    if (count.controlsRefused < count.controls) break
  }
  return made
}

const LEFT = 'the policy leaves it alone, as asking it may change or send something'

/** Milliseconds in which the page of a form is answered now; null where it is not. */
const timeOfPage = async (ctx: CollectContext, { seenOn: [page], url }: RequestTemplate): Promise<number | null> => {
  const exchange = await ask(ctx, pageRequest(page ?? url, { authenticated: false }))
  return exchange === null ? null : Math.round(exchange.timing.firstByte)
}

const answerOf = (exchange: HttpExchange, alike: number): Answer => ({
  status: exchange.status,
  ms: Math.round(exchange.timing.firstByte),
  likeness: Math.round(alike * 1000) / 1000,
  retryAfter: headerOf(exchange, 'retry-after'),
})

const TELLING = /^(?:x-)?rate-?limit(?:-[\w-]+)?$|^retry-after$/i

const toldBy = ({ headers }: HttpExchange): Record<string, string> =>
  Object.fromEntries(
    headers
      .filter(([name]) => TELLING.test(name))
      .slice(0, 10)
      .map(([name, value]) => [name.toLowerCase(), value.slice(0, 200)]),
  )

/** A server that fails is left alone. */
const strain = (answers: readonly Answer[]): string | null => {
  const failing = answers.slice(-3).filter(({ status }) => status >= 500)
  return failing.length >= 2 && !isSilent(answers) ? 'the server answered with errors of its own' : null
}

const pause = async (ctx: CollectContext, milliseconds: number): Promise<void> => {
  if (milliseconds > 0) await sleep(milliseconds, undefined, { signal: ctx.signal })
}
