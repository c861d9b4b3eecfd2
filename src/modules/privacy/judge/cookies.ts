import type { Check, Finding, FindingDefinition } from '../../module.ts'
import type { CookieRecord, Moment, PrivacyFacts, StateFacts } from '../facts.ts'
import { define, exceptFor, harsOf, LAW, listOf, MOMENTS, missedState, overVisit, replayOf } from './shared.ts'

const WHY =
  'Cookies for analysis or advertising may be set only after the visitor agreed. Whose cookie it is plays no part: the ' +
  'site’s own ones need consent, too.'
const FIX =
  'Set it only after consent: load the script or call the endpoint that sets it from the consent tool’s category, and ' +
  'delete it when consent is refused or withdrawn.'

const before = define(
  'cookie-before-consent',
  'Cookies before consent: one for analysis or advertising is set',
  'high',
  {
    why: WHY,
    remediation: FIX,
  },
)
const after = define('cookie-after-reject', 'Cookies after refusal: one for analysis or advertising is set', 'high', {
  why: `${WHY} Here the visitor has said no.`,
  remediation: FIX,
})
const lifetime = define(
  'cookie-lifetime',
  'Cookie lifetime: one that is not necessary lasts longer than 13 months',
  'medium',
  {
    why: 'Consent ages. CNIL holds trackers of more than 13 months to be too long; browsers cut cookies at 400 days by now.',
    remediation: 'Set Max-Age to 33696000 seconds (390 days) or less, and do not renew it on each visit.',
    references: [LAW.cnil, LAW.gdpr],
  },
)
const unknown = define(
  'cookie-purpose-unknown',
  'Cookie of unknown purpose: it tells visitors apart before consent',
  'info',
  {
    why: 'Its value differs from visitor to visitor and outlasts the visit. Whether it is necessary cannot be seen from outside.',
    remediation: 'Name its purpose in the privacy policy; if the site works without it, set it only after consent.',
  },
)

const DAY = 86_400_000
/** 13 months at their longest. */
const LONGEST = 396 * DAY

/** What a cookie is for comes from the own table or an imported feed; where neither knows it, nothing is claimed. */
export const cookies: Check<'privacy'> = overVisit({
  findings: [before, after, lifetime, unknown],
  judge: (facts) => {
    const missed = missedState(facts, 'reject', [after])
    const all = facts.states.flatMap((state) => state.cookies.map((cookie) => ({ state, cookie })))
    const tracking = all.filter(({ cookie }) => isTracking(cookie))
    const early = once(tracking.filter(({ cookie }) => cookie.moment === 'before'))
    const late = once(tracking.filter(({ state, cookie }) => state.name === 'reject' && cookie.moment === 'rejected'))
    const long = once(all.filter(({ cookie }) => (cookie.lifetime ?? 0) > LONGEST && isOptional(cookie)))
    const unnamed = once(
      all.filter(
        ({ cookie }) =>
          cookie.moment === 'before' && cookie.known === null && cookie.unique && (cookie.lifetime ?? 0) > DAY,
      ),
    )
    return exceptFor(
      [
        ...early.map((one) => found(before, facts, one, said(one.cookie, 'before'))),
        ...late.map((one) => found(after, facts, one, said(one.cookie, 'rejected'))),
        ...long.map((one) =>
          found(
            lifetime,
            facts,
            one,
            `the cookie ${one.cookie.name} (${purpose(one.cookie)}) lasts ${daysOf(one.cookie)}.`,
          ),
        ),
        ...inOne(unnamed, facts),
      ],
      missed ? [missed] : [],
    )
  },
})

interface Held {
  readonly state: StateFacts
  readonly cookie: CookieRecord
}

const isTracking = ({ known }: CookieRecord): boolean =>
  known?.purpose === 'analytics' || known?.purpose === 'marketing'
/** A necessary one may last; of an unknown one only what tells visitors apart is claimed. */
const isOptional = ({ known, unique }: CookieRecord): boolean =>
  known === null ? unique : known.purpose !== 'necessary'

const once = (held: readonly Held[]): readonly Held[] => [
  ...new Map(held.toReversed().map((one) => [`${one.cookie.name} ${one.cookie.domain}`, one])).values(),
]

const said = (cookie: CookieRecord, moment: Moment): string =>
  `the cookie ${cookie.name} of ${cookie.domain} (${purpose(cookie)}) is set ${MOMENTS[moment]}${setter(cookie)}${lasting(cookie)}.`

const purpose = ({ known }: CookieRecord): string =>
  known === null
    ? 'purpose unknown'
    : `${known.purpose}${known.vendor === null ? '' : `, ${known.vendor}`}, according to ${known.source}`

const setter = ({ by, setBy }: CookieRecord): string =>
  setBy === null ? '' : by === 'script' ? ` by the script ${setBy}` : ` by the answer of ${setBy}`

const days = ({ lifetime }: CookieRecord): number => Math.round((lifetime ?? 0) / DAY)
/** What is asked for is what the site answers for; the browser keeps less of it. */
const daysOf = (cookie: CookieRecord): string => {
  const kept = days(cookie)
  const asked = Math.round((cookie.asked ?? 0) / DAY)
  return asked > kept ? `${asked} days, of which the browser keeps ${kept}` : `${kept} days`
}
const lasting = (cookie: CookieRecord): string =>
  cookie.lifetime === null ? ' until the browser ends' : ` for ${daysOf(cookie)}`

const found = (definition: FindingDefinition, facts: PrivacyFacts, { state, cookie }: Held, text: string): Finding => ({
  definition,
  confidence: 'firm',
  at: { url: facts.url },
  subject: `${cookie.name} ${cookie.domain}`,
  detail: `Indication: ${text}`,
  proof: {
    excerpt: [lineOf(cookie), ...cookie.stack].join('\n').slice(0, 4_000),
    mark: cookie.name || null,
    replay: replayOf(facts.url),
  },
  evidence: [...(facts.cookieTable ? [facts.cookieTable] : []), ...harsOf([state])],
})

/** Without its value, which is nobody’s business. */
const lineOf = ({ name, domain, path, length, secure, httpOnly, sameSite, unique }: CookieRecord): string =>
  `${name}=[${length} characters${unique ? ', other ones in another profile' : ''}]; Domain=${domain}; Path=${path}` +
  `${secure ? '; Secure' : ''}${httpOnly ? '; HttpOnly' : ''}; SameSite=${sameSite}`

const inOne = (held: readonly Held[], facts: PrivacyFacts): readonly Finding[] => {
  const [first] = held
  if (!first) return []
  const names = listOf(
    held.map(({ cookie }) => `${cookie.name} (${cookie.domain})`),
    12,
  )
  return [
    {
      ...found(unknown, facts, first, `set before any choice, lasting, and different for each visitor: ${names}.`),
      subject: 'unknown',
    },
  ]
}
