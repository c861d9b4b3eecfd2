import type { Page } from '../../../page/page.ts'
import { combined, valuesOf } from '../../../page/pages.ts'
import { documentsSeen } from '../../documents.ts'
import { posture } from '../../evidence/pages.ts'
import type { Check, FindingDefinition } from '../../module.ts'
import { withoutDocuments } from '../site/facts-pages.ts'
import { sendHeader } from './remedy.ts'

const REFERENCES = [
  'https://fetch.spec.whatwg.org/#x-content-type-options-header',
  'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/X-Content-Type-Options',
  'https://cwe.mitre.org/data/definitions/693.html',
] as const
const common = { cwe: 693, group: 'browser-policy', references: REFERENCES } as const
const FIX = `Send \`X-Content-Type-Options: nosniff\` with every answer. ${sendHeader('X-Content-Type-Options', 'nosniff')}`

const missing: FindingDefinition = {
  ...common,
  id: 'headers/x-content-type-options-missing',
  title: 'X-Content-Type-Options missing',
  severity: 'low',
  why: 'Browsers may guess the type of an answer from its content, so that an uploaded file of another type runs as script.',
  remediation: FIX,
}

const invalid: FindingDefinition = {
  ...common,
  id: 'headers/x-content-type-options-invalid',
  title: 'X-Content-Type-Options invalid: browsers ignore its value',
  severity: 'low',
  why: 'Browsers look at the first value and know no other than nosniff. The protection that was meant is absent.',
  remediation: FIX,
}

/** Fetch, "determine nosniff": the first value of the list decides, case does not matter. */
export const xContentTypeOptions: Check<'headers', 'site'> = {
  findings: [missing, invalid],
  judge: (facts, { site }) => {
    const none = withoutDocuments(site, facts)
    if (none) return none
    const pages = documentsSeen(site, facts)
    const options = { headers: ['x-content-type-options'] }
    const absent = pages.filter((page) => valuesOf(page.headers, 'x-content-type-options').length === 0)
    const wrong = pages.filter((page) => !absent.includes(page) && !isNosniff(page))
    return [
      ...posture(
        missing,
        absent.map((page) => ({ page, detail: `${page.url} answers without X-Content-Type-Options.` })),
        options,
      ),
      ...posture(
        invalid,
        wrong.map((page) => {
          const value = combined(page.headers, 'x-content-type-options') ?? ''
          return { page, detail: `${page.url} sends X-Content-Type-Options: ${value}.`, mark: value }
        }),
        options,
      ),
    ]
  },
}

export const isNosniff = (page: Pick<Page, 'headers'>): boolean =>
  combined(page.headers, 'x-content-type-options')?.split(',')[0]?.trim().toLowerCase() === 'nosniff'
