import type { HtmlForm } from '../../../page/html.ts'
import type { Check, Finding, FindingDefinition } from '../../module.ts'
import type { SiteFacts } from '../site/facts.ts'
import { withoutDocuments } from '../site/facts-pages.ts'
import { overWhole, type ReadPage, readPages } from './pages.ts'
import { type ElementHit, elementFindings } from './report.ts'

const REFERENCES = [
  'https://www.w3.org/TR/mixed-content/#categories',
  'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html',
  'https://cwe.mitre.org/data/definitions/319.html',
] as const

const action: FindingDefinition = {
  id: 'markup/form-action-insecure',
  title: 'Form over http: a form on an https page sends its data in clear',
  severity: 'high',
  cwe: 319,
  why: 'What the visitor types into a page with a lock crosses the network in clear, where it can be read and changed.',
  remediation: 'Write https in the action of the form: `<form action="https://…" method="post">`.',
  references: REFERENCES,
}

const password: FindingDefinition = {
  id: 'markup/password-over-http',
  title: 'Password over http: it is asked for on a page served in clear',
  severity: 'high',
  cwe: 319,
  why: 'Who controls the network changes the page and reads every password, even if the form then sends it over https.',
  remediation:
    'Serve the whole site over https and redirect: nginx `return 301 https://$host$request_uri;` in the server block of ' +
    'port 80; Apache `Redirect permanent / https://your-site.example/`.',
  references: REFERENCES,
}

const inAddress: FindingDefinition = {
  id: 'markup/password-in-address',
  title: 'Password in URL: a form sends it in the address',
  severity: 'medium',
  cwe: 598,
  why: 'A form with the method GET puts its fields into the address, which ends in histories, logs and the Referer header.',
  remediation: 'Add method="post" to the form, and refuse GET at its address.',
  references: [
    'https://cwe.mitre.org/data/definitions/598.html',
    'https://www.rfc-editor.org/rfc/rfc9110#section-17.9',
  ],
}

/** Where forms send what is typed into them. */
export const formTransport: Check<'markup', 'site'> = overWhole({
  findings: [action, password, inAddress],
  judge: (facts, { site }) => {
    const none = withoutDocuments(site, facts)
    if (none) return none
    const pages = readPages(site, facts)
    const asked = pages.flatMap(clearPasswords)
    return [
      ...elementFindings(action, pages.flatMap(insecureActions)),
      ...(asked.length > 0 ? elementFindings(password, asked) : typedInClear(site)),
      ...elementFindings(inAddress, pages.flatMap(passwordsInAddress)),
    ]
  },
})

/** Also through formaction of a button; upgrade-insecure-requests turns the request into https. */
const insecureActions = ({ page, html, secure, upgrades }: ReadPage): readonly ElementHit[] => {
  if (!secure || upgrades) return []
  return html.forms.flatMap((form) => {
    const buttons = form.inputs.flatMap(({ attributes }) => attributes.formaction ?? [])
    const target = [form.action, ...buttons.map((raw) => URL.parse(raw.trim(), html.base)?.href ?? null)].find((url) =>
      url?.startsWith('http:'),
    )
    return target
      ? [{ page, element: form, says: `has a form that sends to ${target}`, mark: form.attributes.action ?? '' }]
      : []
  })
}

const clearPasswords = ({ page, html, secure }: ReadPage): readonly ElementHit[] => {
  if (secure) return []
  return [...html.forms.flatMap(({ inputs }) => inputs), ...html.looseInputs]
    .filter(({ type }) => type === 'password')
    .map((input) => ({
      page,
      element: { tag: input.tag, attributes: input.attributes },
      says: 'asks for a password over http',
      mark: 'password',
    }))
}

/** A form that scripts draw stands in no markup; the run's own sign-in has filled it in. */
const typedInClear = ({ signsInAt }: SiteFacts): readonly Finding[] =>
  signsInAt?.startsWith('http:')
    ? [
        {
          definition: password,
          confidence: 'confirmed',
          at: { url: signsInAt },
          detail: `The identity of this run signed in on ${signsInAt}, over http.`,
        },
      ]
    : []

/** A form without method and action is one that a script handles: the browser would not send it. */
const passwordsInAddress = ({ page, html }: ReadPage): readonly ElementHit[] =>
  html.forms
    .filter(
      (form) => form.method === 'get' && form.inputs.some(({ type }) => type === 'password') && isSentByBrowser(form),
    )
    .map((form) => ({ page, element: form, says: 'has a form with a password and the method GET' }))

const isSentByBrowser = ({ attributes }: HtmlForm): boolean =>
  (attributes.action ?? '').trim() !== '' || (attributes.method ?? '').trim().toLowerCase() === 'get'
