/** What leaks by addresses and headers, and what a site owes its visitors. */
import { banner, ping } from '../banner.ts'
import type { PrivacyPage } from '../page.ts'

const script = (code: string): string => `<script>${code}</script>`

export const LEAKS: readonly PrivacyPage[] = [
  {
    name: 'referrer-path',
    shows: 'third parties get the path and query of the page as referrer',
    must: ['referrer-leak'],
    headers: [['Referrer-Policy', 'unsafe-url']],
    body: `<a href="/advice/debts?topic=insolvency">Advice</a><img src="https://cdn.assets-depot.test/pic.gif" alt="">${banner()}`,
    paths: {
      '/advice/debts': {
        type: 'text/html',
        headers: [['Referrer-Policy', 'unsafe-url']],
        body: '<!doctype html><html lang="en"><title>Advice</title><p>Advice about debts.</p><img src="https://cdn.assets-depot.test/pic.gif?2" alt=""><a href="/privacy">Privacy policy</a> <a href="/imprint">Imprint</a></html>',
      },
    },
  },
  {
    name: 'referrer-origin',
    shows: 'twin: third parties get the origin alone',
    must: [],
    headers: [['Referrer-Policy', 'strict-origin-when-cross-origin']],
    body: `<img src="https://cdn.assets-depot.test/pic.gif" alt="">${banner()}`,
  },
  {
    name: 'address-email',
    shows: 'an e-mail address goes to a third party in an address',
    must: ['url-personal-data'],
    body: script(ping('https://px.metricsfarm.test/c?user=anna.schmidt%40customer.example&v=1')) + banner(),
  },
  {
    name: 'address-harmless',
    shows: 'twin: addresses with an at sign and a number that are nobody',
    must: [],
    body: `<img src="https://cdn.assets-depot.test/pic.gif?pkg=lib@2.1.0&w=640" alt=""><a href="mailto:shop@address-harmless.test">Write to us</a>${banner()}`,
  },
  {
    name: 'plain-http',
    shows: 'a request of the page goes out without encryption',
    must: ['insecure-request'],
    body: '<script src="http://cdn.assets-depot.test/lib.js"></script>',
  },
  {
    name: 'policy-none',
    shows: 'no privacy policy and no imprint anywhere',
    must: ['policy-absent'],
    may: ['imprint-absent'],
    footer: false,
  },
  {
    name: 'policy-dead',
    shows: 'the link to the privacy policy leads nowhere',
    must: ['policy-broken'],
    footer: false,
    body: '<footer><a href="/privacy-policy">Privacy policy</a> <a href="/legal">Imprint</a></footer>',
    paths: {
      '/legal': { type: 'text/html', body: '<!doctype html><title>Imprint</title><p>Garden Tools Ltd, Sampleton</p>' },
    },
  },
  {
    name: 'imprint-none',
    shows: 'a German shop without an imprint',
    must: ['imprint-absent'],
    may: ['terms-absent'],
    context: 'shop',
    lang: 'de',
    footer: false,
    body: '<footer><a href="/datenschutz">Datenschutzerklärung</a></footer>',
    paths: {
      '/datenschutz': {
        type: 'text/html; charset=utf-8',
        body: '<!doctype html><html lang="de"><title>Datenschutz</title><h1>Datenschutzerklärung</h1><p>Verantwortlich: Gartenwerkzeuge GmbH.</p></html>',
      },
    },
  },
  {
    name: 'terms-none',
    shows: 'a shop without terms',
    must: ['terms-absent'],
    context: 'shop',
  },
  {
    name: 'terms-there',
    shows: 'twin: a shop with terms',
    must: [],
    context: 'shop',
    body: '<p><a href="/terms">Terms and conditions</a></p>',
    paths: {
      '/terms': {
        type: 'text/html',
        body: '<!doctype html><title>Terms</title><p>You may withdraw within 14 days.</p>',
      },
    },
  },
  {
    name: 'policy-script',
    shows: 'twin: the links are made by a script and named in German',
    must: [],
    lang: 'de',
    footer: false,
    body: script(
      "addEventListener('load',()=>{const f=document.createElement('footer');for(const [t,h] of [['Datenschutzerklärung','/datenschutz'],['Impressum','/impressum']]){const a=document.createElement('a');a.href=h;a.textContent=t;f.append(a,' ')}document.body.append(f)})",
    ),
    paths: {
      '/datenschutz': {
        type: 'text/html; charset=utf-8',
        body: '<!doctype html><html lang="de"><title>Datenschutz</title><h1>Datenschutzerklärung</h1><p>Verantwortlich: Gartenwerkzeuge GmbH. Sie haben das Recht auf Auskunft.</p></html>',
      },
      '/impressum': {
        type: 'text/html; charset=utf-8',
        body: '<!doctype html><html lang="de"><title>Impressum</title><h1>Impressum</h1><p>Gartenwerkzeuge GmbH, Musterweg 1</p></html>',
      },
    },
  },
  {
    name: 'policy-unnamed',
    shows: 'the privacy policy does not name the vendor that is used after agreeing',
    must: ['vendor-unnamed'],
    body: banner({
      onAccept: ping('https://ct.pinterest.com/v3/?tid=261&event=pagevisit'),
    }),
  },
]
