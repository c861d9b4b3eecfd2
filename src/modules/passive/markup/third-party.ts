/** What is known of hosts that serve scripts to many sites. Reviewed by hand; each entry covers names below it too. */

/**
 * Hosts taken over to spread malicious scripts. Public record: the polyfill.io case of June 2024 and the hosts that were
 * tied to the same operator. https://sansec.io/research/polyfill-supply-chain-attack
 */
const COMPROMISED = [
  'polyfill.io',
  'polyfill.com',
  'bootcdn.net',
  'bootcss.com',
  'staticfile.net',
  'staticfile.org',
  'unionadjs.com',
  'xhsbpza.com',
  'union.macoms.la',
  'newcrbpc.com',
]

/** Vendors who change the file at the same address, so that a hash would break it. */
const CHANGING = [
  'googletagmanager.com',
  'google-analytics.com',
  'googleadservices.com',
  'googlesyndication.com',
  'doubleclick.net',
  'google.com',
  'gstatic.com',
  'maps.googleapis.com',
  'fonts.googleapis.com',
  'apis.google.com',
  'recaptcha.net',
  'connect.facebook.net',
  'platform.twitter.com',
  'platform.linkedin.com',
  'snap.licdn.com',
  'analytics.tiktok.com',
  's.pinimg.com',
  'js.stripe.com',
  'js.braintreegateway.com',
  'paypal.com',
  'paypalobjects.com',
  'x.klarnacdn.net',
  'js.klarna.com',
  'pay.amazon.com',
  'checkoutshopper-live.adyen.com',
  'js.mollie.com',
  'challenges.cloudflare.com',
  'static.cloudflareinsights.com',
  'hcaptcha.com',
  'js.hcaptcha.com',
  'static.hotjar.com',
  'clarity.ms',
  'bat.bing.com',
  'js.hs-scripts.com',
  'js.hsforms.net',
  'widget.intercom.io',
  'static.zdassets.com',
  'consent.cookiebot.com',
  'cdn.cookielaw.org',
  'app.usercentrics.eu',
  'web.cmp.usercentrics.eu',
  'consent.cookiefirst.com',
  'cdn.iubenda.com',
  'use.typekit.net',
  'kit.fontawesome.com',
  'static.klaviyo.com',
  'cdn.segment.com',
  'js.sentry-cdn.com',
  'plausible.io',
  'matomo.cloud',
  'widgets.trustedshops.com',
  'widget.trustpilot.com',
  'calendly.com',
  'youtube.com',
  'player.vimeo.com',
]

export const isCompromised = (url: string): boolean => covers(COMPROMISED, url)
export const isChanging = (url: string): boolean => covers(CHANGING, url)

const covers = (names: readonly string[], url: string): boolean => {
  const host = URL.parse(url)?.hostname ?? ''
  return names.some((name) => host === name || host.endsWith(`.${name}`))
}
