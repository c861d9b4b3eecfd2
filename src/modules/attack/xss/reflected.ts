import type { Check, Finding, FindingDefinition } from '../../module.ts'
import type { CrawlFacts } from '../crawl/facts.ts'
import type { ProbedPlace, ProbedPoint } from '../insertion-points/facts.ts'
import { findingAt, isReadOnce, judgeProbed, type ProbedProof, parameterOf } from '../insertion-points/verdict.ts'
import type { Context, ReflectedHit, XssFacts, XssHit } from './facts.ts'
import { withAlert } from './payloads/calls.ts'

const REFERENCES = [
  'https://owasp.org/www-community/attacks/xss/',
  'https://cheatsheetseries.owasp.org/cheatsheets/Cross_Site_Scripting_Prevention_Cheat_Sheet.html',
  'https://cwe.mitre.org/data/definitions/79.html',
] as const
export const SCRIPTING = {
  cwe: 79,
  references: REFERENCES,
  remediation:
    'Encode the value for the place where it comes out: HTML entities in text and in quoted attributes, `JSON.stringify` ' +
    'with `<` as \\u003c in scripts, only http and https in addresses. Use the automatic encoding of the template engine and ' +
    'remove the exceptions to it (`|safe`, `v-html`, `innerHTML`). A Content-Security-Policy with nonces limits what is missed.',
} as const

const reflectedDefinition: FindingDefinition = {
  ...SCRIPTING,
  id: 'xss/reflected',
  title: 'Cross-site scripting, reflected: script in a link or form runs in the page',
  severity: 'high',
  why: 'An attacker sends a link or sets up a page that sends a form. Whoever follows it runs the script with their own session: it reads what they see and acts in their name.',
}
const clickDefinition: FindingDefinition = {
  ...SCRIPTING,
  id: 'xss/reflected-click',
  title: 'Cross-site scripting, reflected, after a click: script in a link or form runs after one more click',
  severity: 'medium',
  why: 'The page makes a link or button out of what an attacker sends. Whoever follows the attack and then clicks it runs the script with their own session.',
}
const mitigatedDefinition: FindingDefinition = {
  ...SCRIPTING,
  id: 'xss/reflected-mitigated',
  title: 'Cross-site scripting, reflected, stopped by the Content-Security-Policy alone',
  severity: 'medium',
  why: 'The value is not encoded; the Content-Security-Policy keeps browsers from running it. An older browser, a gap in the policy or a trusted host that serves scripts opens it.',
}
const markupDefinition: FindingDefinition = {
  ...SCRIPTING,
  id: 'xss/html-injection',
  title: 'HTML injection: a link or form can put elements into the page',
  severity: 'medium',
  cwe: 80,
  why: 'Elements of an attacker look like a part of the page: a sign-in form that sends passwords elsewhere, a false notice.',
}
const unreachableDefinition: FindingDefinition = {
  ...SCRIPTING,
  id: 'xss/reflected-own-request',
  title: 'Cross-site scripting, reflected from a header, cookie or message body',
  severity: 'low',
  why: 'Another site cannot make a browser send this, so an attack needs a second flaw: a cache that keeps the page, a subdomain that sets the cookie.',
}

/** Only what a browser has run is confirmed. */
export const reflected: Check<'xss', 'crawl'> = {
  findings: [reflectedDefinition, clickDefinition, mitigatedDefinition, markupDefinition, unreachableDefinition],
  judge: (facts, { crawl }) => {
    const judgement = judgeProbed(facts, (point) =>
      isStored(facts, point)
        ? []
        : point.hits.flatMap((hit) =>
            isStoredBehind(facts, point, hit) || isKeptBehind(facts, point, hit) ? [] : findingsOf(point, hit, crawl),
          ),
    )
    if (facts.browser === null || 'state' in judgement) return judgement
    return {
      state: 'not_tested',
      reason: facts.browser,
      only: [clickDefinition.id, mitigatedDefinition.id],
      findings: judgement,
    }
  },
}

const REACHABLE = ['query', 'path', 'form', 'name', 'own-name']

const findingsOf = (
  point: ProbedPoint<XssHit>,
  hit: XssHit,
  crawl: Pick<CrawlFacts, 'requests'>,
): readonly Finding[] => {
  if (hit.kind === 'markup') {
    const detail = `An element sent in ${parameterOf(point.at)} is an element of the page.`
    return reachable(point)
      ? [findingAt(point, markupDefinition, { confidence: 'confirmed', detail, ...shown(hit, 'element') })]
      : []
  }
  if (hit.kind !== 'reflected' || !hit.parsed) return []
  const where = `${parameterOf(point.at)}, ${wordsFor(hit.context)}`
  const say = (
    definition: FindingDefinition,
    confidence: Finding['confidence'],
    detail: string,
  ): readonly Finding[] => [
    findingAt(point, definition, {
      confidence,
      detail,
      ...shown(hit, definition === markupDefinition ? 'element' : hit.context.kind),
      ...(hit.screenshot ? { evidence: [hit.screenshot] } : {}),
      ...causeOf(point, hit, crawl),
    }),
  ]
  if (hit.guarded && hit.ran !== null)
    return say(
      unreachableDefinition,
      'confirmed',
      `Chromium ran the script sent in ${where}; it takes a token or a header that another site does not have.`,
    )
  if (hit.ran !== null && !reachable(point))
    return say(unreachableDefinition, 'confirmed', `Chromium ran the script sent in ${where}.`)
  if (hit.foreign !== undefined)
    return say(reflectedDefinition, 'confirmed', `Chromium ran a script of ${hit.foreign}, the host sent in ${where}.`)
  if (hit.ran === 'load') return say(reflectedDefinition, 'confirmed', `Chromium ran the script sent in ${where}.`)
  if (hit.ran === 'click')
    return say(
      clickDefinition,
      'confirmed',
      `Chromium ran the script sent in ${where} once a visitor had clicked, pointed or typed.`,
    )
  if (!reachable(point) || hit.guarded)
    return say(unreachableDefinition, 'firm', `A script sent in ${where} stands in the page where browsers run it.`)
  if (hit.unproven !== null)
    return say(reflectedDefinition, 'firm', `A script sent in ${where} stands in the page where browsers run it.`)
  if (hit.refused)
    return say(mitigatedDefinition, 'confirmed', `The policy of the page refused the script sent in ${where}.`)
  return hit.payload.includes('<')
    ? say(markupDefinition, 'firm', `An element sent in ${where} is an element of the page; its script did not run.`)
    : []
}

