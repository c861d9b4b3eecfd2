/** Known consent tools, as look-alikes: refusing has to be found through the rules, and what follows it judged. */
import { load } from '../banner.ts'
import type { PrivacyPage } from '../page.ts'

const GA = `window.dataLayer=window.dataLayer||[];function gtag(){dataLayer.push(arguments)}gtag('js',new Date());gtag('config','G-GARDEN');${load('https://www.googletagmanager.com/gtag/js?id=G-GARDEN')}`
const names = (tool: string): readonly string[] => [
  'Google Analytics (Google Ireland Limited)',
  'Google Tag Manager',
  tool,
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
]
