/** Third parties before consent: trackers, pixels, recorders, tag managers, fonts, embeds, aliases. */
import { banner, load, ping } from '../banner.ts'
import type { PrivacyPage } from '../page.ts'

const FBQ = (init: string): string =>
  `window.fbq=window.fbq||function(){fbq.queue.push(arguments)};fbq.queue=fbq.queue||[];fbq('init','1234'${init});fbq('track','PageView');${load('https://connect.facebook.net/en_US/fbevents.js')}`
/** Matomo's words at an address of the site's own choice. */
const OWN_COUNT = `{const id=[...crypto.getRandomValues(new Uint8Array(8))].map((b)=>b.toString(16).padStart(2,'0')).join('');document.cookie='_pk_id.1.ab12='+id+'.'+Math.floor(Date.now()/1000)+'.; Max-Age=33696000; Path=/';navigator.sendBeacon('/js/','idsite=1&rec=1&url='+encodeURIComponent(location.href)+'&action_name=Home&_id='+id)}`
/** As rrweb serialises: the document as nodes, then what changes in it. */
const OWN_RECORDER = `{const tree=(n)=>({type:n.nodeType,tagName:(n.tagName||'').toLowerCase(),childNodes:[...n.childNodes].slice(0,20).map(tree)});addEventListener('load',async()=>{const events=[{type:4,data:{href:location.href},timestamp:Date.now()},{type:2,data:{node:tree(document)},timestamp:Date.now()}];const packed=new Response(new Blob([JSON.stringify({session:'s',events})]).stream().pipeThrough(new CompressionStream('gzip')));fetch('/api/r',{method:'POST',body:await packed.blob()})})}`
const script = (code: string): string => `<script>${code}</script>`

export const THIRD_PARTY_PAGES: readonly PrivacyPage[] = [
  {
    name: 'tracker-plain-early',
    shows: 'the script of an advertiser loads before any choice, and gets no identifier',
    must: ['tracker-contact-before-consent', 'tracker-contact-after-reject'],
    runs: 'always',
    names: ['Criteo'],
    body: script(load('https://static.criteo.net/js/ld/ld.js')) + banner(),
  },
  {
    name: 'tracker-known-early',
    shows: 'an advertiser gives the visitor a number before any choice, and gets it back',
    must: ['tracker-before-consent', 'cookie-before-consent'],
    runs: 'always',
    names: ['Criteo'],
    body:
      script(
        `${ping('https://gum.criteo.com/sync')}setTimeout(()=>{${ping('https://gum.criteo.com/sync?again')}},500);`,
      ) + banner(),
  },
  {
    name: 'tracker-known-rejected',
    shows: 'the same, when one refuses',
    must: ['tracker-after-reject', 'cookie-after-reject', 'reject-ineffective'],
    runs: 'asked',
    names: ['Criteo'],
    body: banner({
      onAccept: `${ping('https://gum.criteo.com/sync')}setTimeout(()=>{${ping('https://gum.criteo.com/sync?again')}},500);`,
      onReject: `${ping('https://gum.criteo.com/sync')}setTimeout(()=>{${ping('https://gum.criteo.com/sync?again')}},500);`,
    }),
  },
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
    name: 'seat-outside',
    shows: 'after agreeing, the visit is reported to a company in a country without an adequacy decision',
    must: ['vendor-outside'],
    names: ['Yandex Metrica'],
    body: banner({ onAccept: load('https://mc.yandex.ru/metrika/tag.js') }),
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
    name: 'recorder-silent-early',
    shows: 'a session recorder loads before any choice, and sends nothing',
    must: ['session-recorder-loaded'],
    runs: 'always',
    may: ['tracker-contact-before-consent'],
    names: ['Mouseflow'],
    body: script(load('https://cdn.mouseflow.com/projects/x.js')) + banner(),
  },
  {
    name: 'recorder-rejected',
    shows: 'a session recorder starts when one refuses',
    must: ['session-recorder-after-reject'],
    runs: 'asked',
    names: ['Hotjar'],
    body: banner({
      onAccept: load('https://static.hotjar.com/c/hotjar-1234.js?sv=7'),
      onReject: load('https://static.hotjar.com/c/hotjar-1234.js?sv=7'),
    }),
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
    name: 'own-matomo',
    shows: 'own counting under a path of no name, with a cookie that tells visitors apart, before any choice',
    must: ['first-party-tracker-before-consent', 'cookie-before-consent'],
    may: ['cookie-lifetime'],
    runs: 'always',
    body: script(OWN_COUNT) + banner(),
    paths: { '/js/': { status: 204 } },
  },
  {
    name: 'own-matomo-plain',
    shows: 'twin: the same counting, without anything kept',
    must: [],
    body: script(OWN_COUNT.replace(/document\.cookie=[^;]+;/, '')) + banner(),
    paths: { '/js/': { status: 204 } },
  },
  {
    name: 'tags-on-own-host',
    shows: 'the tag of an analytics vendor is answered by a host of the site itself, before any choice',
    must: ['tracker-first-party', 'pixel-before-consent'],
    runs: 'always',
    names: ['Google Analytics'],
    body:
      script(ping('https://data.tags-on-own-host.test/m?v=2&tid=G-OWNTAG&cid=1234567890.1700000000&en=page_view')) +
      banner(),
    below: { data: { paths: { '*': { status: 204 } } } },
  },
  {
    name: 'own-recorder',
    shows: 'a recorder of nobody’s name films the visit and sends it to the site, compressed, before any choice',
    must: ['session-recorder-before-consent'],
    runs: 'always',
    body: script(OWN_RECORDER) + banner(),
    paths: { '/api/r': { status: 204 } },
  },
  {
    name: 'own-editor',
    shows: 'twin: the site sends a tree of its own and a chart to itself',
    must: [],
    body:
      script(
        "fetch('/api/r',{method:'POST',body:JSON.stringify({children:[{name:'Shoes',children:[{name:'Boots',children:[]}]}],points:Array.from({length:20},(_,i)=>({x:i,y:i*i}))})})",
      ) + banner(),
    paths: { '/api/r': { status: 204 } },
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
