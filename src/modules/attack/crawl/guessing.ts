/**
 * What nobody links to, by the names that such things have (CWE-425): pages of administrations for the account of the run, operations of interfaces,
 * applications below folders of a server that shows none of them.
 */

import { randomBytes } from 'node:crypto'
import type { HttpExchange } from '../../../egress/door/egress.ts'
import { headerOf } from '../../../page/exchange.ts'
import { likeness } from '../../../page/similarity.ts'
import { textOf } from '../../../page/text.ts'
import { harmOfAddress } from '../../../safety/safety.ts'
import type { SiteFacts } from '../../passive/site/facts.ts'
import type { Fetcher } from './fetching.ts'
import type { Frontier } from './frontier.ts'

const NAMES: readonly string[] = [
  ...['admin', 'administration', 'administrator', 'admin/users', 'admin/dashboard', 'superadmin', 'sysadmin'],
  ...['backend', 'backoffice', 'back-office', 'manage', 'management', 'manager', 'staff', 'internal', 'office'],
  ...[
    'dashboard',
    'control-panel',
    'users',
    'api/admin',
    'api/admin/users',
    'api/users',
    'api/v1/admin',
    'api/v1/users',
  ],
]
/** As much of a page as this is the same page. */
const SAME = 0.95
const DATA = /\b(?:html|json)\b/i

interface Parts {
  readonly origin: string
  readonly fetcher: Pick<Fetcher, 'get'>
  readonly frontier: Pick<Frontier, 'add'>
  readonly site: Pick<SiteFacts, 'missing' | 'pages'>
}

/** Of a server's folders: what applications are called, and what they are for. */
const APPLICATIONS: readonly string[] = [
  ...['app', 'application', 'apps', 'web', 'webapp', 'www', 'site', 'portal', 'home', 'public', 'main', 'index.php'],
  ...['shop', 'store', 'blog', 'wiki', 'forum', 'cms', 'crm', 'erp', 'intranet', 'extranet', 'helpdesk', 'support'],
  ...[
    'login',
    'admin',
    'account',
    'dashboard',
    'ui',
    'console',
    'client',
    'demo',
    'test',
    'dev',
    'staging',
    'examples',
  ],
  ...['mail', 'webmail', 'roundcube', 'cloud', 'nextcloud', 'owncloud', 'files', 'docs', 'api', 'status', 'monitoring'],
  ...['wordpress', 'wp', 'drupal', 'joomla', 'typo3', 'mediawiki', 'moodle', 'phpmyadmin', 'pma', 'phpbb', 'dokuwiki'],
  ...['git', 'gitweb', 'cgit', 'gitlab', 'jenkins', 'redmine', 'tracker', 'bugzilla', 'mantis', 'grafana', 'kibana'],
  ...['cacti', 'zabbix', 'nagios', 'munin', 'zm', 'manager/html', 'cgi-bin', 'rt', 'otrs', 'tickets', 'glpi'],
]

/** Below the folder of its name, or of a label of the host: what answers with a page, or leads on within its folder. `until`: by performance.now(). */
export const guessApplications = async ({ origin, fetcher, frontier, site }: Parts, until: number): Promise<void> => {
  const { hostname } = new URL(origin)
  const labels = /^[\d.]+$|:/.test(hostname) ? [] : hostname.split('.').slice(0, -1)
  const others = [...site.missing, ...site.pages.slice(0, 1)].map(({ body }) => body)
  for (const name of new Set([...labels, ...APPLICATIONS])) {
    if (performance.now() > until) return
    const folder = `${origin}/${name}${/[./]/.test(name) ? '' : '/'}`
    const answer = await fetcher.get(folder, 'text/html')
    if (answer === null) continue
    const text = textOf(answer)
    const shows = answer.status === 200 && DATA.test(headerOf(answer, 'content-type') ?? '')
    const isOwn = shows && !others.some((one) => likeness(one, text) >= SAME)
    if (!isOwn && !leadsWithin(folder, answer)) continue
    if (isOwn) others.push(text)
    frontier.add(folder, 1, 'well-known', null)
  }
}

