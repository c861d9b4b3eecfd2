/** The vendors of the table, by address and by the cookies they set. */
import { readdirSync, readFileSync } from 'node:fs'
import { cookiePurposeOf, parseVendors } from './parse.ts'
import type { CookieKnowledge, Vendor } from './vendor.ts'

const FOLDER = new URL('./vendors/', import.meta.url)

/** Changes with the table; a run records it. */
export const VENDORS_VERSION = '2026.11'

/** A shorter or more common name says nothing on a host that is not the vendor's own. */
const SHORTEST_TELLING = 6
const COMMON = new Set(
  [
    ...['session', 'sessionid', 'visitor-id', 'visitorid', 'player', 'loglevel', 'audit_p', 'presence', 'userconsent'],
    ...['receive-cookie-deprecation', 'wistia', 'serverid', 'mixpanel', 'tt_*', 'ins-*', 'car', 'gdpr', 'data-*'],
    ...['pixel', 'is_returning', 'last_visit', 'usprivacy', 'usersync', 'taxonomy', 'consentdate', 'declined_date'],
    ...[
      'ip_country',
      'googtrans',
      'testifcookiep',
      'chkchromeab67sec',
      'utmccn',
      'mailchimp_*',
      'mollie*',
      'distinct_id',
    ],
  ].map((name) => name.toLowerCase()),
)

let all: readonly Vendor[] | null = null

/** @throws Error when a file of the table is wrong */
export const allVendors = (): readonly Vendor[] => {
  all ??= readdirSync(FOLDER)
    .filter((file) => file.endsWith('.vendors'))
    .toSorted()
    .flatMap((file) => parseVendors(readFileSync(new URL(file, FOLDER), 'utf8'), `vendors/${file}`))
  return all
}

interface Place {
  /** '' or a path with its leading slash. */
  readonly path: string
  readonly vendor: Vendor
}

let places: ReadonlyMap<string, readonly Place[]> | null = null

/** By domain; of one domain the longest path first. */
const allPlaces = (): ReadonlyMap<string, readonly Place[]> => {
  if (places) return places
  const table = new Map<string, Place[]>()
  for (const vendor of allVendors()) {
    for (const domain of vendor.domains) {
      const slash = domain.indexOf('/')
      const host = slash < 0 ? domain : domain.slice(0, slash)
      const list = table.get(host) ?? []
      list.push({ path: slash < 0 ? '' : domain.slice(slash), vendor })
      table.set(host, list)
    }
  }
  for (const list of table.values()) list.sort((a, b) => b.path.length - a.path.length)
  places = table
  return table
}

/** Of an address, or of a host name alone. The longest domain wins, then the longest path; null for everyone else. */
export const vendorOf = (address: string): Vendor | null => {
  const url = URL.parse(address.includes('://') ? address : `https://${address}/`)
  if (url === null) return null
  const table = allPlaces()
  const labels = url.hostname.toLowerCase().replace(/\.$/, '').split('.')
  for (let first = 0; first < labels.length - 1; first += 1) {
    const found = table.get(labels.slice(first).join('.'))?.find(({ path }) => isUnder(url.pathname, path))
    if (found) return found.vendor
  }
  return null
}

/** "/maps" holds /maps, /maps/embed and /mapsembed no more: the next character ends the segment. */
const isUnder = (pathname: string, path: string): boolean =>
  path === '' || (pathname.startsWith(path) && /^([/?.;,-]|$)/.test(pathname.slice(path.length)))

interface Named {
  readonly vendor: Vendor
  readonly knowledge: CookieKnowledge
}

let names: {
  readonly exact: ReadonlyMap<string, Named>
  readonly starts: readonly (readonly [string, Named])[]
} | null = null

/** Names that tell whose they are on any host. */
const allNames = () => {
  if (names) return names
  const exact = new Map<string, Named>()
  const starts: (readonly [string, Named])[] = []
  for (const vendor of allVendors()) {
    for (const { name, purpose } of vendor.cookies ?? []) {
      const named = { vendor, knowledge: { purpose, vendor: vendor.id, source: 'own table' } }
      if (!isTelling(name)) continue
      if (name.endsWith('*')) starts.push([name.slice(0, -1), named])
      else if (!exact.has(name)) exact.set(name, named)
    }
  }
  starts.sort(([a], [b]) => b.length - a.length)
  names = { exact, starts }
  return names
}

const isTelling = (name: string): boolean =>
  !COMMON.has(name.toLowerCase()) && (name.startsWith('_') ? name.length >= 3 : name.length >= SHORTEST_TELLING)

/** By the vendor's own host first, then by the name. `host` as the cookie has it, with or without a leading dot. */
export const cookieOf = (name: string, host: string): CookieKnowledge | null => {
  const owner = vendorOf(host.replace(/^\./, ''))
  const listed = owner?.cookies?.find((cookie) => matches(cookie.name, name))
  if (owner && listed) return { purpose: listed.purpose, vendor: owner.id, source: 'own table' }
  const { exact, starts } = allNames()
  const byName = exact.get(name) ?? starts.find(([start]) => name.startsWith(start))?.[1]
  if (byName) return byName.knowledge
  const purpose = owner ? cookiePurposeOf(owner.purposes) : null
  return owner && purpose ? { purpose, vendor: owner.id, source: 'own table' } : null
}

const matches = (pattern: string, name: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name
