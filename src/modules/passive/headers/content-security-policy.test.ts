import { judgeCases } from '../../testing/judge-cases.ts'
import { casePage, caseSite } from '../../testing/site-facts.ts'
import { contentSecurityPolicy } from './content-security-policy.ts'
import { contentSecurityPolicyNonce } from './content-security-policy-nonce.ts'
import { contentSecurityPolicyQuality } from './content-security-policy-quality.ts'
import { contentSecurityPolicyScript } from './content-security-policy-script.ts'
import { csp, NO_FACTS, page, sends, unjudgedCases } from './testing/cases.ts'

const SAFE = "default-src 'self'; object-src 'none'; base-uri 'none'"
const id = (noun: string) => `headers/content-security-policy-${noun}`
const meta = (content: string, where: 'head' | 'body' = 'head') => {
  const tag = `<meta http-equiv="Content-Security-Policy" content="${content}">`
  return `<!doctype html><html><head>${where === 'head' ? tag : ''}<title>x</title></head><body>${where === 'body' ? tag : ''}</body></html>`
}
const withErrorPolicy = (headers: Record<string, string>, errorHeaders: Record<string, string> = {}) => ({
  facts: NO_FACTS,
  known: {
    site: caseSite({
      page: { headers },
      missing: [casePage({ url: 'https://shop.test/zq8r', status: 404, headers: errorHeaders })],
    }),
  },
})

judgeCases(contentSecurityPolicy, [
  ...unjudgedCases,
  { name: 'no policy at all', ...sends({}), expect: [id('missing')] },
  {
    name: 'policy everywhere',
    ...withErrorPolicy({ 'content-security-policy': SAFE }, { 'Content-Security-Policy': SAFE }),
    expect: [],
  },
  { name: 'meta element in the head', ...page({ body: meta(SAFE) }), expect: [id('error-pages')] },
  { name: 'meta element in the body is ignored', ...page({ body: meta(SAFE, 'body') }), expect: [id('missing')] },
  {
    name: 'meta element with nothing that counts',
    ...page({ body: meta("frame-ancestors 'none'") }),
    expect: [id('missing')],
  },
  { name: 'report-only alone', ...sends({ 'Content-Security-Policy-Report-Only': SAFE }), expect: [id('report-only')] },
  {
    name: 'report-only beside an enforced one',
    ...withErrorPolicy(
      { 'Content-Security-Policy': SAFE, 'Content-Security-Policy-Report-Only': SAFE },
      { 'Content-Security-Policy': SAFE },
    ),
    expect: [],
  },
  { name: 'empty header', ...sends({ 'Content-Security-Policy': ' ; ' }), expect: [id('missing')] },
  {
    name: 'curly quotes in every directive',
    ...sends({ 'Content-Security-Policy': 'default-src ‘self’' }),
    expect: [id('unreadable')],
  },
  {
    name: 'error pages without it',
    ...withErrorPolicy({ 'Content-Security-Policy': SAFE }),
    expect: [id('error-pages')],
  },
])

judgeCases(contentSecurityPolicyScript, [
  ...unjudgedCases,
  { name: 'no policy', ...sends({}), expect: [], unjudged: 'not_applicable' },
  { name: 'own files alone', ...csp(SAFE), expect: [] },
  {
    name: 'strict policy',
    ...csp(
      "script-src 'nonce-AAAAAAAAAAAAAAAAAAAAAA' 'strict-dynamic' 'unsafe-inline' https:; object-src 'none'; base-uri 'none'",
    ),
    expect: [],
  },
  { name: 'frames alone are governed', ...csp("frame-ancestors 'self'"), expect: [id('script-unrestricted')] },
  { name: 'unsafe-inline', ...csp("default-src 'self' 'unsafe-inline'"), expect: [id('unsafe-inline')] },
  {
    name: 'unsafe-inline in one of two policies',
    ...csp("default-src 'self' 'unsafe-inline'", "script-src 'self'"),
    expect: [],
  },
  {
    name: 'event handlers alone',
    ...csp("default-src 'self'; script-src-attr 'unsafe-inline'"),
    expect: [id('unsafe-inline')],
  },
  { name: 'star', ...csp("script-src *; object-src 'none'"), expect: [id('broad-source')] },
  { name: 'data in scripts', ...csp("script-src 'self' data:; object-src 'none'"), expect: [id('broad-source')] },
  {
    name: 'CDN with AngularJS',
    ...csp("script-src 'self' cdnjs.cloudflare.com; object-src 'none'"),
    expect: [id('bypass-host')],
  },
  {
    name: 'CDN where inline runs anyway',
    ...csp("script-src 'unsafe-inline' cdnjs.cloudflare.com; object-src 'none'"),
    expect: [id('unsafe-inline')],
  },
  { name: 'eval', ...csp("default-src 'self' 'unsafe-eval'"), expect: [id('unsafe-eval')] },
  { name: 'no object-src and no default-src', ...csp("script-src 'self'"), expect: [id('object-unrestricted')] },
  {
    name: 'nonce without base-uri',
    ...csp("script-src 'nonce-AAAAAAAAAAAAAAAAAAAAAA'; object-src 'none'"),
    expect: [id('base-unrestricted')],
  },
  {
    name: 'strict-dynamic alone',
    ...csp("script-src 'strict-dynamic' https:; object-src 'none'"),
    expect: [id('strict-dynamic-alone')],
  },
  { name: 'sandbox forbids scripts', ...csp('sandbox'), expect: [] },
])

