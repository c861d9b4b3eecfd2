import type { Check, Finding, FindingDefinition, Judgement } from '../../module.ts'
import type { Asked, AuthorizationFacts, Bypass, Flaw } from './facts.ts'

const CHEAT_SHEET = 'https://cheatsheetseries.owasp.org/cheatsheets/Authorization_Cheat_Sheet.html'

const object: FindingDefinition = {
  id: 'authorization/object-level',
  title: "Broken object level authorization (BOLA): one user is answered with another one's data",
  severity: 'high',
  cwe: 639,
  why: 'Whoever is signed in can put the number of an object that belongs to somebody else into a request, and read or change it. Counting through the numbers gives the data of all users.',
  remediation:
    'Check in the handler of this operation that the object belongs to the user of the session, or to the organisation of that user, before it is read or changed: `where id = :id and owner_id = :user`. Answer 404 where it does not. Numbers that cannot be guessed do not replace the check.',
  references: ['https://owasp.org/API-Security/editions/2023/en/0xa1-broken-object-level-authorization/', CHEAT_SHEET],
}

const fn: FindingDefinition = {
  id: 'authorization/function-level',
  title: 'Broken function level authorization (BFLA): a function for a higher role is answered to a lower one',
  severity: 'high',
  cwe: 862,
  why: 'A function that is meant for administrators or staff does not ask for the role. That no page shows it to others is no protection: its address is known from scripts, from a description, or guessed.',
  remediation:
    'Ask for the role in front of the handler, for all routes of this folder at once, and refuse by default: `router.use("/admin", requireRole("admin"))`. Answer 403 to everybody else.',
  references: [
    'https://owasp.org/API-Security/editions/2023/en/0xa5-broken-function-level-authorization/',
    CHEAT_SHEET,
  ],
}

const authentication: FindingDefinition = {
  id: 'authorization/missing-authentication',
  title: 'Missing authentication: data of signed-in users is answered without a session',
  severity: 'high',
  cwe: 306,
  why: 'This operation answers anybody on the internet with what operations beside it show to signed-in users alone. No account is needed to read or change it.',
  remediation:
    'Put the route behind the middleware that checks the session, as the routes beside it are, and refuse by default: public routes are the exception that is listed.',
  references: [
    'https://owasp.org/API-Security/editions/2023/en/0xa2-broken-authentication/',
    'https://cheatsheetseries.owasp.org/cheatsheets/Authentication_Cheat_Sheet.html',
  ],
}

const open: FindingDefinition = {
  id: 'authorization/open-administration',
  title: 'Open administration: a page for administrators is shown to everybody',
  severity: 'high',
  cwe: 306,
  why: 'A part of the application that is named for its administrators shows data of people, or forms that change things, to anybody on the internet. No account is needed.',
  remediation:
    'Put the whole folder behind the sign-in and ask for the role, refusing by default: `router.use("/admin", requireRole("admin"))`, or in the web server a rule for the folder. That no page links there is no protection.',
  references: [
    'https://owasp.org/Top10/2021/A01_2021-Broken_Access_Control/',
    'https://cwe.mitre.org/data/definitions/306.html',
  ],
}

const bypass: FindingDefinition = {
  id: 'authorization/access-bypass',
  title: 'Access control bypass: what is refused is answered to another way of asking',
  severity: 'high',
  cwe: 863,
  why: 'What refuses and what answers read a request differently: another spelling of the path, a header or a parameter leads past the rule. Everything behind that rule is open to anybody on the internet.',
  remediation:
    'Decide in the handler that answers, not by comparing the text of the address in front of it; refuse by default, and list what is public by its whole decoded path. Take no header, cookie or parameter of the client for who it is, and let the proxy in front remove X-Original-URL, X-Rewrite-URL and X-Forwarded-For of others.',
  references: [
    'https://owasp.org/Top10/2021/A01_2021-Broken_Access_Control/',
    'https://cwe.mitre.org/data/definitions/863.html',
    CHEAT_SHEET,
  ],
}

const DEFINITIONS: Readonly<Record<Flaw['kind'], FindingDefinition>> = { object, function: fn, authentication, open }

const findingsOf = ({ flaws }: AuthorizationFacts, kind: Flaw['kind']): readonly Finding[] =>
  flaws
    .filter((flaw) => flaw.kind === kind)
    .map((flaw, _, all) => findingOf({ ...flaw, name: all.find((one) => isPageOf(one, flaw))?.name ?? flaw.name }))

/** One page that is asked with a parameter more: `GET /reports` beside `GET /reports?since`; not with what chooses the program, `?page=reports`. */
const isPageOf = (one: Flaw, flaw: Flaw): boolean =>
  one.writes === flaw.writes && one.name !== flaw.name && one.name === flaw.name.replace(/\?[^?=\s]*$/, '')

/** What was found before somebody's session was lost stands. */
const findingsAnd = (facts: AuthorizationFacts, kind: Flaw['kind']): { readonly findings?: readonly Finding[] } => {
  const findings = findingsOf(facts, kind)
  return findings.length === 0 ? {} : { findings }
}

