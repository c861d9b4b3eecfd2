import { combined, valuesOf } from '../../../page/pages.ts'
import { documentsSeen } from '../../documents.ts'
import { posture } from '../../evidence/pages.ts'
import type { Check, FindingDefinition } from '../../module.ts'
import { withoutDocuments } from '../site/facts-pages.ts'

const common = { cwe: 693, group: 'browser-policy' } as const

const filter: FindingDefinition = {
  ...common,
  id: 'headers/x-xss-protection-enabled',
  title: 'X-XSS-Protection enabled: it switches on a filter that does harm',
  severity: 'info',
  why:
    'No present browser has the filter. Old ones that do can be made to switch off scripts of the page one by one, or ' +
    'to give away what the page contains.',
  remediation:
    'Remove the header, or send `X-XSS-Protection: 0`. A Content Security Policy does what the filter could not.',
  references: [
    'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/X-XSS-Protection',
    'https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Headers_Cheat_Sheet.html',
  ],
}

const withdrawn: FindingDefinition = {
  ...common,
  id: 'headers/deprecated-headers',
  title: 'Deprecated security headers are sent',
  severity: 'info',
  why: 'No browser acts on them any more. They cost bytes and suggest a protection that is absent.',
  remediation:
    'Remove them. In place of Feature-Policy send Permissions-Policy, in place of X-Content-Security-Policy and ' +
    'X-WebKit-CSP send Content-Security-Policy; Expect-CT and Public-Key-Pins have no successor, as browsers now ask ' +
    'every certificate for its transparency log entries.',
  references: [
    'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Expect-CT',
    'https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Headers_Cheat_Sheet.html',
  ],
}

const crossDomain: FindingDefinition = {
  ...common,
  id: 'headers/cross-domain-policies-all',
  title: 'X-Permitted-Cross-Domain-Policies lets any policy file count',
  severity: 'info',
  why: 'Adobe clients may take any file of the site, an upload too, as a statement which other sites may read its data.',
  remediation: 'Send `X-Permitted-Cross-Domain-Policies: none`, or remove the header: the default is as strict.',
  references: ['https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Headers_Cheat_Sheet.html'],
}

const WITHDRAWN = [
  'expect-ct',
  'feature-policy',
  'public-key-pins',
  'public-key-pins-report-only',
  'x-content-security-policy',
  'x-webkit-csp',
]

/** Headers that once protected. */
export const deprecated: Check<'headers', 'site'> = {
  findings: [filter, withdrawn, crossDomain],
  judge: (facts, { site }) => {
    const none = withoutDocuments(site, facts)
    if (none) return none
    const pages = documentsSeen(site, facts)
    const filtering = pages.flatMap((page) => {
      const value = combined(page.headers, 'x-xss-protection') ?? '0'
      return /^1/.test(value) ? [{ page, detail: `${page.url} sends X-XSS-Protection: ${value}.`, mark: value }] : []
    })
    const stale = pages.flatMap((page) => {
      const names = page.headers.map(([name]) => name).filter((name) => WITHDRAWN.includes(name.toLowerCase()))
      return names.length > 0 ? [{ page, detail: `${page.url} sends ${names.join(', ')}.`, mark: names[0] ?? '' }] : []
    })
    const permissive = pages.flatMap((page) =>
      valuesOf(page.headers, 'x-permitted-cross-domain-policies').some((value) => value.toLowerCase() === 'all')
        ? [{ page, detail: `${page.url} sends X-Permitted-Cross-Domain-Policies: all.`, mark: 'all' }]
        : [],
    )
    return [
      ...posture(filter, filtering, { headers: ['x-xss-protection'] }),
      ...posture(withdrawn, stale, { headers: WITHDRAWN }),
      ...posture(crossDomain, permissive, { headers: ['x-permitted-cross-domain-policies'] }),
    ]
  },
}
