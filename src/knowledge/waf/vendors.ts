/**
 * Products that stand in front of sites, by what they leave in answers. An edge network delivers and may filter; a firewall
 * filters; a bot defence asks who is there. Names of headers and cookies and sentences of block pages are facts of each product,
 * taken from its documentation or its own answers.
 */
export type ProductKind = 'edge' | 'firewall' | 'bot-defence'

export interface Seen {
  readonly status: number
  /** Names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Names of cookies set. */
  readonly cookies: readonly string[]
  /** Text of the body, a few KiB. */
  readonly body: string
}

export interface Signal {
  /** What was seen, or null. */
  readonly find: (seen: Seen) => string | null
  /** A second product has been seen to leave it, too: one such signal alone names nobody. */
  readonly weak: boolean
}

export interface Product {
  readonly id: string
  readonly name: string
  readonly kind: ProductKind
  readonly signals: readonly Signal[]
}

const header = (name: string, value: RegExp = /./): Signal => ({
  weak: false,
  find: ({ headers }) => {
    const found = headers.find(([one, text]) => one === name && value.test(text))
    return found ? `${found[0]}: ${found[1]}`.slice(0, 200) : null
  },
})
const named = (pattern: RegExp): Signal => ({
  weak: false,
  find: ({ headers }) => headers.find(([one]) => pattern.test(one))?.[0] ?? null,
})
const cookie = (pattern: RegExp): Signal => ({
  weak: false,
  find: ({ cookies }) => {
    const found = cookies.find((one) => pattern.test(one))
    return found ? `cookie ${found}` : null
  },
})
const body = (pattern: RegExp): Signal => ({
  weak: false,
  find: ({ body: text }) => pattern.exec(text)?.[0].slice(0, 200) ?? null,
})
/** A block page: on pages that are delivered the words may be the site's own. */
const block = (pattern: RegExp): Signal => ({
  weak: false,
  find: ({ status, body: text }) => (status >= 400 ? (pattern.exec(text)?.[0].slice(0, 200) ?? null) : null),
})
const status = (...codes: readonly number[]): Signal => ({
  weak: true,
  find: (seen) => (codes.includes(seen.status) ? `status ${seen.status}` : null),
})
const weak = (signal: Signal): Signal => ({ ...signal, weak: true })
const server = (value: RegExp): Signal => header('server', value)

const product = (id: string, name: string, kind: ProductKind, ...signals: readonly Signal[]): Product => ({
  id,
  name,
  kind,
  signals,
})

