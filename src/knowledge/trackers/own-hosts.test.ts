import { expect, test } from 'vitest'
import { ownMeasuringOf } from './own-hosts.ts'

const at = (path: string): string => `https://shop.test${path}`
const MATOMO =
  'idsite=3&rec=1&r=123456&h=10&m=2&s=3&url=https%3A%2F%2Fshop.test%2F&_id=0f1e2d3c4b5a6978&action_name=Shop'

test.each([
  [
    'GA4 at a path of the site',
    at('/m/v?v=2&tid=G-AB12CD&cid=1234567890.1700000000&en=page_view'),
    null,
    'google-analytics',
    false,
  ],
  [
    'GA4 with events in the body',
    at('/x?v=2&tid=G-AB12CD&cid=1.2'),
    'en=scroll&epn.percent=90',
    'google-analytics',
    false,
  ],
  ['Matomo under its own name', at(`/matomo/matomo.php?${MATOMO}`), null, 'matomo', true],
  ['Matomo renamed', at(`/js/?${MATOMO}`), null, 'matomo', true],
  ['Matomo by beacon, in the body', at('/a/p.php'), MATOMO, 'matomo', true],
  ['Matomo in bulk', at('/a/p.php'), JSON.stringify({ requests: [`?${MATOMO}`, `?${MATOMO}`] }), 'matomo', true],
  [
    'Plausible',
    at('/p/event'),
    '{"n":"pageview","u":"https://shop.test/","d":"shop.test","r":null}',
    'plausible',
    true,
  ],
  [
    'Umami',
    at('/u'),
    '{"type":"event","payload":{"website":"4fb7fa4c-5b46-438d-94b3-3a8fb9bc2e8b","url":"/","hostname":"shop.test"}}',
    'umami',
    true,
  ],
  [
    'PostHog through a proxy of the site',
    at('/ingest/e/?compression=gzip-js'),
    '{"api_key":"phc_abcdefghijklmnop","batch":[{"event":"$pageview","properties":{"distinct_id":"0190-aa"}}]}',
    'posthog',
    true,
  ],
  [
    'Snowplow',
    at('/com.acme/tp2'),
    '{"schema":"iglu:com.snowplowanalytics.snowplow/payload_data/jsonschema/1-0-4","data":[{"e":"pv","duid":"x"}]}',
    'snowplow',
    true,
  ],
  [
    'Segment through a proxy of the site',
    at('/v1/t'),
    '{"type":"track","event":"Viewed","anonymousId":"a-1","context":{"library":{"name":"analytics.js","version":"next-1"}}}',
    'segment',
    false,
  ],
  ['Adobe by its path', at('/b/ss/acme/1/JS-2.22/s1?pageName=home'), null, 'adobe-analytics', false],
] as const)('%s', (_name, url, body, vendor, hosted) => {
  expect(ownMeasuringOf(url, body)).toMatchObject({ vendor, hosted })
})

test.each([
  ['a search', at('/search?v=2&q=shoes'), null],
  ['an account that is none of Google’s', at('/api?v=2&tid=42&cid=7'), null],
  ['an API with names of its own', at('/api/event'), '{"name":"Summer party","url":"/events/7","domain":"music"}'],
  ['an order', at('/api/orders'), '{"type":"event","payload":{"ticket":7}}'],
  [
    'a Matomo report that an administrator reads',
    at('/matomo/index.php?module=API&idSite=1&method=VisitsSummary.get'),
    null,
  ],
  ['no address', 'nonsense', null],
] as const)('not %s', (_name, url, body) => {
  expect(ownMeasuringOf(url, body)).toBeNull()
})

test('identifiers are told by their shape alone', () => {
  const pixel = ownMeasuringOf(at(`/js/?${MATOMO}`), null)?.pixel
  expect(JSON.stringify(pixel)).not.toContain('0f1e2d3c4b5a6978')
  expect(pixel?.parameters.find(({ name }) => name === '_id')?.value).toBe('(16 characters)')
})
