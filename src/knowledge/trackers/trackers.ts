/** All that is known of third parties, behind the interface that the privacy module asks. */

import { createRequire } from 'node:module'
import type ThirdPartyWeb from 'third-party-web'
import { lazily } from '../lazily.ts'
import { pixelOf } from './pixels.ts'
import type { CookieKnowledge, CookiePurpose, ListedRequest, Trackers, VendorPurpose } from './vendor.ts'
import { cookieOf, VENDORS_VERSION, vendorOf } from './vendors.ts'

export interface TrackerFeeds {
  /** The imported database of cookies; asked before the own table. */
  readonly cookieOf?: (name: string, host: string) => CookieKnowledge | null
  readonly listed?: (request: ListedRequest) => string | null
  readonly versions?: Readonly<Record<string, string>>
}

export const createTrackers = (feeds: TrackerFeeds = {}): Trackers => ({
  vendorOf,
  entityOf,
  cookieOf: (name, host) => feeds.cookieOf?.(name, host) ?? cookieOf(name, host) ?? generalCookieOf(name),
  listed: feeds.listed ?? (() => null),
  pixelOf,
  versions: { vendors: VENDORS_VERSION, ...feeds.versions },
})

/** Its categories in our words. What says nothing about a purpose is `other`. */
const PURPOSES: Readonly<Record<string, VendorPurpose>> = {
  ad: 'advertising',
  analytics: 'analytics',
  social: 'social',
  video: 'video',
  'tag-manager': 'tag-management',
  'consent-provider': 'consent',
  marketing: 'customer-data',
  'customer-success': 'chat',
  cdn: 'cdn',
}

/** Two thousand companies, read where a page names a host of others. */
const thirdParties = lazily((): typeof ThirdPartyWeb => createRequire(import.meta.url)('third-party-web'))

export const entityOf = (
  host: string,
): { readonly name: string; readonly purposes: readonly VendorPurpose[] } | null => {
  const entity = thirdParties().getEntity(`https://${host.replace(/^\./, '')}/`)
  if (!entity) return null
  const purpose = PURPOSES[entity.categories?.[0] ?? ''] ?? 'other'
  return { name: entity.company || entity.name, purposes: [purpose] }
}

/** Name or beginning with `*` → purpose. Source: documentation of each framework or tool. */
const GENERAL: Readonly<Record<CookiePurpose, string>> = {
  necessary: `
    PHPSESSID JSESSIONID ASP.NET_SessionId ASPSESSIONID* connect.sid laravel_session ci_session CFID CFTOKEN
    XSRF-TOKEN csrftoken csrf_token _csrf __RequestVerificationToken* __Host-csrf* sessionid session_id sid session
    wordpress_logged_in_* wordpress_sec_* wordpress_test_cookie wp-settings-* wp_woocommerce_session_* woocommerce_*
    PrestaShop-* frontend form_key mage-* private_content_version sw-states session-* cart cart_* cart_sig
    cookie_notice_accepted cookieconsent_status cookie_consent cookieconsent cookie-consent viewed_cookie_policy
    cookielawinfo-* cmplz_* borlabs-cookie klaro moove_gdpr_popup mtm_consent* mtm_cookie_consent* cc_cookie CookieControl real_cookie_banner*
    wpl_viewed_cookie euconsent-v2 euconsent complianz_* cookie-agreed* gdpr_consent consent cookiebar hide_cookie_bar
    BIGipServer* SERVERID ROUTEID TS01* lb_* incap_ses_* visid_incap_*
  `,
  functional:
    'lang language locale i18n i18next pll_language wp-wpml_current_language currency theme dark_mode timezone',
  analytics: '_pk_id* _pk_ses* _pk_ref* _pk_cvar* _pk_hsr* matomo_* piwik_* owa_* __plausible* _swa_u',
  marketing: '',
}

const lists = Object.entries(GENERAL).flatMap(([purpose, names]) =>
  names
    .trim()
    .split(/\s+/)
    .filter((name) => name !== '')
    .map((name) => [name, purpose as CookiePurpose] as const),
)
const EXACT = new Map(lists.filter(([name]) => !name.endsWith('*')))
const STARTS = lists
  .filter(([name]) => name.endsWith('*'))
  .map(([name, purpose]) => [name.slice(0, -1), purpose] as const)
  .toSorted(([a], [b]) => b.length - a.length)

export const generalCookieOf = (name: string): CookieKnowledge | null => {
  const bare = name.replace(/^__(Host|Secure)-/, '')
  const purpose =
    EXACT.get(name) ??
    EXACT.get(bare) ??
    STARTS.find(([start]) => name.startsWith(start) || bare.startsWith(start))?.[1]
  return purpose === undefined ? null : { purpose, vendor: null, source: 'own table' }
}
