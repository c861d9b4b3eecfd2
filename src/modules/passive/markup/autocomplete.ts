import type { HtmlInput } from '../../../page/html.ts'
import type { Check, FindingDefinition } from '../../module.ts'
import { withoutDocuments } from '../site/facts-pages.ts'
import { overWhole, readPages } from './pages.ts'
import { elementFindings } from './report.ts'

const secretField: FindingDefinition = {
  id: 'markup/autocomplete-secret',
  title: 'Autocomplete: the browser may remember a card or one-time code',
  severity: 'info',
  cwe: 525,
  why:
    'A field that says nothing about its purpose goes into the browser’s memory of form values, which it offers to the ' +
    'next person at the same computer.',
  remediation:
    'Name the purpose, so that the browser keeps it as what it is: autocomplete="cc-number", "cc-csc" or "one-time-code"; ' +
    'or autocomplete="off". Leave passwords to password managers ("current-password", "new-password").',
  references: [
    'https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#autofill',
    'https://cwe.mitre.org/data/definitions/525.html',
  ],
}

const SECRET =
  /(^|[-_.[\]])(cc|card|credit)[-_]?(num|number|no|nr)|cardnumber|creditcard|(^|[-_.[\]])(cvv|cvc|csc|cvn)2?($|[-_.[\]])|security[-_]?code|(^|[-_.[\]])(otp|totp|one[-_]?time|tan)([-_]?(code|password))?($|[-_.[\]])/i

/** Text fields for secrets without an autocomplete token of their own. */
export const autocomplete: Check<'markup', 'site'> = overWhole({
  findings: [secretField],
  judge: (facts, { site }) => {
    const none = withoutDocuments(site, facts)
    if (none) return none
    const hits = readPages(site, facts).flatMap(({ page, html }) => {
      const inForms = html.forms
        .filter(({ attributes }) => attributes.autocomplete?.trim().toLowerCase() !== 'off')
        .flatMap(({ inputs }) => inputs)
      return [...inForms, ...html.looseInputs].filter(isOpenSecret).map((input) => ({
        page,
        element: { tag: input.tag, attributes: input.attributes },
        says: `has the field "${input.name.slice(0, 80)}" without autocomplete`,
        mark: input.name,
      }))
    })
    return elementFindings(secretField, hits)
  },
})

const isOpenSecret = ({ tag, type, name, autocomplete: token }: HtmlInput): boolean =>
  tag === 'input' &&
  ['text', 'tel', 'number'].includes(type) &&
  SECRET.test(name) &&
  ['', 'on'].includes((token ?? '').trim().toLowerCase())
