/**
 * Services that customers point names at by CNAME, and how such a name looks when nobody holds it there.
 * Written from general knowledge of the services. The entries up to Pantheon in the order of the public list "can I
 * take over XYZ" (github.com/EdOverflow/can-i-take-over-xyz, CC BY 4.0, commit 003c6b9) were compared with it: what it
 * calls not vulnerable is `guarded` here. The others were not compared with anything. Texts that any page could hold
 * ("404 Not Found") are left out on purpose.
 */
export interface Provider {
  readonly service: string
  /** Ends of the alias target, each a whole label or more. */
  readonly suffixes: readonly string[]
  /** Text of the page that the service shows for a name nobody has claimed; null where it shows none of its own. */
  readonly unclaimed: string | null
  /** True where an unclaimed target does not resolve. */
  readonly vanishes: boolean
  /** The service asks for proof of ownership, at least at times: a hint then, not a finding. */
  readonly guarded: boolean
}

const page = (service: string, suffixes: string | readonly string[], unclaimed: string): Provider => ({
  service,
  suffixes: [suffixes].flat(),
  unclaimed,
  vanishes: false,
  guarded: false,
})

const vanishing = (service: string, ...suffixes: readonly string[]): Provider => ({
  service,
  suffixes,
  unclaimed: null,
  vanishes: true,
  guarded: false,
})

const guarded = (provider: Provider): Provider => ({ ...provider, guarded: true })