export const PRODUCTS: readonly Product[] = [
  product(
    'cloudflare',
    'Cloudflare',
    'edge',
    named(/^cf-ray$/),
    server(/^cloudflare/i),
    cookie(/^__cf_bm$|^cf_clearance$|^__cfduid$/),
  ),
  product(
    'cloudflare-waf',
    'Cloudflare firewall',
    'firewall',
    named(/^cf-mitigated$/),
    block(/Attention Required! \| Cloudflare|Sorry, you have been blocked[\s\S]{0,400}cf-/i),
    block(/cf-error-details|cf-wrapper/),
  ),
  product('akamai', 'Akamai', 'edge', server(/^AkamaiGHost|^AkamaiNetStorage/i), named(/^x-akamai-|^akamai-/)),
  product('akamai-bot', 'Akamai Bot Manager', 'bot-defence', cookie(/^_abck$/), cookie(/^(?:ak_bmsc|bm_sz|bm_sv)$/)),
  product(
    'akamai-waf',
    'Akamai Kona',
    'firewall',
    block(/Access Denied[\s\S]{0,300}Reference\s*(?:#|&#35;)\s*[\da-f]+\.[\da-f]+/i),
    block(/errors\.edgesuite\.net/i),
  ),
  product(
    'aws-waf',
    'AWS WAF',
    'firewall',
    named(/^x-amzn-waf-/),
    cookie(/^aws-waf-token$/),
    block(/awswaf\.com|AwsWafIntegration/),
  ),
  product(
    'cloudfront',
    'Amazon CloudFront',
    'edge',
    named(/^x-amz-cf-(?:id|pop)$/),
    header('via', /cloudfront\.net/i),
    server(/^CloudFront/i),
  ),
  product('aws-elb', 'AWS load balancer', 'edge', server(/^awselb/i), cookie(/^AWSALB(?:CORS|TG)?$/)),
  product('azure-front-door', 'Azure Front Door', 'edge', named(/^x-azure-ref/), named(/^x-fd-/)),
  product(
    'azure-gateway',
    'Azure Application Gateway',
    'firewall',
    server(/^Microsoft-Azure-Application-Gateway/i),
    block(/Microsoft-Azure-Application-Gateway\/v2/i),
    cookie(/^ApplicationGatewayAffinity/),
  ),
  product(
    'google',
    'Google front end',
    'edge',
    header('via', /^1\.1 google$/i),
    server(/^(?:gws|ESF|sffe|Google Frontend)$/i),
  ),
  product(
    'google-armor',
    'Google Cloud Armor',
    'firewall',
    block(/<title>403 Forbidden<\/title>[\s\S]{0,400}Your client does not have permission to get URL/i),
    weak(header('via', /^1\.1 google$/i)),
  ),
  product('fastly', 'Fastly', 'edge', header('x-served-by', /^cache-/i), named(/^x-fastly-|^fastly-/)),
  product('signal-sciences', 'Fastly Next-Gen WAF', 'firewall', named(/^x-sigsci-/), status(406)),
  product(
    'imperva',
    'Imperva Cloud',
    'firewall',
    cookie(/^(?:visid_incap_|incap_ses_|nlbi_)/),
    header('x-cdn', /Incapsula|Imperva/i),
    named(/^x-iinfo$/),
    block(/Incapsula incident ID|_Incapsula_Resource/i),
  ),
  product(
    'securesphere',
    'Imperva SecureSphere',
    'firewall',
    block(/The incident ID is:?\s*\d+|<h2>Error<\/h2>[\s\S]{0,200}This page can't be displayed\. Contact support/i),
  ),
  product(
    'f5-asm',
    'F5 Advanced WAF',
    'firewall',
    cookie(/^TS(?:[\da-f]{6}|[\da-f]{8})(?:\d{3})?$/i),
    block(/The requested URL was rejected\. Please consult with your administrator/i),
  ),
  product('f5-ltm', 'F5 BIG-IP', 'edge', cookie(/^BIGipServer/), server(/^Big-?IP/i)),
  product('f5-xc', 'F5 Distributed Cloud', 'firewall', server(/^volt-adc/i), named(/^x-volterra-/)),
  product(
    'barracuda',
    'Barracuda',
    'firewall',
    cookie(/^(?:barra_counter_session|BNI__BARRACUDA|BNI_persistence)/i),
    server(/^Barracuda/i),
  ),
  product(
    'fortiweb',
    'Fortinet FortiWeb',
    'firewall',
    cookie(/^FORTIWAFSID$/),
    block(/FortiWeb|fgd_icon|Web Page Blocked!?[\s\S]{0,300}Attack ID/i),
  ),
  product(
    'netscaler',
    'NetScaler',
    'firewall',
    cookie(/^(?:ns_af|citrix_ns_id|NSC_)/),
    named(/^(?:cneonction|nncoection)$/),
    header('via', /NS-CACHE/),
  ),
  product(
    'radware',
    'Radware AppWall',
    'firewall',
    named(/^x-sl-compstate$/),
    block(/Unauthorized Activity Has Been Detected[\s\S]{0,300}Case Number/i),
  ),
  product('sucuri', 'Sucuri', 'firewall', named(/^x-sucuri-/), server(/^Sucuri/i), block(/Sucuri WebSite Firewall/i)),
  product(
    'modsecurity',
    'ModSecurity',
    'firewall',
    server(/mod_security|NOYB/i),
    block(/This error was generated by Mod_?Security|ModSecurity Action|mod_security rules triggered/i),
    status(406),
  ),
  product('naxsi', 'NAXSI', 'firewall', header('x-data-origin', /naxsi/i), server(/naxsi/i)),
  product('wallarm', 'Wallarm', 'firewall', server(/nginx-wallarm/i)),
  product(
    'wordfence',
    'Wordfence',
    'firewall',
    block(/Generated by Wordfence|This response was generated by Wordfence/i),
    block(/Your access to this site has been limited/i),
  ),
  product(
    'imunify360',
    'Imunify360',
    'firewall',
    server(/imunify360/i),
    block(/protected by Imunify360|imunify360-webshield/i),
  ),
  product(
    'bitninja',
    'BitNinja',
    'firewall',
    block(/BitNinja[\s\S]{0,200}(?:Security check|captcha)|Security check by BitNinja/i),
  ),
  product('datadome', 'DataDome', 'bot-defence', cookie(/^datadome$/), named(/^x-datadome/), server(/^DataDome/i)),
  product('human', 'HUMAN', 'bot-defence', cookie(/^_px(?:3|2|hd|vid)?$/), block(/client\.perimeterx|px-captcha/i)),
  product('kasada', 'Kasada', 'bot-defence', named(/^x-kpsdk-/), block(/ips\.js\?|KPSDK/)),
  product('reblaze', 'Reblaze', 'firewall', cookie(/^rbzid$|^rbzsessionid$/), server(/^Reblaze/i)),
  product('link11', 'Link11', 'firewall', server(/rhino-core-shield/i)),
  product('ddos-guard', 'DDoS-Guard', 'edge', cookie(/^__ddg(?:1|2|8|9|10|id)_?$/), server(/^ddos-guard/i)),
  product('qrator', 'Qrator', 'edge', server(/^QRATOR/i)),
  product('vercel', 'Vercel', 'edge', server(/^Vercel/i), named(/^x-vercel-id$/)),
  product(
    'vercel-firewall',
    'Vercel Firewall',
    'bot-defence',
    named(/^x-vercel-mitigated$/),
    block(/Vercel Security Checkpoint/i),
  ),
  product(
    'anubis',
    'Anubis',
    'bot-defence',
    cookie(/-anubis-auth/),
    body(/<title>Making sure you(?:'|&#39;)re not a bot!<\/title>/i),
  ),
  product(
    'airlock',
    'Airlock Gateway',
    'firewall',
    cookie(/^AL[-_](?:SESS|LB)/),
    block(/The server detected a syntax error in your request/i),
  ),
  product('denyall', 'DenyAll', 'firewall', block(/Condition Intercepted/i), weak(cookie(/^sessioncookie$/))),
  product(
    'alibaba',
    'Alibaba Cloud WAF',
    'firewall',
    block(/errors\.aliyun\.com/i),
    weak(status(405)),
    cookie(/^aliyungf_tc$|^acw_tc$/),
  ),
  product('tencent', 'Tencent Cloud WAF', 'firewall', block(/waf\.tencent-cloud\.com/i)),
  product('huawei', 'Huawei Cloud WAF', 'firewall', cookie(/^HWWAFSES(?:ID|TIME)$/), server(/^HuaweiCloudWAF/i)),
  product('yunjiasu', 'Baidu Yunjiasu', 'edge', server(/^yunjiasu/i)),
  product(
    'safedog',
    'SafeDog',
    'firewall',
    cookie(/^safedog-flow-item$/),
    server(/Safedog/i),
    block(/safedogsite\/|404\.safedog\.cn/i),
  ),
  product('safeline', 'SafeLine', 'firewall', block(/<!-- event_id: [\da-f]{32}|safeline/i)),
  product('sophos', 'Sophos UTM', 'firewall', block(/UTM Web Protection|Powered by UTM/i)),
  product(
    'sonicwall',
    'SonicWall',
    'firewall',
    server(/^SonicWALL/i),
    block(/This request is blocked by the SonicWALL/i),
  ),
  product(
    'watchguard',
    'WatchGuard',
    'firewall',
    server(/^WatchGuard/i),
    block(/Request denied by WatchGuard Firewall/i),
  ),
  product('datapower', 'IBM DataPower', 'firewall', named(/^x-backside-transport$/)),
  product(
    'dotdefender',
    'dotDefender',
    'firewall',
    named(/^x-dotdefender-denied$/),
    block(/dotDefender Blocked Your Request/i),
  ),
  product(
    'webknight',
    'AQTRONIX WebKnight',
    'firewall',
    block(/WebKnight Application Firewall Alert|AQTRONIX WebKnight/i),
    status(999),
  ),
  product(
    'urlscan',
    'Microsoft UrlScan',
    'firewall',
    block(/Rejected-By-UrlScan/i),
    header('location', /Rejected-By-UrlScan/i),
  ),
  product(
    'openresty-lua',
    'OpenResty firewall',
    'firewall',
    block(/openresty[\s\S]{0,200}(?:lua-?resty-?waf|ngx_lua_waf)|网站防火墙/i),
    weak(server(/^openresty/i)),
  ),
  product('edgecast', 'Edgecast', 'edge', server(/^(?:ECS|ECD|ECAcc) ?\(/)),
  product('kemp', 'Kemp LoadMaster', 'edge', header('x-servedby', /^KEMP-LM/i)),
  product('azion', 'Azion', 'edge', named(/^x-azion-/)),
  product(
    'siteground',
    'SiteGround',
    'firewall',
    block(
      /Our system thinks you might be a robot![\s\S]{0,400}sgcaptcha|\.well-known\/sgcaptcha|\.well-known\/captcha\/[\s\S]{0,100}siteground/i,
    ),
  ),
  product(
    'godaddy',
    'GoDaddy Website Security',
    'firewall',
    block(/GoDaddy (?:Website Firewall|Security) - Access Denied|Access Denied - GoDaddy Website Firewall/i),
  ),
  product(
    'stackpath',
    'StackPath',
    'firewall',
    named(/^x-sp-|^sp-request/),
    block(
      /This website is using a security service to protect itself[\s\S]{0,400}StackPath|<title>StackPath[^<]*<\/title>/i,
    ),
  ),
  product('bunny', 'bunny.net', 'edge', server(/^BunnyCDN/i), named(/^cdn-pullzone$|^cdn-requestid$/)),
  product('varnish', 'Varnish', 'edge', header('via', /varnish/i), named(/^x-varnish$/)),
]

export interface Recognised {
  readonly product: Product
  readonly signals: readonly string[]
  /** Two independent signals, or one that no other product leaves. */
  readonly certainty: 'confirmed' | 'firm'
}

/** What the answers together show; weak signals alone name nobody. */
export const recognise = (answers: readonly Seen[]): readonly Recognised[] =>
  PRODUCTS.flatMap((one): Recognised[] => {
    const hits = one.signals.flatMap((signal) => {
      const text = answers.map((seen) => signal.find(seen)).find((found) => found !== null)
      return text === undefined || text === null ? [] : [{ text, weak: signal.weak }]
    })
    if (!hits.some((hit) => !hit.weak)) return []
    return [{ product: one, signals: hits.map(({ text }) => text), certainty: hits.length > 1 ? 'confirmed' : 'firm' }]
  })
