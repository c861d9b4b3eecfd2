/** What a cookie is for, by its name and domain: our own short list, and the operator's imported database before it. */
import { type OpenFeed, openFeed } from './feeds/items.ts'

/** By how much a visitor may object to it, least first. */
export const COOKIE_CATEGORIES = [
  'necessary',
  'security',
  'functional',
  'personalization',
  'analytics',
  'marketing',
] as const
export type CookieCategory = (typeof COOKIE_CATEGORIES)[number]

export interface CookiePurpose {
  readonly category: CookieCategory
  /** Who sets or reads it, e.g. `Google Analytics`. */
  readonly vendor: string
  /** One sentence; '' where the source has none. */
  readonly description: string
  /** As the source words it, e.g. `2 years`; '' where it says nothing. */
  readonly retention: string
  /** `domain`: name and domain agree with the entry. `name`: the entry holds for any domain. */
  readonly by: 'domain' | 'name'
  readonly source: 'built-in' | 'imported'
}

export interface CookiePurposes {
  /** Of the imported database, or of our own list. */
  readonly version: string
  /** `domain` as the cookie has it, with or without a leading dot. Null where nobody says what it is for. */
  readonly cookiePurpose: (name: string, domain: string) => CookiePurpose | null
  readonly close: () => void
}

/** An entry as it is stored: the domains it is limited to (none: any) beside what is said of it. */
export interface CookieEntry extends Pick<CookiePurpose, 'category' | 'vendor' | 'description' | 'retention'> {
  readonly domains: readonly string[]
}

export const COOKIES_VERSION = '2026.11'

/** Keys of the imported feed: whole names, and beginnings of names. */
export const nameKey = (name: string): string => `name ${name}`
export const startKey = (start: string): string => `start ${start}`

/** Longer names are cut before they are looked up. */
const LONGEST = 80

export const openCookiePurposes = (folder: string | undefined): CookiePurposes => {
  const feed = folder === undefined ? null : openFeed(folder, 'cookies')
  return {
    version: feed?.version ?? `built-in ${COOKIES_VERSION}`,
    cookiePurpose: (name, domain) => {
      const host = domain.toLowerCase().replace(/^\./, '')
      return (feed && imported(feed, name, host)) ?? builtIn(name)
    },
    close: () => feed?.close(),
  }
}

/** An entry of the domain before one for all, a whole name before a beginning, a long beginning before a short one. */
const imported = (feed: OpenFeed, name: string, host: string): CookiePurpose | null => {
  const text = name.slice(0, LONGEST)
  const lengths = Array.from({ length: text.length }, (_, index) => text.length - index)
  const keys = [nameKey(text), ...lengths.map((length) => startKey(text.slice(0, length)))]
  const entries = keys.flatMap((key) => (feed.get(key) ?? []) as readonly CookieEntry[])
  const own = entries.find(({ domains }) => domains.some((one) => host === one || host.endsWith(`.${one}`)))
  const found = own ?? entries.find(({ domains }) => domains.length === 0)
  if (found === undefined) return null
  const { domains: _domains, ...said } = found
  return { ...said, by: own === undefined ? 'name' : 'domain', source: 'imported' }
}

const builtIn = (name: string): CookiePurpose | null => {
  const rule = RULES.find(({ pattern }) => pattern.test(name.slice(0, LONGEST)))
  if (rule === undefined) return null
  const { category, vendor } = rule
  return { category, vendor, description: '', retention: '', by: 'name', source: 'built-in' }
}

/**
 * `category | vendor | names`; a `*` stands for any rest. From the vendors' own cookie pages and from what the software
 * itself sets, as of November 2026. Only names that no other software uses for something else.
 */