const leadsWithin = (folder: string, answer: HttpExchange): boolean => {
  const location = answer.status >= 300 && answer.status < 400 ? headerOf(answer, 'location') : null
  const target = location === null ? null : (URL.parse(location, folder)?.href ?? null)
  return target !== null && target !== folder && target.startsWith(folder)
}

/**
 * Below which folder the application lies, as its start page leads there: `/mailman3` of `/mailman3/lists/`; '' where it lies at the root. A
 * folder without anything below it may be a page.
 */
const folderOfApplication = ({ pages }: Parts['site'], origin: string): string => {
  const start = pages[0] === undefined ? null : URL.parse(pages[0].url)
  const folder = start?.origin === origin ? /^\/[\w-]+(?=\/)/.exec(start.pathname) : null
  return folder?.[0] ?? ''
}

/** Those that answer with a page of their own are followed as if a page had named them. */
export const guessPages = async (parts: Parts): Promise<void> => {
  const { origin, site } = parts
  const others = [...site.missing, ...site.pages.slice(0, 1)].map(({ body }) => body)
  const urls = ['', folderOfApplication(site, origin)].flatMap((folder) =>
    NAMES.map((name) => `${origin}${folder}/${name}`),
  )
  await follow(parts, [...new Set(urls)], others)
}

/** What administrations lie below, by the first part of an address. */
const ADMINISTRATION = /^(?:admin(?:istration|istrator)?|backend|back-?office|manage(?:ment|r)?|staff|office|internal)$/

/** What an administration has of its own, and no other part of a site: below a folder of such a name that the crawl knows. */
const OF_ADMINISTRATION: readonly string[] = [
  ...['stats', 'statistics', 'users', 'settings', 'config', 'logs', 'log', 'audit', 'reports', 'metrics', 'dashboard'],
]

/**
 * What an administration has, by the names that the site has for its things: `/members` is for everybody, `/admin/members` for few, and linked for
 * them alone. Below `/admin`, and below what the crawl knows of such a name.
 */
export const guessAdministration = async (parts: Parts & Pick<Siblings, 'known'>): Promise<void> => {
  const { origin, site, known } = parts
  const below = folderOfApplication(site, origin)
  const paths = [...new Set(known.flatMap((one) => ownPath(one, origin)))].filter((path) => !INTERFACE.test(path))
  const asked = new Set(paths.map((path) => path.replace(/\/$/, '')))
  const own = paths.flatMap((path) => (path.startsWith(`${below}/`) ? [path.slice(below.length)] : []))
  const firsts = [...new Set(own.flatMap(nounIn))]
  const nouns = firsts.filter((noun) => !ADMINISTRATION.test(noun)).slice(0, MOST_NOUNS)
  const folders = [...new Set([...firsts.filter((noun) => ADMINISTRATION.test(noun)), 'admin'])].slice(0, MOST_FOLDERS)
  for (const folder of folders) {
    const usual = firsts.includes(folder) ? OF_ADMINISTRATION : []
    const urls = [...new Set([...nouns, ...usual])].map((noun) => `${origin}${below}/${folder}/${noun}`)
    const free = urls.filter((url) => !asked.has(new URL(url).pathname) && harmOfAddress(url) === null)
    const nobodys = `${origin}${below}/${folder}/q${randomBytes(4).toString('hex')}`
    await follow(
      parts,
      free,
      site.missing.map(({ body }) => body),
      nobodys,
    )
  }
}

/** `others`: pages that are no page of an address of its own, as that of `nobodys` is; asked for where any answers. */
const follow = async (
  { fetcher, frontier }: Pick<Parts, 'fetcher' | 'frontier'>,
  urls: readonly string[],
  others: string[],
  nobodys: string | null = null,
): Promise<void> => {
  const pageAt = async (url: string): Promise<{ readonly url: string; readonly text: string } | null> => {
    const answer = await fetcher.get(url, 'text/html,application/json')
    if (answer !== null && isFolder(url, answer)) return pageAt(`${url}/`)
    const type = answer?.headers.find(([field]) => field.toLowerCase() === 'content-type')?.[1] ?? ''
    return answer?.status === 200 && DATA.test(type) ? { url, text: textOf(answer) } : null
  }
  let control = nobodys
  for (const url of urls) {
    const page = await pageAt(url)
    if (page === null) continue
    const nobody = control === null ? null : await pageAt(control)
    control = null
    if (nobody !== null) others.push(nobody.text)
    if (others.some((other) => likeness(other, page.text) >= SAME)) continue
    others.push(page.text)
    frontier.add(page.url, 1, 'well-known', null)
  }
}