const loads = (nonces: readonly string[], headers: Record<string, string> = {}) => {
  const pages = nonces.map((nonce) =>
    casePage({ headers: { ...headers, 'Content-Security-Policy': `script-src 'nonce-${nonce}'; base-uri 'none'` } }),
  )
  return { facts: NO_FACTS, known: { site: caseSite({ pages: pages.slice(0, 1), reloads: pages.slice(1) }) } }
}
const [A, B, C] = ['q83vASNFZ4mrze8BI0VniQ', 'Ej6Kx0mWl2pQ7yZ4uTnB9g', 'zP1sR8dVt3Yh6Gk0LmXcWw'] as const

judgeCases(contentSecurityPolicyNonce, [
  ...unjudgedCases,
  { name: 'no nonce in use', ...csp(SAFE), expect: [], unjudged: 'not_applicable' },
  { name: 'fresh in every load', ...loads([A, B, C]), expect: [] },
  { name: 'the same in three loads', ...loads([A, A, A]), expect: [id('nonce-static')] },
  { name: 'the same out of a cache', ...loads([A, A, A], { Age: '120' }), expect: [id('nonce-cached')] },
  { name: 'a clock', ...loads(['1777896000001', '1777896000420', '1777896000911']), expect: [id('nonce-predictable')] },
  { name: 'random digits', ...loads(['8263519472036', '1993752091844', '5520187346629']), expect: [] },
  { name: 'six characters', ...loads(['aB3xY9', 'kL0pQ2', 'zZ8wE4']), expect: [id('nonce-short')] },
  { name: 'not base64', ...csp("script-src 'nonce-{random}'; base-uri 'none'"), expect: [id('nonce-malformed')] },
  { name: 'loaded once', ...loads([A]), expect: [], unjudged: 'inconclusive' },
])

const GOOD = `${SAFE}; form-action 'self'; report-to csp; require-trusted-types-for 'script'`
judgeCases(contentSecurityPolicyQuality, [
  ...unjudgedCases,
  { name: 'no policy', ...sends({}), expect: [], unjudged: 'not_applicable' },
  { name: 'complete', ...csp(GOOD), expect: [] },
  {
    name: 'nothing runs, so no Trusted Types',
    ...csp("default-src 'none'; form-action 'none'; report-uri /r"),
    expect: [],
  },
  { name: 'keyword without quotes', ...csp(`${GOOD}; script-src self`), expect: [id('syntax')] },
  { name: 'semicolon forgotten', ...csp(`${GOOD}; img-src a.test font-src b.test`), expect: [id('syntax')] },
  { name: 'none beside others', ...csp(`${GOOD}; img-src 'none' a.test`), expect: [id('syntax')] },
  { name: 'sent twice in one policy', ...csp(`${GOOD}; default-src *`), expect: [id('duplicate')] },
  { name: 'spelling', ...csp(`${GOOD}; script-scr 'self'`), expect: [id('unknown-directive')] },
  { name: 'withdrawn', ...csp(`${GOOD}; block-all-mixed-content`), expect: [id('deprecated-directive')] },
  {
    name: 'frame-ancestors in a meta element',
    ...page({ headers: { 'Content-Security-Policy': GOOD }, body: meta("frame-ancestors 'none'") }),
    expect: [id('meta-ignored')],
  },
  { name: 'http source on an https page', ...csp(`${GOOD}; img-src http://cdn.test`), expect: [id('insecure-source')] },
  { name: 'address left from development', ...csp(`${GOOD}; connect-src 192.0.2.7`), expect: [id('ip-source')] },
  {
    name: 'no reporting',
    ...csp(`${SAFE}; form-action 'self'; require-trusted-types-for 'script'`),
    expect: [id('no-reporting')],
  },
  { name: 'no Trusted Types', ...csp(`${SAFE}; form-action 'self'; report-to csp`), expect: [id('no-trusted-types')] },
  {
    name: 'forms may go anywhere',
    ...csp(`${SAFE}; report-to csp; require-trusted-types-for 'script'`),
    expect: [id('form-unrestricted')],
  },
])
