import { flawsAt } from './flaws.ts'
import type { Ask } from './shop/route.ts'

export type HeaderPairs = readonly (readonly [name: string, value: string])[]

/** What the fixed twin sends with every answer. One year and more of HSTS, nothing from elsewhere, no frames. */
const hardened = (nonce: string): HeaderPairs => [
  ['Strict-Transport-Security', 'max-age=63072000; includeSubDomains'],
  [
    'Content-Security-Policy',
    [
      "default-src 'none'",
      `script-src 'nonce-${nonce}' 'strict-dynamic'`,
      "style-src 'self'",
      "img-src 'self'",
      "connect-src 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "object-src 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
      'report-to csp',
    ].join('; '),
  ],
  ['Reporting-Endpoints', 'csp="/csp-reports"'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
  ['Referrer-Policy', 'strict-origin-when-cross-origin'],
  ['Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=()'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Cross-Origin-Embedder-Policy', 'require-corp'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
]

/** The flawed shop tells who made it, lets any origin read with cookies, and protects nothing. */
const careless = (ask: Ask): HeaderPairs => {
  const origin = ask.header('origin')
  return [
    ['Server', 'Apache/2.4.41 (Ubuntu)'],
    ['X-Powered-By', 'PHP/7.4.3'],
    ...(origin === null
      ? []
      : ([
          ['Access-Control-Allow-Origin', origin],
          ['Access-Control-Allow-Credentials', 'true'],
        ] as const)),
    ...flawsAt(ask.url.pathname).flatMap(({ headers }) => headers ?? []),
  ]
}

/** Headers that every answer carries. */
export const commonHeaders = (ask: Ask): HeaderPairs => (ask.shop.fixed ? hardened(ask.nonce) : careless(ask))

/** Pages of a session are never to be kept by a cache; the flawed shop forgets to say so. */
export const pageHeaders = (ask: Ask): HeaderPairs =>
  ask.shop.fixed ? [['Cache-Control', 'no-store']] : [['Cache-Control', 'public, max-age=600']]
