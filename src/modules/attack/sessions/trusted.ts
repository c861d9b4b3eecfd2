import type { Check, FindingDefinition } from '../../module.ts'
import { findingOf, judged } from './judged.ts'

const trusted: FindingDefinition = {
  id: 'sessions/trusted-cookie',
  title: 'Cookie without integrity check: whoever writes another number or name into it is signed in as somebody else',
  severity: 'high',
  cwe: 565,
  why: 'A visitor writes another number or name into the cookie and is in that account. No password is asked for, and nothing in the log tells the two apart.',
  remediation:
    'Keep who is signed in on the server, under a random identifier (Express `express-session`, PHP `$_SESSION`), or sign the cookie and refuse what does not fit (Rails `cookies.encrypted`, Django `get_signed_cookie`, Flask `session`). For “stay signed in” give a random token for each device, keep its hash, and end it at sign-out.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/06-Session_Management_Testing/01-Testing_for_Session_Management_Schema',
    'https://cwe.mitre.org/data/definitions/565.html',
  ],
}

/** Whether what names somebody in a cookie is believed without any proof. */
export const trustedCookie: Check<'sessions'> = {
  findings: [trusted],
  judge: ({ trusted: topic }) =>
    topic === undefined
      ? { state: 'not_tested', reason: 'the run is of a version that did not ask for it' }
      : judged(
          topic,
          topic.seen.map((seen) =>
            findingOf(trusted, seen, {
              ...{ confidence: 'confirmed', subject: seen.cookie, basis: `${seen.says} ${seen.way}` },
              detail: `${seen.cookie} is ${seen.says}. With another one ${seen.way === 'alone' ? 'and no other cookie' : 'beside the same session'}, the page of the account was that of somebody else; with one that nobody has it was nobody’s.`,
            }),
          ),
          { unit: 'cookies', absent: 'no cookie of the sign-in says in clear whose it is' },
        ),
}
