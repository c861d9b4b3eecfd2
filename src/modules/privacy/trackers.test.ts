import { describe } from 'vitest'
import { judgeCases } from '../testing/judge-cases.ts'
import { consentMode } from './judge/consent-mode.ts'
import { cookies } from './judge/cookies.ts'
import { embeds, tagManager, thirdPartyFonts } from './judge/embeds.ts'
import { pixels } from './judge/pixels.ts'
import { recorders } from './judge/recorders.ts'
import { storage } from './judge/storage.ts'
import { cloaking, reporting, trackers } from './judge/trackers.ts'
import { contact, cookie, noDialog, privacyFacts } from './testing/facts.ts'

const SCRIPT = 'https://static.criteo.net/js/ld/ld.js'
const GA = 'https://www.google-analytics.com/g/collect?v=2&tid=G-ABC&en=page_view&cid=1234567890.1700000000'
const HOTJAR = 'https://static.hotjar.com/c/hotjar-1.js'

describe('trackers', () => {
  judgeCases(trackers, [
    {
      name: 'only with consent',
      facts: privacyFacts({ accept: { contacts: [contact(SCRIPT, { moment: 'accepted' })] } }),
      expect: [],
    },
    {
      name: 'a content network is no tracker',
      facts: privacyFacts({ untouched: { contacts: [contact('https://cdn.jsdelivr.net/npm/x.js')] } }),
      expect: [],
    },
    {
      name: 'a bare contact',
      facts: privacyFacts({ untouched: { contacts: [contact(SCRIPT)] } }),
      expect: ['privacy/tracker-contact-before-consent'],
    },
    {
      name: 'refused by the guard counts as contacted',
      facts: privacyFacts({ untouched: { contacts: [contact(SCRIPT, { status: null, failure: 'unresolvable' })] } }),
      expect: ['privacy/tracker-contact-before-consent'],
    },
    {
      name: 'with a value kept in the browser',
      facts: privacyFacts({ untouched: { contacts: [contact(SCRIPT, { identifiers: ['cookie:uid@shop.test'] })] } }),
      expect: ['privacy/tracker-before-consent'],
    },
    {
      name: 'with a cookie of its own that differs by visitor',
      facts: privacyFacts({
        untouched: { contacts: [contact(SCRIPT)], cookies: [cookie('uid', { domain: '.criteo.net' })] },
      }),
      expect: ['privacy/tracker-before-consent'],
    },
    {
      name: 'two pages of one vendor are one finding',
      facts: privacyFacts({
        untouched: { contacts: [contact(SCRIPT), contact(SCRIPT, { page: 'https://shop.test/about' })] },
      }),
      expect: ['privacy/tracker-contact-before-consent'],
    },
    {
      name: 'after a refusal, with and without',
      facts: privacyFacts({
        reject: {
          contacts: [
            contact(SCRIPT, { moment: 'rejected', identifiers: ['cookie:uid@shop.test'] }),
            contact('https://cdn.taboola.com/libtrc/x/loader.js', { moment: 'rejected' }),
          ],
        },
      }),
      expect: ['privacy/tracker-after-reject', 'privacy/tracker-contact-after-reject'],
    },
    {
      name: 'an unknown host on an imported list',
      facts: privacyFacts({
        untouched: { contacts: [contact('https://t.unknown.test/t.js', { listed: 'EasyPrivacy' })] },
      }),
      expect: ['privacy/tracker-contact-before-consent'],
    },
    {
      name: 'no dialog: the refusal is not judged',
      facts: privacyFacts(noDialog(), { dialog: null }),
      expect: [],
      unjudged: 'not_applicable',
    },
    {
      name: 'the page did not load',
      facts: privacyFacts({
        untouched: {
          missed: 'the page did not load: timeout',
          pages: [{ url: 'https://shop.test/', moment: 'before', error: 'timeout' }],
        },
      }),
      expect: [],
      unjudged: 'not_tested',
    },
    {
      name: 'the page stopped in between: what was seen counts, the rest is no pass',
      facts: privacyFacts({ untouched: { missed: 'the page crashed', contacts: [contact(SCRIPT)] } }),
      expect: ['privacy/tracker-contact-before-consent'],
      unjudged: 'inconclusive',
    },
  ])

  const own = { host: 'm.shop.test', domain: 'shop.test', own: true } as const
  const behind = privacyFacts({
    accept: {
      contacts: [
        contact('https://m.shop.test/t.js', { moment: 'accepted', cookiesSent: ['sid'], listed: 'EasyPrivacy' }),
      ],
    },
  })
  judgeCases(cloaking, [
    {
      name: 'an alias of a tracker',
      facts: { ...behind, parties: [{ ...own, alias: 'shop.eulerian.net', vendor: null }] },
      expect: ['privacy/tracker-cloaked'],
    },
    {
      name: 'an alias of a content network',
      facts: {
        ...privacyFacts({ untouched: { contacts: [contact('https://m.shop.test/a.css')] } }),
        parties: [{ ...own, alias: 'shop.cdn.test', vendor: null }],
      },
      expect: [],
    },
  ])

  judgeCases(reporting, [
    {
      name: 'a beacon and a socket are one finding',
      facts: privacyFacts({
        untouched: {
          contacts: [contact('https://a.test/b', { type: 'ping' }), contact('wss://b.test/', { type: 'websocket' })],
        },
      }),
      expect: ['privacy/beacons'],
    },
    {
      name: 'a script',
      facts: privacyFacts({ untouched: { contacts: [contact('https://a.test/b.js')] } }),
      expect: [],
    },
  ])
})

