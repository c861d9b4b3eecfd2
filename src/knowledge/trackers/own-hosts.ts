/**
 * Measuring that goes to a host of the site itself: told by the parameters that a tracker's script sends, since name and path are the
 * site's own choice. Sources: requests of gtag.js, Matomo's Tracking HTTP API, the events APIs of Plausible and Umami, PostHog's capture
 * API, Snowplow's tracker protocol, Segment's HTTP API.
 */
import { GOOGLE } from './pixels/google.ts'
import { type Fields, fieldsOf, ID, type PixelGrammar } from './pixels/grammar.ts'
import { OTHERS } from './pixels/others.ts'
import { pixelOf, readPixel } from './pixels.ts'
import type { PixelHit, VendorPurpose } from './vendor.ts'

export interface OwnMeasuring {
  readonly vendor: string
  readonly name: string
  readonly purposes: readonly VendorPurpose[]
  /** The operator can run it alone: nobody else need learn of the visit. Else it is the vendor's, whose account is named. */
  readonly hosted: boolean
  readonly pixel: PixelHit
}

interface Kind {
  readonly vendor: string
  readonly name: string
  readonly purposes: readonly VendorPurpose[]
  readonly hosted: boolean
  readonly matches: (fields: Fields) => boolean
  readonly grammar: Pick<PixelGrammar, 'event' | 'meanings' | 'identity' | 'inside'>
}

const grammarOf = (vendor: string): PixelGrammar => {
  const found = [...GOOGLE, ...OTHERS].find((one) => one.vendor === vendor)
  if (found === undefined) throw new Error(`no grammar of ${vendor}`)
  return found
}

const has = (fields: Fields, name: string, value: RegExp): boolean => value.test(fields.get(name) ?? '')
const some = (fields: Fields, name: RegExp, value: RegExp): boolean =>
  [...fields].some(([key, text]) => name.test(key) && value.test(text))
const plain = (event: (fields: Fields) => string | null, meanings: Readonly<Record<string, string>> = {}) => ({
  event,
  meanings,
  identity: {},
})

const KINDS: readonly Kind[] = [
  {
    ...{ vendor: 'google-analytics', name: 'Google Analytics', purposes: ['analytics'], hosted: false },
    matches: (fields) => fields.get('v') === '2' && has(fields, 'tid', /^G-[A-Z0-9]{4,}$/) && has(fields, 'cid', /./),
    grammar: grammarOf('google-analytics'),
  },
  {
    ...{ vendor: 'matomo', name: 'Matomo', purposes: ['analytics'], hosted: true },
    matches: (fields) =>
      has(fields, 'idsite', /^\d+$/) &&
      fields.get('rec') === '1' &&
      ['url', 'action_name', 'e_a'].some((name) => fields.has(name)),
    grammar: grammarOf('matomo'),
  },
  {
    ...{ vendor: 'plausible', name: 'Plausible', purposes: ['analytics'], hosted: true },
    matches: (fields) =>
      (has(fields, 'n', /./) || has(fields, 'name', /./)) &&
      (has(fields, 'u', /^https?:/) || has(fields, 'url', /^https?:/)) &&
      (has(fields, 'd', /^[\w.-]+\.[a-z]+/i) || has(fields, 'domain', /^[\w.-]+\.[a-z]+/i)),
    grammar: plain((fields) => fields.get('n') ?? fields.get('name') ?? null, { u: 'address of the page' }),
  },
  {
    ...{ vendor: 'umami', name: 'Umami', purposes: ['analytics'], hosted: true },
    matches: (fields) => fields.get('type') === 'event' && has(fields, 'payload.website', /^[\da-f-]{36}$/i),
    grammar: plain((fields) => fields.get('payload.name') ?? 'page view', { 'payload.url': 'address of the page' }),
  },
  {
    ...{ vendor: 'posthog', name: 'PostHog', purposes: ['analytics'], hosted: true },
    matches: (fields) =>
      some(fields, /(?:^|\.)(?:api_key|token)$/, /^phc_\w{8,}/) && some(fields, /(?:^|\.)\$?distinct_id$/, /./),
    grammar: plain((fields) => [...fields].find(([name]) => /(?:^|\.)event$/.test(name))?.[1] ?? null, {
      distinct_id: ID,
      'properties.distinct_id': ID,
    }),
  },
  {
    ...{ vendor: 'snowplow', name: 'Snowplow', purposes: ['analytics'], hosted: true },
    matches: (fields) =>
      has(fields, 'schema', /^iglu:com\.snowplowanalytics\.snowplow\/payload_data\//) ||
      (has(fields, 'e', /^(?:pv|pp|ue|se|tr|ti)$/) && has(fields, 'tv', /^js-/)),
    grammar: plain((fields) => fields.get('data.0.e') ?? fields.get('e') ?? null, { duid: ID, 'data.0.duid': ID }),
  },
  {
    ...{ vendor: 'segment', name: 'Segment', purposes: ['customer-data', 'analytics'], hosted: false },
    matches: (fields) =>
      some(fields, /(?:^|\.)anonymousId$/, /./) && some(fields, /(?:^|\.)context\.library\.name$/, /^analytics\.js$/),
    grammar: plain((fields) => fields.get('event') ?? fields.get('type') ?? null, { anonymousId: ID }),
  },
  {
    ...{ vendor: 'rudderstack', name: 'RudderStack', purposes: ['customer-data', 'analytics'], hosted: true },
    matches: (fields) =>
      some(fields, /(?:^|\.)anonymousId$/, /./) && some(fields, /(?:^|\.)context\.library\.name$/, /rudder/i),
    grammar: plain((fields) => fields.get('event') ?? fields.get('type') ?? null, { anonymousId: ID }),
  },
]

/** Null for a request that is none. `body` as text. */
export const ownMeasuringOf = (address: string, body: string | null): OwnMeasuring | null => {
  const url = URL.parse(address)
  if (!url) return null
  const fields = withBulk(fieldsOf(url, body))
  const kind = KINDS.find(({ matches }) => matches(fields))
  if (kind) {
    const { vendor, name, purposes, hosted, grammar } = kind
    return {
      vendor,
      name,
      purposes,
      hosted,
      pixel: readPixel({ ...grammar, vendor, matches: () => true }, fields, url),
    }
  }
  // Others by their path, as on the vendor's own host: Adobe's /b/ss/ is one.
  const known = pixelOf(address, body)
  return known && { vendor: known.vendor, name: known.vendor, purposes: ['analytics'], hosted: false, pixel: known }
}

/** Matomo sends many at once as queries in a list of JSON: the first of them speaks. */
const withBulk = (fields: Fields): Fields => {
  const first = fields.get('requests.0')
  return first?.startsWith('?') ? new Map([...new URLSearchParams(first)]) : fields
}
