import type { Reference } from '../../../page/html.ts'
import type { Check, FindingDefinition } from '../../module.ts'
import { withoutDocuments } from '../site/facts-pages.ts'
import { overWhole, type ReadPage, readPages } from './pages.ts'
import { type ElementHit, elementFindings } from './report.ts'

const REFERENCES = [
  'https://www.w3.org/TR/mixed-content/',
  'https://developer.mozilla.org/en-US/docs/Web/Security/Mixed_content',
  'https://cwe.mitre.org/data/definitions/319.html',
] as const
const common = { cwe: 319, references: REFERENCES } as const
const FIX =
  'Write https in the address. To have browsers do it meanwhile for every address, send `Content-Security-Policy: ' +
  'upgrade-insecure-requests`. nginx: `add_header Content-Security-Policy "upgrade-insecure-requests" always;`.'

const active: FindingDefinition = {
  ...common,
  id: 'markup/mixed-content-active',
  title: 'Mixed content, active: an https page loads scripts, styles or frames over http',
  severity: 'high',
  why:
    'Who controls the network can replace them and with that the page. Present browsers block them, so the page also ' +
    'lacks what they should do.',
  remediation: FIX,
}

const blocked: FindingDefinition = {
  ...common,
  id: 'markup/mixed-content-image',
  title: 'Mixed content, images: an https page offers images over http that browsers block',
  severity: 'low',
  why: 'Candidates of srcset and picture are not upgraded but blocked; older browsers load them in clear, for everyone to see and change.',
  remediation: FIX,
}

const upgraded: FindingDefinition = {
  ...common,
  id: 'markup/mixed-content-upgraded',
  title: 'Mixed content, upgraded: an https page names http addresses that browsers upgrade',
  severity: 'info',
  why: 'Present browsers ask https in their place and show nothing when that fails; older ones load them in clear.',
  remediation: FIX,
}

/** Addresses in clear on pages over TLS; what a browser keeps inert (templates, comments) is not among them. */
export const mixedContent: Check<'markup', 'site'> = overWhole({
  findings: [active, blocked, upgraded],
  judge: (facts, { site }) => {
    const none = withoutDocuments(site, facts)
    if (none) return none
    const pages = readPages(site, facts).filter(({ secure }) => secure)
    if (pages.length === 0) return { state: 'not_applicable', reason: 'No page was served over https.' }
    const strict = pages.filter(({ upgrades }) => !upgrades)
    const converted = pages.filter(({ upgrades }) => upgrades)
    return [
      ...elementFindings(
        active,
        strict.flatMap((one) => hits(one, activeOf(one))),
      ),
      ...elementFindings(
        blocked,
        strict.flatMap((one) => hits(one, one.html.media.filter(isCandidate))),
      ),
      ...elementFindings(upgraded, [
        ...strict.flatMap((one) =>
          hits(
            one,
            one.html.media.filter((ref) => !isCandidate(ref)),
          ),
        ),
        ...converted.flatMap((one) => hits(one, [...activeOf(one), ...one.html.media])),
      ]),
    ]
  },
})

/** Types of script that no browser runs: data for other programs. */
const isRun = (type: string): boolean => /^($|module$|(text|application)\/(x-)?(java|ecma|j|live)script)/.test(type)

const activeOf = ({ html }: ReadPage): readonly Reference[] => [
  ...html.scripts.flatMap(({ src, type }) => (src !== null && isRun(type) ? [src] : [])),
  ...html.stylesheets,
  ...html.frames,
  ...html.resources.filter(({ attributes }) =>
    /(^|\s)(modulepreload|manifest|import)(\s|$)/i.test(attributes.rel ?? ''),
  ),
]

/** From srcset, or a source inside picture: by the specification these are blocked, as is an image fetched with CORS. */
const isCandidate = ({ attributes, raw, tag }: Reference): boolean =>
  (attributes.srcset !== undefined && attributes.src !== raw && attributes.poster !== raw) ||
  (tag === 'img' && attributes.crossorigin !== undefined)

const hits = ({ page }: ReadPage, references: readonly Reference[]): readonly ElementHit[] =>
  references
    .filter(({ url }) => url?.startsWith('http:') && !isLoopback(url))
    .map((ref) => ({ page, element: ref, says: `loads ${ref.url}`, mark: ref.raw }))

/** Secure Contexts, 3.1: loopback is trustworthy without TLS. */
const isLoopback = (url: string): boolean =>
  /^http:\/\/(127(\.\d+){3}|\[::1\]|([\w-]+\.)*localhost)(:\d+)?(\/|$)/.test(url)
