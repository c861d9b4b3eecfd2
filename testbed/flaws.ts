/**
 * Flaws of single pages, each row with what a scan has to find for it. The fixed twin has the pages without them.
 * Flaws of the whole shop are in headers.ts, shop/session.ts, certificates.ts and routes/.
 */
import type { HeaderPairs } from './headers.ts'
import { type Markup, markup } from './shop/html.ts'

export interface Flaw {
  readonly path: string
  readonly headers?: HeaderPairs
  /** Put at the end of the page's body. */
  readonly body?: Markup
  /** Ids of the definitions that have to be found. */
  readonly finds: readonly string[]
}

const csp = (policy: string): HeaderPairs => [['Content-Security-Policy', policy]]
const cookie = (text: string): HeaderPairs => [['Set-Cookie', text]]
const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** An unsigned token of nobody, with what should not be in one. */
const UNSIGNED = `${encoded({ alg: 'none', typ: 'JWT' })}.${encoded({ sub: 'guest', email: 'robin@northfold.test' })}.`

export const FLAWS: readonly Flaw[] = [
  {
    path: '/contact',
    headers: csp("default-src *; script-src * 'unsafe-inline' 'unsafe-eval' data:"),
    finds: [
      'headers/content-security-policy-broad-source',
      'headers/content-security-policy-unsafe-inline',
      'headers/content-security-policy-unsafe-eval',
      'headers/content-security-policy-object-unrestricted',
    ],
  },
  {
    path: '/range/tents',
    headers: csp("script-src 'self' https://cdnjs.cloudflare.com; object-src 'none'; reflected-xss block"),
    finds: ['headers/content-security-policy-bypass-host', 'headers/content-security-policy-deprecated-directive'],
  },
  {
    path: '/range/packs',
    headers: csp(
      "script-src 'self' http://cdn.widgets.test; script-src 'none'; scirpt-src 'self'; object-src 'none'; base-uri 'none'",
    ),
    finds: [
      'headers/content-security-policy-insecure-source',
      'headers/content-security-policy-duplicate',
      'headers/content-security-policy-unknown-directive',
    ],
  },
  {
    path: '/product/ridgeline-two',
    headers: csp("script-src 'nonce-c2hvcA' 'strict-dynamic'; object-src 'none'"),
    finds: ['headers/content-security-policy-nonce-short', 'headers/content-security-policy-base-unrestricted'],
  },
  { path: '/range/stoves', headers: [['X-Frame-Options', 'ALLOWALL']], finds: ['headers/framing-invalid'] },
  {
    path: '/range/clothing',
    headers: [
      ['X-Frame-Options', 'DENY'],
      ['X-Frame-Options', 'SAMEORIGIN'],
    ],
    finds: ['headers/framing-conflicting'],
  },
  {
    path: '/imprint',
    headers: [
      ['Referrer-Policy', 'unsafe-url'],
      ['X-XSS-Protection', '1'],
      ['X-Content-Type-Options', 'sniff'],
    ],
    finds: [
      'headers/referrer-policy-unsafe',
      'headers/x-xss-protection-enabled',
      'headers/x-content-type-options-invalid',
    ],
  },
  {
    path: '/privacy',
    headers: [
      ['Permissions-Policy', 'camera=*, geolocation=*'],
      ['Public-Key-Pins', 'max-age=0'],
      ...cookie('visitor=8c1f0a5e77d24b90; Path=/; Max-Age=315360000; SameSite=None'),
      ...cookie('__Secure-theme=light; Path=/'),
      ...cookie('layout=wide; Path=/; SameSite=Loose'),
      ...cookie(`guest_token=${UNSIGNED}; Path=/`),
    ],
    finds: [
      'headers/permissions-policy-broad',
      'headers/deprecated-headers',
      'cookies/samesite-none-insecure',
      'cookies/lifetime-capped',
      'cookies/prefix-broken',
      'cookies/samesite-invalid',
      'cookies/jwt-unsigned',
      'cookies/jwt-personal-data',
      'cookies/jwt-no-expiry',
    ],
  },
  {
    path: '/stores',
    body: markup(`<script src="http://cdn.widgets.test/map.js"></script>
<script src="https://cdn.polyfill.io/v3/polyfill.min.js"></script>
<script src="https://cdn.widgets.test/stars.js" integrity="md5-XUFAKrxLKna5cZ2REBfFkg==" crossorigin="anonymous"></script>
<img src="http://cdn.widgets.test/street.jpg" alt="Harbour Lane">
<a href="https://maps.widgets.test/" target="_blank" rel="opener">Map</a>`),
    finds: [
      'markup/mixed-content-active',
      'markup/mixed-content-upgraded',
      'markup/compromised-host',
      'markup/sri-invalid',
      'markup/link-opener',
    ],
  },
  {
    path: '/help',
    body: markup(`<form class="stack" method="get" action="/login"><label>Password of your order<input type="password" name="order"></label><button>Show</button></form>
<form class="stack" method="post" action="http://shop.test/help"><label>Question<input name="question"></label><button>Ask</button></form>`),
    finds: ['markup/password-in-address', 'markup/form-action-insecure'],
  },
  { path: '/checkout', finds: ['markup/sri-missing-payment', 'markup/autocomplete-secret'] },
]

/** What the flawed shop does on this page beyond what it does everywhere. */
export const flawsAt = (path: string): readonly Flaw[] => FLAWS.filter((flaw) => flaw.path === path)
