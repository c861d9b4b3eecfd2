import { describe, expect, it } from 'vitest'
import { isSameSite } from '../../../page/same-site.ts'
import { judgeCases } from '../../testing/judge-cases.ts'
import { type CasePage, casePage, caseSite } from '../../testing/site-facts.ts'
import { observeCookies } from '../cookies/collect.ts'
import type { SiteFacts } from '../site/facts.ts'
import { autocomplete } from './autocomplete.ts'
import { charset } from './charset.ts'
import { formForgery } from './forgery.ts'
import { formTransport } from './forms.ts'
import { linkOpener } from './links.ts'
import { mixedContent } from './mixed-content.ts'
import { markup, takeInventory } from './module.ts'
import { sri } from './sri.ts'

const FACTS = { documents: 1, truncated: 0, external: [] }
const knownOf = (site: SiteFacts) => ({ site, cookies: observeCookies(site) })
const page = (body: string, change: CasePage = {}) => ({
  facts: FACTS,
  known: knownOf(caseSite({ page: { body: `<!doctype html><html><body>${body}</body></html>`, ...change } })),
})
const CLEAR: CasePage = { url: 'http://shop.test/' }
const unjudged = [
  {
    name: 'nothing fetched',
    facts: FACTS,
    known: knownOf(caseSite({ pages: [] })),
    expect: [],
    unjudged: 'not_tested',
  },
  {
    name: 'no HTML',
    ...page('', { contentType: 'text/plain', headers: { 'Content-Type': 'text/plain' } }),
    expect: [],
    unjudged: 'not_applicable',
  },
] as const

judgeCases(mixedContent, [
  ...unjudged,
  { name: 'all secure', ...page('<script src=https://cdn.test/x.js></script><img src=/a.png>'), expect: [] },
  {
    name: 'page in clear',
    ...page('<script src=http://cdn.test/x.js></script>', CLEAR),
    expect: [],
    unjudged: 'not_applicable',
  },
  { name: 'script', ...page('<script src=http://cdn.test/x.js></script>'), expect: ['markup/mixed-content-active'] },
  {
    name: 'style by an http base',
    ...page('<base href=http://cdn.test/><link rel=stylesheet href=x.css>'),
    expect: ['markup/mixed-content-active'],
  },
  { name: 'frame', ...page('<iframe src=http://cdn.test/></iframe>'), expect: ['markup/mixed-content-active'] },
  { name: 'script that is data', ...page('<script type=application/json src=http://cdn.test/x></script>'), expect: [] },
  {
    name: 'inside a comment or template',
    ...page(
      '<!-- <script src=http://cdn.test/x.js></script> --><template><script src=http://cdn.test/x.js></script></template>',
    ),
    expect: [],
  },
  { name: 'image', ...page('<img src=http://cdn.test/a.png>'), expect: ['markup/mixed-content-upgraded'] },
  {
    name: 'candidate of srcset',
    ...page('<img src=/a.png srcset="http://cdn.test/b.png 2x">'),
    expect: ['markup/mixed-content-image'],
  },
  {
    name: 'upgrade-insecure-requests',
    ...page('<script src=http://cdn.test/x.js></script>', {
      headers: { 'Content-Security-Policy': 'upgrade-insecure-requests' },
    }),
    expect: ['markup/mixed-content-upgraded'],
  },
  { name: 'loopback is trustworthy', ...page('<script src=http://127.0.0.1:9/x.js></script>'), expect: [] },
  { name: 'a link is no content', ...page('<a href=http://other.test/>x</a>'), expect: [] },
  {
    name: 'cut before its end',
    ...page('<script src=http://cdn.test/x.js></script>', { truncated: true }),
    expect: ['markup/mixed-content-active'],
    unjudged: 'inconclusive',
  },
])

const HASH = `sha384-${'A'.repeat(64)}`
const script = (attributes: string) => `<script ${attributes}></script>`
judgeCases(sri, [
  ...unjudged,
  { name: 'own script', ...page(script('src=/x.js')), expect: [] },
  { name: 'other host of the site', ...page(script('src=https://cdn.shop.test/x.js')), expect: [] },
  { name: 'pinned', ...page(script(`src=https://cdn.test/x.js integrity="${HASH}" crossorigin`)), expect: [] },
  {
    name: 'one of several hashes is readable',
    ...page(script(`src=https://cdn.test/x.js integrity="md5-x ${HASH}" crossorigin`)),
    expect: [],
  },
  { name: 'not pinned', ...page(script('src=https://cdn.test/x.js')), expect: ['markup/sri-missing'] },
  {
    name: 'style not pinned',
    ...page('<link rel=stylesheet href=https://cdn.test/x.css>'),
    expect: ['markup/sri-missing'],
  },
  {
    name: 'style of a font service',
    ...page('<link rel=stylesheet href=https://fonts.googleapis.com/css>'),
    expect: [],
  },
  {
    name: 'not pinned on a payment page',
    ...page(script('src=https://cdn.test/x.js'), { kind: 'payment' }),
    expect: ['markup/sri-missing-payment'],
  },
  {
    name: 'vendor that changes the file',
    ...page(script('src=https://js.stripe.com/v3/')),
    expect: ['markup/sri-vendor-script'],
  },
  {
    name: 'compromised host',
    ...page(script('src=https://cdn.polyfill.io/v3/polyfill.min.js')),
    expect: ['markup/compromised-host'],
  },
  {
    name: 'compromised host by its look alone',
    ...page(script(`src=https://notpolyfill.io/x.js integrity=${HASH} crossorigin`)),
    expect: [],
  },
  {
    name: 'in clear from a page in clear',
    ...page(script('src=//cdn.test/x.js'), CLEAR),
    expect: ['markup/script-insecure', 'markup/sri-missing'],
  },
  {
    name: 'hash nobody reads',
    ...page(script('src=https://cdn.test/x.js integrity=md5-x crossorigin')),
    expect: ['markup/sri-invalid'],
  },
  {
    name: 'hash without crossorigin',
    ...page(script(`src=https://cdn.test/x.js integrity="${HASH}"`)),
    expect: ['markup/sri-crossorigin-missing'],
  },
])

