/** A state's traffic as facts: to whom, when, why, with what; canaries and long values taken out. */
import { type OwnMeasuring, ownMeasuringOf } from '../../../knowledge/trackers/own-hosts.ts'
import { isRecording } from '../../../knowledge/trackers/recording.ts'
import type { PixelHit, Trackers } from '../../../knowledge/trackers/vendor.ts'
import { headerOf } from '../../../page/exchange.ts'
import type { Contact, Party } from '../facts.ts'
import { type Canary, withoutCanaries } from '../visit/canaries.ts'
import type { RawContact } from '../visit/log.ts'
import { type HeldValue, sentIn } from './identifiers.ts'

/** Kept for each state; the HAR has all. */
const MOST = 400
const LONGEST_URL = 1_500
const LONGEST_BODY = 600

export interface ContactParts {
  readonly parties: ReadonlyMap<string, Party>
  readonly trackers: Trackers
  readonly canaries: readonly Canary[]
  readonly began: number
  readonly values: readonly HeldValue[]
  /** True for hosts of the site itself. */
  readonly isOwn: (host: string) => boolean
  /** Addresses to which recordings went by ways that the network's log has no bodies of: sockets, beacons. */
  readonly recorded: ReadonlySet<string>
}

interface Read {
  readonly contact: RawContact
  readonly measuring: OwnMeasuring | null
  readonly records: boolean
}

/** Contacts of others; of the site itself those alone that go over http, that measure, or that film the visit. */
export const readContacts = (
  raw: readonly RawContact[],
  parts: ContactParts,
): { readonly contacts: readonly Contact[]; readonly left: number } => {
  const foreign = raw
    .map((contact) => readOne(contact, parts))
    .filter(
      ({ contact, measuring, records }) =>
        measuring !== null || records || parts.parties.has(hostOf(contact.url)) || isInsecure(contact),
    )
  // The first of each host and moment first: a page that asks ten thousand times must not hide the others.
  const seen = new Map<string, number>()
  const ranked = foreign.map((one) => {
    const { contact } = one
    const key = `${hostOf(contact.url)} ${contact.moment} ${contact.type}`
    const nth = seen.get(key) ?? 0
    seen.set(key, nth + 1)
    return { ...one, nth }
  })
  const kept = ranked.toSorted((a, b) => a.nth - b.nth).slice(0, MOST)
  const contacts = kept.toSorted((a, b) => a.contact.at - b.contact.at).map((one) => factOf(one, parts))
  return { contacts, left: foreign.length - contacts.length }
}

const readOne = (contact: RawContact, { isOwn, parties, recorded }: ContactParts): Read => {
  const host = hostOf(contact.url)
  const isFirstParty = isOwn(host) && !parties.has(host)
  return {
    contact,
    measuring: isFirstParty ? ownMeasuringOf(contact.url, contact.body) : null,
    records:
      (isFirstParty || parties.has(host)) &&
      (recorded.has(contact.url) || (contact.body !== null && isRecording(contact.body))),
  }
}

export const hostOf = (url: string): string => URL.parse(url)?.hostname ?? ''

const isInsecure = ({ url, page, type }: RawContact): boolean =>
  /^(?:http|ws):/.test(url) && page.startsWith('https:') && type !== 'document'

const factOf = (
  { contact: raw, measuring, records }: Read,
  { parties, trackers, canaries, began, values }: ContactParts,
): Contact => {
  const host = hostOf(raw.url)
  const cookie = raw.proxied ? (headerOf(raw.proxied, 'cookie') ?? '') : ''
  const clean = (text: string, longest: number) => withoutCanaries(text, canaries).slice(0, longest)
  // A cloaked host is read as what it is an alias of.
  const alias = parties.get(host)?.alias
  const readAs = alias ? raw.url.replace(host, alias) : raw.url
  return {
    at: Math.max(0, raw.at - began),
    moment: raw.moment,
    typed: raw.typed,
    url: clean(raw.url, LONGEST_URL),
    host,
    method: raw.method,
    type: raw.type,
    page: raw.page.slice(0, LONGEST_URL),
    from: raw.from.slice(0, 300),
    script: raw.script?.slice(0, 300) ?? null,
    status: raw.status,
    failure: raw.failure?.slice(0, 200) ?? null,
    referrer: raw.referrer === null ? null : clean(raw.referrer, LONGEST_URL),
    body: raw.body === null ? null : clean(raw.body, LONGEST_BODY),
    cookiesSent: cookie
      .split(';')
      .map((pair) => pair.split('=')[0]?.trim() ?? '')
      .filter((name) => name !== '')
      .slice(0, 20),
    pixel: bounded(measuring?.pixel ?? trackers.pixelOf(readAs, raw.body), canaries),
    listed: trackers.listed({ url: readAs, page: raw.page, type: typeOf(raw.type) }),
    measuring: measuring && {
      ...{ vendor: measuring.vendor, name: measuring.name, purposes: measuring.purposes, hosted: measuring.hosted },
    },
    records,
    // Cookies of the site go to its hosts by themselves: there only what the request says counts.
    identifiers: sentIn(`${raw.url} ${raw.body ?? ''} ${measuring === null ? cookie : ''}`, values).slice(0, 10),
  }
}

const bounded = (hit: PixelHit | null, canaries: readonly Canary[]): PixelHit | null =>
  hit && {
    ...hit,
    parameters: hit.parameters
      .slice(0, 25)
      .map((one) => ({ ...one, value: withoutCanaries(one.value, canaries).slice(0, 200) })),
  }

const TYPES: Readonly<Record<string, string>> = {
  fetch: 'xhr',
  xmlhttprequest: 'xhr',
  beacon: 'ping',
  iframe: 'document',
}
const typeOf = (type: string): string => TYPES[type] ?? type
