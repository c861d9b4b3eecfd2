/** Everything that a state's browser profile sent or tried to send, with the moment at which it did. */
import { constants, unzipSync } from 'node:zlib'
import type { ProxiedRequest } from '../../../egress/door/egress.ts'
import { headerOf } from '../../../page/exchange.ts'
import type { Moment } from '../facts.ts'

/** As it was; never stored so. */
export interface RawContact {
  /** Milliseconds since the epoch. */
  readonly at: number
  moment: Moment
  readonly typed: boolean
  readonly url: string
  readonly method: string
  readonly type: string
  readonly page: string
  readonly from: string
  script: string | null
  status: number | null
  failure: string | null
  body: string | null
  referrer: string | null
  proxied: ProxiedRequest | null
}

export interface TrafficLog {
  readonly contacts: readonly RawContact[]
  readonly dropped: () => number
  readonly moment: () => Moment
  readonly momentAt: (at: number) => Moment
  readonly enter: (moment: Moment) => void
  /** The moment entered since then did not come: what was logged meanwhile belongs to the one before. */
  readonly takeBack: (since: number, moment: Moment) => void
  readonly typing: () => void
  readonly add: (contact: Omit<RawContact, 'moment' | 'typed' | 'proxied'>) => RawContact | null
  readonly proxied: (request: ProxiedRequest) => void
  /** Joins what the browser said with what came out of it: service workers and shared workers show there alone. */
  readonly finish: () => void
}

/** More are counted, not kept. */
const MOST = 3_000
const LONGEST_BODY = 64 * 1024

export const createLog = (): TrafficLog => {
  const contacts: RawContact[] = []
  const proxied: ProxiedRequest[] = []
  const moments: { readonly since: number; readonly moment: Moment }[] = [{ since: 0, moment: 'before' }]
  let typedSince = Number.POSITIVE_INFINITY
  let dropped = 0
  const momentAt = (at: number): Moment => moments.findLast(({ since }) => since <= at)?.moment ?? 'before'
  const add: TrafficLog['add'] = (contact) => {
    if (contacts.length >= MOST) {
      dropped += 1
      return null
    }
    const whole = { ...contact, moment: momentAt(contact.at), typed: contact.at >= typedSince, proxied: null }
    contacts.push(whole)
    return whole
  }
  return {
    contacts,
    dropped: () => dropped,
    moment: () => momentAt(Date.now()),
    momentAt,
    enter: (moment) => moments.push({ since: Date.now(), moment }),
    takeBack: (since, moment) => {
      for (const one of contacts) if (one.at >= since) one.moment = moment
      while ((moments.at(-1)?.since ?? 0) >= since) moments.pop()
    },
    typing: () => {
      typedSince = Math.min(typedSince, Date.now())
    },
    add,
    proxied: (request) => {
      if (proxied.length < MOST) proxied.push(request)
    },
    finish: () => {
      const open = Map.groupBy(contacts, ({ method, url }) => `${method} ${withoutHash(url)}`)
      for (const request of proxied) {
        if (request.method === 'CONNECT') refuse(request, contacts, add)
        else join(request, open.get(`${request.method} ${withoutHash(request.url)}`)?.shift() ?? null, add)
      }
      contacts.sort((a, b) => a.at - b.at)
    },
  }
}

export const withoutHash = (url: string): string => url.split('#')[0] ?? url

const join = (request: ProxiedRequest, contact: RawContact | null, add: TrafficLog['add']): void => {
  const into = contact ?? add(contactOf(request))
  if (!into) return
  into.proxied = request
  into.status ??= request.status
  into.failure = request.error ?? into.failure
  into.referrer ??= headerOf(request, 'referer')
  if (request.body && request.body.length > 0) into.body = readBody(request.body)
}

const MOST_UNPACKED = 4 * 1024 * 1024

/** Scripts compress what they send; a body that is cut off is read as far as it goes. */
const readBody = (bytes: Buffer): string => {
  const [first, second] = bytes
  const isGzip = first === 0x1f && second === 0x8b
  const isZlib = first === 0x78 && [0x01, 0x5e, 0x9c, 0xda].includes(second ?? 0)
  if (!isGzip && !isZlib) return bytes.subarray(0, LONGEST_BODY).toString()
  try {
    const unpacked = unzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MOST_UNPACKED })
    return unpacked.subarray(0, 4 * LONGEST_BODY).toString()
  } catch (error) {
    // Not compressed after all, or a bomb: it is what it is.
    if (error instanceof Error && 'code' in error) return bytes.subarray(0, LONGEST_BODY).toString()
    throw error
  }
}

/** A refused tunnel is the reason of all requests to its host; without any it stands for one. */
const refuse = (request: ProxiedRequest, contacts: readonly RawContact[], add: TrafficLog['add']): void => {
  const host = URL.parse(request.url)?.host
  const hit = contacts.filter((contact) => contact.status === null && URL.parse(contact.url)?.host === host)
  for (const contact of hit) contact.failure = request.error
  if (hit.length === 0) add({ ...contactOf(request), method: 'GET' })
}

const contactOf = (request: ProxiedRequest) => ({
  at: request.at,
  url: request.url,
  method: request.method,
  type: headerOf(request, 'sec-fetch-dest') ?? 'other',
  page: headerOf(request, 'referer') ?? headerOf(request, 'origin') ?? '',
  from: headerOf(request, 'referer') ?? '',
  script: null,
  status: request.status,
  failure: request.error,
  body: null,
  referrer: headerOf(request, 'referer'),
})