judgeCases(formTransport, [
  ...unjudged,
  { name: 'over https', ...page('<form action=/login method=post><input type=password></form>'), expect: [] },
  {
    name: 'action in clear',
    ...page('<form action=http://shop.test/login method=post></form>'),
    expect: ['markup/form-action-insecure'],
  },
  {
    name: 'button that sends in clear',
    ...page('<form action=/x method=post><button formaction=http://shop.test/y></button></form>'),
    expect: ['markup/form-action-insecure'],
  },
  {
    name: 'action in clear, upgraded',
    ...page('<form action=http://shop.test/login method=post></form>', {
      headers: { 'Content-Security-Policy': 'upgrade-insecure-requests' },
    }),
    expect: [],
  },
  {
    name: 'password on a page in clear',
    ...page('<form action=https://shop.test/ method=post><input type=PASSWORD></form>', CLEAR),
    expect: ['markup/password-over-http'],
  },
  { name: 'password outside a form', ...page('<input type=password>', CLEAR), expect: ['markup/password-over-http'] },
  ...[
    { over: 'http', expect: ['markup/password-over-http'] },
    { over: 'https', expect: [] },
  ].map(({ over, expect }) => {
    const { facts, known } = page('<div id=root></div>', CLEAR)
    const site = { ...known.site, signsInAt: `${over}://shop.test/in` }
    return { name: `password in a form that a script draws, over ${over}`, facts, known: { ...known, site }, expect }
  }),
  {
    name: 'password by GET',
    ...page('<form action=/login><input type=password></form>'),
    expect: ['markup/password-in-address'],
  },
  { name: 'form that a script handles', ...page('<form><input type=password></form>'), expect: [] },
])

const session = (sameSite: string): CasePage => ({ headers: { 'Set-Cookie': `PHPSESSID=1; Secure${sameSite}` } })
const FORM = '<form action=/address method=post><input name=street></form>'
judgeCases(formForgery, [
  ...unjudged,
  { name: 'no form', ...page(''), expect: [], unjudged: 'not_applicable' },
  {
    name: 'search',
    ...page('<form action=/search method=post><input name=q></form>', session('')),
    expect: [],
    unjudged: 'not_applicable',
  },
  {
    name: 'sign-in',
    ...page('<form method=post><input name=u><input type=password name=p></form>', session('')),
    expect: [],
    unjudged: 'not_applicable',
  },
  {
    name: 'to another site',
    ...page('<form action=https://pay.test/ method=post><input name=a></form>', session('')),
    expect: [],
    unjudged: 'not_applicable',
  },
  { name: 'no token, cookie open', ...page(FORM, session('; SameSite=None')), expect: ['markup/form-csrf'] },
  { name: 'no token, SameSite=Lax', ...page(FORM, session('; SameSite=Lax')), expect: [] },
  { name: 'no session', ...page(FORM), expect: [] },
  {
    name: 'token by name',
    ...page('<form method=post><input type=hidden name=_token value=x></form>', session('')),
    expect: [],
  },
  {
    name: 'token that ends as those of MediaWiki do',
    ...page(
      '<form method=post><input type=hidden name=wpCreateaccountToken value="46a31d1e506535b0+\\"></form>',
      session(''),
    ),
    expect: [],
  },
  {
    name: 'token by its look',
    ...page('<form method=post><input type=hidden name=k value=9f8e7d6c5b4a39281706></form>', session('')),
    expect: [],
  },
  {
    name: 'the state of the page alone',
    ...page(
      '<form method=post><input type=hidden name=__VIEWSTATE value="/wEPDwUKMTA4NzE3NTM2OWRk"></form>',
      session(''),
    ),
    expect: [],
    unjudged: 'inconclusive',
  },
  {
    name: 'no token, and the run brought the cookie',
    ...page(FORM, { kind: 'authenticated' }),
    expect: [],
    unjudged: 'inconclusive',
  },
  ...[
    { name: 'is told to stay away by its own sign-in', sameSite: '; SameSite=Lax', expect: [] },
    { name: 'is told nothing by its own sign-in', sameSite: '', expect: ['markup/form-csrf'] },
  ].map(({ name, sameSite, expect }) => {
    const { facts, known } = page(FORM, { kind: 'authenticated' })
    // No page of the site sets it again, and its name says nothing.
    const line = `RT_shop=${'3f9a61c07be2d845'.repeat(2)}; Path=/${sameSite}`
    const observations = [{ url: 'https://shop.test/login', line, kind: 'plain' as const, evidence: null }]
    const cookies = { observations, answers: 2, ofSignIn: ['RT_shop'] }
    return { name: `a cookie that ${name}`, facts, known: { ...known, cookies }, expect }
  }),
  {
    name: 'a button opens the editor of a section',
    ...page(
      '<form method=post action=/p><input type=hidden name=do value=edit><input type=hidden name=range value=1-9><button>Edit</button></form>',
      session(''),
    ),
    expect: [],
    unjudged: 'not_applicable',
  },
  {
    name: 'a button that restores is another',
    ...page(
      '<form method=post action=/p><input type=hidden name=do value=restore><input type=hidden name=id value=9><button>Restore</button></form>',
      session(''),
    ),
    expect: ['markup/form-csrf'],
  },
  {
    name: 'an editor that is filled',
    ...page(
      '<form method=post action=/p><input type=hidden name=do value=edit><textarea name=text></textarea></form>',
      session(''),
    ),
    expect: ['markup/form-csrf'],
  },
  { name: 'token of the page', ...page(`<meta name=csrf-token content=x>${FORM}`, session('')), expect: [] },
])

