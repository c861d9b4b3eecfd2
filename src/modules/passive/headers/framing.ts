import { isSessionCookieLine } from '../../../page/cookies/session.ts'
import { effective } from '../../../page/csp/effective.ts'
import { hasKeyword } from '../../../page/csp/source.ts'
import { enforcedOf } from '../../../page/headers/policies.ts'
import type { Page } from '../../../page/page.ts'
import { markupOf, valuesOf } from '../../../page/pages.ts'
import { documentsSeen } from '../../documents.ts'
import { type Hit, posture } from '../../evidence/pages.ts'
import type { Check, FindingDefinition } from '../../module.ts'
import { withoutDocuments } from '../site/facts-pages.ts'
import { sendHeader } from './remedy.ts'

const REFERENCES = [
  'https://www.w3.org/TR/CSP3/#directive-frame-ancestors',
  'https://html.spec.whatwg.org/multipage/document-lifecycle.html#the-x-frame-options-header',
  'https://cheatsheetseries.owasp.org/cheatsheets/Clickjacking_Defense_Cheat_Sheet.html',
  'https://cwe.mitre.org/data/definitions/1021.html',
] as const
const common = { cwe: 1021, group: 'browser-policy', references: REFERENCES } as const
const FIX =
  "Send `Content-Security-Policy: frame-ancestors 'self'` (or 'none', or the sites that may embed the page), and " +
  `\`X-Frame-Options: SAMEORIGIN\` for old browsers. ${sendHeader('X-Frame-Options', 'SAMEORIGIN')}`

const missing: FindingDefinition = {
  ...common,
  id: 'headers/framing-missing',
  title: 'Clickjacking: pages with forms or a session can be framed by any site',
  severity: 'medium',
  why:
    'Another site can show the page invisibly under its own buttons, so that a click of the visitor confirms, buys or ' +
    'deletes something here (clickjacking).',
  remediation: FIX,
}

const missingPlain: FindingDefinition = {
  ...common,
  id: 'headers/framing-missing-plain',
  title: 'Clickjacking: pages can be framed by any site',
  severity: 'low',
  why: 'Another site can show the page as part of its own, for deception or, should forms be added, for clickjacking.',
  remediation: FIX,
}

const invalid: FindingDefinition = {
  ...common,
  id: 'headers/framing-invalid',
  title: 'Clickjacking: X-Frame-Options has a value that browsers ignore',
  severity: 'medium',
  why: 'Only DENY and SAMEORIGIN are known. ALLOW-FROM and anything else is ignored, and the page can be framed by any site.',
  remediation: `Where another site has to embed the page, name it: \`Content-Security-Policy: frame-ancestors https://partner.example\`. ${FIX}`,
}

const conflicting: FindingDefinition = {
  ...common,
  id: 'headers/framing-conflicting',
  title: 'Clickjacking: X-Frame-Options is sent with differing values',
  severity: 'low',
  why: 'Browsers refuse every frame when values differ, even of the own site; older ones took the first or the last.',
  remediation: `Send one value from one place, the application or the server in front of it. ${FIX}`,
}

const broad: FindingDefinition = {
  ...common,
  id: 'headers/framing-broad',
  title: 'Clickjacking: frame-ancestors allows any site',
  severity: 'medium',
  why: 'frame-ancestors with * or a bare scheme lets any site frame the page, and makes browsers ignore X-Frame-Options.',
  remediation: FIX,
}

/** May another site show the page in a frame. */
export const framing: Check<'headers', 'site'> = {
  findings: [missing, missingPlain, invalid, conflicting, broad],
  judge: (facts, { site }) => {
    const none = withoutDocuments(site, facts)
    if (none) return none
    const hits = new Map<FindingDefinition, Hit[]>()
    for (const page of documentsSeen(site, facts)) {
      const verdict = verdictOf(page)
      if (verdict) hits.set(verdict[0], [...(hits.get(verdict[0]) ?? []), { page, ...verdict[1] }])
    }
    return framing.findings.flatMap((definition) =>
      posture(definition, hits.get(definition) ?? [], { headers: ['x-frame-options', 'content-security-policy'] }),
    )
  },
}

type Verdict = readonly [FindingDefinition, { readonly detail: string; readonly mark?: string }]

const verdictOf = (page: Page): Verdict | null => {
  const state = framingOf(page)
  switch (state.kind) {
    case 'restricted':
      return null
    case 'broad':
      return [broad, { detail: `${page.url} sends frame-ancestors ${state.value}.`, mark: state.value }]
    case 'conflicting':
      return [conflicting, { detail: `${page.url} sends X-Frame-Options as ${state.value}.` }]
    case 'invalid':
      return [invalid, { detail: `${page.url} sends X-Frame-Options: ${state.value}.`, mark: state.value }]
    case 'missing':
      return [
        isSensitive(page) ? missing : missingPlain,
        { detail: `${page.url} sends neither frame-ancestors nor X-Frame-Options.` },
      ]
  }
}

export type Framing =
  | { readonly kind: 'restricted'; readonly by: 'frame-ancestors' | 'x-frame-options' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'broad' | 'conflicting' | 'invalid'; readonly value: string }

/** HTML, "check a navigation response's adherence to X-Frame-Options": frame-ancestors in force overrides it. */
export const framingOf = (page: Page): Framing => {
  const ancestors = enforcedOf(page).flatMap((policy) => {
    const directive = effective(policy, 'frame-ancestors')
    return directive ? [{ ...directive, text: (policy.directives.get('frame-ancestors') ?? []).join(' ') }] : []
  })
  const [first] = ancestors
  if (first) {
    const open = ancestors.every(({ sources }) => sources.some((source) => isAnyone(source)))
    return open ? { kind: 'broad', value: first.text } : { kind: 'restricted', by: 'frame-ancestors' }
  }
  const values = valuesOf(page.headers, 'x-frame-options').flatMap((value) => value.split(','))
  const options = [...new Set(values.map((value) => value.trim().toUpperCase()))]
  const [only] = options
  if (only === undefined) return { kind: 'missing' }
  if (options.length > 1 && options.some(isOption))
    return { kind: 'conflicting', value: values.map((one) => one.trim()).join(', ') }
  return isOption(only)
    ? { kind: 'restricted', by: 'x-frame-options' }
    : { kind: 'invalid', value: values.map((one) => one.trim()).join(', ') }
}

const isOption = (value: string): boolean => value === 'DENY' || value === 'SAMEORIGIN'

type Sources = NonNullable<ReturnType<typeof effective>>['sources']
const isAnyone = (source: Sources[number]): boolean =>
  source.kind === 'scheme'
    ? ['http', 'https'].includes(source.scheme)
    : source.kind === 'host' && source.host === '*' && !hasKeyword([source], 'none')

/** A page on which a stolen click does something: it has a form or belongs to somebody's session. */
const isSensitive = (page: Page): boolean =>
  page.kind !== 'plain' ||
  markupOf(page).forms.length > 0 ||
  valuesOf(page.headers, 'set-cookie').some(isSessionCookieLine)
