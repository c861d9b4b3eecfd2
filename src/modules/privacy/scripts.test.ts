import { describe } from 'vitest'
import { caseContext, judgeCases } from '../testing/judge-cases.ts'
import type { PolicyFacts, ScriptUse } from './facts.ts'
import { fingerprint } from './judge/fingerprint.ts'
import { keys } from './judge/keys.ts'
import { imprint, policies, terms } from './judge/policies.ts'
import { requests } from './judge/requests.ts'
import { transfer } from './judge/transfer.ts'
import { contact, privacyFacts } from './testing/facts.ts'

const TRACKER = 'https://static.criteo.net/js/ld/ld.js'
const HOME = 'https://shop.test/'
const internal = { target: { ...caseContext().target, context: 'internal' } } as const
const shop = { target: { ...caseContext().target, context: 'shop' } } as const

describe('scripts', () => {
  const use = (change: Partial<ScriptUse>): ScriptUse => ({
    script: 'https://a.test/fp.js',
    page: HOME,
    moment: 'before',
    canvas: null,
    fonts: 0,
    webgl: null,
    audio: null,
    properties: [],
    keys: 0,
    ...change,
  })
  const drawn = { width: 220, height: 30, textLength: 24, colours: 2, readBack: true, interactive: false }
  const one = (change: Partial<ScriptUse>) => privacyFacts({ untouched: { calls: [use(change)] } })
  judgeCases(fingerprint, [
    { name: 'text read back', facts: one({ canvas: drawn }), expect: ['privacy/fingerprint-canvas'] },
    { name: 'a chart that saves and restores', facts: one({ canvas: { ...drawn, interactive: true } }), expect: [] },
    {
      name: 'an emoji test of 15 pixels',
      facts: one({ canvas: { ...drawn, width: 15, textLength: 1, colours: 1 } }),
      expect: [],
    },
    { name: 'fifty fonts', facts: one({ fonts: 50 }), expect: ['privacy/fingerprint-fonts'] },
    { name: 'a dozen fonts', facts: one({ fonts: 12 }), expect: [] },
    {
      name: 'the graphics unit',
      facts: one({ webgl: { parameters: 14, pixels: false, renderer: true } }),
      expect: ['privacy/fingerprint-webgl'],
    },
    {
      name: 'a map asks what it needs',
      facts: one({ webgl: { parameters: 6, pixels: false, renderer: false } }),
      expect: [],
    },
    {
      name: 'computed sound',
      facts: one({ audio: { offline: true, read: true } }),
      expect: ['privacy/fingerprint-audio'],
    },
    {
      name: 'breadth',
      facts: one({ properties: Array.from({ length: 12 }, (_, index) => `navigator.p${index}`) }),
      expect: ['privacy/fingerprint-browser'],
    },
    {
      name: 'with consent',
      facts: privacyFacts({ accept: { calls: [use({ canvas: drawn, moment: 'accepted' })] } }),
      expect: [],
    },
  ])

  const leak = {
    field: 'e-mail',
    encoding: 'SHA-256',
    host: 'a.test',
    url: 'https://a.test/',
    page: HOME,
    moment: 'before',
    channel: 'beacon',
    script: null,
    excerpt: 'h=[typed e-mail, SHA-256]',
  } as const
  judgeCases(keys, [
    {
      name: 'hashed, by beacon',
      facts: privacyFacts({ untouched: { leaks: [leak] } }),
      expect: ['privacy/key-capture'],
    },
    {
      name: 'two fields to one host are one finding',
      facts: privacyFacts({ untouched: { leaks: [leak, { ...leak, field: 'password' }] } }),
      expect: ['privacy/key-capture'],
    },
    { name: 'nothing left', facts: privacyFacts(), expect: [] },
  ])
})

describe('links that some sites owe', () => {
  const at = (site: string, kinds: readonly string[]) => {
    const { policies: all } = privacyFacts()
    return privacyFacts({}, { site, policies: { ...all, links: all.links.filter(({ kind }) => kinds.includes(kind)) } })
  }
  judgeCases(imprint, [
    { name: 'in Germany, with one', facts: at('shop.de', ['privacy', 'imprint']), expect: [] },
    { name: 'in Germany, without', facts: at('shop.de', ['privacy']), expect: ['privacy/imprint-absent'] },
    { name: 'elsewhere', facts: at('shop.test', ['privacy']), expect: [], unjudged: 'not_applicable' },
  ])
  const [first] = privacyFacts().policies.links
  const withTerms = first === undefined ? [] : [{ ...first, kind: 'terms' as const }]
  judgeCases(terms, [
    {
      name: 'a shop with terms',
      facts: privacyFacts({}, { policies: { ...privacyFacts().policies, links: withTerms } }),
      about: shop,
      expect: [],
    },
    { name: 'a shop without', facts: privacyFacts(), about: shop, expect: ['privacy/terms-absent'] },
    { name: 'no shop', facts: privacyFacts(), expect: [], unjudged: 'not_applicable' },
  ])
})