/** Servers of files lead from the name of a folder to the same with a slash, and show its page there. */
const isFolder = (url: string, answer: HttpExchange): boolean =>
  !url.endsWith('/') &&
  leadsWithin(url, answer) &&
  URL.parse(headerOf(answer, 'location') ?? '', url)?.href === `${url}/`

/** Folders of interfaces, with a version where they have one. */
const INTERFACE = /^\/(?:[\w-]+\/)?(?:api|rest)(?:\/v\d{1,2})?(?=\/)/i
const NOUN = /^[a-z][a-z-]{2,24}$/
const MOST_FOLDERS = 2
const MOST_NOUNS = 24
/** Of those that an interface itself has, as many below the part of it for administrations. */
const MOST_BELOW = 8

/** Who there is, for those who run it. */
const OF_STAFF: readonly string[] = ['admin/users', 'staff/users', 'internal/users']

interface Siblings extends Omit<Parts, 'site'> {
  /** Addresses that the crawl knows. */
  readonly known: readonly string[]
}

/**
 * What an interface has beside what pages ask it for (OWASP API9:2023): under its own folder, by the names that the site has for its things. Followed is
 * what answers with data, and not as a name does that nobody has.
 */
export const guessOperations = async ({ origin, fetcher, frontier, known }: Siblings): Promise<void> => {
  const paths = [...new Set(known.flatMap((one) => ownPath(one, origin)))]
  const folders = [...new Set(paths.flatMap((path) => INTERFACE.exec(path)?.[0] ?? []))].slice(0, MOST_FOLDERS)
  if (folders.length === 0) return
  const asked = new Set(paths.map((path) => path.replace(/\/$/, '')))
  const outside = paths.filter((path) => !INTERFACE.test(path)).flatMap(nounIn)
  for (const folder of folders) {
    const own = paths
      .filter((path) => path.startsWith(`${folder}/`))
      .flatMap((path) => nounIn(path.slice(folder.length)))
    const names = [
      ...[...new Set([...outside, ...own])].slice(0, MOST_NOUNS),
      ...[...new Set([...own, ...outside])].slice(0, MOST_BELOW).map((noun) => `admin/${noun}`),
      ...(own.includes('admin') ? OF_ADMINISTRATION : []).map((noun) => `admin/${noun}`),
      ...OF_STAFF,
    ].filter((name) => !asked.has(`${folder}/${name}`) && harmOfAddress(`${origin}${folder}/${name}`) === null)
    const others = [await dataAt(fetcher, `${origin}${folder}/q${randomBytes(4).toString('hex')}`)]
    for (const name of new Set(names)) {
      const url = `${origin}${folder}/${name}`
      const text = await dataAt(fetcher, url)
      if (text === null || others.some((other) => other !== null && likeness(other, text) >= SAME)) continue
      others.push(text)
      frontier.add(url, 1, 'well-known', null)
    }
  }
}

const ownPath = (address: string, origin: string): readonly string[] => {
  const url = URL.parse(address)
  return url?.origin === origin ? [url.pathname] : []
}

const nounIn = (path: string): readonly string[] => {
  const [, first = ''] = path.split('/')
  return NOUN.test(first) ? [first] : []
}

/** Null for what is no data, or empty. */
const dataAt = async (fetcher: Parts['fetcher'], url: string): Promise<string | null> => {
  const answer = await fetcher.get(url, 'application/json')
  const type = answer?.headers.find(([field]) => field.toLowerCase() === 'content-type')?.[1] ?? ''
  if (answer?.status !== 200 || !/\bjson\b/i.test(type)) return null
  const text = textOf(answer)
  return text.trim().length > LEAST_DATA ? text : null
}
/** As long as `{}`, `[]` and `null`. */
const LEAST_DATA = 4
