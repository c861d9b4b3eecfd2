/**
 * Look-alikes of consent tools: the few elements and names that tell each of them, written by hand. They keep the answer and
 * call `window.onConsent(true|false)`.
 */
import { script } from '../page.ts'
import type { Hosts } from './hosts.ts'

/** Runs in the page: a dialog by its markup, and what its buttons do. */
const tool = (
  markup: string,
  accept: string,
  reject: string,
  cookie: (yes: string) => string,
  more = '',
): string => `(() => {
  const done = (yes) => { document.cookie = ${cookie('yes')} + '; Max-Age=15552000; Path=/; Secure; SameSite=Lax'; if (box) box.remove(); window.onConsent && window.onConsent(yes) }
  let box = null
  const show = () => {
    box = document.createElement('div'); box.innerHTML = ${JSON.stringify(markup)}; document.body.append(box)
    box.querySelector(${JSON.stringify(accept)}).addEventListener('click', () => done(true))
    const no = box.querySelector(${JSON.stringify(reject)}); if (no) no.addEventListener('click', () => done(false))
  }
  const known = document.cookie.split('; ').find((c) => c.startsWith((${cookie('true')}).split('=')[0] + '='))
  ${more}
  const start = () => { if (!known) show(); else window.onConsent && window.onConsent(known === ${cookie('true')}) }
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', start); else start()
})()`

const STYLE = 'position:fixed;left:0;right:0;bottom:0;background:#fff;padding:20px;z-index:999'
const SAYS = 'We use cookies to personalise content and to analyse our traffic. Choose whether you consent.'

const COOKIEBOT = tool(
  `<div id="CybotCookiebotDialog" style="${STYLE}"><p id="CybotCookiebotDialogBodyContentText">${SAYS}</p>
   <button id="CybotCookiebotDialogBodyButtonDecline">Deny</button>
   <button id="CybotCookiebotDialogBodyLevelButtonLevelOptinAllowAll">Allow all</button></div>`,
  '#CybotCookiebotDialogBodyLevelButtonLevelOptinAllowAll',
  '#CybotCookiebotDialogBodyButtonDecline',
  (yes) => `'CookieConsent={stamp:1,statistics:' + ${yes} + '}'`,
  `window.Cookiebot = { hasResponse: !!known, consented: false, declined: false, dialog: { visible: true, submitDecline() { done(false) }, submitConsent() { done(true) } }, withdraw() {}, renew() { show() } }
   window.CookieConsent = window.Cookiebot`,
)
const ONETRUST = tool(
  `<div id="onetrust-consent-sdk"><div id="onetrust-banner-sdk" class="otFlat" style="${STYLE}"><p id="onetrust-policy-text">${SAYS}</p>
   <button id="onetrust-reject-all-handler">Reject All</button><button id="onetrust-accept-btn-handler">Accept All Cookies</button></div></div>`,
  '#onetrust-accept-btn-handler',
  '#onetrust-reject-all-handler',
  (yes) => `'OptanonConsent=groups=C0001:1,C0002:' + (${yes} ? 1 : 0)`,
  `window.OptanonActiveGroups = known && known.endsWith('1') ? ',C0001,C0002,' : ',C0001,'`,
)
const KLARO = tool(
  `<div class="klaro"><div class="cookie-notice cm-as-notice" style="${STYLE}"><div class="cn-body"><p>${SAYS}</p><div class="cn-ok">
   <div class="cn-buttons"><button class="cm-btn cm-btn-danger cn-decline">I decline</button><button class="cm-btn cm-btn-success">That is ok</button></div></div></div></div></div>`,
  '.cm-btn-success',
  '.cn-decline',
  (yes) => `'klaro=' + encodeURIComponent(JSON.stringify({ matomo: ${yes} }))`,
)
const COOKIEYES = tool(
  `<div class="cky-consent-container" style="${STYLE}"><div class="cky-consent-bar"><p>${SAYS}</p>
   <button class="cky-btn cky-btn-reject" data-cky-tag="reject-button">Reject All</button>
   <button class="cky-btn cky-btn-accept" data-cky-tag="accept-button">Accept All</button></div></div>`,
  '[data-cky-tag=accept-button]',
  '[data-cky-tag=reject-button]',
  (yes) =>
    `'cookieyes-consent=consent:' + (${yes} ? 'yes,analytics:yes,advertisement:yes' : 'no,analytics:no,advertisement:no')`,
)
const IUBENDA = tool(
  `<div id="iubenda-cs-banner" class="iubenda-cs-visible" style="${STYLE}"><div class="iubenda-cs-container"><p>${SAYS}</p>
   <button class="iubenda-cs-reject-btn">Reject</button><button class="iubenda-cs-accept-btn">Accept</button></div></div>`,
  '.iubenda-cs-accept-btn',
  '.iubenda-cs-reject-btn',
  (yes) => `'_iub_cs-123=%7B%22consent%22%3A' + ${yes} + '%7D'`,
)

export const TOOLS: Hosts = {
  'consent.cookiebot.com': { '*': script(COOKIEBOT) },
  'cdn.cookielaw.org': { '*': script(ONETRUST) },
  'cdn.klaro.test': { '*': script(KLARO) },
  'cdn-cookieyes.com': { '*': script(COOKIEYES) },
  'cdn.iubenda.com': { '*': script(IUBENDA) },
}
