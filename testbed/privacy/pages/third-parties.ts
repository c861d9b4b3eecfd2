/** Third parties before consent: trackers, pixels, recorders, tag managers, fonts, embeds, aliases. */
import { banner, load, ping } from '../banner.ts'
import type { PrivacyPage } from '../page.ts'

const FBQ = (init: string): string =>
  `window.fbq=window.fbq||function(){fbq.queue.push(arguments)};fbq.queue=fbq.queue||[];fbq('init','1234'${init});fbq('track','PageView');${load('https://connect.facebook.net/en_US/fbevents.js')}`
const script = (code: string): string => `<script>${code}</script>`

export const THIRD_PARTY_PAGES: readonly PrivacyPage[] = [
  {
    name: 'pixel-meta-early',
    shows: "Meta's pixel reports the visit before any choice",
    must: ['pixel-before-consent'],
    runs: 'always',
    names: ['Meta Pixel (Meta Platforms Ireland Limited)'],
    body: script(FBQ('')) + banner(),
  },
  {
    name: 'pixel-meta-matching',
    shows: 'after agreeing, the pixel gets the hashed address of the visitor',
    must: ['pixel-identity'],
    names: ['Meta Pixel (Meta Platforms Ireland Limited)'],
    body: banner({ onAccept: FBQ(",{em:'anna@customer.example'}") }),
  },
  {
    name: 'pixel-meta-accepted',
    shows: 'twin: the pixel after agreeing, without data of the visitor',
    must: [],
    names: ['Meta Pixel (Meta Platforms Ireland Limited)'],
    body: banner({ onAccept: FBQ('') }),
  },
  {
    name: 'pixels-many-early',
    shows: 'TikTok, X, LinkedIn, Bing and Pinterest report the visit before any choice',
    must: ['pixel-before-consent'],
    runs: 'always',
    names: ['TikTok', 'X Internet Unlimited Company', 'LinkedIn', 'Microsoft Advertising', 'Pinterest'],
    body:
      script(
        load(
          'https://analytics.tiktok.com/i18n/pixel/events.js?sdkid=C4TEST',
          'https://static.ads-twitter.com/uwt.js',
          'https://snap.licdn.com/li.lms-analytics/insight.min.js',
          'https://bat.bing.com/bat.js',
          'https://s.pinimg.com/ct/core.js',
        ),
      ) + banner(),
  },
  {
    name: 'recorder-early',
    shows: 'a session recorder runs before any choice, with what is typed masked',
    must: ['session-recorder-before-consent'],
    runs: 'always',
    names: ['Hotjar'],
    body: `<input name="q" aria-label="Your question">${script(load('https://static.hotjar.com/c/hotjar-1234.js?sv=7'))}${banner()}`,
  },
  {
    name: 'recorder-typed',
    shows: 'after agreeing, a recorder uploads what is typed, unmasked',
    must: ['session-recorder-unmasked'],
    may: ['key-capture'],
    names: ['Fullstory'],
    body: `<input name="email" type="email" aria-label="E-mail">${banner({ onAccept: load('https://edge.fullstory.com/s/fs.js') })}`,
  },
  {
    name: 'recorder-accepted',
    shows: 'twin: a recorder after agreeing, with what is typed masked',
    must: [],
    names: ['Hotjar'],
    body: `<input name="email" type="email" aria-label="E-mail">${banner({ onAccept: load('https://static.hotjar.com/c/hotjar-1234.js?sv=7') })}`,
  },
  {
    name: 'manager-early',
    shows: 'a tag manager without tags loads before any choice',
    must: ['tag-manager-before-consent'],
    runs: 'always',
    names: ['Google Tag Manager'],
    body: script(load('https://www.googletagmanager.com/gtm.js?id=GTM-TEST')) + banner(),
  },
  {
    name: 'fonts-google',
    shows: "fonts come from Google's servers",
    must: ['google-fonts'],
    head: '<link rel="stylesheet" href="https://fonts.googleapis.com/css2?family=Lato">',
    names: ['Google Fonts'],
    body: banner(),
  },
  {
    name: 'fonts-own',
    shows: 'twin: the same fonts, from the site itself',
    must: [],
    head: '<style>@font-face{font-family:Lato;src:url(/lato.woff2)}body{font-family:Lato}</style>',
    paths: { '/lato.woff2': { type: 'font/woff2', body: Buffer.alloc(64) } },
    body: banner(),
  },
  {
    name: 'fonts-other',
    shows: 'fonts come from another third party',
    must: ['fonts-third-party'],
    head: '<link rel="stylesheet" href="https://use.typekit.net/abc1def.css">',
    names: ['Adobe Fonts'],
    body: banner(),
  },
  {
    name: 'embed-youtube',
    shows: 'a video of YouTube is in the page before any choice',
    must: ['embed-before-consent'],
    runs: 'always',
    names: ['YouTube'],
    body: `<iframe src="https://www.youtube.com/embed/abc" title="Video"></iframe>${banner()}`,
  },
  {
    name: 'embed-map',
    shows: 'a map of Google is in the page before any choice',
    must: ['embed-before-consent'],
    names: ['Google Maps'],
    body: `<iframe src="https://www.google.com/maps/embed?pb=1" title="Map"></iframe>${banner()}`,
  },
  {
    name: 'embed-recaptcha',
    shows: 'reCAPTCHA is loaded before any choice',
    must: ['embed-before-consent'],
    names: ['Google reCAPTCHA'],
    body: script(load('https://www.google.com/recaptcha/api.js')) + banner(),
  },
  {
    name: 'embed-two-clicks',
    shows: 'twin: a picture of the video; the player comes when it is pressed',
    must: [],
    body: `<button type="button" onclick="const f=document.createElement('iframe');f.src='https://www.youtube-nocookie.com/embed/abc';this.replaceWith(f)"><img src="/still.gif" alt=""> Play (loads YouTube)</button>${banner()}`,
    paths: {
      '/still.gif': {
        type: 'image/gif',
        body: Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
      },
    },
  },
  {
    name: 'alias-tracker',
    shows: 'a name of the site is an alias of a tracker, asked before any choice',
    must: ['tracker-cloaked'],
    runs: 'always',
    names: ['Eulerian'],
    body: script(ping('https://metrics.alias-tracker.test/col.gif?e=view')) + banner(),
    below: { metrics: { alias: 'garden.eulerian.net', paths: { '*': { type: 'image/gif', body: '' } } } },
  },
  {
    name: 'alias-files',
    shows: 'twin: a name of the site is an alias of a delivery network',
    must: [],
    names: ['Amazon CloudFront'],
    body: `<img src="https://static.alias-files.test/a.gif" alt="">${banner()}`,
    below: { static: { alias: 'd1a2b3c4.cloudfront.net', paths: { '*': { type: 'image/gif', body: '' } } } },
  },
  {
    name: 'beacons',
    shows: 'a beacon and a WebSocket to a third party, before any choice',
    must: ['beacons'],
    body: `${script("navigator.sendBeacon('https://collect.keystream.test/visit','view');try{new WebSocket('wss://collect.keystream.test/live')}catch{}")}${banner()}`,
  },
  {
    name: 'beacon-own',
    shows: 'twin: the site measures its own speed, and keeps the numbers',
    must: [],
    body: `${script("addEventListener('load',()=>navigator.sendBeacon('/speed',String(performance.now()|0)))")}${banner()}`,
    paths: { '/speed': { status: 204 } },
  },
]