const LIST = `
necessary | PHP | PHPSESSID
necessary | Java application server | JSESSIONID
necessary | ASP.NET | ASP.NET_SessionId ASPSESSIONID* .AspNetCore.Session .ASPXAUTH .AspNetCore.Cookies .AspNet.ApplicationCookie
necessary | Express | connect.sid
necessary | Laravel | laravel_session
necessary | WordPress | wordpress_logged_in_* wordpress_sec_* wordpress_test_cookie wp-postpass_*
necessary | WooCommerce | woocommerce_cart_hash woocommerce_items_in_cart wp_woocommerce_session_*
necessary | PrestaShop | PrestaShop-*
necessary | TYPO3 | fe_typo_user be_typo_user
necessary | Shopify | _shopify_essential cart_sig keep_alive
necessary | AWS load balancer | AWSALB AWSALBCORS AWSALBTG AWSALBTGCORS AWSELB AWSELBCORS
necessary | F5 BIG-IP | BIGipServer*
security | cross-site request protection | csrftoken XSRF-TOKEN __RequestVerificationToken* .AspNetCore.Antiforgery.*
security | Cloudflare | __cf_bm cf_clearance __cfruid _cfuvid
security | Imperva | visid_incap_* incap_ses_* nlbi_* reese84
security | Akamai | ak_bmsc bm_sv bm_sz _abck
security | DataDome | datadome
security | HUMAN | _px _px2 _px3 _pxhd _pxvid
security | Google reCAPTCHA | _GRECAPTCHA
functional | Cookiebot | CookieConsent CookieConsentBulkSetting-*
functional | OneTrust | OptanonConsent OptanonAlertBoxClosed eupubconsent-v2
functional | Usercentrics | uc_settings uc_user_interaction
functional | Didomi | didomi_token
functional | Borlabs Cookie | borlabs-cookie
functional | Complianz | cmplz_*
functional | CookieYes | cookieyes-consent cookielawinfo-checkbox-* viewed_cookie_policy
functional | Klaro | klaro
functional | IAB Europe consent string | euconsent-v2
functional | IAB US privacy string | usprivacy
functional | Polylang | pll_language
functional | WPML | wp-wpml_current_language
functional | Intercom | intercom-id-* intercom-session-* intercom-device-id-*
functional | Zendesk | __zlcmid
functional | Crisp | crisp-client/session/*
functional | tawk.to | TawkConnectionTime twk_idm_key twk_uuid_*
analytics | Google Analytics | _ga _ga_* _gid _gat _gat_* _dc_gtm_* __utma __utmb __utmc __utmt __utmv __utmz
analytics | Matomo | _pk_id* _pk_ses* _pk_ref* _pk_cvar* _pk_hsr* mtm_consent*
analytics | Hotjar | _hjid _hjSession_* _hjSessionUser_* _hjFirstSeen _hjAbsoluteSessionInProgress _hjIncludedIn* _hjTLDTest
analytics | Microsoft Clarity | _clck _clsk
analytics | Adobe Analytics | s_vi s_fid AMCV_* AMCVS_* s_cc s_sq
analytics | Mixpanel | mp_*_mixpanel
analytics | Amplitude | amplitude_id_* AMP_*
analytics | Segment | ajs_anonymous_id ajs_user_id ajs_group_id
analytics | Heap | _hp2_id.* _hp2_ses_props.*
analytics | PostHog | ph_*_posthog
analytics | Yandex Metrica | _ym_uid _ym_d _ym_isad _ym_visorc*
analytics | etracker | et_coid et_id isSdEnabled _et_coid
analytics | Piano Analytics | atuserid atidvisitor _pcid
analytics | Snowplow | _sp_id.* _sp_ses.*
analytics | Crazy Egg | _ce.s cebs _CEFT
analytics | FullStory | fs_uid
analytics | Mouseflow | mf_user
analytics | Optimizely | optimizelyEndUserId optimizelySession
analytics | Visual Website Optimizer | _vwo_uuid _vwo_uuid_v2 _vis_opt_*
analytics | HubSpot | __hstc __hssc __hssrc
analytics | Shopify | _shopify_y _shopify_s _shopify_sa_t _shopify_sa_p
analytics | New Relic | NRBA_SESSION_ID
marketing | Google Ads | _gcl_au _gcl_aw _gcl_dc _gcl_gb _gac_*
marketing | Google advertising | IDE DSID test_cookie __gads __gpi __gsas FPGCLAW FPAU
marketing | YouTube | VISITOR_INFO1_LIVE YSC VISITOR_PRIVACY_METADATA
marketing | Meta | _fbp _fbc
marketing | Microsoft Advertising | _uetsid _uetvid MUID MUIDB
marketing | LinkedIn | li_fat_id li_sugr bcookie bscookie lidc UserMatchHistory AnalyticsSyncHistory ln_or
marketing | X | muc_ads personalization_id guest_id_ads guest_id_marketing
marketing | TikTok | _ttp _tt_enable_cookie ttwid
marketing | Pinterest | _pinterest_ct_ua _pin_unauth _pinterest_sess _derived_epik
marketing | Snapchat | _scid _scid_r _sctr sc_at
marketing | Reddit | _rdt_uuid
marketing | Criteo | cto_bundle cto_bidid cto_lwid
marketing | Taboola | t_gid trc_cookie_storage taboola_*
marketing | Outbrain | obuid outbrain_cid_fetch
marketing | AppNexus | uuid2 anj
marketing | The Trade Desk | TDID TDCPM
marketing | PubMatic | KADUSERCOOKIE KRTBCOOKIE_* PugT
marketing | HubSpot | hubspotutk messagesUtk
marketing | Marketo | _mkto_trk
marketing | Salesforce Pardot | visitor_id*-hash lpv*
marketing | Klaviyo | __kla_id
marketing | Mailchimp | _mcid
marketing | AddThis | __atuvc __atuvs
marketing | Awin | _aw_m_*
marketing | Adform | adformfrpid
`

interface CookieRule extends Pick<CookiePurpose, 'category' | 'vendor'> {
  readonly pattern: RegExp
}

const literal = (text: string): string => RegExp.escape(text).replaceAll('\\*', '.*')

const RULES: readonly CookieRule[] = LIST.trim()
  .split('\n')
  .map((line) => {
    const [word = '', vendor = '', names = ''] = line.split(' | ')
    const category = COOKIE_CATEGORIES.find((one) => one === word)
    if (category === undefined) throw new Error(`“${word}” is no category of cookies`)
    return { category, vendor, pattern: new RegExp(`^(?:${names.split(' ').map(literal).join('|')})$`) }
  })

/** How many names the built-in list knows. */
export const cookieNames = (): number =>
  LIST.trim()
    .split('\n')
    .reduce((sum, line) => sum + (line.split(' | ')[2]?.split(' ').length ?? 0), 0)
