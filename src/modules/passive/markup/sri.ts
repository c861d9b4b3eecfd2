import type { HtmlElement } from '../../../page/html.ts'
import { isSameSite } from '../../../page/same-site.ts'
import type { Check, FindingDefinition } from '../../module.ts'
import { withoutDocuments } from '../site/facts-pages.ts'
import { overWhole, type ReadPage, readPages } from './pages.ts'
import { type ElementHit, elementFindings } from './report.ts'
import { isChanging, isCompromised } from './third-party.ts'

const REFERENCES = [
  'https://www.w3.org/TR/SRI/',
  'https://developer.mozilla.org/en-US/docs/Web/Security/Subresource_Integrity',
  'https://cwe.mitre.org/data/definitions/353.html',
] as const
const common = { cwe: 353, group: 'third-party-script', references: REFERENCES } as const
const FIX =
  'Pin the file by its hash: `<script src="https://cdn.example/lib@1.2.3/lib.js" integrity="sha384-…" crossorigin="anonymous">`, the ' +
  'hash made by `curl -sS ADDRESS | openssl dgst -sha384 -binary | openssl base64 -A`; or serve a copy from your own host.'

const missing: FindingDefinition = {
  ...common,
  id: 'markup/sri-missing',
  title: 'Subresource Integrity missing: scripts or styles of others are loaded without a hash',
  severity: 'low',
  why: 'Whoever changes the file at the other host, by error, by force or by buying the host, runs code in the pages of this site.',
  remediation: FIX,
}

const payment: FindingDefinition = {
  ...common,
  id: 'markup/sri-missing-payment',
  title: 'Subresource Integrity missing on a payment page: scripts of others are loaded without a hash',
  severity: 'medium',
  why:
    'A changed script copies card data as it is typed. PCI DSS 4.0.1 (6.4.3) asks that every script of a payment page is ' +
    'authorised and its integrity assured.',
  remediation: `${FIX} For scripts that cannot be pinned, keep the inventory and monitoring that 6.4.3 and 11.6.1 ask for.`,
  references: [...REFERENCES, 'https://www.pcisecuritystandards.org/document_library/'],
}

const changing: FindingDefinition = {
  ...common,
  id: 'markup/sri-vendor-script',
  title: 'Third-party scripts of vendors who cannot be pinned run in the pages',
  severity: 'info',
  why: 'The vendor changes the file at will, so a hash would break it. The site trusts the vendor with everything on the page.',
  remediation:
    'Keep only those that are needed, leave them out of pages with passwords or payments, and limit them by a Content Security Policy.',
}

const compromised: FindingDefinition = {
  ...common,
  id: 'markup/compromised-host',
  title: 'Compromised third-party script: its host is known to have served malware',
  severity: 'high',
  cwe: 829,
  why: 'The host has changed hands and has sent visitors of other sites malicious code. It can do so here at any time.',
  remediation:
    'Remove the element today. What the file did is built into present browsers (polyfills) or to be had from its own project.',
  references: [
    'https://sansec.io/research/polyfill-supply-chain-attack',
    'https://cwe.mitre.org/data/definitions/829.html',
  ],
}

const insecure: FindingDefinition = {
  ...common,
  id: 'markup/script-insecure',
  title: 'Script over http: a page loads a script of others in clear',
  severity: 'medium',
  cwe: 319,
  why: 'Everyone on the network between the visitor and that host can replace the script.',
  remediation: 'Write https:// in the address, also in place of a bare //, and serve the page itself over https.',
  references: [...REFERENCES, 'https://cwe.mitre.org/data/definitions/319.html'],
}

const invalid: FindingDefinition = {
  ...common,
  id: 'markup/sri-invalid',
  title: 'Subresource Integrity invalid: no hash that browsers know',
  severity: 'low',
  why: 'Browsers skip what they cannot read and load the file unchecked, so the protection is absent without a sign.',
  remediation: `Use sha256, sha384 or sha512 and base64. ${FIX}`,
}

