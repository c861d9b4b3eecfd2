/**
 * Values for the gaps in addresses that scripts put together: `fetch('/api/orders/' + id + '/export')` is about nothing with an example in place
 * of the id, and is refused whatever else it is sent. What lists of the same things have shown stands there instead.
 */
import type { HttpExchange } from '../../../egress/door/egress.ts'
import { createLinkedValues } from '../../../page/linked-values.ts'
import { textOf } from '../../../page/text.ts'
import { isSafe } from '../../../safety/effect.ts'
import type { RequestTemplate } from './facts.ts'
import type { Candidate, Frontier } from './frontier.ts'
import type { Requests } from './requests.ts'
import { EXAMPLE } from './scripts/endpoint.ts'

/** By which things are named in addresses, the likeliest first, and how many of them are tried of one. */
const KEYS = ['id', 'uuid', 'guid', 'slug', 'key', 'code', 'number', 'name']
const MOST_TRIED = 3
const MOST_ASKED = 200
/** What an address has in a segment of its own. */
const SEGMENT = /^[\w.~-]{1,80}$/

export interface SeenValues {
  /** What was answered to an address. */
  readonly answered: (candidate: Pick<Candidate, 'url' | 'source'>, answer: HttpExchange) => void
  /** What was answered to a request: of an operation that the interface describes, or one whose effect is learned. */
  readonly heard: (url: string, answer: HttpExchange) => void
  /** Puts in what was seen. True where there is something new to ask for. */
  readonly fill: () => boolean
}

/** What a script alone names, with an example in its path: what is learned of others may show what stands there. */
export const hasGap = ({ source, url }: Pick<RequestTemplate, 'source' | 'url'>): boolean =>
  source === 'script' && gapIn(new URL(url).pathname.split('/')) >= 0

const gapIn = (segments: readonly string[]): number => segments.findIndex((one, index) => index > 1 && one === EXAMPLE)

export const createSeenValues = ({
  frontier,
  requests,
}: {
  readonly frontier: Pick<Frontier, 'add'>
  readonly requests: Pick<Requests, 'all' | 'add'>
}): SeenValues => {
  const values = createLinkedValues()
  const found = new Set<string>()
  const missed = new Set<string>()
  const done = new Set<string>()
  let asked = 0

  const candidates = (segments: readonly string[], at: number): readonly string[] => {
    const folders = segments.slice(0, at).filter((one) => /^[a-z_][\w-]*$/i.test(one))
    const of = folders.toReversed().slice(0, 2)
    const all = of.flatMap((folder) => KEYS.flatMap((key) => values.find(key, folder) ?? []))
    return [...new Set(all)].filter((one) => one !== EXAMPLE && SEGMENT.test(one)).slice(0, MOST_TRIED)
  }
  /** Addresses with what was seen in place of the first example in their path. */
  const filled = (address: string): readonly string[] => {
    const url = new URL(address)
    const segments = url.pathname.split('/')
    const at = gapIn(segments)
    return at < 0
      ? []
      : candidates(segments, at).map((value) => {
          url.pathname = segments.with(at, value).join('/')
          return url.href
        })
  }
  /** The address of the thing itself, up to the value that was put in. */
  const thingOf = (address: string, from: string): string => {
    const [own, before] = [address, from].map((one) => new URL(one).pathname.split('/'))
    const at = (own ?? []).findIndex((one, index) => one !== before?.[index])
    return (own ?? []).slice(0, at + 1).join('/')
  }
  const isThere = (thing: string): boolean => [...found].some((path) => path === thing || path.startsWith(`${thing}/`))
  const fillRequest = (one: RequestTemplate): void => {
    const all = filled(one.url)
    const [first] = all
    // A thing that an answer has shown at its address before one that was only listed.
    const url = all.find((address) => isThere(thingOf(address, one.url))) ?? first
    if (url === undefined || done.has(one.id)) return
    done.add(one.id)
    const { method, encoding, fields, body, headers, source, seenOn } = one
    requests.add({
      ...{ method, url, encoding, fields, body, source, seenOn: seenOn[0] ?? null, sent: false, taken: true },
      ...(headers ? { headers } : {}),
    })
  }
  const heard = (url: string, answer: HttpExchange): void => {
    if (answer.status >= 300) return
    values.saw(url, textOf(answer))
    found.add(new URL(url).pathname)
  }
  return {
    heard,
    answered: ({ url, source }, answer) => {
      heard(url, answer)
      if (source === 'script' && [400, 404, 410, 422].includes(answer.status)) missed.add(url)
    },
    fill: () => {
      const before = asked
      for (const url of missed) {
        if (done.has(url) || asked >= MOST_ASKED) continue
        const all = filled(url)
        if (all.length > 0) done.add(url)
        for (const address of all) if (frontier.add(address, 1, 'script', null)) asked += 1
      }
      if (asked > before) return true
      // What removes things is asked about with a value that names none.
      for (const one of requests.all())
        if (one.source === 'script' && !one.sent && !isSafe(one.method) && one.method !== 'DELETE') fillRequest(one)
      return false
    },
  }
}
