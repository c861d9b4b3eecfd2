import { SESSION_LOST } from '../../../contract/reach.ts'
import { percentDecoded } from '../../../page/percent.ts'
import { kindOf } from '../../../page/shape.ts'
import type { Check, Finding, FindingDefinition, Unjudged } from '../../module.ts'
import { shortOf } from '../insertion-points/verdict.ts'
import { isDirective } from './contexts.ts'
import { domReplay } from './dom/replay.ts'
import type { Context, DomHit, DomSource, XssFacts } from './facts.ts'
import { SCRIPTING } from './reflected.ts'

const REMEDIATION =
  'Put values from outside into the page as text: `element.textContent = value` in place of `innerHTML` and `document.write`, ' +
  'no `eval` of them, and check that an address begins with https:// before it goes into `location` or `href`. ' +
  'In a listener for messages compare `event.origin` as a whole with the origins you expect.'

const fragmentDefinition: FindingDefinition = {
  ...SCRIPTING,
  id: 'xss/fragment',
  title: 'Cross-site scripting, DOM-based, from the fragment: what stands behind the # runs',
  severity: 'high',
  why: 'An attacker sends a link; the script in it runs with the session of whoever follows it. The part behind the # never reaches the server, so neither its filters nor its logs see it.',
  remediation: REMEDIATION,
}
const domDefinition: FindingDefinition = {
  ...SCRIPTING,
  id: 'xss/dom',
  title: 'Cross-site scripting, DOM-based: a script of the page runs what a link or another site gives it',
  severity: 'high',
  why: "The page's own script turns the address, the name of its window, its referrer or a message of another window into markup or code. Whoever follows an attacker's link runs that script with their own session; encoding on the server does not help.",
  remediation: REMEDIATION,
}
const clickDefinition: FindingDefinition = {
  ...SCRIPTING,
  id: 'xss/dom-click',
  title: 'Cross-site scripting, DOM-based, after a click: what a visitor presses runs what another site gives the page',
  severity: 'medium',
  why: "The page's own script takes what an attacker sends, for the address of a link or when something is pressed. Whoever follows the attack and then presses it runs the attacker's script with their own session.",
  remediation: REMEDIATION,
}
const storageDefinition: FindingDefinition = {
  ...SCRIPTING,
  id: 'xss/dom-storage',
  title: 'Cross-site scripting, DOM-based, from storage or cookies',
  severity: 'medium',
  why: 'What one flaw or one visit at a shared computer puts into the storage runs at each later visit: a short attack becomes a lasting one. A cookie can be set by any neighbouring subdomain, too.',
  remediation: REMEDIATION,
}

/** Always confirmed: it is only found by running. */
export const dom: Check<'xss', 'crawl'> = {
  findings: [fragmentDefinition, domDefinition, clickDefinition, storageDefinition],
  judge: (facts) => {
    const hits = facts.dom.hits.filter((hit) => hit.kind === 'script' && !isWrittenByServer(facts, hit))
    const findings = withoutSameRoute(hits).map(findingOf)
    const unjudged = domShortfall(facts)
    return unjudged ? { ...unjudged, findings } : findings
  },
}

/**
 * What the server writes where a library takes it for code, an attribute of Alpine or braces of Vue, is one flaw with what the library makes of it, and
 * told by the request that brings it.
 */
const isWrittenByServer = ({ points }: XssFacts, { source, sink, name, page }: DomHit): boolean =>
  source === 'query' &&
  sink === 'code' &&
  points.some(
    ({ at, hits }) =>
      at.place === 'query' &&
      at.name === name &&
      kindOf(at.url) === kindOf(page) &&
      hits.some((hit) => hit.kind === 'reflected' && hit.ran !== null && isEvaluated(hit.context)),
  )

const isEvaluated = ({ kind, attribute }: Context): boolean => kind === 'template' || isDirective(attribute)

/**
 * What a view shows of all that stands behind its route (`#/notice/…`) it shows of a parameter there, too (`#/notice/x?name=…`): that is
 * no other flaw.
 */
const withoutSameRoute = (hits: readonly DomHit[]): readonly DomHit[] => {
  const routes = hits.flatMap((hit) => {
    const route = routeOf(hit)
    return route === null ? [] : [{ hit, route }]
  })
  const isBehind = (one: DomHit, route: string): boolean =>
    routeOf(one)?.startsWith(route) === true && routeOf(one) !== route
  const covering = (hit: DomHit): DomHit | undefined =>
    routes.find(({ hit: other, route }) => isAlike(hit, other) && isBehind(hit, route))?.hit
  return hits
    .filter((hit) => covering(hit) === undefined)
    .map((hit) => {
      const same = hits.filter((one) => covering(one) === hit).flatMap((one) => [one.page, ...one.alsoOn])
      return same.length === 0 ? hit : { ...hit, alsoOn: [...new Set([...hit.alsoOn, ...same])] }
    })
}

