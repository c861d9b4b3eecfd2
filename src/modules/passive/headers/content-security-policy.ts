import { enforcedOf, POLICY_HEADERS, policiesOf, reportedOf } from '../../../page/headers/policies.ts'
import type { Page } from '../../../page/page.ts'
import { documentsSeen } from '../../documents.ts'
import { type Hit, posture } from '../../evidence/pages.ts'
import type { Check, FindingDefinition } from '../../module.ts'
import { errorPagesOf, withoutDocuments } from '../site/facts-pages.ts'
import { sendHeader } from './remedy.ts'

const STRICT =
  "script-src 'nonce-{random}' 'strict-dynamic'; object-src 'none'; base-uri 'none'; frame-ancestors 'self'"
const REFERENCES = [
  'https://www.w3.org/TR/CSP3/',
  'https://developer.mozilla.org/en-US/docs/Web/HTTP/Guides/CSP',
  'https://cheatsheetseries.owasp.org/cheatsheets/Content_Security_Policy_Cheat_Sheet.html',
  'https://cwe.mitre.org/data/definitions/693.html',
] as const
const common = { cwe: 693, group: 'browser-policy', references: REFERENCES } as const

const missing: FindingDefinition = {
  ...common,
  id: 'headers/content-security-policy-missing',
  title: 'Content-Security-Policy missing',
  severity: 'medium',
  why:
    'A Content Security Policy tells the browser which scripts belong to the page. Without one, every injection of ' +
    'markup, in the site or in a script it loads, runs with the full rights of the visitor.',
  remediation:
    `Send a policy with every HTML answer, such as \`Content-Security-Policy: ${STRICT}\`, with a fresh random nonce ` +
    'in every answer that is also set on each of your own script elements. Begin with ' +
    '`Content-Security-Policy-Report-Only` and enforce it once the reports are quiet. A site without scripts of its ' +
    `own can start at once: ${sendHeader('Content-Security-Policy', "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'self'")}`,
}

const reportOnly: FindingDefinition = {
  ...common,
  id: 'headers/content-security-policy-report-only',
  title: 'Content-Security-Policy report-only: nothing is enforced',
  severity: 'low',
  why: 'A report-only policy blocks nothing: an injected script is reported, after it has run.',
  remediation:
    'Once the reports show no break of your own pages, send the same value as `Content-Security-Policy`. Both headers ' +
    'may be sent together, so a stricter policy can be tried while the present one protects.',
}

const unreadable: FindingDefinition = {
  ...common,
  id: 'headers/content-security-policy-unreadable',
  title: 'Content-Security-Policy invalid: it holds nothing a browser can use',
  severity: 'medium',
  why:
    'Browsers drop a directive that contains a character outside ASCII, typically a curly quote from a text processor. ' +
    'Here nothing is left, so the pages are as unprotected as without the header.',
  remediation:
    "Write the policy with plain ASCII characters: keywords in straight single quotes ('self'), directives separated by " +
    `";". ${sendHeader('Content-Security-Policy', "default-src 'self'; object-src 'none'; base-uri 'none'")}`,
}

const errorPages: FindingDefinition = {
  ...common,
  id: 'headers/content-security-policy-error-pages',
  title: 'Content-Security-Policy missing on error pages',
  severity: 'info',
  why:
    'Error pages belong to the same origin as the rest. One that echoes the address or loads a script gives an attacker ' +
    'the way around the policy of all other pages.',
  remediation:
    'Send the policy with every status. nginx leaves `add_header` out of errors unless it ends with `always`; in Apache ' +
    'use `Header always set`.',
}

/** Is there a policy at all that binds the documents of the site. */
export const contentSecurityPolicy: Check<'headers', 'site'> = {
  findings: [missing, reportOnly, unreadable, errorPages],
  judge: (facts, { site }) => {
    const none = withoutDocuments(site, facts)
    if (none) return none
    const documents = documentsSeen(site, facts)
    const bare = documents.filter((page) => enforcedOf(page).length === 0)
    const unreadablePages = bare.filter((page) => policiesOf(page).some(({ nonAscii }) => nonAscii.length > 0))
    const readable = bare.filter((page) => !unreadablePages.includes(page))
    const [observed, absent] = [readable.filter(reports), readable.filter((page) => !reports(page))]
    const bareErrors = documents.some((page) => !bare.includes(page))
      ? errorPagesOf(site).filter((page) => enforcedOf(page).length === 0)
      : []
    const options = { headers: POLICY_HEADERS }
    return [
      ...posture(missing, absent.map(absence), options),
      ...posture(reportOnly, observed.map(observation), options),
      ...posture(unreadable, unreadablePages.map(breakage), options),
      ...posture(errorPages, bareErrors.map(errorAbsence), options),
    ]
  },
}

const reports = (page: Page): boolean => reportedOf(page).length > 0

const absence = (page: Page): Hit => ({
  page,
  detail: `${page.url} answers ${page.status} with neither a Content-Security-Policy header nor a meta element.`,
})
const observation = (page: Page): Hit => ({
  page,
  detail: `${page.url} sends Content-Security-Policy-Report-Only and no policy that is enforced.`,
  mark: 'Report-Only',
})
const breakage = (page: Page): Hit => ({
  page,
  detail: `Every directive of the policy of ${page.url} is dropped, as it contains characters outside ASCII.`,
  mark: policiesOf(page)[0]?.nonAscii[0] ?? '',
})
const errorAbsence = (page: Page): Hit => ({
  page,
  detail: `${page.url} answers ${page.status} without the Content Security Policy that other pages carry.`,
})
