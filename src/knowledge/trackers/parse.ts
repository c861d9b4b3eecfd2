/**
 * The table of vendors as text, one vendor after another:
 *
 *     id | name | legal entity | seat | purposes
 *       at domain domain/path …
 *       sets cookie cookie* cookie=purpose …
 *       tcf number
 *
 * `?` is an unknown seat. A cookie without a purpose of its own has that of its vendor. Lines with # are comments.
 */
import { type CookiePurpose, type KnownCookie, VENDOR_PURPOSES, type Vendor, type VendorPurpose } from './vendor.ts'

const COOKIE_PURPOSES: readonly CookiePurpose[] = ['necessary', 'functional', 'analytics', 'marketing']

/** What a cookie is for when all that is known of it is whose it is; null where that says nothing. */
export const cookiePurposeOf = (purposes: readonly VendorPurpose[]): CookiePurpose | null => {
  const [main] = purposes
  return main === undefined ? null : BY_VENDOR[main]
}

const BY_VENDOR: Readonly<Record<VendorPurpose, CookiePurpose | null>> = {
  advertising: 'marketing',
  analytics: 'analytics',
  'session-recording': 'analytics',
  social: 'marketing',
  'ab-testing': 'analytics',
  'tag-management': 'analytics',
  'customer-data': 'marketing',
  video: 'marketing',
  maps: 'functional',
  captcha: 'necessary',
  fonts: 'functional',
  chat: 'functional',
  'fraud-prevention': 'necessary',
  monitoring: 'analytics',
  payment: 'necessary',
  consent: 'necessary',
  cdn: null,
  other: null,
}

/** @throws Error with file and line where the text breaks the grammar */
export const parseVendors = (text: string, file: string): readonly Vendor[] => {
  const vendors: Draft[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue
    const wrong = (what: string): Error => new Error(`${file}:${index + 1}: ${what}`)
    if (!line.startsWith('  ')) {
      vendors.push(headOf(line, wrong))
      continue
    }
    const vendor = vendors.at(-1)
    const [word = '', ...values] = line.trim().split(/\s+/)
    if (vendor === undefined || values.length === 0) throw wrong('a line of details without a vendor or without values')
    if (word === 'at') vendor.domains.push(...values.map((value) => domainOf(value, wrong)))
    else if (word === 'sets') vendor.cookies.push(...values.map((value) => cookieOf(value, vendor, wrong)))
    else if (word === 'tcf' && /^\d{1,5}$/.test(values[0] ?? '')) vendor.tcfId = Number(values[0])
    else throw wrong(`"${word}" is none of at, sets, tcf`)
  }
  const empty = vendors.find(({ domains }) => domains.length === 0)
  if (empty) throw new Error(`${file}: ${empty.id} has no domain`)
  return vendors
}

interface Draft extends Vendor {
  domains: string[]
  cookies: KnownCookie[]
  tcfId?: number
}

type Wrong = (what: string) => Error

const headOf = (line: string, wrong: Wrong): Draft => {
  const [id = '', name = '', legalEntity = '', seat = '', purposes = '', ...more] = line
    .split(' | ')
    .map((x) => x.trim())
  if (!/^[a-z0-9][a-z0-9-]*$/.test(id) || name === '' || legalEntity === '' || more.length > 0)
    throw wrong('a broken head')
  if (!/^([A-Z]{2}|\?)$/.test(seat)) throw wrong(`"${seat}" is no country code`)
  const list = purposes.split(' ').map((word) => {
    const purpose = VENDOR_PURPOSES.find((one) => one === word)
    if (purpose === undefined) throw wrong(`"${word}" is no purpose`)
    return purpose
  })
  const country = seat === '?' ? null : seat
  return { id, name, legalEntity, country, dpf: null, purposes: list, domains: [], cookies: [] }
}

const domainOf = (value: string, wrong: Wrong): string => {
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+(\/[\w./-]+)?$/.test(value)) throw wrong(`"${value}" is no domain`)
  return value
}

const cookieOf = (value: string, vendor: Vendor, wrong: Wrong): KnownCookie => {
  const [name = '', stated] = value.split('=')
  const purpose =
    stated === undefined ? cookiePurposeOf(vendor.purposes) : COOKIE_PURPOSES.find((one) => one === stated)
  if (name === '' || name.slice(0, -1).includes('*')) throw wrong(`"${value}": one * at the end`)
  if (purpose === undefined) throw wrong(`"${stated}" is no purpose of a cookie`)
  return { name, purpose: purpose ?? 'functional' }
}
