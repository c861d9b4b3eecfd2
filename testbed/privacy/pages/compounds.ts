/** Two sites that do much at once, as real ones do: one with the flaws, one with their twins. For short runs. */
import { banner, load, ping } from '../banner.ts'
import type { PrivacyPage } from '../page.ts'
import { FINGERPRINTS } from './fingerprints.ts'
import { KEYS } from './keys.ts'

const bodyOf = (pages: readonly PrivacyPage[], name: string): string => {
  const page = pages.find((one) => one.name === name)
  if (page?.body === undefined) throw new Error(`${name} is no site of the testbed`)
  return page.body
}
/** Each in a function of its own, so that their names do not meet. */
const apart = (html: string): string => html.replace(/<script>([\s\S]*?)<\/script>/g, '<script>{$1}</script>')

const GA = `window.dataLayer=window.dataLayer||[];function gtag(){dataLayer.push(arguments)}gtag('js',new Date());gtag('config','G-GARDEN');${load('https://www.googletagmanager.com/gtag/js?id=G-GARDEN')}`

export const COMPOUNDS: readonly PrivacyPage[] = [
  {
    name: 'compound-flawed',
    shows: 'much of what can be wrong, at once',
    must: [
      ...['pixel-before-consent', 'cookie-before-consent', 'tag-manager-before-consent', 'storage-identifier'],
      ...['fingerprint-canvas', 'fingerprint-fonts', 'fingerprint-webgl', 'fingerprint-audio', 'fingerprint-browser'],
      ...['key-capture', 'google-fonts', 'embed-before-consent', 'tracker-cloaked', 'reject-hidden', 'pre-ticked'],
      ...['revisit-absent', 'referrer-leak', 'url-personal-data', 'session-recorder-before-consent'],
      ...['reject-ineffective'],
    ],
    may: [
      'fonts-third-party',
      'cookie-purpose-unknown',
      'cookie-lifetime',
      'vendor-unnamed',
      'session-recorder-unmasked',
    ],
    runs: 'always',
    names: ['Google Analytics', 'Hotjar', 'YouTube', 'Eulerian', 'Google Fonts'],
    headers: [['Referrer-Policy', 'unsafe-url']],
    head: '<link rel="stylesheet" href="https://fonts.googleapis.com/css2?family=Lato">',
    body: `${['canvas-text', 'fonts-measured', 'webgl-parameters', 'audio-rendered', 'navigator-breadth'].map((name) => apart(bodyOf(FINGERPRINTS, name))).join('\n')}
${apart(bodyOf(KEYS, 'keys-hashed'))}
<a href="/advice/debts?topic=insolvency">Advice</a>
<iframe src="https://www.youtube.com/embed/abc" title="Video"></iframe>
<script>${GA}</script>
<script>{const id=localStorage.getItem('mf_uid')||crypto.randomUUID();localStorage.setItem('mf_uid',id);new Image().src='https://px.metricsfarm.test/collect?u='+id;${ping('https://metrics.compound-flawed.test/col.gif?e=view')}${ping('https://px.metricsfarm.test/c?user=anna.schmidt%40customer.example')}}</script>
<script>${load('https://static.hotjar.com/c/hotjar-1234.js?sv=7')}</script>
${banner({ settings: 'Manage options', rejectOn: 2, boxes: { Statistics: true, Marketing: true }, revisit: false })}`,
    paths: {
      '/advice/debts': {
        type: 'text/html',
        headers: [['Referrer-Policy', 'unsafe-url']],
        body: '<!doctype html><html lang="en"><title>Advice</title><p>Advice about debts.</p><img src="https://cdn.assets-depot.test/pic.gif?2" alt=""><a href="/privacy">Privacy policy</a> <a href="/imprint">Imprint</a></html>',
      },
    },
    below: { metrics: { alias: 'garden.eulerian.net', paths: { '*': { type: 'image/gif', body: '' } } } },
  },
  {
    name: 'compound-sound',
    shows: 'twin: the same trades, done as they should be',
    must: [],
    names: ['Google Analytics (Google Ireland Limited)', 'Google Tag Manager', 'Amazon CloudFront'],
    headers: [
      ['Referrer-Policy', 'strict-origin-when-cross-origin'],
      ['Set-Cookie', 'PHPSESSID=f2c7e1b09d8a4c6e; Path=/; Secure; HttpOnly; SameSite=Lax'],
    ],
    head: '<style>@font-face{font-family:Lato;src:url(/lato.woff2)}body{font-family:Lato}</style>',
    body: `${['canvas-chart', 'canvas-emoji', 'fonts-layout', 'webgl-model', 'audio-player', 'navigator-few'].map((name) => apart(bodyOf(FINGERPRINTS, name))).join('\n')}
${['keys-own-search', 'keys-checked-here'].map((name) => apart(bodyOf(KEYS, name))).join('\n')}
<script>localStorage.setItem('theme','dark');localStorage.setItem('build','3f9a8c1d2e4b5a6978c0d1e2f3a4b5c6')</script>
<img src="https://cdn.assets-depot.test/pic.gif?v=3f9a8c1d2e4b5a6978c0d1e2f3a4b5c6" alt="">
<img src="https://static.compound-sound.test/a.gif" alt="">
${banner({ settings: 'Settings', boxes: { Statistics: false, Marketing: false }, onAccept: GA })}`,
    paths: {
      '/lato.woff2': { type: 'font/woff2', body: Buffer.alloc(64) },
      '/suggest': { type: 'application/json', body: '[]' },
    },
    below: { static: { alias: 'd1a2b3c4.cloudfront.net', paths: { '*': { type: 'image/gif', body: '' } } } },
  },
]
