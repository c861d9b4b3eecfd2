import { effective } from '../../../page/csp/effective.ts'
import type { Policy } from '../../../page/csp/policy.ts'
import { hasKeyword, parseSource } from '../../../page/csp/source.ts'
import { enforcedOf, POLICY_HEADERS, policiesOf } from '../../../page/headers/policies.ts'
import type { Page } from '../../../page/page.ts'
import { documentsSeen } from '../../documents.ts'
import { clip, type Hit, posture } from '../../evidence/pages.ts'
import type { Check, FindingDefinition } from '../../module.ts'
import { withoutDocuments } from '../site/facts-pages.ts'
import { isDeprecatedDirective, isKnownDirective, syntaxProblems } from './content-security-policy-syntax.ts'

const REFERENCES = [
  'https://www.w3.org/TR/CSP3/#framework-directives',
  'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Content-Security-Policy',
  'https://cwe.mitre.org/data/definitions/693.html',
] as const
const common = { cwe: 693, group: 'browser-policy', references: REFERENCES } as const

const syntax: FindingDefinition = {
  ...common,
  id: 'headers/content-security-policy-syntax',
  title: 'Content-Security-Policy syntax error: browsers ignore a part of it',
  severity: 'low',
  why: 'A browser skips what it cannot read, without a word to the visitor: the policy is not the one that was meant.',
  remediation:
    "Separate directives with \";\", put keywords in straight single quotes ('self', not self), use 'none' alone, and " +
    'list no commas between sources. The console of the browser’s developer tools names each ignored part.',
}

const duplicate: FindingDefinition = {
  ...common,
  id: 'headers/content-security-policy-duplicate',
  title: 'Content-Security-Policy names a directive twice',
  severity: 'low',
  why: 'The first of two directives with one name counts, the second is ignored, although it may be the one that was added last.',
  remediation:
    "Merge the sources into one directive: `script-src 'self' https://a.example; script-src https://b.example` becomes `script-src 'self' https://a.example https://b.example`.",
}

const unknown: FindingDefinition = {
  ...common,
  id: 'headers/content-security-policy-unknown-directive',
  title: 'Content-Security-Policy names an unknown directive',
  severity: 'info',
  why: 'No browser acts on a directive it does not know, most often a spelling mistake in one that was meant to protect.',
  remediation: 'Correct the name, or remove the directive.',
}

const deprecated: FindingDefinition = {
  ...common,
  id: 'headers/content-security-policy-deprecated-directive',
  title: 'Content-Security-Policy uses a deprecated directive',
  severity: 'info',
  why: 'Browsers have removed the directive, so it does nothing.',
  remediation:
    'Remove it. In place of block-all-mixed-content use upgrade-insecure-requests; in place of plugin-types use ' +
    "object-src 'none'; in place of referrer send Referrer-Policy.",
}

const metaIgnored: FindingDefinition = {
  ...common,
  id: 'headers/content-security-policy-meta-ignored',
  title: 'Content-Security-Policy in a meta element: some of its directives work in a header alone',
  severity: 'low',
  why: 'Browsers remove frame-ancestors, report-uri and sandbox from a policy in a meta element: that protection is absent.',
  remediation:
    'Send them as a header. nginx: `add_header Content-Security-Policy "frame-ancestors \'self\'" always;`. Apache: `Header always set Content-Security-Policy "frame-ancestors \'self\'"`.',
}

const insecure: FindingDefinition = {
  ...common,
  id: 'headers/content-security-policy-insecure-source',
  title: 'Content-Security-Policy of an https page names http sources',
  severity: 'low',
  why: 'The policy invites content that anyone on the way can change, and shows that parts of the site may still use it.',
  remediation: 'Write https: in place of http: in every source, and add upgrade-insecure-requests.',
}

const address: FindingDefinition = {
  ...common,
  id: 'headers/content-security-policy-ip-source',
  title: 'Content-Security-Policy names an IP address',
  severity: 'info',
  why: 'Browsers need not match IP addresses other than 127.0.0.1, and an address may go to another owner unnoticed.',
  remediation: 'Name the host instead of its address, or remove a source left over from development.',
}

const reporting: FindingDefinition = {
  ...common,
  id: 'headers/content-security-policy-no-reporting',
  title: 'Content-Security-Policy reports nothing',
  severity: 'info',
  why: 'Reports show an attempted injection, and a page broken by the policy, while it happens.',
  remediation:
    'Add `report-to csp` with `Reporting-Endpoints: csp="https://reports.your-site.example/"`, and `report-uri` for browsers without it.',
}

const trustedTypes: FindingDefinition = {
  ...common,
  id: 'headers/content-security-policy-no-trusted-types',
  title: 'Content-Security-Policy without Trusted Types',
  severity: 'info',
  why: 'Trusted Types stop the injections that happen inside scripts (innerHTML and the like), which script-src cannot see.',
  remediation: "Add `require-trusted-types-for 'script'`, first in a report-only policy.",
}

