import { type Bypass, bypasses } from '../../../page/csp/bypass.ts'
import {
  allowsEval,
  allowsInline,
  allowsObject,
  effective,
  forbidsScripts,
  restrictsScripts,
  scriptNonces,
} from '../../../page/csp/effective.ts'
import type { Policy } from '../../../page/csp/policy.ts'
import { hasKeyword, hasNonceOrHash } from '../../../page/csp/source.ts'
import { enforcedOf, POLICY_HEADERS } from '../../../page/headers/policies.ts'
import type { Page } from '../../../page/page.ts'
import { documentsSeen } from '../../documents.ts'
import { clip, type Hit, posture } from '../../evidence/pages.ts'
import type { Check, FindingDefinition } from '../../module.ts'
import { withoutDocuments } from '../site/facts-pages.ts'

const REFERENCES = [
  'https://www.w3.org/TR/CSP3/#security-considerations',
  'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Content-Security-Policy/script-src',
  'https://csp.withgoogle.com/docs/strict-csp.html',
  'https://cwe.mitre.org/data/definitions/693.html',
] as const
const common = { cwe: 693, group: 'browser-policy', references: REFERENCES } as const
const STRICT =
  "Move inline code into files or give it a nonce, then send `script-src 'nonce-{random}' 'strict-dynamic'; " +
  "object-src 'none'; base-uri 'none'` with a fresh random nonce in every answer, from the program that renders the page " +
  '(a fixed line in nginx or Apache cannot do this; there, use the hash of each inline script instead).'

const unrestricted: FindingDefinition = {
  ...common,
  id: 'headers/content-security-policy-script-unrestricted',
  title: 'Content-Security-Policy without script-src: scripts are not restricted',
  severity: 'medium',
  why:
    'No policy of the page has script-src or default-src, so scripts from anywhere and inline code run as if there ' +
    'were no policy: it offers no protection against injected markup.',
  remediation: `Add the missing directive. ${STRICT}`,
}

const inline: FindingDefinition = {
  ...common,
  id: 'headers/content-security-policy-unsafe-inline',
  title: "Content-Security-Policy with 'unsafe-inline': inline scripts are allowed",
  severity: 'medium',
  why:
    "With 'unsafe-inline' and neither nonce nor hash beside it, the browser cannot tell an injected script or event " +
    "handler from the site's own, which is what the policy is for.",
  remediation: `Remove 'unsafe-inline' from the directive that governs scripts. ${STRICT}`,
}

const broad: FindingDefinition = {
  ...common,
  id: 'headers/content-security-policy-broad-source',
  title: 'Content-Security-Policy too broad: scripts from anyone are allowed',
  severity: 'medium',
  why:
    'A source such as *, https:, data: or a wildcard below a name where anyone can have an account lets an attacker ' +
    'load a script from an address of their own.',
  remediation: `Name the exact hosts, or better, none of them. ${STRICT}`,
}

const bypass: FindingDefinition = {
  ...common,
  id: 'headers/content-security-policy-bypass-host',
  title: 'Content-Security-Policy bypass: it trusts a host that runs what it is told',
  severity: 'medium',
  why:
    'An allowed host offers a JSONP endpoint, which returns a script of the caller’s choice, or an old AngularJS, which ' +
    'runs code out of attributes. With either, an injected script element gets around the policy.',
  remediation: `Serve the needed file from your own host, or name its full path instead of the host. ${STRICT}`,
}

const evaluation: FindingDefinition = {
  ...common,
  id: 'headers/content-security-policy-unsafe-eval',
  title: "Content-Security-Policy with 'unsafe-eval': eval is allowed",
  severity: 'low',
  why: "With 'unsafe-eval', text that an attacker controls becomes code wherever a script passes it to eval or the like.",
  remediation:
    "Remove 'unsafe-eval' from script-src and replace eval, new Function and setTimeout with text in your scripts. " +
    "WebAssembly alone needs no more than 'wasm-unsafe-eval'.",
}

const objects: FindingDefinition = {
  ...common,
  id: 'headers/content-security-policy-object-unrestricted',
  title: 'Content-Security-Policy without object-src: plugins are not restricted',
  severity: 'low',
  why: 'An injected object or embed element can load a document of an attacker, and in old browsers a plugin with script.',
  remediation: "Add `object-src 'none'` to the policy.",
}

const base: FindingDefinition = {
  ...common,
  id: 'headers/content-security-policy-base-unrestricted',
  title: 'Content-Security-Policy without base-uri: the base address is not restricted',
  severity: 'low',
  why:
    'The policy trusts scripts by nonce or hash. An injected base element redirects every trusted script with a relative ' +
    'address to the host of an attacker.',
  remediation: "Add `base-uri 'none'` (or `base-uri 'self'` where the pages use a base element) to the policy.",
}

const dead: FindingDefinition = {
  ...common,
  id: 'headers/content-security-policy-strict-dynamic-alone',
  title: "Content-Security-Policy with 'strict-dynamic' but without nonce or hash",
  severity: 'low',
  why:
    "'strict-dynamic' makes browsers ignore all hosts and 'self'. Without a nonce or hash no script can run in them, while " +
    'browsers that do not know it fall back to the list of hosts: nobody gets what was meant.',
  remediation:
    "Add `'nonce-{random}'`, fresh in every answer, next to 'strict-dynamic', and set it on your script elements.",
}

