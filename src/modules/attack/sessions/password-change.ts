import type { Check, FindingDefinition } from '../../module.ts'
import { findingOf, judged } from './judged.ts'

const unverified: FindingDefinition = {
  id: 'sessions/password-change-unverified',
  title: 'Unverified password change: a new password is set without the one before',
  severity: 'medium',
  cwe: 620,
  why: 'Whoever has the session for a minute, at a computer that was left, by a stolen cookie or by a request that another site has the browser send, has the account for good, and its owner is locked out.',
  remediation:
    'Ask for the present password (or a second factor) in the same request and compare it on the server before the new one is kept; end all other sessions of the account afterwards and tell its owner by mail.',
  references: [
    'https://cwe.mitre.org/data/definitions/620.html',
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/04-Authentication_Testing/09-Testing_for_Weak_Password_Change_or_Reset_Functionalities',
  ],
}

/** Firm at most: none is sent, so that what a server asks besides, as whether the sign-in was a moment ago, is not seen. */
export const passwordChange: Check<'sessions'> = {
  findings: [unverified],
  judge: ({ passwords: topic }) =>
    topic === undefined
      ? { state: 'not_tested', reason: 'the run is of a version that did not ask for it' }
      : judged(
          topic,
          topic.seen.map((seen) =>
            findingOf(unverified, seen, {
              ...{ confidence: 'firm', basis: seen.names.join(' ') },
              detail: `${seen.page} has a form or script that sets the password of whoever is signed in, and asks for ${seen.names.join(' and ')} alone.`,
            }),
          ),
          { unit: 'ways to set a password', absent: 'no form was found by which an account sets its password' },
        ),
}