const formAction: FindingDefinition = {
  ...common,
  id: 'headers/content-security-policy-form-unrestricted',
  title: 'Content-Security-Policy without form-action: where forms go is not restricted',
  severity: 'info',
  why: 'Injected markup needs no script to send what a visitor types, or a password manager fills in, to another host.',
  remediation: "Add `form-action 'self'` and the hosts that your forms really use; default-src does not cover it.",
}

/** Errors and gaps in a policy that bind no attacker by themselves. */
export const contentSecurityPolicyQuality: Check<'headers', 'site'> = {
  findings: [
    syntax,
    duplicate,
    unknown,
    deprecated,
    metaIgnored,
    insecure,
    address,
    reporting,
    trustedTypes,
    formAction,
  ],
  judge: (facts, { site }) => {
    const none = withoutDocuments(site, facts)
    if (none) return none
    const pages = documentsSeen(site, facts).filter((page) => policiesOf(page).length > 0)
    if (pages.length === 0) return { state: 'not_applicable', reason: 'No page carries a Content Security Policy.' }
    const options = { headers: POLICY_HEADERS }
    const report = (definition: FindingDefinition, judge: (page: Page) => Noted | null) =>
      posture(
        definition,
        pages.flatMap((page) => hitOf(page, judge(page))),
        options,
      )
    return [
      ...report(syntax, (page) => listed(policiesOf(page).flatMap(syntaxProblems), 'has')),
      ...report(duplicate, (page) =>
        listed(
          policiesOf(page).flatMap(({ duplicates }) => duplicates),
          'repeats',
        ),
      ),
      ...report(unknown, (page) =>
        listed(
          namesOf(page).filter((name) => !isKnownDirective(name)),
          'names',
        ),
      ),
      ...report(deprecated, (page) => listed(namesOf(page).filter(isDeprecatedDirective), 'uses')),
      ...report(metaIgnored, (page) =>
        listed(
          policiesOf(page).flatMap(({ removed }) => removed),
          'has in a meta element',
        ),
      ),
      ...report(insecure, (page) =>
        page.url.startsWith('https:') ? listed(sourcesOf(page).filter(isInsecure), 'names the source') : null,
      ),
      ...report(address, (page) => listed(sourcesOf(page).filter(isAddress), 'names the source')),
      ...report(reporting, (page) =>
        lacking(
          page,
          ({ directives }) => directives.has('report-to') || directives.has('report-uri'),
          'neither report-to nor report-uri',
        ),
      ),
      ...report(trustedTypes, (page) =>
        lacking(
          page,
          ({ directives }) => directives.has('require-trusted-types-for') || blocksScripts(directives),
          'no require-trusted-types-for',
        ),
      ),
      ...report(formAction, (page) =>
        lacking(page, ({ directives }) => directives.has('form-action') || directives.has('sandbox'), 'no form-action'),
      ),
    ]
  },
}

interface Noted {
  readonly text: string
  readonly mark: string
}

const hitOf = (page: Page, noted: Noted | null): readonly Hit[] =>
  noted === null ? [] : [{ page, detail: `The policy of ${page.url} ${noted.text}.`, mark: noted.mark }]

const listed = (items: readonly string[], verb: string): Noted | null => {
  const unique = [...new Set(items)]
  return unique[0] === undefined
    ? null
    : { text: `${verb} ${clip(unique.slice(0, 8).join('; '), 500)}`, mark: unique[0] }
}

/** A gap counts where no enforced policy closes it. */
const lacking = (page: Page, closed: (policy: Policy) => boolean, what: string): Noted | null => {
  const policies = enforcedOf(page)
  return policies.length === 0 || policies.some(closed) ? null : { text: `has ${what}`, mark: '' }
}

/** Where no script may run at all there is nothing that Trusted Types could guard. */
const blocksScripts = (directives: Policy['directives']): boolean => {
  const sources = (directives.get('script-src') ?? directives.get('default-src'))?.map(parseSource)
  return sources !== undefined && (sources.length === 0 || (sources.length === 1 && hasKeyword(sources, 'none')))
}

const namesOf = (page: Page): readonly string[] => policiesOf(page).flatMap(({ directives }) => [...directives.keys()])

const sourcesOf = (page: Page): readonly string[] =>
  policiesOf(page).flatMap((policy) =>
    [...policy.directives].flatMap(([name, tokens]) =>
      effective(policy, name)?.name === name &&
      /-src(-elem|-attr)?$|^(base-uri|form-action|frame-ancestors)$/.test(name)
        ? tokens
        : [],
    ),
  )

const isInsecure = (token: string): boolean => {
  const source = parseSource(token)
  return (source.kind === 'scheme' || source.kind === 'host') && ['http', 'ws', 'ftp'].includes(source.scheme ?? '')
}

const isAddress = (token: string): boolean => {
  const source = parseSource(token)
  if (source.kind !== 'host' || source.host === '127.0.0.1') return false
  return source.host.startsWith('[') || /^\d{1,3}(\.\d{1,3}){3}$/.test(source.host)
}