describe('policies and requests', () => {
  const [privacyLink, imprint] = privacyFacts().policies.links
  const links = (list: PolicyFacts['links'], change: Partial<PolicyFacts> = {}, site = 'shop.test') =>
    privacyFacts({}, { site, policies: { ...privacyFacts().policies, links: list, ...change } })
  const both = [privacyLink, imprint].filter((link) => link !== undefined)
  judgeCases(policies, [
    { name: 'all there', facts: privacyFacts(), expect: [] },
    { name: 'no policy', facts: links(both.slice(1)), expect: ['privacy/policy-absent'] },
    {
      name: 'answers 404',
      facts: links(both.map((link) => ({ ...link, status: 404 })).slice(0, 1)),
      expect: ['privacy/policy-broken'],
    },
    {
      name: 'does not name a vendor',
      facts: privacyFacts({ accept: { contacts: [contact(TRACKER, { moment: 'accepted' })] } }),
      expect: ['privacy/vendor-unnamed'],
    },
    {
      name: 'names it',
      facts: privacyFacts(
        { accept: { contacts: [contact(TRACKER, { moment: 'accepted' })] } },
        { policies: { ...privacyFacts().policies, named: ['criteo'] } },
      ),
      expect: [],
    },
    { name: 'unread', facts: links(both, { named: null }), expect: [], unjudged: 'inconclusive' },
    { name: 'the page could not be read', facts: links([], { read: false }), expect: [], unjudged: 'inconclusive' },
    { name: 'an internal site', facts: links([]), about: internal, expect: [], unjudged: 'not_applicable' },
  ])

  judgeCases(requests, [
    {
      name: 'the origin as referrer',
      facts: privacyFacts({ untouched: { contacts: [contact('https://a.test/x.js')] } }),
      expect: [],
    },
    {
      name: 'the search as referrer',
      facts: privacyFacts({
        untouched: { contacts: [contact('https://a.test/x.js', { referrer: `${HOME}search?q=illness` })] },
      }),
      expect: ['privacy/referrer-leak'],
    },
    {
      name: 'an address in an address',
      facts: privacyFacts({ untouched: { contacts: [contact('https://a.test/x?mail=ann%40example.org')] } }),
      expect: ['privacy/url-personal-data'],
    },
    {
      name: 'a version is no address',
      facts: privacyFacts({ untouched: { contacts: [contact('https://a.test/npm/lib@1.2.3/x.js')] } }),
      expect: [],
    },
    {
      name: 'http from https',
      facts: privacyFacts({ untouched: { contacts: [contact('http://a.test/x.png', { type: 'image' })] } }),
      expect: ['privacy/insecure-request'],
    },
  ])

  const vendor = {
    id: 'acme',
    name: 'Acme',
    legalEntity: 'Acme Inc.',
    country: 'US',
    dpf: false,
    purposes: ['analytics'],
    tcfId: null,
    source: 'own table',
  } as const
  const party = { host: 'a.test', domain: 'a.test', alias: null, own: false }
  const to = (change: Partial<typeof vendor> | { readonly dpf: boolean | null } | { readonly country: string }) => ({
    ...privacyFacts({ untouched: { contacts: [contact('https://a.test/x.js')] } }),
    parties: [{ ...party, vendor: { ...vendor, ...change } }],
  })
  judgeCases(transfer, [
    { name: 'in the US, not on the list', facts: to({}), expect: ['privacy/vendor-outside', 'privacy/vendor-seats'] },
    { name: 'in the US, not known', facts: to({ dpf: null }), expect: ['privacy/vendor-seats'] },
    { name: 'in France', facts: to({ country: 'FR' }), expect: [] },
    { name: 'in Japan', facts: to({ country: 'JP' }), expect: ['privacy/vendor-seats'] },
    {
      name: 'where no decision is',
      facts: to({ country: 'RU', dpf: null }),
      expect: ['privacy/vendor-outside', 'privacy/vendor-seats'],
    },
  ])
})
