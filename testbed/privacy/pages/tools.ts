/** Known consent tools, as look-alikes: refusing has to be found through the rules, and what follows it judged. */
import { load } from '../banner.ts'
import type { PrivacyPage } from '../page.ts'

const GA = `window.dataLayer=window.dataLayer||[];function gtag(){dataLayer.push(arguments)}gtag('js',new Date());gtag('config','G-GARDEN');${load('https://www.googletagmanager.com/gtag/js?id=G-GARDEN')}`
const names = (tool: string): readonly string[] => [
  'Google Analytics (Google Ireland Limited)',
  'Google Tag Manager',
  ...(tool === '' ? [] : [tool]),
]
/** The look-alikes have no link back of their own. */
const AGAIN = '<footer><a href="#" onclick="return false">Cookie settings</a></footer>'

const page = (name: string, shows: string, tool: string, script: string, honest: boolean): PrivacyPage => ({
  name,
  shows,
  must: honest ? [] : ['pixel-after-reject', 'cookie-after-reject', 'reject-ineffective'],
  ...(honest ? {} : { runs: 'asked' as const }),
  names: names(tool),
  body: `<script>window.onConsent=(yes)=>{${honest ? 'if(yes)' : ''}{${GA}}}</script>${AGAIN}<script src="${script}"></script>`,
})

/** Others that are much used, each with the wording that it has by default. Those without a title come from the site itself. */
const FURTHER: readonly (readonly [name: string, title: string, address: string])[] = [
  ['usercentrics', 'Usercentrics', 'https://app.usercentrics.eu/browser-ui/latest/loader.js'],
  ['didomi', 'Didomi', 'https://sdk.privacy-center.org/sdk/loader.js'],
  ['quantcast', 'Quantcast Choice (InMobi)', 'https://cmp.inmobi.com/choice/choice.js'],
  ['trustarc', 'TrustArc', 'https://consent.trustarc.com/notice'],
  ['axeptio', 'Axeptio', 'https://static.axept.io/sdk.js'],
  ['osano', 'Osano', 'https://cmp.osano.com/a/b/osano.js'],
  ['termly', 'Termly', 'https://app.termly.io/embed.min.js'],
  ['tarteaucitron', 'tarteaucitron.io', 'https://cdn.tarteaucitron.io/load.js'],
  ['complianz', '', 'https://cdn.complianz.test/complianz.js'],
  ['cookieconsent', '', 'https://cdn.cookieconsent.test/cookieconsent.umd.js'],
  ['funding-choices', '', 'https://fundingchoicesmessages.google.com/i/pub-1'],
  ['shopify', '', 'https://cdn.shopify.test/privacy-banner.js'],
  ['consentmanager', '', 'https://cdn.consentmanager.net/delivery/js/semiautomatic.min.js'],
  ['sourcepoint', '', 'https://cdn.privacy-mgmt.com/unified/wrapperMessagingWithoutDetection.js'],
]

const TWINS = ['usercentrics', 'axeptio', 'sourcepoint', 'funding-choices', 'consentmanager', 'tarteaucitron']

export const TOOL_PAGES: readonly PrivacyPage[] = [
  page(
    'tool-cookiebot',
    'Cookiebot; refusing refuses nothing',
    'Cookiebot',
    'https://consent.cookiebot.com/uc.js',
    false,
  ),
  page(
    'tool-cookiebot-honest',
    'twin: Cookiebot; refusing works',
    'Cookiebot',
    'https://consent.cookiebot.com/uc.js',
    true,
  ),
  page(
    'tool-onetrust',
    'OneTrust; refusing refuses nothing',
    'OneTrust',
    'https://cdn.cookielaw.org/scripttemplates/otSDKStub.js',
    false,
  ),
  page(
    'tool-onetrust-honest',
    'twin: OneTrust; refusing works',
    'OneTrust',
    'https://cdn.cookielaw.org/scripttemplates/otSDKStub.js',
    true,
  ),
  page('tool-klaro', 'Klaro; refusing refuses nothing', 'Klaro', 'https://cdn.klaro.test/klaro.js', false),
  page(
    'tool-cookieyes',
    'CookieYes; refusing refuses nothing',
    'CookieYes',
    'https://cdn-cookieyes.com/client_data/a/script.js',
    false,
  ),
  page(
    'tool-iubenda-honest',
    'twin: iubenda; refusing works',
    'iubenda',
    'https://cdn.iubenda.com/cs/iubenda_cs.js',
    true,
  ),
  ...FURTHER.map(([name, title, address]) =>
    page(`tool-${name}`, `${title || name}; refusing refuses nothing`, title, address, false),
  ),
  // In a shadow root, in a frame of another host, with links in place of buttons, and in plain markup.
  ...FURTHER.filter(([name]) => TWINS.includes(name)).map(([name, title, address]) =>
    page(`tool-${name}-honest`, `twin: ${title || name}; refusing works`, title, address, true),
  ),
]