const crossOrigin: FindingDefinition = {
  ...common,
  id: 'markup/sri-crossorigin-missing',
  title: 'Subresource Integrity without crossorigin: browsers refuse the element',
  severity: 'info',
  why: 'Browsers check files of other origins only when fetched with CORS; without the attribute they refuse the file.',
  remediation: 'Add crossorigin="anonymous" to the element.',
}

/** Scripts and styles that the pages take from other sites. */
export const sri: Check<'markup', 'site'> = overWhole({
  findings: [missing, payment, changing, compromised, insecure, invalid, crossOrigin],
  judge: (facts, { site }) => {
    const none = withoutDocuments(site, facts)
    if (none) return none
    const external = readPages(site, facts).flatMap(externalOf)
    if (external.length === 0 && !readPages(site, facts).some(hasIntegrity)) return []
    const pinnable = external.filter(
      ({ url, integrity }) => !isValid(integrity) && !isCompromised(url) && !isChanging(url),
    )
    const unreadable = external.filter(({ integrity }) => integrity !== null && !isValid(integrity))
    const pinned = external.filter(({ integrity }) => isValid(integrity))
    const plain = pinnable.filter(({ integrity }) => integrity === null)
    const pays = ({ kind }: { readonly kind: string }): boolean => kind === 'payment' || kind === 'checkout'
    return [
      ...elementFindings(
        compromised,
        hits(
          external.filter(({ url }) => isCompromised(url)),
          'loads',
        ),
      ),
      ...elementFindings(
        insecure,
        hits(
          external.filter(({ script, page, url }) => script && page.url.startsWith('http:') && url.startsWith('http:')),
          'loads',
        ),
      ),
      ...elementFindings(
        payment,
        hits(
          plain.filter(({ page, script }) => pays(page) && script),
          'pays and loads',
        ),
      ),
      ...elementFindings(
        missing,
        hits(
          plain.filter(({ page, script }) => !(pays(page) && script)),
          'loads',
        ),
      ),
      ...elementFindings(
        changing,
        hits(
          external.filter(({ url, integrity, script }) => script && integrity === null && isChanging(url)),
          'loads',
        ),
      ),
      ...elementFindings(invalid, hits(unreadable, 'has an unreadable integrity for')),
      ...elementFindings(
        crossOrigin,
        hits(
          pinned.filter(({ crossorigin }) => crossorigin === null),
          'cannot check',
        ),
      ),
    ]
  },
})

interface External {
  readonly page: ReadPage['page']
  readonly element: HtmlElement
  readonly url: string
  readonly script: boolean
  readonly integrity: string | null
  readonly crossorigin: string | null
}

const externalOf = ({ page, html }: ReadPage): readonly External[] => [
  ...html.scripts.flatMap((script) => {
    const url = script.src?.url ?? null
    if (url === null || !/^https?:/.test(url) || isSameSite(url, page.url)) return []
    return [{ page, element: script, url, script: true, integrity: script.integrity, crossorigin: script.crossorigin }]
  }),
  ...html.stylesheets.flatMap((sheet) => {
    if (sheet.url === null || !/^https?:/.test(sheet.url) || isSameSite(sheet.url, page.url)) return []
    // Font services make a style for each browser: it cannot have one hash, and it holds no script.
    if (isChanging(sheet.url)) return []
    const { integrity, crossorigin } = sheet
    return [{ page, element: sheet, url: sheet.url, script: false, integrity, crossorigin }]
  }),
]

const hasIntegrity = ({ html }: ReadPage): boolean =>
  [...html.scripts, ...html.stylesheets].some(({ integrity }) => integrity !== null)

/** SRI, 3.3: at least one of the listed expressions has to be readable; an empty attribute checks nothing. */
const isValid = (integrity: string | null): boolean =>
  (integrity ?? '').split(/\s+/).some((one) => /^sha(256|384|512)-[A-Za-z0-9+/_-]{40,}={0,2}(\?.*)?$/.test(one))

const hits = (external: readonly External[], verb: string): readonly ElementHit[] =>
  external.map(({ page, element, url }) => ({
    page,
    element,
    says: `${verb} ${url.slice(0, 300)}`,
    mark: element.attributes.src ?? element.attributes.href ?? '',
  }))
