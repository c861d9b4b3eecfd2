import type { Check, Finding, FindingDefinition, Judgement } from '../../module.ts'
import { findingAt, judgeProbed, parameterOf, withShortfall } from '../insertion-points/verdict.ts'
import { followedAfterSignIn } from './after-sign-in.ts'
import { domReplay } from './dom/replay.ts'
import { deedWords, domLocation, domWords } from './dom.ts'
import type { AfterSignIn, DomHit, ServerPathHit, XssFacts, XssHit } from './facts.ts'
import { isLinked, leadsTo } from './probes/heads.ts'

const redirectDefinition: FindingDefinition = {
  id: 'xss/open-redirect',
  title: 'Open redirect: a link of the site can lead to any other site',
  severity: 'medium',
  cwe: 601,
  why: 'An attacker sends a link that begins with the name people trust and ends on a copy of the site. Tokens in the address of a sign-in can go there, too.',
  remediation:
    'Redirect to paths of the site only: parse the value against the own address and compare the whole host ' +
    '(`new URL(next, base).host === base.host`), or choose from a fixed list.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Unvalidated_Redirects_and_Forwards_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/601.html',
  ],
}

const headerDefinition: FindingDefinition = {
  id: 'xss/header-injection',
  title: 'HTTP header injection (CRLF injection): a line break in a value makes a header of its own',
  severity: 'medium',
  cwe: 113,
  why: 'An attacker sets cookies in the browser of whoever follows a link, or ends the head and writes the page. Caches in between may keep it for everyone.',
  remediation:
    'Refuse values with CR or LF before they go into a header, and encode what goes into Location and Set-Cookie (`encodeURIComponent`).',
  references: [
    'https://owasp.org/www-community/attacks/HTTP_Response_Splitting',
    'https://cwe.mitre.org/data/definitions/113.html',
  ],
}

const isRedirect = (hit: XssHit) => hit.kind === 'redirect'
const isHeader = (hit: XssHit) => hit.kind === 'header'

export const openRedirect: Check<'xss', 'crawl'> = {
  findings: [redirectDefinition],
  judge: (facts, { crawl }) => {
    const judgement = withDom(
      facts,
      judgeProbed(facts, (point) => {
        const hit = point.hits.find(isRedirect)
        const right = hit?.trials.filter(({ location, host }) => leadsTo(location, point.at.url, host)) ?? []
        const [first] = right
        if (!first || right.length < 2 || !isLinked(point.at.place)) return []
        return [
          findingAt(point, redirectDefinition, {
            confidence: 'confirmed',
            detail: `${parameterOf(point.at)} leads to the host it names: ${right.map(({ host }) => host).join(' and ')}${hit?.by === 'page' ? ' (by the page itself, seen in Chromium)' : ''}.`,
            proof: {
              excerpt: `Location: ${first.location}`,
              mark: first.host,
              replay: first.replay,
              basis: hit?.by ?? 'header',
            },
          }),
        ]
      }),
    )
    const found = [
      ...facts.points.filter(({ hits }) => hits.some(isRedirect)).map(({ at }) => at),
      ...facts.dom.hits
        .filter(({ kind }) => kind === 'redirect')
        .map(({ page, name }) => ({ url: page, name: name ?? '' })),
      ...(facts.afterSignIn ?? []),
    ]
    const left = followedAfterSignIn(crawl, facts.dom, found)
    const servers = withServers(facts, judgement)
    const whole = facts.unnamedLeft ? withShortfall(servers, UNNAMED_LEFT) : servers
    return left.length === 0
      ? whole
      : withShortfall(whole, `followed only once somebody has signed in: ${left.slice(0, MOST_TOLD).join(', ')}`)
  },
}

const MOST_TOLD = 5
const UNNAMED_LEFT = 'the time was over before the sign-in was asked with usual names of where it leads'

/** Where a page's own script goes, seen in Chromium only; where a sign-in does; and where the server itself leads to. */
const withDom = ({ dom, afterSignIn = [], serverPaths }: XssFacts, judgement: Judgement): Judgement =>
  withFindings(judgement, [
    ...dom.hits.filter(({ kind }) => kind === 'redirect').map(domFinding),
    ...afterSignIn.filter(({ trials }) => trials.length >= 2).map(signedInFinding),
    ...(serverPaths?.hits ?? []).flatMap(serverPathFinding),
  ])

