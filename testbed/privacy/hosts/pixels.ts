/** Pixels of networks: scripts that report a page view and pass on what they are given. */
import { GIF, script } from '../page.ts'
import type { Hosts } from './hosts.ts'

const FBQ = `(() => {
  const queue = (window.fbq && window.fbq.queue) || []
  let account = '', matching = {}
  const browser = () => {
    const known = (/(?:^|; )_fbp=([^;]+)/.exec(document.cookie) || [])[1]
    if (known) return known
    const fresh = 'fb.1.' + Date.now() + '.' + Math.floor(Math.random() * 1e10)
    document.cookie = '_fbp=' + fresh + '; Max-Age=7776000; Path=/; SameSite=Lax'
    return fresh
  }
  const hash = async (text) => [...new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text.trim().toLowerCase())))]
    .map((b) => b.toString(16).padStart(2, '0')).join('')
  const run = async ([command, first, second]) => {
    if (command === 'init') { account = first; matching = second || {} }
    if (command !== 'track') return
    const url = new URL('https://www.facebook.com/tr/')
    const set = (k, v) => url.searchParams.set(k, v)
    set('id', account); set('ev', first); set('dl', location.href); set('rl', document.referrer); set('fbp', browser())
    for (const [k, v] of Object.entries(matching)) set('ud[' + k + ']', await hash(v))
    new Image().src = url
  }
  window.fbq = (...args) => void run(args)
  for (const args of queue) void run(args)
})()`

const reporting = (url: string) =>
  script(`new Image().src = ${JSON.stringify(url)} + encodeURIComponent(location.href)`)

export const PIXELS: Hosts = {
  'connect.facebook.net': { '/en_US/fbevents.js': script(FBQ), '/en_US/sdk.js': script('window.FB = {}') },
  'www.facebook.com': {
    '/tr/': {
      ...GIF,
      headers: [
        [
          'Set-Cookie',
          'fr=0abcDEFghiJKLmnop.AWVxyz123; Max-Age=7776000; Path=/; Domain=.facebook.com; Secure; HttpOnly; SameSite=None',
        ],
      ],
    },
    '*': { type: 'text/html', body: '<!doctype html><title>Like</title><button>Like</button>' },
  },
  'analytics.tiktok.com': {
    '/i18n/pixel/events.js': script(
      `fetch('https://analytics.tiktok.com/api/v2/pixel', { method: 'POST', mode: 'no-cors', body: JSON.stringify({ event: 'Pageview', context: { pixel: { code: 'C4TEST' }, page: { url: location.href }, user: { anonymous_id: crypto.randomUUID() } } }) })`,
    ),
    '*': GIF,
  },
  'static.ads-twitter.com': {
    '/uwt.js': reporting(
      'https://analytics.twitter.com/i/adsct?txn_id=o1test&p_id=Twitter&events=%5B%5B%22pageview%22%2C%7B%7D%5D%5D&tw_document_href=',
    ),
  },
  'analytics.twitter.com': { '*': GIF },
  'snap.licdn.com': {
    '/li.lms-analytics/insight.min.js': reporting('https://px.ads.linkedin.com/collect/?pid=12345&fmt=gif&time=1&url='),
  },
  'px.ads.linkedin.com': {
    '*': {
      ...GIF,
      headers: [
        [
          'Set-Cookie',
          'bcookie="v=2&7f3c9a10-52be-4d6c-8a1f-0e9d8c7b6a55"; Max-Age=31536000; Path=/; Domain=.linkedin.com; Secure; SameSite=None',
        ],
      ],
    },
  },
  'bat.bing.com': { '/bat.js': reporting('https://bat.bing.com/action/0?ti=5678&Ver=2&evt=pageLoad&p='), '*': GIF },
  'static.criteo.net': { '*': script('window.criteo_q = window.criteo_q || []') },
  /** Gives each visitor a number, and asks again so that it comes back. */
  'gum.criteo.com': {
    '/sid': script("new Image().src = 'https://gum.criteo.com/sync?r=' + Math.random()"),
    '*': (ask) => ({
      ...GIF,
      headers: ask.cookie('uid')
        ? []
        : [
            [
              'Set-Cookie',
              `uid=${crypto.randomUUID()}; Max-Age=33696000; Path=/; Domain=.criteo.com; Secure; SameSite=None`,
            ],
          ],
    }),
  },
  'ct.pinterest.com': { '*': GIF },
  's.pinimg.com': { '/ct/core.js': reporting('https://ct.pinterest.com/v3/?tid=261&event=pagevisit&ad=') },
}
