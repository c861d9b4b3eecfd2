import type { Check, FindingDefinition } from '../../module.ts'
import { findingOf, judged } from './judged.ts'

const lives: FindingDefinition = {
  id: 'sessions/alive-after-sign-out',
  title: 'Session not ended by the sign-out: what carried it is let in afterwards',
  severity: 'medium',
  cwe: 613,
  why: 'Signing out only takes the identifier away from the browser. Who has a copy, from a shared computer, a log, a proxy or a flaw in a page, stays in the account, and its owner has no way to end that.',
  remediation:
    'End the session on the server, then take the cookie back: PHP `$_SESSION = []; session_destroy();`, Express `req.session.destroy(…)`, Django `logout(request)`. Sessions that are signed and kept by the browser (Flask, JSON Web Tokens) need a list of those that are over, or a version in the account that the sign-out raises.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html#session-expiration',
    'https://cwe.mitre.org/data/definitions/613.html',
  ],
}

/** Whether a session is over after its sign-out. On test systems alone, with a session begun for it. */
export const aliveAfterSignOut: Check<'sessions'> = {
  findings: [lives],
  judge: ({ signOut }) =>
    judged(
      signOut,
      signOut.seen.map((seen) =>
        findingOf(lives, seen, {
          ...{ confidence: seen.isSeen ? 'confirmed' : 'firm', basis: seen.carriedBy },
          subject: new URL(seen.url).pathname,
          detail: seen.isSeen
            ? 'The answer signs the browser out, and the cookie from before is still answered as the account.'
            : `The sign-out was answered as done, and the ${seen.carriedBy} from before is still answered as the account.`,
        }),
      ),
      { unit: 'ways to sign out', absent: 'no way to sign out was found' },
    ),
}
