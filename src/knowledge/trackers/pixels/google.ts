/** Google's measurement: Analytics 4 and Universal, Ads conversions and remarketing. Source: requests of gtag.js. */
import {
  ACCOUNT,
  at,
  CLICK,
  CONSENT,
  EVENT,
  type Fields,
  ID,
  PAGE,
  type PixelGrammar,
  REFERRER,
  SCREEN,
  TITLE,
  VALUE,
} from './grammar.ts'

/** Consent mode and its neighbours: gcs is G1 and two digits (ads, analytics), gcd the longer form. */
const SIGNALS = {
  gcs: CONSENT,
  gcd: CONSENT,
  npa: 'advertising personalised or not',
  dma: CONSENT,
  dma_cps: CONSENT,
  pscdl: CONSENT,
}

/** `tv.1~em.HASH~pn.HASH~fn0.HASH`: data that the visitor gave, hashed. */
const KINDS: Readonly<Record<string, string>> = {
  em: 'e-mail',
  pn: 'phone',
  fn: 'name',
  ln: 'name',
  sa: 'address',
  ct: 'address',
  rg: 'address',
  pc: 'address',
  co: 'address',
}
const given = (fields: Fields): readonly string[] =>
  ['em', 'emd', 'eme', 'ecsid']
    .flatMap((name) => (fields.get(name) ?? '').split('~'))
    .flatMap((part) => {
      const [, kind = '', value = ''] = /^([a-z]{2})\d*\.(.*)$/.exec(part) ?? []
      return value === '' ? [] : (KINDS[kind] ?? [])
    })

const GA4 = ['/g/collect', '/g/s/collect']
const UNIVERSAL = ['/collect', '/j/collect', '/r/collect', '/__utm.gif']

export const GOOGLE: readonly PixelGrammar[] = [
  {
    vendor: 'google-analytics',
    // By path: the same grammar comes from server-side containers under the site's own name.
    matches: (url) => GA4.includes(url.pathname) && url.searchParams.get('v') === '2' && url.searchParams.has('tid'),
    event: (fields) => fields.get('en') ?? null,
    meanings: {
      tid: ACCOUNT,
      cid: ID,
      sid: 'identifier of the session',
      uid: 'identifier of the user',
      en: EVENT,
      dl: PAGE,
      dr: REFERRER,
      dt: TITLE,
      sr: SCREEN,
      ul: 'language',
      'ep.*': VALUE,
      'epn.*': VALUE,
      'up.*': 'property of the user',
      'upn.*': 'property of the user',
      gclid: CLICK,
      ...SIGNALS,
    },
    identity: { uid: 'user id' },
    inside: given,
  },
  {
    vendor: 'google-analytics',
    matches: (url) => at(url, 'google-analytics.com') && UNIVERSAL.includes(url.pathname),
    event: (fields) => fields.get('ea') ?? fields.get('t') ?? null,
    meanings: {
      tid: ACCOUNT,
      cid: ID,
      uid: 'identifier of the user',
      t: EVENT,
      dl: PAGE,
      dr: REFERRER,
      dt: TITLE,
      sr: SCREEN,
      ul: 'language',
      ea: EVENT,
      ec: VALUE,
      el: VALUE,
      ...SIGNALS,
    },
    identity: { uid: 'user id' },
  },
  {
    vendor: 'google-ads',
    matches: (url) =>
      ['googleadservices.com', 'doubleclick.net', 'google.com', 'googletagmanager.com'].some((host) => at(url, host)) &&
      /^\/(pagead\/(1p-)?(conversion|viewthroughconversion|user-list)\/|ccm\/(form-data|conversion|collect)|rmkt\/collect|td\/|pagead\/landing|activity)/.test(
        url.pathname,
      ),
    event: (fields, url) =>
      fields.get('en') ??
      /(?:^|;)event=([^;]+)/.exec(fields.get('data') ?? '')?.[1] ??
      (/conversion\//.test(url.pathname) && fields.has('label') ? 'conversion' : null),
    meanings: {
      label: 'kind of conversion',
      url: PAGE,
      dl: PAGE,
      ref: REFERRER,
      tiba: TITLE,
      auid: ID,
      cid: ID,
      value: VALUE,
      currency_code: VALUE,
      oid: 'order',
      data: VALUE,
      gclid: CLICK,
      gclaw: CLICK,
      u_w: SCREEN,
      u_h: SCREEN,
      ...SIGNALS,
    },
    identity: { uid: 'user id' },
    inside: given,
  },
]
