import { scriptNonces } from '../../../page/csp/effective.ts'
import { enforcedOf, POLICY_HEADERS } from '../../../page/headers/policies.ts'
import type { Page } from '../../../page/page.ts'
import { isHtml, valuesOf } from '../../../page/pages.ts'
import { documentsSeen } from '../../documents.ts'
import { type Hit, posture } from '../../evidence/pages.ts'
import type { Check, FindingDefinition } from '../../module.ts'
import { withoutDocuments } from '../site/facts-pages.ts'

const REFERENCES = [
  'https://www.w3.org/TR/CSP3/#security-nonces',
  'https://developer.mozilla.org/en-US/docs/Web/HTML/Reference/Global_attributes/nonce',
  'https://cwe.mitre.org/data/definitions/330.html',
] as const
const common = { cwe: 330, group: 'browser-policy', references: REFERENCES } as const
const FRESH =
  'Make the nonce from at least 16 random bytes of a cryptographic generator, anew for each answer, in the program that ' +
  "renders the page: `Content-Security-Policy: script-src 'nonce-{base64 of 16 random bytes}' 'strict-dynamic'`."

const repeated: FindingDefinition = {
  ...common,
  id: 'headers/content-security-policy-nonce-static',
  title: 'Content-Security-Policy nonce static: it stays the same',
  severity: 'medium',
  why: 'Who opens the page once knows the nonce and can put it on an injected script: the policy then lets it run.',
  remediation: `${FRESH} Pages that are written once, at build time, need hashes of their inline scripts instead.`,
}

const cached: FindingDefinition = {
  ...common,
  id: 'headers/content-security-policy-nonce-cached',
  title: 'Content-Security-Policy nonce cached: everyone gets the same one',
  severity: 'low',
  why:
    'The answer comes from a shared cache (it has an Age), and its nonce with it: until the copy expires, everyone who ' +
    'opens the page knows the nonce that all other visitors get.',
  remediation:
    'Send `Cache-Control: private, no-cache` with pages that carry a nonce, set the nonce at the edge after the cache, or ' +
    'use hashes, which may be cached.',
}

const predictable: FindingDefinition = {
  ...common,
  id: 'headers/content-security-policy-nonce-predictable',
  title: 'Content-Security-Policy nonce predictable',
  severity: 'medium',
  why: 'The nonce counts upwards, as a clock or a counter does. Who has seen one can guess the next and use it.',
  remediation: FRESH,
}

const short: FindingDefinition = {
  ...common,
  id: 'headers/content-security-policy-nonce-short',
  title: 'Content-Security-Policy nonce too short',
  severity: 'low',
  why: 'A nonce under eight characters can be guessed by trying; the specification asks for at least 128 random bits.',
  remediation: FRESH,
}

const malformed: FindingDefinition = {
  ...common,
  id: 'headers/content-security-policy-nonce-malformed',
  title: 'Content-Security-Policy nonce malformed: it is not base64',
  severity: 'low',
  why: 'Browsers ignore a nonce with other characters, so the scripts that carry it are blocked or trusted by other means.',
  remediation: FRESH,
}

const MIN_LENGTH = 8
const MALFORMED = /^'nonce-.*'$/i

/** Is the nonce new in every load, long enough and well formed. */
export const contentSecurityPolicyNonce: Check<'headers', 'site'> = {
  findings: [repeated, cached, predictable, short, malformed],
  judge: (facts, { site }) => {
    const none = withoutDocuments(site, facts)
    if (none) return none
    const documents = documentsSeen(site, facts)
    const options = { headers: [...POLICY_HEADERS, 'age'] }
    const badForm = posture(malformed, documents.flatMap(malformedHit), options)
    const carrying = documents.filter((page) => noncesOf(page).length > 0)
    if (carrying.length === 0) {
      if (badForm.length > 0) return badForm
      return { state: 'not_applicable', reason: 'No policy of the site uses a nonce.' }
    }
    const single = [...badForm, ...posture(short, carrying.flatMap(shortHit), options)]
    const loads = loadsOf(site.pages[0], site.reloads)
    if (loads.length < 2) {
      return {
        state: 'inconclusive',
        reason: 'The start page could not be loaded twice with a nonce, so it is not known whether the nonce changes.',
        only: [repeated.id, cached.id, predictable.id],
        findings: single,
      }
    }
    const [first] = loads
    const same = loads.every((page) => noncesOf(page)[0] === (first && noncesOf(first)[0]))
    const definition = !same ? predictable : loads.slice(1).some(isCached) ? cached : repeated
    const hits = first && (same || counts(loads)) ? [compared(first, loads)] : []
    return [...posture(definition, hits, options), ...single]
  },
}

const noncesOf = (page: Page): readonly string[] => enforcedOf(page).flatMap(scriptNonces)

const loadsOf = (start: Page | undefined, reloads: readonly Page[]): readonly Page[] =>
  start === undefined
    ? []
    : [start, ...reloads.filter(({ url }) => url === start.url)].filter(
        (one) => isHtml(one) && noncesOf(one).length > 0,
      )

const isCached = (page: Page): boolean => Number(valuesOf(page.headers, 'age')[0] ?? 0) > 0

/** Decimal numbers that only grow, by steps that a clock or counter would make. */
const counts = (loads: readonly Page[]): boolean => {
  const numbers = loads
    .map((page) => noncesOf(page)[0] ?? '')
    .map((text) => (/^\d{1,19}$/.test(text) ? BigInt(text) : null))
  return numbers.every((number, index) => {
    const before = numbers[index - 1]
    if (number === null || loads.length < 3) return false
    return index === 0 || (before !== null && before !== undefined && number > before && number - before <= 1_000_000n)
  })
}

const compared = (page: Page, loads: readonly Page[]): Hit => {
  const nonces = loads.map((one) => noncesOf(one)[0] ?? '')
  const age = loads.slice(1).some(isCached) ? ` The answer has been in a cache (Age: ${ageOf(loads)}).` : ''
  return {
    page,
    detail: `${loads.length} loads of ${page.url} came with the nonces ${nonces.join(', ')}.${age}`,
    mark: `nonce-${nonces[0] ?? ''}`,
  }
}

const ageOf = (loads: readonly Page[]): string => loads.flatMap(({ headers }) => valuesOf(headers, 'age')).join(', ')

const shortHit = (page: Page): readonly Hit[] =>
  noncesOf(page)
    .filter((nonce) => nonce.length < MIN_LENGTH)
    .slice(0, 1)
    .map((nonce) => ({
      page,
      detail: `The nonce ${nonce} of ${page.url} has ${nonce.length} characters.`,
      mark: `nonce-${nonce}`,
    }))

const malformedHit = (page: Page): readonly Hit[] =>
  enforcedOf(page)
    .flatMap(({ directives }) => [...directives.values()].flat())
    .filter((token) => MALFORMED.test(token) && !/^'nonce-[A-Za-z0-9+/_-]+={0,2}'$/i.test(token))
    .slice(0, 1)
    .map((token) => ({ page, detail: `${token} on ${page.url} is not base64.`, mark: token }))
