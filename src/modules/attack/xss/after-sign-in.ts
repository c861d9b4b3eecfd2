/**
 * Parameters of sign-in pages that name where to go afterwards. They are followed only once somebody has signed in, which no
 * probe has (CWE-601): whether they lead anywhere else was not asked.
 */
import { ownName } from '../../../page/names.ts'
import type { CrawlFacts, RequestTemplate } from '../crawl/facts.ts'
import type { ProbedPlace } from '../insertion-points/facts.ts'
import type { DomFacts } from './facts.ts'

const LEADS_ON =
  /^_?(?:next|continue|return\w*|redir\w*|goto|go|dest\w*|target(?:_?(?:path|url))?|forward\w*|callback\w*|back\w*|from|to|after\w*|success\w*|service|r?url|uri|ref\w*)$/i

/**
 * Each once, whatever the case of its letters. Names by which frameworks and applications lead on that are not mistaken for what a program is chosen or a host is named by (WSTG-CLNT-04;
 * https://cheatsheetseries.owasp.org/cheatsheets/Unvalidated_Redirects_and_Forwards_Cheat_Sheet.html).
 */
export const USUAL: readonly string[] = [
  ...['next', 'return', 'return_to', 'returnTo', 'return_url', 'returnUrl', 'back', 'back_url', 'goto'],
  ...[
    'redirect',
    'redirect_to',
    'redirectTo',
    'redirect_url',
    'redirectUrl',
    'redir',
    'continue',
    'dest',
    'destination',
  ],
  ...['forward', 'rurl', 'success_url'],
]

/** Scripts read many names, some of them on every page: who sent a visitor (`ref`), a span of days (`from`, `to`). */
const READ =
  /^(?:next|continue|return\w*|redir\w*|goto|dest\w*|forward\w*|callback\w*|back\w*|after\w*|success\w*|r?url|uri)$/i

/** Of what was not found to lead away already; each parameter of a page once, in the words "name of /path". */
export const followedAfterSignIn = (
  crawl: Pick<CrawlFacts, 'requests' | 'urls'>,
  dom: Pick<DomFacts, 'atPassword'>,
  found: readonly Pick<ProbedPlace, 'url' | 'name'>[],
): readonly string[] => {
  const known = new Set(found.map(({ url, name }) => wordsOf({ name, path: pathOf(url) })))
  return leadingOn(crawl, dom)
    .map(wordsOf)
    .filter((one) => !known.has(one))
    .toSorted()
}

export interface LeadingOn {
  readonly name: string
  /** Of the page or form that has it. */
  readonly path: string
  /** A script of the page reads it, and no answer of the server tells where that goes. Default false. */
  readonly byScript?: boolean
}

export const wordsOf = ({ name, path }: LeadingOn): string => `${name} of ${path}`

/** Each parameter of a page of a sign-in once: of those that the page or a link to it has, and that its scripts read. */
export const leadingOn = (
  { requests, urls }: Pick<CrawlFacts, 'requests' | 'urls'>,
  { atPassword = [] }: Pick<DomFacts, 'atPassword'>,
): readonly LeadingOn[] => {
  const signIns = requests.filter(asksPassword)
  const pages = new Set(signIns.flatMap(({ url, seenOn }) => [url, ...seenOn]).map(pathOf))
  const fields = signIns.flatMap(({ url, fields: list }) =>
    list.filter(({ name, value }) => leadsOn(name, value)).map(({ name }) => ({ name, path: pathOf(url) })),
  )
  const addresses = [...urls.map(({ url }) => url), ...requests.flatMap(({ url, seenOn }) => [url, ...seenOn])]
  const queries = addresses
    .filter((url) => pages.has(pathOf(url)))
    .flatMap((url) =>
      [...new URL(url).searchParams]
        .filter(([name, value]) => leadsOn(name, value))
        .map(([name]) => ({ name, path: pathOf(url) })),
    )
  const read = atPassword.filter(({ name }) => READ.test(name)).map((one) => ({ ...one, byScript: true }))
  return [...new Map([...fields, ...queries, ...read].map((one) => [wordsOf(one), one])).values()]
}

/** A form with a password, or a body of a script with one. */
const asksPassword = ({ fields, encoding, body }: RequestTemplate): boolean =>
  fields.some(({ type }) => type === 'password') ||
  (encoding === 'json' && /"(?:pass(?:word|wd|phrase)?|pwd)"\s*:/i.test(body ?? ''))

const leadsOn = (name: string, value: string): boolean =>
  LEADS_ON.test(ownName(name)) && (value === '' || /^(?:https?:)?\/|^\.{0,2}\/|%2f/i.test(value) || PROGRAM.test(value))
/** Beside the page: `index.php`, `account/home.jsp?tab=2`. */
const PROGRAM = /^[\w/-]{1,60}\.(?:php\d?|aspx?|jspx?|do|action|cfm|cgi|pl|html?)(?:[?#]|$)/i

const pathOf = (url: string): string => URL.parse(url)?.pathname ?? url