describe('pixels and recorders', () => {
  judgeCases(pixels, [
    {
      name: 'before',
      facts: privacyFacts({ untouched: { contacts: [contact(GA)] } }),
      expect: ['privacy/pixel-before-consent'],
    },
    {
      name: 'after a refusal',
      facts: privacyFacts({ reject: { contacts: [contact(GA, { moment: 'rejected' })] } }),
      expect: ['privacy/pixel-after-reject'],
    },
    {
      name: 'with consent',
      facts: privacyFacts({ accept: { contacts: [contact(GA, { moment: 'accepted' })] } }),
      expect: [],
    },
    {
      name: 'a ping without consent is consent mode’s',
      facts: privacyFacts({ untouched: { contacts: [contact(`${GA}&gcs=G100`)] } }),
      expect: [],
    },
    {
      name: 'a hashed e-mail address, even with consent',
      facts: privacyFacts({
        accept: {
          contacts: [
            contact(GA, {
              moment: 'accepted',
              pixel: { vendor: 'meta-pixel', event: 'PageView', parameters: [], identity: ['e-mail'] },
            }),
          ],
        },
      }),
      expect: ['privacy/pixel-identity'],
    },
  ])

  const upload = contact('https://in.hotjar.com/api/v2/sites/1/recordings', { method: 'POST', type: 'fetch' })
  judgeCases(recorders, [
    {
      name: 'loaded and silent',
      facts: privacyFacts({ untouched: { contacts: [contact(HOTJAR)] } }),
      expect: ['privacy/session-recorder-loaded'],
    },
    {
      name: 'uploads before',
      facts: privacyFacts({ untouched: { contacts: [contact(HOTJAR), upload] } }),
      expect: ['privacy/session-recorder-before-consent'],
    },
    {
      name: 'uploads after a refusal',
      facts: privacyFacts({ reject: { contacts: [{ ...upload, moment: 'rejected' }] } }),
      expect: ['privacy/session-recorder-after-reject'],
    },
    {
      name: 'with consent, masked',
      facts: privacyFacts({ accept: { contacts: [{ ...upload, moment: 'accepted' }] } }),
      expect: [],
    },
    {
      name: 'with consent, and it reads along',
      facts: privacyFacts({
        accept: {
          contacts: [{ ...upload, moment: 'accepted' }],
          leaks: [
            {
              field: 'password',
              encoding: 'plain',
              host: 'in.hotjar.com',
              url: upload.url,
              page: 'https://shop.test/',
              moment: 'accepted',
              channel: 'body',
              script: null,
              excerpt: 'v=[typed password, plain]',
            },
          ],
        },
      }),
      expect: ['privacy/session-recorder-unmasked'],
    },
  ])
})