export const PROVIDERS: readonly Provider[] = [
  page('Amazon S3', ['s3.amazonaws.com'], 'NoSuchBucket'),
  guarded(page('Google Cloud Storage', 'c.storage.googleapis.com', 'NoSuchBucket')),
  page('DigitalOcean Spaces', 'digitaloceanspaces.com', 'NoSuchBucket'),
  page('Alibaba Cloud OSS', 'aliyuncs.com', 'NoSuchBucket'),
  page('Linode Object Storage', 'linodeobjects.com', 'NoSuchBucket'),
  page('Wasabi', 'wasabisys.com', 'NoSuchBucket'),
  vanishing('AWS Elastic Beanstalk', 'elasticbeanstalk.com'),
  vanishing('Azure App Service', 'azurewebsites.net'),
  vanishing('Azure Cloud Services', 'cloudapp.net'),
  vanishing('Azure virtual machine names', 'cloudapp.azure.com'),
  vanishing('Azure Traffic Manager', 'trafficmanager.net'),
  vanishing('Azure Blob Storage', 'blob.core.windows.net'),
  vanishing('Azure static website', 'web.core.windows.net'),
  vanishing('Azure CDN', 'azureedge.net'),
  vanishing('Azure API Management', 'azure-api.net'),
  vanishing('Azure HDInsight', 'azurehdinsight.net'),
  vanishing('Azure Container Instances', 'azurecontainer.io'),
  vanishing('Azure Container Registry', 'azurecr.io'),
  vanishing('Azure Data Lake', 'azuredatalakestore.net'),
  vanishing('Azure SQL Database', 'database.windows.net'),
  vanishing('Azure Cache for Redis', 'redis.cache.windows.net'),
  vanishing('Azure Search', 'search.windows.net'),
  vanishing('Azure Service Bus', 'servicebus.windows.net'),
  vanishing('Visual Studio Online', 'visualstudio.com'),
  vanishing('Discourse', 'trydiscourse.com'),
  // Verifying the domain is up to each account there, and few do: whoever did not can be robbed of the name.
  page('GitHub Pages', 'github.io', "There isn't a GitHub Pages site here."),
  guarded(page('GitLab Pages', 'gitlab.io', "The page you're looking for could not be found")),
  page('Bitbucket', 'bitbucket.io', 'Repository not found'),
  guarded(page('Heroku', ['herokuapp.com', 'herokudns.com', 'herokussl.com'], 'no-such-app.html')),
  guarded(page('Shopify', 'myshopify.com', 'Sorry, this shop is currently unavailable.')),
  guarded(page('Fastly', ['fastly.net', 'fastlylb.net'], 'Fastly error: unknown domain')),
  guarded(page('Netlify', ['netlify.app', 'netlify.com'], 'Not Found - Request ID:')),
  guarded(page('Vercel', ['vercel.app', 'vercel-dns.com', 'now.sh'], 'DEPLOYMENT_NOT_FOUND')),
  guarded(page('Firebase Hosting', ['firebaseapp.com', 'web.app'], 'Why am I seeing this?</h2>')),
  guarded(page('Squarespace', 'squarespace.com', 'No Such Account')),
  guarded(page('Wix', 'wixdns.net', "Looks Like This Domain Isn't Connected To A Website Yet")),
  guarded(
    page(
      'Webflow',
      ['proxy.webflow.com', 'proxy-ssl.webflow.com'],
      "The page you are looking for doesn't exist or has been moved",
    ),
  ),
  guarded(page('Zendesk', 'zendesk.com', 'Help Center Closed')),
  guarded(page('HubSpot', ['hubspot.net', 'hs-sites.com'], 'Domain not found')),
  guarded(page('Kinsta', 'kinsta.cloud', 'No Site For Domain')),
  guarded(page('Acquia', 'acquia-sites.com', 'Web Site Not Found')),
  guarded(page('Unbounce', 'unbouncepages.com', 'The requested URL was not found on this server')),
  guarded(page('Intercom', 'custom.intercom.help', 'Uh oh. That page doesn’t exist.')),
  guarded(page('Tilda', 'tilda.ws', 'Please renew your subscription')),
  guarded(page('Freshdesk', 'freshdesk.com', 'May be this is still fresh!')),
  guarded(page('Landingi', 'cname.landingi.com', 'It looks like you’re lost...')),
  page('Ghost', 'ghost.io', 'The thing you were looking for is no longer here, or never was'),
  page('Pantheon', 'pantheonsite.io', '404 error unknown site!'),
  page('Tumblr', 'domains.tumblr.com', "Whatever you were looking for doesn't currently exist at this address"),
  page('WordPress.com', 'wordpress.com', 'Do you want to register'),
  page('Surge', 'surge.sh', 'project not found'),
  page('ReadMe', ['readme.io', 'readmessl.com'], 'Project doesnt exist... yet!'),
  page('Read the Docs', 'readthedocs.io', 'The link you have followed or the URL that you entered does not exist'),
  page('Helpjuice', 'helpjuice.com', "We could not find what you're looking for."),
  page('Help Scout', 'helpscoutdocs.com', 'No settings were found for this company:'),
  page('UserVoice', 'uservoice.com', 'This UserVoice subdomain is currently available!'),
  page(
    'LaunchRock',
    'launchrock.com',
    "It looks like you may have taken a wrong turn somewhere. Don't worry...it happens to all of us.",
  ),
  page('Agile CRM', ['agilecrm.com', 'cname.agilecrm.com'], 'Sorry, this page is no longer available.'),
  page('Airee', 'airee.ru', 'Ошибка 402. Сервис Айри.рф не оплачен'),
  page('Campaign Monitor', 'createsend.com', 'Trying to access your account?'),
  page('Canny', 'cname.canny.io', 'There is no such company. Did you enter the right URL?'),
  page('GetResponse', 'gr8.com', 'With GetResponse Landing Pages, lead generation has never been easier'),
  page('Hatena Blog', 'hatenablog.com', '404 Blog is not found'),
  page('YouTrack InCloud', ['myjetbrains.com', 'youtrack.cloud'], 'is not a registered InCloud YouTrack'),
  page('ngrok', ['ngrok.io', 'ngrok.app'], 'ERR_NGROK_3200'),
  page('Pingdom', 'stats.pingdom.com', "Sorry, couldn't find the status page"),
  page(
    'SmartJobBoard',
    ['smartjobboard.com', 'mysmartjobboard.com'],
    'This job board website is either expired or its domain name is invalid.',
  ),
  page('SurveySparrow', 'surveysparrow.com', 'Account not found.'),
  page('Uberflip', 'read.uberflip.com', "The URL you've accessed does not provide a hub."),
  page('Worksites', 'worksites.net', 'the website you&rsquo;re looking for doesn&rsquo;t exist.'),
  page('Aha!', 'ideas.aha.io', 'There is no portal here ... sending you back to Aha!'),
  page(
    'AfterShip',
    'aftership.com',
    'Oops.</h2><p class="text-muted text-tight">The page you\'re looking for doesn\'t exist.',
  ),
  page('Big Cartel', 'bigcartel.com', 'Oops! We couldn&#8217;t find that page.'),
  page('Frontify', 'frontify.com', 'Oops… looks like you got lost'),
  page('Simplebooklet', 'simplebooklet.com', 'We can\'t find this <a href="https://simplebooklet.com'),
  page('Teamwork', 'teamwork.com', "Oops - We didn't find your site."),
  page('Thinkific', 'thinkific.com', 'You may have mistyped the address or the page may have moved.'),
  page('Vend', 'vendecommerce.com', "Looks like you've traveled too far into cyberspace."),
  page('Wishpond', 'wishpond.com', 'https://www.wishpond.com/404?campaign=true'),
  guarded(page('FeedPress', 'redirect.feedpress.me', 'The feed has not been found.')),
]

/** The service that one of the names belongs to, and that name. */
export const providerOf = (names: readonly string[]): { readonly provider: Provider; readonly name: string } | null => {
  for (const name of names) {
    const provider = PROVIDERS.find(({ suffixes }) =>
      suffixes.some((suffix) => name === suffix || name.endsWith(`.${suffix}`)),
    )
    if (provider) return { provider, name }
    // Buckets as websites carry their region: name.s3-website-eu-west-1.amazonaws.com, name.s3.eu-west-1.amazonaws.com.
    if (/\.s3[.-][a-z0-9.-]+\.amazonaws\.com$/.test(name) && PROVIDERS[0]) return { provider: PROVIDERS[0], name }
  }
  return null
}