/** What a page keeps of a header is told as stored: it runs for others, who send none. */
const isStored = ({ stored }: XssFacts, { at }: ProbedPoint<XssHit>): boolean =>
  !REACHABLE.includes(at.place) && stored.hits.some(({ at: of }) => isSamePlace(of, at))

/**
 * Another site cannot send it, but the page that the answer leads to keeps it, and what was stored was not seen elsewhere: of a list of the latest it
 * is gone by the time that all was asked.
 */
export const isKeptBehind = (
  { stored }: XssFacts,
  point: ProbedPoint<XssHit>,
  hit: XssHit,
): hit is ReflectedHit & Required<Pick<ReflectedHit, 'behind' | 'kept'>> =>
  hit.kind === 'reflected' &&
  hit.ran !== null &&
  hit.behind !== undefined &&
  hit.kept !== undefined &&
  (hit.guarded === true || !reachable(point)) &&
  !stored.hits.some(({ at }) => isSamePlace(at, point.at))

/** It was stored, and the page that the form leads to shows it to others, too: one flaw, and the graver of the two. */
const isStoredBehind = ({ stored }: XssFacts, { at }: ProbedPoint<XssHit>, hit: XssHit): boolean =>
  hit.kind === 'reflected' &&
  hit.behind !== undefined &&
  stored.hits.some(
    ({ at: of, page, seenBy }) => seenBy !== 'account' && isSamePath(page, hit.behind) && isSamePlace(of, at),
  )

/** What a page is asked for besides, a tab or an order, shows what it keeps otherwise. */
const isSamePath = (a: string, b: string | undefined): boolean => {
  const [one, other] = [URL.parse(a), URL.parse(b ?? '')]
  return (
    a === b || (one !== null && one.origin === other?.origin && one.pathname === other.pathname && other.search === '')
  )
}

const isSamePlace = (a: ProbedPlace, b: ProbedPlace): boolean =>
  a.place === b.place && a.name === b.name && a.url === b.url

/** What every request has is read by one piece of code where it comes out in one place of pages: their layout, a log. */
const causeOf = (
  { at }: ProbedPoint<XssHit>,
  hit: ReflectedHit,
  crawl: Pick<CrawlFacts, 'requests'>,
): Pick<Finding, 'cause'> => {
  if (hit.handler !== undefined) return { cause: hit.handler }
  const { kind, tag, attribute, quote } = hit.context
  const shown = [at.place, at.name, kind, tag, attribute, quote].join(' ')
  // A search in the head of all pages leads to the one that shows it.
  const [own, behind] = [at.url, hit.behind ?? at.url].map((url) => new URL(url).pathname)
  if (own !== behind) return { cause: `${behind} ${shown}` }
  return isReadOnce(at, crawl) ? { cause: shown } : {}
}

const reachable = ({ at }: ProbedPoint<XssHit>): boolean =>
  REACHABLE.includes(at.place) && ['GET', 'POST'].includes(at.method)

const shown = (
  {
    excerpt,
    mark,
    replay,
    address = null,
  }: Pick<ReflectedHit, 'excerpt' | 'mark' | 'replay'> & Partial<Pick<ReflectedHit, 'address'>>,
  basis: string,
): { readonly proof: ProbedProof } => ({
  proof: { excerpt, mark, replay: withAlert(address ?? replay), basis },
})

const wordsFor = ({ kind, tag, attribute, quote }: Context): string => {
  const quoted = quote === '' ? '' : ` within ${quote}`
  switch (kind) {
    case 'text':
      return `in the text of <${tag}>`
    case 'raw-text':
      return `in <${tag}>`
    case 'comment':
      return 'in a comment'
    case 'script':
      return `in a script${quoted}`
    case 'template':
      return 'in a template that the page evaluates'
    case 'handler':
      return `in the script of ${attribute} of <${tag}>${quoted}`
    case 'url':
      return `as the address in ${attribute} of <${tag}>`
    case 'script-url':
      return `in the script of ${attribute} of <${tag}>${quoted}`
    case 'srcdoc':
      return `in the document of <${tag}>`
    case 'tag-name':
      return 'as the name of an element'
    case 'attribute-name':
      return `as the name of an attribute of <${tag}>`
    case 'end-tag':
      return `in the end of <${tag}>`
    case 'dropped':
      return 'where the page takes no text'
    case 'xml':
      return `in XML${quoted}`
    case 'attribute':
      return `in ${attribute} of <${tag}>${quoted}`
  }
}
