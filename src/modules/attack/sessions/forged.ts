import type { Check, FindingDefinition } from '../../module.ts'
import type { ForgedSeen } from './facts.ts'
import { findingOf, judged } from './judged.ts'

const forged: FindingDefinition = {
  id: 'sessions/forged-request',
  title: 'Cross-site request forgery (CSRF): a page of another site changes data in the visitor’s name',
  severity: 'medium',
  cwe: 352,
  why: 'Whoever is signed in and opens a page of somebody else sends this request without knowing it, and the application carries it out as theirs.',
  remediation:
    'Have the framework ask for its token with each request that changes something, and refuse those without: Django `CsrfViewMiddleware`, Rails `protect_from_forgery with: :exception`, Laravel `@csrf`, Spring Security by default, PHP a random value in the session compared by `hash_equals`. Change nothing by GET. Set SameSite=Lax or Strict on the session cookie besides.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/352.html',
  ],
}

const GUARDS: Readonly<Record<ForgedSeen['guard'], string>> = {
  none: 'Its form has no token',
  optional: 'Its form has a token, which was left out',
  link: 'It is sent by GET, as following a link or a picture does',
}

const SAME_SITE: Readonly<Record<string, string>> = {
  none: 'the session’s cookie has SameSite=None',
  absent: 'the session’s cookie says nothing of SameSite, so that some browsers send it and some do not',
  lax: 'the session’s cookie has SameSite=Lax, which lets links through',
}

/** Whether a request that another site can send changes what is stored. On test systems alone: what is proven there was written. */
export const forgedRequest: Check<'sessions'> = {
  findings: [forged],
  judge: ({ forged: topic }) =>
    judged(
      topic,
      topic.seen.map((seen) =>
        findingOf(forged, seen, {
          // Whether a browser would send the cookie is not known of one that the run was given.
          ...{
            confidence: seen.sameSite === null ? 'firm' : 'confirmed',
            parameter: seen.parameter,
            basis: seen.guard,
          },
          detail: `${GUARDS[seen.guard]}; sent with the Origin and Referer of another site, its value was then seen at ${new URL(seen.page).pathname}, while it is refused without a session${seen.sameSite === null ? '' : `, and ${SAME_SITE[seen.sameSite] ?? 'its cookie is sent'}`}.`,
        }),
      ),
      {
        unit: 'forms that change something of the account',
        absent: 'no form was found whose effect would be seen',
      },
    ),
}
