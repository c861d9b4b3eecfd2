import { describe, expect, it } from 'vitest'
import { parseVendors } from './parse.ts'
import { createTrackers } from './trackers.ts'
import { allVendors } from './vendors.ts'

const { vendorOf, cookieOf, entityOf, pixelOf } = createTrackers()

describe('the table', () => {
  const vendors = allVendors()

  it('has more than the 150 vendors that matter most, each with a seat and an entity', () => {
    expect(vendors.length).toBeGreaterThan(250)
    expect(vendors.filter(({ country }) => country === null).length).toBeLessThan(10)
  })

  it('names no id, no domain and no TCF number twice', () => {
    const lists: readonly (readonly (string | number)[])[] = [
      vendors.map(({ id }) => id),
      vendors.flatMap(({ domains }) => domains),
      vendors.flatMap(({ tcfId }) => tcfId ?? []),
    ]
    for (const values of lists) expect(values.filter((value, index) => values.indexOf(value) !== index)).toEqual([])
  })

  it.each([
    ['no seat', 'a | A | A Ltd |  | fonts\n  at a.test'],
    ['a purpose that is none', 'a | A | A Ltd | US | spying\n  at a.test'],
    ['no domain', 'a | A | A Ltd | US | fonts'],
    ['details before a vendor', '  at a.test'],
    ['a star in the middle of a cookie', 'a | A | A Ltd | US | fonts\n  at a.test\n  sets a*b'],
    ['an unknown line', 'a | A | A Ltd | US | fonts\n  on a.test'],
  ])('is refused with %s', (_name, text) => {
    expect(() => parseVendors(text, 'x.vendors')).toThrow(/^x\.vendors/)
  })
})

describe('who is behind an address', () => {
  it.each([
    ['subdomain', 'https://region1.google-analytics.com/g/collect?v=2', 'google-analytics'],
    ['host alone', 'px.ads.linkedin.com', 'linkedin'],
    ['a path narrows', 'https://www.google.com/recaptcha/api.js', 'google-recaptcha'],
    ['another path of the same host', 'https://www.google.com/maps/embed?pb=1', 'google-maps'],
    ['the rest of the host', 'https://www.google.com/search', 'google-play'],
    ['a path that only begins alike', 'https://www.google.com/mapsfoo', 'google-play'],
    ['pixel before network', 'https://www.facebook.com/tr/?id=1', 'meta-pixel'],
    ['network', 'https://www.facebook.com/plugins/like.php', 'facebook'],
    ['upper case and a dot at the end', 'https://SCRIPT.HOTJAR.COM./a.js', 'hotjar'],
    ['a look-alike', 'https://google-analytics.com.evil.test/', undefined],
    ['a name that only ends alike', 'https://notgoogle-analytics.com/', undefined],
    ['no address', 'javascript:alert(1)', undefined],
  ])('%s', (_name, url, id) => {
    expect(vendorOf(url)?.id).toBe(id)
  })

  it('other companies come from the entity data', () => {
    expect(entityOf('cdn.permutive.com')).toMatchObject({ name: expect.stringMatching(/permutive/i) })
    expect(entityOf('shop.test')).toBeNull()
  })
})

describe('whose cookie it is', () => {
  it.each([
    ['_ga', 'shop.test', 'analytics', 'google-analytics'],
    ['_ga_4XYZ', '.shop.test', 'analytics', 'google-analytics'],
    ['_fbp', 'shop.test', 'marketing', 'meta-pixel'],
    ['_hjSessionUser_123', 'shop.test', 'analytics', 'hotjar'],
    ['IDE', '.doubleclick.net', 'marketing', 'google-ads'],
    ['OptanonConsent', 'shop.test', 'necessary', 'onetrust'],
    ['anything', '.criteo.com', 'marketing', 'criteo'],
    ['PHPSESSID', 'shop.test', 'necessary', null],
    ['__Host-csrf_token', 'shop.test', 'necessary', null],
    ['lang', 'shop.test', 'functional', null],
    ['_pk_id.1.1fff', 'shop.test', 'analytics', null],
  ])('%s on %s', (name, host, purpose, vendor) => {
    expect(cookieOf(name, host)).toMatchObject({ purpose, vendor })
  })

  it.each(['uid', 'id', 'c', 'i', 'u', 'uuid', 'player', 'visitor', 'amount', 'PREF', 'user', 'token', 'ts', '_s'])(
    'nobody knows a cookie called %s on a site of its own',
    (name) => {
      expect(cookieOf(name, 'shop.test')).toBeNull()
    },
  )
})