const findingOf = (flaw: Flaw): Finding => ({
  definition: DEFINITIONS[flaw.kind],
  confidence: flaw.confidence,
  at: {
    ...{ url: flaw.url, method: flaw.method },
    ...(flaw.parameter === null ? {} : { parameter: flaw.parameter }),
  },
  // One operation is one problem, whoever may use it.
  subject: `${flaw.procedure === undefined ? flaw.name : flaw.name.replace(` ${flaw.procedure}`, '')}${flaw.writes ? ' (writes)' : ''}`,
  ...(flaw.procedure === undefined ? {} : { procedure: flaw.procedure }),
  detail: flaw.detail,
  proof: { excerpt: flaw.excerpt, mark: flaw.mark, replay: flaw.replay, basis: flaw.writes ? 'written' : 'shown' },
  evidence: flaw.evidence,
})

const MOST_REASONS = 3

/** A pass where everybody was asked about everything; else what kept the rest. */
const judged = (findings: readonly Finding[], { asked, known, reasons }: Asked, nothing: string): Judgement => {
  if (known === 0) return findings.length > 0 ? findings : { state: 'not_applicable', reason: nothing }
  if (asked === known) return findings
  const first = reasons[0]
  return {
    state: 'inconclusive',
    reason: `${asked} of ${known} operations were asked in full; ${first?.reason ?? 'the others were not'}`,
    findings,
    reached: { asked, known, reasons: reasons.slice(0, MOST_REASONS) },
  }
}

/** Identities that were asked. */
const present = ({ people }: AuthorizationFacts) => people.filter(({ rank, left }) => rank !== null && left === null)

/** Nobody was given. */
const isOfNobody = ({ people }: AuthorizationFacts): boolean => people.every(({ rank }) => rank === null)
const OF_NOBODY = {
  state: 'not_tested',
  reason: 'the run looks as nobody, so that there is nobody whose data could be taken',
} as const

const lost = ({ people }: AuthorizationFacts): string => {
  const missing = people.filter(({ rank, left }) => rank !== null && left !== null)
  return missing.length === 0 ? '' : ` (${missing.map(({ name, left }) => `${name}: ${left}`).join('; ')})`
}

export const objectLevel: Check<'authorization'> = {
  findings: [object],
  judge: (facts) => {
    if (isOfNobody(facts)) return OF_NOBODY
    if (present(facts).length < 2)
      return { ...findingsAnd(facts, 'object'), state: 'not_tested', reason: `it needs two identities${lost(facts)}` }
    return judged(findingsOf(facts, 'object'), facts.objects, 'no operation takes the name of an object')
  },
}

export const functionLevel: Check<'authorization'> = {
  findings: [fn],
  judge: (facts) => {
    if (isOfNobody(facts)) return OF_NOBODY
    const ranks = new Set(present(facts).map(({ rank }) => rank))
    if (ranks.size < 2)
      return {
        ...findingsAnd(facts, 'function'),
        state: 'not_tested',
        reason: `it needs two identities of different roles, by words such as administrator, editor, customer${lost(facts)}`,
      }
    return judged(findingsOf(facts, 'function'), facts.functions, 'no operation was granted to anybody')
  },
}

export const missingAuthentication: Check<'authorization'> = {
  findings: [authentication],
  judge: (facts) => {
    if (isOfNobody(facts)) return OF_NOBODY
    if (present(facts).length === 0)
      return {
        ...findingsAnd(facts, 'authentication'),
        state: 'not_tested',
        reason: `nobody was signed in${lost(facts)}`,
      }
    return judged(findingsOf(facts, 'authentication'), facts.authentication, 'no operation was granted to anybody')
  },
}

export const openAdministration: Check<'authorization'> = {
  findings: [open],
  judge: (facts) => judged(findingsOf(facts, 'open'), facts.open ?? NONE_ASKED, 'nothing is named for administrators'),
}

export const accessBypass: Check<'authorization'> = {
  findings: [bypass],
  judge: ({ bypasses }) =>
    bypasses === undefined
      ? { state: 'not_tested', reason: 'the facts of this run are of an older version' }
      : judged(bypasses.hits.map(bypassFinding), bypasses.asked, 'nothing was refused that the run has learned of'),
}

const bypassFinding = ({ way, words, url, status, also, values, excerpt, replay, evidence }: Bypass): Finding => ({
  definition: bypass,
  confidence: 'confirmed',
  at: { url, method: 'GET' },
  places: also.map((one) => ({ url: one, method: 'GET' })),
  subject: way,
  detail: `${new URL(url).pathname} is refused with ${status}, and answered when it is asked ${words}${values.length === 0 ? '' : `, with ${values.map((one) => `“${one}”`).join(', ')}`}.`,
  proof: { excerpt, mark: null, replay, basis: 'shown' },
  evidence,
})
const NONE_ASKED: Asked = { asked: 0, known: 0, reasons: [] }
