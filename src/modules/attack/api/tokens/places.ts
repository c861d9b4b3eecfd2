/** Addresses that take a token and refuse none and nonsense: only there a forged one proves something. */
import type { HttpRequest } from '../../../../egress/door/egress.ts'
import { type Look, lookOf, telling } from '../../../../page/who-sees.ts'
import type { CollectContext } from '../../../module.ts'
import { ask, Left } from '../asking.ts'
import { asked, isReading, keptFrom, type Target } from '../operations.ts'
import { olderOf } from '../probes/versions.ts'
import type { CarriedToken } from './sources.ts'

/** Services behind one gateway, and programs of one service, look at tokens each in their own way; one address is asked of each. */
const MOST_SERVICES = 60
/** Of one service some addresses are open to everybody, and told by two requests. */
const TRIES = 6

export interface Place {
  readonly request: HttpRequest
  /** How it is answered with this text in place of the token; null: without one. */
  readonly answer: (text: string | null) => Promise<Look>
  /** With the token, without one, and with nonsense in its place. */
  readonly baseline: { readonly own: Look; readonly none: Look; readonly nonsense: Look }
  /** Whether it was answered as the token's owner is, twice, while nonsense is refused still. */
  readonly takes: (text: string) => Promise<Look | null>
}

/** Text of the form of a token that no key ever made. */
const NONSENSE = 'c29uZGU.c29uZGU.c29uZGU'

export const placesFor = async (
  ctx: CollectContext,
  carried: CarriedToken,
  targets: readonly Target[],
  first: readonly string[],
): Promise<readonly Place[]> => {
  if (carried.request !== undefined) {
    const place = await placeAt(ctx, carried, carried.request(carried.token.text))
    return place === null ? [] : [place]
  }
  const found: Place[] = []
  const requests = requestsOf(targets, first)
  for (const group of [...servicesOf(requests).slice(0, MOST_SERVICES), ...formerOf(requests)]) {
    for (const request of giverFirst(group, carried).slice(0, TRIES)) {
      const place = await placeAt(ctx, carried, request)
      if (place === null) continue
      found.push(place)
      break
    }
  }
  return found
}

/** How many of the services that `placesFor` knows it asks nothing of. */
export const servicesLeft = (targets: readonly Target[], first: readonly string[]): number =>
  Math.max(0, servicesOf(requestsOf(targets, first)).length - MOST_SERVICES)

/** What hands a token out to whoever is signed in takes it as well, more often than what shows its goods to everybody. */
const giverFirst = (group: readonly HttpRequest[], { givenAt }: CarriedToken): readonly HttpRequest[] =>
  group.toSorted((a, b) => Number(isAt(b, givenAt)) - Number(isAt(a, givenAt)))
const isAt = ({ url }: HttpRequest, path: string | undefined): boolean => new URL(url).pathname === path

const requestsOf = (targets: readonly Target[], first: readonly string[]): readonly HttpRequest[] => {
  const reading = targets.filter(({ request }) => isReading(request) && keptFrom(request, true) === null)
  return [...first.map((url): HttpRequest => ({ url })), ...reading.map(({ request }) => asked(request))]
}

/** The same under versions before the own, one group of each: what answers there still may read tokens as it did then. */
const formerOf = (requests: readonly HttpRequest[]): readonly (readonly HttpRequest[])[] => {
  const former = requests.flatMap((request) =>
    (request.method ?? 'GET') === 'GET'
      ? olderOf(request.url).map((url, back) => ({ back, one: { ...request, url } }))
      : [],
  )
  return [...Map.groupBy(former, ({ back }) => back).values()].map((group) => group.map(({ one }) => one))
}

const servicesOf = (requests: readonly HttpRequest[]): readonly (readonly HttpRequest[])[] => {
  const keyOf = ({ url }: HttpRequest): string => {
    const { origin, pathname } = new URL(url)
    return [origin, ...pathname.split('/').slice(1, 3)].join('/')
  }
  return [...Map.groupBy(requests, keyOf).values()]
}

const placeAt = async (ctx: CollectContext, carried: CarriedToken, request: HttpRequest): Promise<Place | null> => {
  const answer = async (text: string | null): Promise<Look> => {
    const whole = carried.request?.(text) ?? request
    const headers = [...(whole.headers ?? []), ...carried.headers(text)]
    return lookOf(await ask(ctx, { ...whole, headers, authenticated: false }))
  }
  try {
    const [own, none] = [await answer(carried.token.text), await answer(null)]
    if (own.status < 200 || own.status >= 300 || (none.status === own.status && none.text === own.text)) return null
    const [nonsense, again] = [await answer(NONSENSE), await answer(carried.token.text)]
    const seenBy = telling([own, again], [none, nonsense])
    if (seenBy(none) === 'ours' || seenBy(nonsense) === 'ours' || seenBy(again) !== 'ours') return null
    const takes: Place['takes'] = async (text) => {
      const seen = await answer(text)
      if (seenBy(seen) !== 'ours' || seenBy(await answer(NONSENSE)) === 'ours') return null
      return seenBy(await answer(text)) === 'ours' ? seen : null
    }
    return { request, answer, baseline: { own, none, nonsense }, takes }
  } catch (error) {
    if (error instanceof Left) return null // Another address of the service may answer.
    throw error
  }
}
