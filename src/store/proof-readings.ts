/**
 * What the findings of rule 1 rested on, read from their own words: their checks named no basis, and the mark of their
 * proofs was a payload, a product of random numbers or a host of ours, so that no two runs had the same hash. The words
 * are those of the versions before rule 2 and change no more; tests/decisions holds such findings as they were stored.
 */
import type { Finding } from '../contract/finding.ts'

type Words = Pick<Finding, 'check_id' | 'detail'>

/** Null where rule 1 rested on something steady: its mark still serves. */
export const basisOfRule1 = ({ check_id, detail }: Words): string | null => READINGS[check_id]?.(detail) ?? null

type Reading = (detail: string) => string | null

const says =
  (basis: string): Reading =>
  () =>
    basis

/** The first group of the first pattern that fits. */
const reads =
  (...patterns: readonly RegExp[]): Reading =>
  (detail) =>
    patterns.map((pattern) => pattern.exec(detail)?.[1]).find((found) => found !== undefined) ?? null

/** The interpreter of what stands in parentheses at the end: "shell" of "shell, $(())", "{{…}}" of "{{…}} (Jinja2, Twig)". */
const interpreter: Reading = (detail) => {
  const syntax = reads(
    / came back (?:multiplied|worked out): \S+(?: and \S+)* \((.+)\)\.$/,
    / correlation -?[\d.]+ \((.+)\)\.$/,
    / were called, by \S* \((.+)\)\.$/,
  )(detail)
  return syntax?.split(/,| \(/)[0] ?? null
}

const CONTEXTS: readonly (readonly [context: string, words: RegExp])[] = [
  ['text', /, in the text of <[^,]*$/],
  ['comment', /, in a comment[^,]*$/],
  ['script', /, in a script[^,]*$/],
  ['template', /, in a template that[^,]*$/],
  ['handler', /, in the script of [^,]*$/],
  ['url', /, as the address in [^,]*$/],
  ['raw-text', /, in <[^,]*$/],
  ['attribute', /, in \S+ of <[^,]*$/],
]
const context: Reading = (detail) => CONTEXTS.find(([, words]) => words.test(detail))?.[0] ?? null

const SINKS: readonly (readonly [sink: string, words: string])[] = [
  ['html', 'markup'],
  ['code', 'code that it runs'],
  ['script', 'the address of a script'],
  ['address', 'the address of a link or frame'],
  ['location', 'the address that it goes to'],
]
const sink: Reading = (detail) => {
  const words = /; the page gave it to (.+)\.$/.exec(detail)?.[1]
  return words === undefined ? null : (SINKS.find(([, said]) => said === words)?.[0] ?? words)
}

const READINGS: Readonly<Record<string, Reading>> = {
  'sqli/boolean': says('answers'),
  'sqli/error': reads(/^(.+) worked out /, / brings out an error of (.+); a doubled quote does not\.$/),
  'sqli/database-error': reads(/ brings out an error of (.+)\.$/),
  'sqli/second-order': reads(/^(.+) worked out /),
  'sqli/stacked': reads(/^(.+) waited as told in /),
  'sqli/time': reads(/^(.+) waited as told in /),
  'sqli/union': says('result'),
  'injection/code': interpreter,
  'injection/command': interpreter,
  'injection/file-inclusion': interpreter,
  'injection/ldap': says('answers'),
  'injection/nosql': says('answers'),
  'injection/path-traversal': says('file'),
  'injection/server-side-lookup': says('lookup'),
  'injection/server-side-request': says('request'),
  'injection/template': interpreter,
  'injection/xml-external-entity': (detail) => (detail.includes(' were called, by ') ? 'request' : 'file'),
  'injection/xpath': says('answers'),
  'xss/blind': says('script'),
  'xss/cached-header': says('cache'),
  'xss/dom': sink,
  'xss/dom-click': sink,
  'xss/dom-storage': sink,
  'xss/fragment': sink,
  'xss/header-injection': says('header'),
  'xss/html-injection': says('element'),
  'xss/open-redirect': (detail) =>
    / seen in Chromium\)\.$| seen twice in Chromium\.$/.test(detail) ? 'page' : 'header',
  'xss/reflected': context,
  'xss/reflected-click': context,
  'xss/reflected-mitigated': context,
  'xss/reflected-own-request': context,
  'xss/stored': says('script'),
  'xss/stored-in-account': says('script'),
  // The site makes its nonces anew with each answer, so their marks never served; their checks name no basis today either.
  'headers/content-security-policy-nonce-cached': says('nonce'),
  'headers/content-security-policy-nonce-malformed': says('nonce'),
  'headers/content-security-policy-nonce-predictable': says('nonce'),
  'headers/content-security-policy-nonce-short': says('nonce'),
  'headers/content-security-policy-nonce-static': says('nonce'),
  'nameservers/open-recursion': says('resolved'),
  'waf/edge': says('delivered'),
  'templates/detection': says('matched'),
  'templates/exposure': says('matched'),
  'templates/misconfiguration': says('matched'),
  'templates/vulnerability': says('matched'),
}