/** What stands behind the # before the script; null where it does not run from there, or the whole of it is shown. */
const routeOf = ({ source, address, payload }: DomHit): string | null => {
  const hash = percentDecoded(address.split('#').slice(1).join('#'))
  const at = hash.indexOf(payload)
  return source === 'fragment' && at > 0 ? hash.slice(0, at) : null
}

const isAlike = (one: DomHit, other: DomHit): boolean =>
  one.sink === other.sink && one.ran === other.ran && pathOf(one.address) === pathOf(other.address)

/** Why nothing, or not all, can be said about the scripts of pages. What the crawl did not read may run scripts, too. */
export const domShortfall = ({
  browser,
  dom: { pages, left, short = [] },
  sessionLost,
  fault,
  unread = [],
}: XssFacts): Unjudged | null => {
  if (browser !== null) return { state: 'not_tested', reason: browser }
  if (sessionLost) return { state: 'not_tested', reason: SESSION_LOST }
  const unseen = [...(left > 0 ? [{ reason: 'not reached', count: left }] : []), ...unread]
  const known = pages + unseen.reduce((sum, { count }) => sum + count, 0)
  const reasons = [...unseen, ...short]
  if (known === 0) return { state: 'not_applicable', reason: 'the crawl found no page that runs scripts' }
  if (reasons.length === 0) return null
  const ours = fault === undefined ? {} : { fault }
  const state = pages === 0 ? 'not_tested' : 'inconclusive'
  return {
    state,
    ...shortOf(
      'pages',
      known,
      reasons.toSorted((a, b) => b.count - a.count),
    ),
    ...ours,
  }
}

const findingOf = (hit: DomHit): Finding => ({
  definition: definitionOf(hit),
  confidence: 'confirmed',
  at: domLocation(hit, hit.page),
  places: hit.alsoOn.map((page) => domLocation(hit, page)),
  detail:
    hit.sink === 'fetch'
      ? `Chromium ran the script in what another host answered, which ${domWords(hit)} of ${pathOf(hit.page)} named: the page fetched it and put it into its markup.`
      : `Chromium ran the script in ${domWords(hit)} of ${pathOf(hit.page)}${deedWords(hit)}; the page gave it to ${SINKS[hit.sink] ?? hit.sink}.`,
  proof: {
    excerpt: [hit.address, ...(hit.message === null ? [] : [`postMessage: ${hit.message}`])].join('\n'),
    mark: markOf(hit),
    replay: domReplay(hit),
    basis: hit.sink,
  },
  ...(hit.screenshot ? { evidence: [hit.screenshot] } : {}),
})

/** What a visitor does for it, behind the words for what happens. */
export const deedWords = ({ ran, deeds = [] }: DomHit): string => {
  if (deeds.length > 0) return `, once somebody did this there: ${deeds.join(', then ')}`
  return ran === 'click' ? ' once a visitor had clicked, pointed or typed' : ''
}

const definitionOf = ({ source, ran }: DomHit): FindingDefinition => {
  if (source === 'storage' || source === 'cookie') return storageDefinition
  if (ran === 'click') return clickDefinition
  return source === 'fragment' ? fragmentDefinition : domDefinition
}

const PARAMETERS: Readonly<Record<DomSource, string>> = {
  fragment: 'fragment',
  query: 'query',
  path: 'path',
  referrer: 'document.referrer',
  'window-name': 'window.name',
  message: 'message',
  storage: 'storage',
  cookie: 'cookie',
}

export const domLocation = ({ source, name }: DomHit, page: string): Finding['at'] => ({
  url: page.split('?')[0] ?? page,
  method: 'GET',
  parameter: parameterOf(source, name),
})

/** The parameter that stands for the query as a whole is no name of the site's. */
const parameterOf = (source: DomSource, name: string | null): string => {
  if (source === 'query') return name === null || name === 'qx' ? 'query' : name
  return source === 'storage' || source === 'cookie' ? `${source} ${name ?? ''}` : PARAMETERS[source]
}

export const domWords = ({ source, name }: DomHit): string => {
  switch (source) {
    case 'fragment':
      return 'the part behind the #'
    case 'query':
      return name === null || name === 'qx' ? 'the query' : `the parameter ${name}`
    case 'path':
      return 'the path of the address'
    case 'referrer':
      return 'the address of the page before'
    case 'window-name':
      return 'the name of the window'
    case 'message':
      return 'a message of another window'
    case 'storage':
      return `the stored value ${name ?? ''}`
    case 'cookie':
      return `the cookie ${name ?? ''}`
  }
}

const SINKS: Readonly<Record<string, string>> = {
  html: 'markup',
  code: 'code that it runs',
  script: 'the address of a script',
  address: 'the address of a link or frame',
  location: 'the address that it goes to',
  selector: 'a function that takes markup as well as selectors',
  text: 'a function that takes markup as well as text',
}

const markOf = ({ address, message, payload }: DomHit): string => {
  if (message !== null) return message
  return address.includes(payload) ? payload : address
}

const pathOf = (page: string): string => URL.parse(page)?.pathname ?? page