judgeCases(linkOpener, [
  ...unjudged,
  { name: 'blank takes noopener by itself', ...page('<a href=https://other.test/ target=_blank>x</a>'), expect: [] },
  {
    name: 'opener asked for',
    ...page('<a href=https://other.test/ target=_blank rel="nofollow OPENER">x</a>'),
    expect: ['markup/link-opener'],
  },
  { name: 'opener within the site', ...page('<a href=/x target=_blank rel=opener>x</a>'), expect: [] },
  {
    name: 'noreferrer wins',
    ...page('<a href=https://other.test/ target=_blank rel="opener noreferrer">x</a>'),
    expect: [],
  },
])

judgeCases(autocomplete, [
  ...unjudged,
  { name: 'card number', ...page('<input name=card_number>'), expect: ['markup/autocomplete-secret'] },
  {
    name: 'card code in a form',
    ...page('<form><input type=tel name=cvc></form>'),
    expect: ['markup/autocomplete-secret'],
  },
  { name: 'named purpose', ...page('<input name=cvc autocomplete=cc-csc>'), expect: [] },
  { name: 'off for the form', ...page('<form autocomplete=off><input name=cvc></form>'), expect: [] },
  { name: 'password is the manager’s', ...page('<input type=password name=otp>'), expect: [] },
  { name: 'a word that contains it', ...page('<input name=important>'), expect: [] },
])

const named = (contentType: string, body: string) => page(body, { headers: { 'Content-Type': contentType } })
judgeCases(charset, [
  ...unjudged,
  { name: 'in the header', ...named('text/html; Charset="UTF-8"', ''), expect: [] },
  { name: 'in a meta element', ...named('text/html', '<meta charset=utf-8>'), expect: [] },
  {
    name: 'in the old meta element',
    ...named('text/html', '<meta http-equiv=content-type content="text/html; charset=utf-8">'),
    expect: [],
  },
  { name: 'by a byte order mark', ...page('', { body: '\ufeff<p>' }), expect: [] },
  { name: 'nowhere', ...named('text/html', ''), expect: ['markup/charset-missing'] },
  {
    name: 'two different',
    ...named('text/html; charset=iso-8859-1', '<meta charset=utf-8>'),
    expect: ['markup/charset-conflict'],
  },
  { name: 'two names of one', ...named('text/html; charset=iso-8859-1', '<meta charset=windows-1252>'), expect: [] },
  { name: 'ISO-2022-JP', ...named('text/html; charset=iso-2022-jp', ''), expect: ['markup/charset-unsafe'] },
])

describe('the module', () => {
  it('lists what comes from other sites, each address once', () => {
    const body =
      '<script src=https://cdn.test/x.js></script><link rel=stylesheet href=https://cdn.test/x.css><script src=/own.js></script>'
    const pages = [casePage({ body }), casePage({ url: 'https://shop.test/two', body })]
    const facts = takeInventory(caseSite({ pages }))
    expect(facts.external.map(({ url }) => url)).toEqual(['https://cdn.test/x.js', 'https://cdn.test/x.css'])
    expect(markup.tables?.(facts)[0]?.rows).toHaveLength(2)
  })

  it.each([
    ['https://a.shop.test/', 'https://b.shop.test/', true],
    ['https://a.github.io/', 'https://b.github.io/', false],
    ['https://192.0.2.1/', 'https://192.0.2.2/', false],
    ['https://a.co.uk/', 'https://b.co.uk/', false],
  ])('%s and %s', (one, other, expected) => {
    expect(isSameSite(one, other)).toBe(expected)
  })
})