const withFindings = (judgement: Judgement, findings: readonly Finding[]): Judgement =>
  'state' in judgement
    ? { ...judgement, findings: [...(judgement.findings ?? []), ...findings] }
    : [...judgement, ...findings]

/** A server that was not asked itself may lead anywhere. */
const withServers = ({ serverPaths }: XssFacts, judgement: Judgement): Judgement =>
  serverPaths === undefined || serverPaths.left === 0
    ? judgement
    : withShortfall(judgement, `${serverPaths.left} sites not asked what the server itself makes of a path`)

const serverPathFinding = ({ url, ...hit }: ServerPathHit): readonly Finding[] => {
  if (hit.kind !== 'redirect') return []
  const right = hit.trials.filter(({ location, host }) => leadsTo(location, url, host))
  const [first] = right
  if (!first || right.length < 2) return []
  return [
    {
      definition: redirectDefinition,
      confidence: 'confirmed',
      at: { url, method: 'GET', parameter: 'path' },
      detail: `The server leads a path that begins like another host's name to that host: ${right.map(({ host }) => host).join(' and ')}.`,
      proof: { excerpt: `Location: ${first.location}`, mark: first.host, replay: first.replay, basis: 'header' },
    },
  ]
}

/** Who has an account there sees it by signing in at that address. */
const signedInFinding = ({ name, url, trials, by }: AfterSignIn): Finding => {
  const [first] = trials
  const address = new URL(url)
  address.searchParams.set(name, first?.payload ?? '')
  return {
    definition: redirectDefinition,
    confidence: 'confirmed',
    at: { url, method: 'GET', parameter: name },
    detail: `Once somebody has signed in, ${name} leads to the host it names: ${trials.map(({ host }) => host).join(' and ')}${by === 'page' ? ' (by the page itself, seen in Chromium)' : ''}.`,
    proof: {
      excerpt: by === 'page' ? `${first?.location}` : `Location: ${first?.location}`,
      mark: first?.host ?? null,
      replay: address.href,
      basis: by ?? 'header',
    },
  }
}

const domFinding = (hit: DomHit): Finding => ({
  definition: redirectDefinition,
  confidence: 'confirmed',
  at: domLocation(hit, hit.page),
  places: hit.alsoOn.map((page) => domLocation(hit, page)),
  detail: `A script of the page goes to the address in ${domWords(hit)}${deedWords(hit)}, seen twice in Chromium.`,
  proof: { excerpt: hit.address, mark: hit.payload, replay: domReplay(hit), basis: 'page' },
})

export const headerInjection: Check<'xss', 'crawl'> = {
  findings: [headerDefinition],
  judge: (facts) => {
    const judged = withFindings(
      judgeProbed(facts, (point) => {
        const seen = point.hits.find(isHeader)?.trials.filter((trial) => trial.seen) ?? []
        const [first] = seen
        if (!first || seen.length < 2) return []
        return [
          findingAt(point, headerDefinition, {
            confidence: 'confirmed',
            detail: `Header lines sent in ${parameterOf(point.at)} came back as header lines: ${seen.map(({ name }) => name).join(' and ')}.`,
            proof: { excerpt: `${first.name}: 1`, mark: first.name, replay: first.replay, basis: 'header' },
          }),
        ]
      }),
      (facts.serverPaths?.hits ?? []).flatMap(serverLineFinding),
    )
    return withServers(facts, judged)
  },
}

const serverLineFinding = ({ url, ...hit }: ServerPathHit): readonly Finding[] => {
  const [first] = hit.trials
  if (hit.kind !== 'header' || hit.trials.length < 2 || first === undefined || !('name' in first)) return []
  return [
    {
      definition: headerDefinition,
      confidence: 'confirmed',
      at: { url, method: 'GET', parameter: 'path' },
      detail: `Header lines sent in the path, at the root of the site, came back as header lines: ${hit.trials.map(({ name }) => name).join(' and ')}.`,
      proof: { excerpt: `${first.name}: 1`, mark: first.name, replay: first.replay, basis: 'header' },
    },
  ]
}
