import type { Check, FindingDefinition } from '../../module.ts'
import type { FixationSeen } from './facts.ts'
import { findingOf, judged } from './judged.ts'

const fixation: FindingDefinition = {
  id: 'sessions/fixation',
  title: 'Session fixation: the identifier from before the sign-in opens the session after it',
  severity: 'medium',
  cwe: 384,
  why: 'Whoever has planted an identifier in somebody’s browser, by a subdomain, a network without TLS or a flaw in a page, waits until that person signs in, and is then in the same account.',
  remediation:
    'Give a new identifier when somebody signs in, and forget the old one: PHP `session_regenerate_id(true)` and `session.use_strict_mode = 1` in php.ini, Express `req.session.regenerate(…)`, Java `request.changeSessionId()`, Rails `reset_session`, Flask-Session `session.regenerate()`.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html#renew-the-session-id-after-any-privilege-level-change',
    'https://cwe.mitre.org/data/definitions/384.html',
  ],
}

/** Whether the identifier that was there before a sign-in is the one after it. */
export const sessionFixation: Check<'sessions'> = {
  findings: [fixation],
  judge: ({ fixation: topic }) =>
    judged(
      topic,
      topic.seen.map((seen) =>
        findingOf(fixation, seen, {
          ...{ confidence: 'confirmed', subject: seen.cookies.join(', '), basis: seen.ways.join(' ') },
          detail: detailOf(seen),
        }),
      ),
      { unit: 'sign-ins', absent: 'no sign-in of the run is carried by a cookie' },
    ),
}

const detailOf = ({ cookies, ways }: FixationSeen): string => {
  const name = cookies.join(', ')
  const kept = `the value of ${name} from before the sign-in was answered as the account after it`
  const planted = `a value of ${name} that the scanner had made up was, too`
  if (!ways.includes('planted')) return `${kept.replace(/^t/, 'T')}.`
  return ways.includes('kept')
    ? `${kept.replace(/^t/, 'T')}; ${planted}.`
    : `A value of ${name} that the scanner had made up and brought to the sign-in was answered as the account after it.`
}
