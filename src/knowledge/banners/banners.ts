/** Response headers in which servers and frameworks name themselves. Lower case. */
export const BANNER_HEADERS: readonly string[] = [
  'server',
  'x-powered-by',
  'x-aspnet-version',
  'x-aspnetmvc-version',
  'x-generator',
  'x-drupal-cache',
  'x-powered-cms',
  'x-runtime-version',
  'x-jenkins',
  'x-varnish-version',
  'liferay-portal',
  'microsoftsharepointteamservices',
]

/** Headers whose value is a version by itself, without a product name before it. */
const BARE_VERSION: readonly string[] = [
  'x-aspnet-version',
  'x-aspnetmvc-version',
  'x-jenkins',
  'microsoftsharepointteamservices',
]

/** Names of networks that stand in front of the site: they are the provider's, not the owner's to hide. */
const EDGES =
  /^(?:cloudflare|akamai\w*|ecs\b.*|cloudfront|fastly|bunnycdn.*|keycdn.*|vercel|netlify|github\.com|gws|gse|sffe|esf|varnish|google frontend|awselb\/2\.0|amazons3|cloudflare-nginx|sucuri.*|imperva|incapsula|ddos-guard|qrator|fly\/.*|railway|render|squarespace|wix|shopify|heroku)$/i

const VERSION = /(?:[/ (-]v?|^v?)\d+\.\d+[\w.+~-]*/

/** What a banner gives away; null when it says nothing about the site's own software. */
export const readBanner = (name: string, value: string): 'version' | 'product' | null => {
  const text = value.trim().slice(0, 300)
  if (text === '' || EDGES.test(text)) return null
  if (VERSION.test(text) || (BARE_VERSION.includes(name) && /\d/.test(text))) return 'version'
  return name === 'x-drupal-cache' || /[a-z]{2}/i.test(text) ? 'product' : null
}