describe('pixels', () => {
  const hash = 'a'.repeat(64)
  it.each([
    [
      'Meta',
      `https://www.facebook.com/tr/?id=12&ev=PageView&dl=https%3A%2F%2Fshop.test%2F&fbp=fb.1.2.3`,
      null,
      'meta-pixel',
      'PageView',
      [],
    ],
    [
      'Meta with advanced matching',
      `https://www.facebook.com/tr/?id=12&ev=Lead&ud[em]=${hash}&ud[ph]=`,
      null,
      'meta-pixel',
      'Lead',
      ['e-mail'],
    ],
    [
      'Meta, posted',
      'https://www.facebook.com/tr/',
      `id=12&ev=Purchase&ud%5Bph%5D=${hash}`,
      'meta-pixel',
      'Purchase',
      ['phone'],
    ],
    [
      'TikTok',
      'https://analytics.tiktok.com/api/v2/pixel',
      JSON.stringify({ event: 'ViewContent', context: { user: { email: hash, anonymous_id: 'x' } } }),
      'tiktok',
      'ViewContent',
      ['e-mail'],
    ],
    ['X', 'https://t.co/1/i/adsct?txn_id=o1&events=%5B%5B%22pageview%22%2C%7B%7D%5D%5D', null, 'x-ads', 'pageview', []],
    [
      'LinkedIn',
      'https://px.ads.linkedin.com/collect/?pid=1&fmt=js&url=https%3A%2F%2Fshop.test',
      null,
      'linkedin',
      'page view',
      [],
    ],
    [
      'GA4',
      'https://region1.google-analytics.com/g/collect?v=2&tid=G-1&cid=1.2&en=page_view&gcs=G100',
      null,
      'google-analytics',
      'page_view',
      [],
    ],
    [
      'GA4, batch in the body',
      'https://www.google-analytics.com/g/collect?v=2&tid=G-1&cid=1.2',
      'en=scroll&epn.percent=90\r\nen=click',
      'google-analytics',
      'scroll',
      [],
    ],
    [
      'GA4 behind the own name',
      'https://data.shop.test/g/collect?v=2&tid=G-1&en=page_view',
      null,
      'google-analytics',
      'page_view',
      [],
    ],
    [
      'Google Ads, enhanced',
      `https://www.googleadservices.com/pagead/conversion/99/?label=abc&em=tv.1~em.${hash}~pn.${hash}`,
      null,
      'google-ads',
      'conversion',
      ['e-mail', 'phone'],
    ],
    [
      'Google Ads, nothing given',
      'https://googleads.g.doubleclick.net/pagead/viewthroughconversion/99/?data=event%3Dpage_view&em=tv.1',
      null,
      'google-ads',
      'page_view',
      [],
    ],
    [
      'Bing',
      'https://bat.bing.com/action/0?ti=5&evt=pageLoad&p=https%3A%2F%2Fshop.test',
      null,
      'microsoft-advertising',
      'pageLoad',
      [],
    ],
    [
      'Pinterest',
      `https://ct.pinterest.com/v3/?tid=26&event=pagevisit&pd=%7B%22em%22%3A%22${hash}%22%7D`,
      null,
      'pinterest',
      'pagevisit',
      ['e-mail'],
    ],
    [
      'Snap',
      'https://tr.snapchat.com/p',
      `pid=1&ev=PAGE_VIEW&pl=https%3A%2F%2Fshop.test&u_hem=${hash}`,
      'snapchat',
      'PAGE_VIEW',
      ['e-mail'],
    ],
    ['Reddit', 'https://alb.reddit.com/rp.gif?id=t2_a&event=PageVisit&uuid=u', null, 'reddit', 'PageVisit', []],
    [
      'Matomo',
      'https://stats.shop.test/matomo.php?idsite=3&rec=1&url=https%3A%2F%2Fshop.test&_id=0123456789abcdef',
      null,
      'matomo',
      'page view',
      [],
    ],
    ['Clarity', 'https://k.clarity.ms/collect', '{"e":["0.7",1]}', 'microsoft-clarity', 'recording', []],
  ] as const)('%s', (_name, url, body, vendor, event, identity) => {
    expect(pixelOf(url, body)).toMatchObject({ vendor, event, identity })
  })

  it.each([
    ['a page of the network', 'https://www.facebook.com/trends?id=1'],
    ['the script of the pixel', 'https://connect.facebook.net/en_US/fbevents.js'],
    ['a collector of another grammar', 'https://shop.test/g/collect?x=1'],
    ['a search', 'https://www.google.com/search?q=pagead'],
    ['no address', 'about:blank'],
  ])('%s is none', (_name, url) => {
    expect(pixelOf(url, null)).toBeNull()
  })

  it('keeps no value of an identifier or of contact data', () => {
    const hit = pixelOf(`https://www.facebook.com/tr/?id=12&ev=Lead&fbp=fb.1.777.888&ud[em]=${hash}&ud[fn]=anna`, null)
    expect(JSON.stringify(hit)).not.toMatch(/aaaa|anna|777/)
    expect(hit?.parameters).toContainEqual({ name: 'ud[em]', meaning: 'e-mail', value: '(SHA-256 in hex)' })
  })

  it.each([
    ['deep JSON', '{"a":'.repeat(5_000)],
    ['a huge body', 'x=1&'.repeat(500_000)],
    ['broken percent signs', 'em=%E0%A4%A'],
  ])('survives %s', (_name, body) => {
    expect(pixelOf('https://analytics.tiktok.com/api/v2/pixel', body)?.vendor).toBe('tiktok')
  })
})
