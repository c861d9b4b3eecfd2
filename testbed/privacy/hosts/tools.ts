/**
 * Look-alikes of consent tools: the few elements and names that tell each of them, written by hand. They keep the answer and
 * call `window.onConsent(true|false)`.
 */
import { html, script } from '../page.ts'
import type { Hosts } from './hosts.ts'

/** Runs in the page: a dialog by its markup, and what its buttons do; `around`: what stands around it, whose `.shadow-host` has it in an open shadow root. */
const tool = (
  markup: string,
  accept: string,
  reject: string,
  cookie: (yes: string) => string,
  more = '',
  around = '',
): string => `(() => {
  const done = (yes) => { document.cookie = ${cookie('yes')} + '; Max-Age=15552000; Path=/; Secure; SameSite=Lax'; if (box) box.remove(); window.onConsent && window.onConsent(yes) }
  let box = null
  const show = () => {
    box = document.createElement('div'); box.innerHTML = ${JSON.stringify(around)}
    const host = [...box.querySelectorAll('.shadow-host')].at(-1)
    const root = host ? host.attachShadow({ mode: 'open' }) : box
    root.innerHTML = ${JSON.stringify(markup)}; document.body.append(box)
    root.querySelector(${JSON.stringify(accept)}).addEventListener('click', () => done(true))
    const no = root.querySelector(${JSON.stringify(reject)}); if (no) no.addEventListener('click', () => done(false))
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

const flag = (name: string) => (yes: string) => `'${name}=' + (${yes} ? 'all' : 'none')`
const USERCENTRICS = tool(
  `<div data-testid="uc-container" style="${STYLE}"><div data-testid="uc-default-wall"><h1>Privacy Settings</h1><p>${SAYS}</p>
   <button data-testid="uc-more-button">More</button><button data-testid="uc-deny-all-button" role="button">Deny</button>
   <button data-testid="uc-accept-all-button" role="button">Accept All</button></div></div>`,
  '[data-testid=uc-accept-all-button]',
  '[data-testid=uc-deny-all-button]',
  flag('uc_user_interaction'),
  '',
  '<div id="usercentrics-root" class="shadow-host"></div>',
)
const DIDOMI = tool(
  `<div id="didomi-host"><div id="didomi-popup" class="didomi-popup-backdrop" style="${STYLE}"><div class="didomi-popup-notice" role="dialog"><p>${SAYS}</p>
   <div id="buttons"><button id="didomi-notice-learn-more-button">Learn More</button><button id="didomi-notice-disagree-button">Disagree and close</button>
   <button id="didomi-notice-agree-button">Agree and close</button></div></div></div></div>`,
  '#didomi-notice-agree-button',
  '#didomi-notice-disagree-button',
  flag('didomi_token'),
)
const QUANTCAST = tool(
  `<div id="qc-cmp2-container"><div id="qc-cmp2-main"><div id="qc-cmp2-ui" role="dialog" style="${STYLE}"><div class="qc-cmp2-summary-info">${SAYS}</div>
   <div class="qc-cmp2-summary-buttons"><button mode="secondary" size="large"><span>MORE OPTIONS</span></button><button id="disagree-btn" mode="secondary" size="large"><span>DISAGREE</span></button>
   <button mode="primary" size="large" id="accept-btn"><span>AGREE</span></button></div></div></div></div>`,
  '#accept-btn',
  '#disagree-btn',
  flag('addtl_consent'),
)
const TRUSTARC = tool(
  `<div id="truste-consent-track" style="${STYLE}"><div id="truste-consent-content"><div id="truste-consent-text">${SAYS}</div>
   <div id="truste-consent-buttons"><button id="truste-show-consent">Cookie preferences</button><button id="truste-consent-required">Required Cookies Only</button>
   <button id="truste-consent-button">Accept All Cookies</button></div></div></div>`,
  '#truste-consent-button',
  '#truste-consent-required',
  flag('notice_preferences'),
)
const AXEPTIO = tool(
  `<div class="axeptio_widget" style="${STYLE}"><div><h2>Hello, it is us… the Cookies!</h2><p>${SAYS}</p>
   <button id="axeptio_btn_dismiss">No, thanks</button><button id="axeptio_btn_configure">I choose</button><button id="axeptio_btn_acceptAll">OK for me</button></div></div>`,
  '#axeptio_btn_acceptAll',
  '#axeptio_btn_dismiss',
  flag('axeptio_cookies'),
  '',
  '<div id="axeptio_overlay" class="axeptio_mount"><div class="needsclick shadow-host"></div></div>',
)
const OSANO = tool(
  `<div class="osano-cm-window"><div class="osano-cm-dialog osano-cm-dialog--type_bar" role="dialog" style="${STYLE}"><div class="osano-cm-dialog__content">${SAYS}</div>
   <div class="osano-cm-dialog__buttons"><button class="osano-cm-manage osano-cm-button">Manage Preferences</button><button class="osano-cm-denyAll osano-cm-button">Reject Non-Essential</button>
   <button class="osano-cm-accept-all osano-cm-button">Accept All</button></div></div></div>`,
  '.osano-cm-accept-all',
  '.osano-cm-denyAll',
  flag('osano_consentmanager'),
)
const TERMLY = tool(
  `<div id="termly-code-snippet-support"><div class="termly-styles-module-root" style="${STYLE}"><div role="alertdialog"><p>${SAYS}</p>
   <button class="t-preference-button" data-tid="preference-button">Preferences</button><button data-tid="banner-decline" class="t-declineButton">Decline</button>
   <button data-tid="banner-accept" class="t-acceptAllButton">Accept</button></div></div></div>`,
  '[data-tid=banner-accept]',
  '[data-tid=banner-decline]',
  flag('TERMLY_CONSENT'),
)
const TARTEAUCITRON = tool(
  `<div id="tarteaucitronRoot"><div id="tarteaucitronAlertBig" role="alertdialog" style="${STYLE}"><span id="tarteaucitronDisclaimerAlert">${SAYS}</span>
   <button id="tarteaucitronPersonalize2" class="tarteaucitronCTAButton tarteaucitronAllow">OK, accept all</button>
   <button id="tarteaucitronAllDenied2" class="tarteaucitronCTAButton tarteaucitronDeny">Deny all cookies</button>
   <button id="tarteaucitronCloseAlert">Personalize</button></div></div>`,
  '#tarteaucitronPersonalize2',
  '#tarteaucitronAllDenied2',
  flag('tarteaucitron'),
)
const COMPLIANZ = tool(
  `<div id="cmplz-cookiebanner-container"><div class="cmplz-cookiebanner cmplz-bottom-right optin" role="dialog" style="${STYLE}"><div class="cmplz-title">Manage Consent</div><div class="cmplz-message">${SAYS}</div>
   <div class="cmplz-buttons"><button class="cmplz-btn cmplz-accept">Accept</button><button class="cmplz-btn cmplz-deny">Deny</button>
   <button class="cmplz-btn cmplz-view-preferences">View preferences</button></div></div></div>`,
  '.cmplz-accept',
  '.cmplz-deny',
  flag('cmplz_statistics'),
)
const COOKIECONSENT = tool(
  `<div id="cc-main"><div class="cm-wrapper cc--anim"><div class="cm cm--box" role="dialog" style="${STYLE}"><div class="cm__body"><div class="cm__texts"><h2 class="cm__title">We use cookies</h2><p class="cm__desc">${SAYS}</p></div>
   <div class="cm__btns"><div class="cm__btn-group"><button class="cm__btn" data-role="all"><span>Accept all</span></button><button class="cm__btn" data-role="necessary"><span>Reject all</span></button></div>
   <div class="cm__btn-group"><button class="cm__btn cm__btn--secondary" data-role="show"><span>Manage preferences</span></button></div></div></div></div></div></div>`,
  '[data-role=all]',
  '[data-role=necessary]',
  flag('cc_cookie'),
)

const FUNDING = tool(
  `<div class="fc-consent-root"><div class="fc-dialog-overlay"></div><div class="fc-dialog-container"><div class="fc-dialog fc-choice-dialog" role="dialog" style="${STYLE}">
   <div class="fc-header"><h1>The shop asks for your consent to use your personal data</h1></div>
   <div class="fc-body"><p>For personalised advertising and content, and to store information on a device (cookies, unique identifiers), shared with our partners.</p></div>
   <div class="fc-footer fc-dialog-restricted-content"><div class="fc-footer-buttons-container"><div class="fc-footer-buttons">
   <button class="fc-button fc-cta-consent fc-primary-button" role="button" aria-label="Consent"><p class="fc-button-label">Consent</p></button>
   <button class="fc-button fc-cta-do-not-consent fc-secondary-button" role="button" aria-label="Do not consent"><p class="fc-button-label">Do not consent</p></button>
   <button class="fc-button fc-cta-manage-options fc-secondary-button" role="button" aria-label="Manage options"><p class="fc-button-label">Manage options</p></button></div></div></div></div></div></div>`,
  '.fc-cta-consent',
  '.fc-cta-do-not-consent',
  flag('FCCDCF'),
)
const SHOPIFY = tool(
  `<div id="shopify-pc__banner" role="alertdialog" class="shopify-pc__banner__dialog" style="${STYLE}"><div class="shopify-pc__banner__wrapper"><div class="shopify-pc__banner__body"><h2 id="shopify-pc__banner__body-title">Cookie consent</h2><p>${SAYS}</p></div>
   <div class="shopify-pc__banner__btns"><button id="shopify-pc__banner__btn-manage-prefs">Manage preferences</button><div class="shopify-pc__banner__btns-granular"><button id="shopify-pc__banner__btn-accept">Accept</button>
   <button id="shopify-pc__banner__btn-decline">Decline</button></div></div></div></div>`,
  '#shopify-pc__banner__btn-accept',
  '#shopify-pc__banner__btn-decline',
  flag('_tracking_consent'),
)
const CONSENTMANAGER = tool(
  `<div id="cmpwrapper" class="cmpwrapper"><div id="cmpbox" class="cmpbox cmpBoxNormal" role="dialog" style="${STYLE}"><div class="cmpboxinner"><div class="cmpboxcontainer"><div class="cmpboxtxt">${SAYS}</div>
   <div class="cmpboxbtns"><a class="cmpboxbtn cmpboxbtncustomchoices cmptxt_btn_settings" href="#" role="button">Settings</a><a class="cmpboxbtn cmpboxbtnno cmptxt_btn_no" id="cmpbntnotxt" href="#" role="button">Reject</a>
   <a class="cmpboxbtn cmpboxbtnyes cmptxt_btn_yes" id="cmpbntyestxt" href="#" role="button">Accept all</a></div></div></div></div></div>`,
  '.cmpboxbtnyes',
  '.cmpboxbtnno',
  flag('__cmpconsent'),
)
/** The message lies in a frame of the tool's own host, which tells the page what was pressed. */
const SOURCEPOINT = `(() => {
  const known = document.cookie.split('; ').find((c) => c.startsWith('consentStatus='))
  const show = () => {
    const box = document.createElement('div'); box.id = 'sp_message_container_812'
    box.innerHTML = '<iframe id="sp_message_iframe_812" title="SP Consent Message" src="https://cdn.privacy-mgmt.com/index.html?message_id=812&consentUUID=a&preload_message=true" style="position:fixed;left:0;bottom:0;width:100%;height:260px;border:0;z-index:999"></iframe>'
    document.body.append(box)
    addEventListener('message', ({ data, origin }) => {
      if (origin !== 'https://cdn.privacy-mgmt.com' || typeof data !== 'object' || !('yes' in data)) return
      document.cookie = 'consentStatus=' + (data.yes ? 'all' : 'none') + '; Max-Age=15552000; Path=/; Secure; SameSite=Lax'
      box.remove(); window.onConsent && window.onConsent(data.yes)
    })
  }
  const start = () => { if (!known) show(); else window.onConsent && window.onConsent(known.endsWith('all')) }
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', start); else start()
})()`
const SOURCEPOINT_MESSAGE = `<!doctype html><title>Consent</title><body><div id="notice" class="message type-bottom" role="dialog" style="background:#fff;padding:20px"><div class="message-component message-row">
  <p class="message-component">${SAYS}</p><div class="message-component message-row"><button title="Options" class="message-component message-button sp_choice_type_12">Options</button>
  <button title="Reject all" class="message-component message-button sp_choice_type_13">Reject all</button><button title="Accept all" class="message-component message-button sp_choice_type_11">Accept all</button></div></div></div>
  <script>for (const [name, yes] of [['11', true], ['13', false]]) document.querySelector('.sp_choice_type_' + name).addEventListener('click', () => parent.postMessage({ yes }, '*'))</script>`

export const TOOLS: Hosts = {
  'app.usercentrics.eu': { '*': script(USERCENTRICS) },
  'sdk.privacy-center.org': { '*': script(DIDOMI) },
  'cmp.inmobi.com': { '*': script(QUANTCAST) },
  'consent.trustarc.com': { '*': script(TRUSTARC) },
  'static.axept.io': { '*': script(AXEPTIO) },
  'cmp.osano.com': { '*': script(OSANO) },
  'app.termly.io': { '*': script(TERMLY) },
  'cdn.tarteaucitron.io': { '*': script(TARTEAUCITRON) },
  'cdn.complianz.test': { '*': script(COMPLIANZ) },
  'fundingchoicesmessages.google.com': { '*': script(FUNDING) },
  'cdn.shopify.test': { '*': script(SHOPIFY) },
  'cdn.consentmanager.net': { '*': script(CONSENTMANAGER) },
  'cdn.privacy-mgmt.com': { '/index.html': html(SOURCEPOINT_MESSAGE), '*': script(SOURCEPOINT) },
  'cdn.cookieconsent.test': { '*': script(COOKIECONSENT) },
  'consent.cookiebot.com': { '*': script(COOKIEBOT) },
  'cdn.cookielaw.org': { '*': script(ONETRUST) },
  'cdn.klaro.test': { '*': script(KLARO) },
  'cdn-cookieyes.com': { '*': script(COOKIEYES) },
  'cdn.iubenda.com': { '*': script(IUBENDA) },
}