describe('cookies and storage', () => {
  judgeCases(cookies, [
    {
      name: 'a known one before',
      facts: privacyFacts({ untouched: { cookies: [cookie('_ga')] } }),
      expect: ['privacy/cookie-before-consent'],
    },
    {
      name: 'a known one after a refusal',
      facts: privacyFacts({ reject: { cookies: [cookie('_fbp', { moment: 'rejected' })] } }),
      expect: ['privacy/cookie-after-reject'],
    },
    {
      name: 'with consent, for 14 months',
      facts: privacyFacts({ accept: { cookies: [cookie('_ga', { moment: 'accepted', lifetime: 425 * 86_400_000 })] } }),
      expect: ['privacy/cookie-lifetime'],
    },
    {
      name: 'a session cookie of the site',
      facts: privacyFacts({ untouched: { cookies: [cookie('PHPSESSID', { lifetime: null, httpOnly: true })] } }),
      expect: [],
    },
    {
      name: 'an unknown one that lasts and differs',
      facts: privacyFacts({ untouched: { cookies: [cookie('zqx', { known: null })] } }),
      expect: ['privacy/cookie-purpose-unknown'],
    },
    {
      name: 'an unknown one that is the same for all',
      facts: privacyFacts({ untouched: { cookies: [cookie('zqx', { known: null, unique: false })] } }),
      expect: [],
    },
    {
      name: 'the same one in all four states is one finding',
      facts: privacyFacts({ untouched: { cookies: [cookie('_ga')] }, accept: { cookies: [cookie('_ga')] } }),
      expect: ['privacy/cookie-before-consent'],
    },
  ])

  judgeCases(storage, [
    {
      name: 'sent to another',
      facts: privacyFacts({
        untouched: {
          contacts: [contact('https://a.test/?u=1', { identifiers: ['localStorage:uid@https://shop.test'] })],
        },
      }),
      expect: ['privacy/storage-identifier'],
    },
    {
      name: 'sent with consent',
      facts: privacyFacts({
        accept: {
          contacts: [
            contact('https://a.test/?u=1', { moment: 'accepted', identifiers: ['localStorage:uid@https://shop.test'] }),
          ],
        },
      }),
      expect: [],
    },
    {
      name: 'a cookie’s value is the cookie check’s',
      facts: privacyFacts({
        untouched: { contacts: [contact('https://a.test/?u=1', { identifiers: ['cookie:uid@shop.test'] })] },
      }),
      expect: [],
    },
  ])
})

describe('tags and embedded content', () => {
  const call = (
    at: number,
    kind: 'default' | 'config',
    values: Readonly<Record<string, string>>,
    regions: readonly string[] = [],
  ) => ({ at, moment: 'before', kind, values, regions }) as const
  judgeCases(consentMode, [
    {
      name: 'granted by default',
      facts: privacyFacts({ untouched: { consentMode: [call(0, 'default', { ad_storage: 'granted' })] } }),
      expect: ['privacy/consent-mode-default-granted'],
    },
    {
      name: 'granted in California alone',
      facts: privacyFacts({ untouched: { consentMode: [call(0, 'default', { ad_storage: 'granted' }, ['US-CA'])] } }),
      expect: [],
    },
    {
      name: 'granted to the world, denied in Europe',
      facts: privacyFacts({
        untouched: {
          consentMode: [
            call(0, 'default', { ad_storage: 'denied' }, ['DE', 'FR']),
            call(1, 'default', { ad_storage: 'granted' }),
          ],
        },
      }),
      expect: [],
    },
    {
      name: 'denied, then the tag',
      facts: privacyFacts({
        untouched: { consentMode: [call(0, 'default', { ad_storage: 'denied' }), call(1, 'config', { id: 'G-1' })] },
      }),
      expect: [],
    },
    {
      name: 'the tag, then denied',
      facts: privacyFacts({
        untouched: { consentMode: [call(0, 'config', { id: 'G-1' }), call(1, 'default', { ad_storage: 'denied' })] },
      }),
      expect: ['privacy/consent-mode-late'],
    },
    {
      name: 'a ping that says no',
      facts: privacyFacts({ untouched: { contacts: [contact(`${GA}&gcs=G100`)] } }),
      expect: ['privacy/consent-mode-ping'],
    },
  ])
  judgeCases(tagManager, [
    {
      name: 'before',
      facts: privacyFacts({ untouched: { contacts: [contact('https://www.googletagmanager.com/gtm.js?id=GTM-1')] } }),
      expect: ['privacy/tag-manager-before-consent'],
    },
    {
      name: 'with consent',
      facts: privacyFacts({
        accept: { contacts: [contact('https://www.googletagmanager.com/gtm.js?id=GTM-1', { moment: 'accepted' })] },
      }),
      expect: [],
    },
  ])
  judgeCases(thirdPartyFonts, [
    {
      name: 'Google, style sheet and file',
      facts: privacyFacts({
        untouched: {
          contacts: [
            contact('https://fonts.googleapis.com/css2?family=X'),
            contact('https://fonts.gstatic.com/x.woff2'),
          ],
        },
      }),
      expect: ['privacy/google-fonts'],
    },
    {
      name: 'another service',
      facts: privacyFacts({ untouched: { contacts: [contact('https://use.typekit.net/x.css')] } }),
      expect: ['privacy/fonts-third-party'],
    },
    { name: 'own fonts', facts: privacyFacts(), expect: [] },
  ])
  judgeCases(embeds, [
    {
      name: 'a video',
      facts: privacyFacts({
        untouched: { contacts: [contact('https://www.youtube-nocookie.com/embed/x', { type: 'document' })] },
      }),
      expect: ['privacy/embed-before-consent'],
    },
    {
      name: 'after a click',
      facts: privacyFacts({
        accept: { contacts: [contact('https://www.youtube-nocookie.com/embed/x', { moment: 'accepted' })] },
      }),
      expect: [],
    },
  ])
})
