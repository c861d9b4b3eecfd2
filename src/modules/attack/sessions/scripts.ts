import type { Check, FindingDefinition } from '../../module.ts'
import { findingOf, judged } from './judged.ts'

const definition: FindingDefinition = {
  id: 'sessions/script-inclusion',
  title: 'Cross-site script inclusion: a script tells pages of other sites who is signed in',
  severity: 'medium',
  cwe: 346,
  why: 'A page of any site may include a script of this one, and the browser sends the visitor’s cookies with it. What stands in it (JSONP, or variables that a page is filled with) is then read by that site: the same-origin policy does not hold for scripts.',
  remediation:
    'Answer what belongs to an account as JSON (Content-Type: application/json, X-Content-Type-Options: nosniff), without a callback, and let the own pages fetch it; other sites that may read it are named by CORS. Where it has to stay a script: set the session’s cookie with SameSite=Lax, and refuse requests with `Sec-Fetch-Site: cross-site`.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/11-Client-side_Testing/13-Testing_for_Cross_Site_Script_Inclusion',
    'https://capec.mitre.org/data/definitions/111.html',
  ],
}

/** Whether scripts hold what is the account's own. */
export const scriptInclusion: Check<'sessions'> = {
  findings: [definition],
  judge: ({ scripts }) =>
    scripts === undefined
      ? { state: 'not_tested', reason: 'the run is of a version that did not ask for it' }
      : judged(
          scripts,
          scripts.seen.map((seen) => {
            const held =
              seen.sameSite === 'none'
                ? ''
                : '; the cookie says nothing of other sites, so that some browsers send it with the script and some do not'
            return findingOf(definition, seen, {
              ...{ confidence: 'confirmed', subject: new URL(seen.url).pathname, basis: seen.what.join(', ') },
              detail: `Asked for as a script by a page of another site, it holds ${seen.what.join(', ')} in ${seen.names.join(', ')}, and nobody else is told that${held}.`,
            })
          }),
          { unit: 'scripts', absent: 'no script was found' },
        ),
}
