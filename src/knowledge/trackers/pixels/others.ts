/** Pixels of search engines, counters and advertising networks. Sources: each vendor's tracking documentation. */
import { ACCOUNT, at, CLICK, EVENT, ID, PAGE, type PixelGrammar, REFERRER, SCREEN, TITLE, VALUE } from './grammar.ts'

export const OTHERS: readonly PixelGrammar[] = [
  {
    vendor: 'microsoft-advertising',
    matches: (url) => /^bat\.bing\.(com|net)$/.test(url.hostname) && /^\/action(p)?\//.test(url.pathname),
    event: (fields) => fields.get('ea') ?? fields.get('evt') ?? null,
    meanings: {
      ti: ACCOUNT,
      evt: EVENT,
      ea: EVENT,
      p: PAGE,
      r: REFERRER,
      tl: TITLE,
      sid: 'identifier of the session',
      vid: ID,
      msclkid: CLICK,
      mid: 'identifier of the page view',
      sw: SCREEN,
      sh: SCREEN,
      gv: VALUE,
      gc: VALUE,
      lg: 'language',
    },
    identity: {},
    inside: (fields) => [
      ...(/"?em"?\s*[:=]\s*"?[0-9a-f]{64}/i.test(fields.get('pid') ?? '') ? ['e-mail'] : []),
      ...(/"?ph"?\s*[:=]\s*"?[0-9a-f]{64}/i.test(fields.get('pid') ?? '') ? ['phone'] : []),
    ],
  },
  {
    vendor: 'microsoft-clarity',
    matches: (url) => at(url, 'clarity.ms') && url.pathname === '/collect',
    event: () => 'recording',
    meanings: { 'e.1': ACCOUNT },
    identity: {},
  },
  {
    vendor: 'matomo',
    // By path: Matomo is hosted by most sites themselves.
    matches: (url) => /\/(matomo|piwik)\.php$/.test(url.pathname) && url.searchParams.has('idsite'),
    event: (fields) => fields.get('e_a') ?? (fields.has('action_name') || fields.has('url') ? 'page view' : null),
    meanings: {
      idsite: ACCOUNT,
      url: PAGE,
      urlref: REFERRER,
      action_name: TITLE,
      _id: ID,
      uid: 'identifier of the user',
      e_c: VALUE,
      e_a: EVENT,
      e_n: VALUE,
      res: SCREEN,
      cid: ID,
      revenue: VALUE,
    },
    identity: { uid: 'user id' },
  },
  {
    vendor: 'yandex-metrica',
    matches: (url) => /^mc\.yandex\.(ru|com)$/.test(url.hostname) && /^\/(watch|clmap|webvisor)\//.test(url.pathname),
    event: (_fields, url) => (url.pathname.startsWith('/watch') ? 'page view' : 'recording'),
    meanings: { 'page-url': PAGE, 'page-ref': REFERRER, 'browser-info': 'browser', 'site-info': VALUE },
    identity: {},
  },
  {
    vendor: 'criteo',
    matches: (url) => at(url, 'criteo.com') && url.pathname === '/event',
    event: (fields) =>
      /(?:^|&)e=([^&]+)/.exec(
        [...fields].find(([name, value]) => /^p\d$/.test(name) && !value.includes('e=ce'))?.[1] ?? '',
      )?.[1] ?? null,
    meanings: { a: ACCOUNT, fu: PAGE, ceid: ID, tld: 'domain of the page' },
    identity: {},
    inside: (fields) =>
      [...fields].some(([name, value]) => /^p\d$/.test(name) && /e=ce(&|$).*m=(%5B)?\[?\w/.test(value))
        ? ['e-mail']
        : [],
  },
  {
    vendor: 'adobe-analytics',
    matches: (url) => /^\/b\/ss\/[^/]+\//.test(url.pathname),
    event: (fields) => fields.get('events') ?? fields.get('pe') ?? 'page view',
    meanings: { mid: ID, aid: ID, vid: ID, g: PAGE, r: REFERRER, pageName: TITLE, s: SCREEN, events: EVENT },
    identity: {},
  },
  {
    vendor: 'hubspot',
    matches: (url) => at(url, 'hubspot.com') && /^\/__pt[a-z]\.gif$/.test(url.pathname),
    event: (fields) => fields.get('n') ?? 'page view',
    meanings: { a: ACCOUNT, pu: PAGE, r: REFERRER, t: TITLE, vi: ID, sd: SCREEN },
    identity: { i: 'e-mail' },
  },
  {
    vendor: 'outbrain',
    matches: (url) => at(url, 'outbrain.com') && /^\/(unifiedPixel|pixel|cachedClickId)$/.test(url.pathname),
    event: (fields) => fields.get('name') ?? null,
    meanings: { marketerId: ACCOUNT, name: EVENT, dl: PAGE, obApiVersion: 'version' },
    identity: {},
  },
  {
    vendor: 'taboola',
    matches: (url) => at(url, 'taboola.com') && /\/log\/3\/(unip|mark)$/.test(url.pathname),
    event: (fields) => fields.get('en') ?? 'page view',
    meanings: { en: EVENT, 'item-url': PAGE, tblci: CLICK, ref: REFERRER, vi: ID },
    identity: {},
  },
  {
    vendor: 'piano-analytics',
    matches: (url) => (at(url, 'xiti.com') || at(url, 'pa-cd.com')) && /^\/(hit\.xiti|event)$/.test(url.pathname),
    event: (fields) => fields.get('events.0.name') ?? fields.get('p') ?? 'page view',
    meanings: {
      s: ACCOUNT,
      p: TITLE,
      idclient: ID,
      ref: REFERRER,
      r: SCREEN,
      'events.0.name': EVENT,
      'events.0.data.event_url_full': PAGE,
    },
    identity: { an: 'user id', ac: 'user id' },
  },
]
