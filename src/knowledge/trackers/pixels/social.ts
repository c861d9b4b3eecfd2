/** Pixels of networks. Sources: each network's pixel and conversion documentation; names as sent by its own script. */
import { ACCOUNT, at, CLICK, EVENT, ID, PAGE, type PixelGrammar, REFERRER, SCREEN, TITLE, VALUE } from './grammar.ts'

export const SOCIAL: readonly PixelGrammar[] = [
  {
    vendor: 'meta-pixel',
    matches: (url) =>
      at(url, 'facebook.com') && /^\/(privacy_sandbox\/pixel\/register\/trigger|tr)\/?$/.test(url.pathname),
    event: (fields) => fields.get('ev') ?? null,
    meanings: {
      id: ACCOUNT,
      ev: EVENT,
      dl: PAGE,
      rl: REFERRER,
      fbp: ID,
      fbc: CLICK,
      sw: SCREEN,
      sh: SCREEN,
      'cd[*': VALUE,
      eid: 'identifier of the event',
    },
    identity: {
      'ud[em]': 'e-mail',
      'ud[ph]': 'phone',
      'ud[fn]': 'name',
      'ud[ln]': 'name',
      'ud[db]': 'date of birth',
      'ud[ge]': 'gender',
      'ud[ct]': 'address',
      'ud[st]': 'address',
      'ud[zp]': 'address',
      'ud[country]': 'address',
      'ud[external_id]': 'user id',
      'aud[em]': 'e-mail',
      'aud[ph]': 'phone',
      'udff[em]': 'e-mail',
      'udff[ph]': 'phone',
      'udff[fn]': 'name',
      'udff[ln]': 'name',
    },
  },
  {
    vendor: 'tiktok',
    matches: (url) =>
      url.hostname.startsWith('analytics') &&
      at(url, 'tiktok.com') &&
      /^\/api\/v\d\/(pixel|monitor|performance_interaction|shopify_pixel)/.test(url.pathname),
    event: (fields) => fields.get('event') ?? fields.get('action') ?? null,
    meanings: {
      event: EVENT,
      'context.pixel.code': ACCOUNT,
      'context.page.url': PAGE,
      'context.page.referrer': REFERRER,
      'context.user.anonymous_id': ID,
      'context.ad.callback': CLICK,
      'context.userAgent': 'browser',
      'properties.*': VALUE,
    },
    identity: {
      'context.user.email': 'e-mail',
      'context.user.phone_number': 'phone',
      'context.user.external_id': 'user id',
      'context.user.auto_email': 'e-mail',
      'context.user.auto_phone_number': 'phone',
      'context.user.first_name': 'name',
      'context.user.last_name': 'name',
    },
  },
  {
    vendor: 'x-ads',
    matches: (url) =>
      (at(url, 'analytics.twitter.com') || url.hostname === 't.co' || at(url, 'ads-api.x.com')) &&
      /\/i\/adsct$/.test(url.pathname),
    event: (fields) => /^\[\["([^"]+)"/.exec(fields.get('events') ?? '')?.[1] ?? null,
    meanings: {
      txn_id: ACCOUNT,
      events: EVENT,
      tw_document_href: PAGE,
      tw_document_referrer: REFERRER,
      p_user_id: ID,
      pl_id: 'identifier of the page view',
      twclid: CLICK,
      tw_sale_amount: VALUE,
      tw_order_quantity: VALUE,
      tw_iframe_status: 'frame or page',
    },
    identity: { email_address: 'e-mail', phone_number: 'phone', em: 'e-mail', ph: 'phone' },
    inside: (fields) => [
      ...(/"email_address"\s*:\s*"[^"]+"/.test(fields.get('events') ?? '') ? ['e-mail'] : []),
      ...(/"phone_number"\s*:\s*"[^"]+"/.test(fields.get('events') ?? '') ? ['phone'] : []),
    ],
  },
  {
    vendor: 'linkedin',
    matches: (url) =>
      /^(px\d?|dc)\.ads\.linkedin\.com$/.test(url.hostname) &&
      /^\/(collect|wa|attribution_trigger|insight_tag_errors)/.test(url.pathname),
    event: (fields) => (fields.has('conversionId') ? 'conversion' : (fields.get('signalType') ?? 'page view')),
    meanings: {
      pid: ACCOUNT,
      conversionId: 'kind of conversion',
      url: PAGE,
      pageUrl: PAGE,
      pageTitle: TITLE,
      li_fat_id: CLICK,
      v: 'version',
      time: 'time',
      websiteSignalRequestId: 'identifier of the event',
      'pids.0': ACCOUNT,
      signalType: EVENT,
    },
    identity: { hem: 'e-mail', hashedEmail: 'e-mail', 'hem.*': 'e-mail' },
  },
  {
    vendor: 'pinterest',
    matches: (url) => at(url, 'ct.pinterest.com') && /^\/(v3|user)\/?/.test(url.pathname),
    event: (fields) => fields.get('event') ?? null,
    meanings: { tid: ACCOUNT, event: EVENT, ed: VALUE, ad: 'page, browser and screen' },
    identity: {},
    inside: (fields) =>
      'pd' in Object.fromEntries(fields) && /"(em|hashed_em)"\s*:\s*"[^"]+"/.test(fields.get('pd') ?? '')
        ? ['e-mail']
        : [],
  },
  {
    vendor: 'snapchat',
    matches: (url) => /^tr\d?\.snapchat\.com$/.test(url.hostname) && /^\/(p|cm\/i|init)/.test(url.pathname),
    event: (fields) => fields.get('ev') ?? fields.get('event') ?? null,
    meanings: {
      pid: ACCOUNT,
      ev: EVENT,
      pl: PAGE,
      rf: REFERRER,
      u_c1: ID,
      u_scsid: 'identifier of the session',
      u_sclid: CLICK,
      ts: 'time',
      'e_*': VALUE,
    },
    identity: {
      u_hem: 'e-mail',
      u_hpn: 'phone',
      u_hfn: 'name',
      u_hln: 'name',
      user_email: 'e-mail',
      user_hashed_email: 'e-mail',
    },
  },
  {
    vendor: 'reddit',
    matches: (url) => at(url, 'alb.reddit.com') && /^\/(rp\.gif|snoo\.gif|i\.gif)/.test(url.pathname),
    event: (fields) => fields.get('event') ?? null,
    meanings: {
      id: ACCOUNT,
      event: EVENT,
      uuid: ID,
      ts: 'time',
      s: 'hash',
      sh: SCREEN,
      sw: SCREEN,
      'm.*': VALUE,
      rdt_cid: CLICK,
    },
    identity: { em: 'e-mail', pn: 'phone', external_id: 'user id', aaid: 'user id', idfa: 'user id' },
  },
  {
    vendor: 'quora',
    matches: (url) => at(url, 'q.quora.com') && /\/pixel$/.test(url.pathname),
    event: (fields) => fields.get('tag') ?? null,
    meanings: { tag: EVENT, u: PAGE, i: ID },
    identity: { email: 'e-mail' },
  },
]