/** What an injected script could do under all policies of a page together. */
export const contentSecurityPolicyScript: Check<'headers', 'site'> = {
  findings: [unrestricted, inline, broad, bypass, evaluation, objects, base, dead],
  judge: (facts, { site }) => {
    const none = withoutDocuments(site, facts)
    if (none) return none
    const pages = documentsSeen(site, facts)
      .map((page) => ({ page, policies: enforcedOf(page) }))
      .filter(({ policies }) => policies.length > 0)
    if (pages.length === 0) return { state: 'not_applicable', reason: 'No page carries an enforced policy.' }
    const binding = pages.filter(({ policies }) => !policies.some(forbidsScripts))
    const restricted = binding.filter(({ policies }) => policies.some(restrictsScripts))
    const options = { headers: POLICY_HEADERS }
    const open = restricted.filter((one) => !one.policies.every((policy) => allowsAllInline(policy)))
    return [
      ...posture(unrestricted, binding.filter((one) => !restricted.includes(one)).map(unrestrictedHit), options),
      ...posture(inline, restricted.flatMap(inlineHit), options),
      ...posture(
        broad,
        restricted.flatMap((one) => bypassHit(one, ['open'])),
        options,
      ),
      // Where inline code runs anyway nobody needs a bypass: one problem, said once.
      ...posture(
        bypass,
        open.flatMap((one) => bypassHit(one, ['jsonp', 'angular'])),
        options,
      ),
      ...posture(evaluation, restricted.flatMap(evalHit), options),
      ...posture(objects, restricted.flatMap(objectHit), options),
      ...posture(base, restricted.flatMap(baseHit), options),
      ...posture(dead, restricted.flatMap(deadHit), options),
    ]
  },
}

interface Judged {
  readonly page: Page
  readonly policies: readonly Policy[]
}

const allowsAllInline = (policy: Policy): boolean => allowsInline(policy, 'elem')

const unrestrictedHit = ({ page, policies }: Judged): Hit => ({
  page,
  detail: `The policy of ${page.url} governs ${names(policies)} and neither script-src nor default-src.`,
})

const inlineHit = ({ page, policies }: Judged): readonly Hit[] => {
  const elements = policies.every((policy) => allowsInline(policy, 'elem'))
  const handlers = policies.every((policy) => allowsInline(policy, 'attr'))
  if (!elements && !handlers) return []
  const what =
    elements && handlers ? 'script elements and event handlers' : elements ? 'script elements' : 'event handlers'
  const directives = policies.flatMap(
    (policy) => effective(policy, `script-src-${elements ? 'elem' : 'attr'}`)?.name ?? [],
  )
  const detail = `${[...new Set(directives)].join(', ')} on ${page.url} allows inline ${what} by 'unsafe-inline'.`
  return [{ page, detail, mark: "'unsafe-inline'" }]
}

const bypassHit = ({ page, policies }: Judged, kinds: readonly Bypass['kind'][]): readonly Hit[] => {
  const found = bypasses(policies, new URL(page.url)).filter(({ kind }) => kinds.includes(kind))
  const [first] = found
  if (first === undefined) return []
  const shown = found.slice(0, 5).map(({ by, url }) => `${[...new Set(by)].join(' and ')} allows ${clip(url, 120)}`)
  const more = found.length > 5 ? ` and ${found.length - 5} more` : ''
  return [{ page, detail: `On ${page.url} ${shown.join('; ')}${more}.`, mark: first.by[0] ?? '' }]
}

const evalHit = ({ page, policies }: Judged): readonly Hit[] =>
  policies.every(allowsEval)
    ? [
        {
          page,
          detail: `The policy of ${page.url} allows text to become code by 'unsafe-eval'.`,
          mark: "'unsafe-eval'",
        },
      ]
    : []

const objectHit = ({ page, policies }: Judged): readonly Hit[] => {
  const self = new URL(page.url)
  const anywhere = new URL('https://attacker.example/x')
  return policies.every((policy) => allowsObject(policy, anywhere, self))
    ? [{ page, detail: `The policy of ${page.url} lets object and embed elements load from any https address.` }]
    : []
}

const baseHit = ({ page, policies }: Judged): readonly Hit[] => {
  const trusts = policies.some((policy) => {
    const sources = effective(policy, 'script-src-elem')?.sources ?? []
    return scriptNonces(policy).length > 0 || (hasKeyword(sources, 'strict-dynamic') && hasNonceOrHash(sources))
  })
  return trusts && policies.every((policy) => !policy.directives.has('base-uri'))
    ? [{ page, detail: `The policy of ${page.url} trusts scripts by nonce or hash and has no base-uri.` }]
    : []
}

const deadHit = ({ page, policies }: Judged): readonly Hit[] =>
  policies.some((policy) => {
    const sources = effective(policy, 'script-src-elem')?.sources ?? []
    return hasKeyword(sources, 'strict-dynamic') && !hasNonceOrHash(sources)
  })
    ? [
        {
          page,
          detail: `The policy of ${page.url} has 'strict-dynamic' and no nonce or hash.`,
          mark: "'strict-dynamic'",
        },
      ]
    : []

const names = (policies: readonly Policy[]): string =>
  clip([...new Set(policies.flatMap(({ directives }) => [...directives.keys()]))].join(', '))
