/** Google's tag, its collectors, and counters of others. */
import { EMPTY, GIF, script } from '../page.ts'
import type { Hosts } from './hosts.ts'

/**
 * Keeps the state of consent mode as the real tag does, sends page views, and sets _ga unless storage is denied; for 13 months, as
 * sites set it that follow the CNIL.
 */
const GTAG = `(() => {
  const id = new URL(document.currentScript.src).searchParams.get('id')
  const layer = window.dataLayer = window.dataLayer || []
  const consent = {}
  const cookie = (name) => (new RegExp('(?:^|; )' + name + '=([^;]+)').exec(document.cookie) || [])[1]
  const client = () => {
    if (consent.analytics_storage === 'denied') return Math.floor(Math.random() * 1e9) + '.' + Math.floor(Date.now() / 1000)
    const known = cookie('_ga')
    if (known) return known.split('.').slice(2).join('.')
    const fresh = Math.floor(1e9 * Math.random()) + '.' + Math.floor(Date.now() / 1000)
    document.cookie = '_ga=GA1.1.' + fresh + '; Max-Age=33696000; Path=/; SameSite=Lax'
    document.cookie = '_ga_' + id.replace('G-', '') + '=GS1.1.' + Math.floor(Date.now() / 1000) + '.1.0; Max-Age=33696000; Path=/'
    return fresh
  }
  const bit = (value) => value === 'denied' ? '0' : '1'
  const send = (event) => {
    const url = new URL('https://region1.google-analytics.com/g/collect')
    const set = (k, v) => url.searchParams.set(k, v)
    set('v', '2'); set('tid', id); set('cid', client()); set('en', event)
    set('dl', location.href); set('dt', document.title); set('ul', navigator.language); set('sr', screen.width + 'x' + screen.height)
    if ('ad_storage' in consent || 'analytics_storage' in consent) {
      set('gcs', 'G1' + bit(consent.ad_storage) + bit(consent.analytics_storage))
      set('gcd', consent.analytics_storage === 'denied' ? '13p3p3p2p5l1' : '13t3t3t2t5l1')
    }
    navigator.sendBeacon(url)
  }
  const read = (entry) => {
    const [command, what, values] = [...entry]
    if (command === 'consent') {
      const before = consent.analytics_storage
      Object.assign(consent, values)
      if (what === 'update' && before === 'denied' && consent.analytics_storage === 'granted') send('page_view')
    }
    if (command === 'config') send('page_view')
    if (command === 'event') send(what)
  }
  const push = layer.push.bind(layer)
  layer.push = (...entries) => { const n = push(...entries); for (const e of entries) if (e && e.length) read(e); return n }
  for (const entry of layer.slice()) if (entry && entry.length) read(entry)
})()`

/** A container without tags. */
const GTM = `(() => { window.dataLayer = window.dataLayer || []; window.google_tag_manager = { 'GTM-TEST': {} } })()`

export const MEASURING: Hosts = {
  'www.googletagmanager.com': { '/gtag/js': script(GTAG), '/gtm.js': script(GTM) },
  'www.google-analytics.com': { '/g/collect': EMPTY, '/collect': GIF, '*': EMPTY },
  'region1.google-analytics.com': { '/g/collect': EMPTY },
  'googleads.g.doubleclick.net': {
    '*': () => ({
      ...GIF,
      headers: [
        [
          'Set-Cookie',
          'IDE=AHWqTUm1Zk3v9yQ0pR7sX2cB5nL8wE; Max-Age=33696000; Path=/; Domain=.doubleclick.net; Secure; HttpOnly; SameSite=None',
        ],
      ],
    }),
  },
  'cdn.matomo.cloud': {
    '*': script(
      `new Image().src = 'https://garden.matomo.cloud/matomo.php?idsite=1&rec=1&url=' + encodeURIComponent(location.href) + '&_id=' + [...crypto.getRandomValues(new Uint8Array(8))].map((b) => b.toString(16).padStart(2, '0')).join('')`,
    ),
  },
  'garden.matomo.cloud': { '/matomo.php': GIF },
  'mc.yandex.ru': {
    '/metrika/tag.js': script(
      `new Image().src = 'https://mc.yandex.ru/watch/1?page-url=' + encodeURIComponent(location.href)`,
    ),
    '*': GIF,
  },
}
