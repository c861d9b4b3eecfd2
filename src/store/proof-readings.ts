/**
 * What findings of rules 1 and 2 rested on, read from their own words: their checks named no basis, or it was not stored, and the
 * mark of their proofs was a payload, a product of random numbers or a host of ours. The words are those of the versions before
 * rule 3 and change no more; tests/decisions holds such findings as they were stored.
 */
import type { Finding } from '../contract/finding.ts'

type Words = Pick<Finding, 'check_id' | 'detail'>

/** Null where the mark is steady and the check names no basis today either: it still serves. */
export const basisInWords = ({ check_id, detail }: Words): string | null =>
  READINGS[check_id]?.(detail)?.slice(0, LONGEST) ?? null

/** As a basis is cut when it is judged. */
const LONGEST = 200

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
const context: Reading = (detail) => {
  const place = detail.replace(/,? once (?:somebody did this there: |a visitor had clicked, ).*$/s, '')
  return CONTEXTS.find(([, words]) => words.test(place))?.[0] ?? null
}

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

/** "jwt-none" of "api/jwt-none" has another name where its basis does. */
const forged = (kind: string): Reading => {
  const variant = reads(
    /^A token with (.+) was taken for the one of the /,
    /^The signature \((.+)\) of the token in /,
    /^The server called an address of ours when the token of the .+ had (.+)\.$/,
  )
  return (detail) => {
    const found = variant(detail)
    return found === null ? null : `${kind}: ${found}`
  }
}

const data = reads(/^It answers to (?:anybody|the run's account) with (.+), in \S/)

/** The operation is in the identity; what decides is whether something was shown or changed. */
const whose: Reading = (detail) => (/ wrote “.+?” with it, and /.test(detail) ? 'written' : 'shown')

const foreign: Reading = (detail) =>
  [
    ['base', 'In Chromium relative addresses of '],
    ['form', 'In Chromium a form of '],
    ['frame', 'Chromium loaded into a frame of '],
  ].find(([, words = '']) => detail.startsWith(words))?.[0] ?? null

const READINGS: Readonly<Record<string, Reading>> = {
  'sqli/boolean': says('answers'),
  'sqli/error': reads(/^(.+) worked out /, / brings out an error of (.+); a doubled quote does not\.$/),
  'sqli/database-error': reads(/ brings out an error of (.+)\.$/),
  'sqli/second-order': (detail) =>
    / random conditions stored by /.test(detail) ? 'answers' : reads(/^(.+) worked out /)(detail),
  'sqli/stacked': reads(/^(.+) waited as told in /),
  'sqli/time': reads(/^(.+) waited as told in /),
  'sqli/union': says('result'),
  'injection/code': interpreter,
  'injection/command': interpreter,
  'injection/deserialization': interpreter,
  'injection/file-inclusion': interpreter,
  'injection/file-upload-page': says('page'),
  'injection/file-upload-program': says('program'),
  'injection/format-string': interpreter,
  'injection/host-header': says('host'),
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
  'xss/resource-injection': foreign,
  'xss/stored': says('script'),
  'xss/stored-in-account': says('script'),
  'xss/style-injection': says('style'),
  'xss/websocket-message': says('script'),
  'api/graphql-aliases': says('aliases'),
  'api/graphql-depth': says('depth'),
  'api/graphql-form-type': says('form-type'),
  'api/graphql-get-mutation': says('get-mutation'),
  'api/graphql-open-field': says('open-field'),
  'api/graphql-trace': says('trace'),
  'api/json-as-text': says('plain-json'),
  'api/jwt-audience': forged('audience'),
  'api/jwt-embedded-key': forged('embedded-key'),
  'api/jwt-expired': forged('expired'),
  'api/jwt-key-address': forged('key-address'),
  'api/jwt-key-confusion': forged('confusion'),
  'api/jwt-key-id': forged('key-id'),
  'api/jwt-none': forged('none'),
  'api/jwt-signature': forged('signature'),
  'api/jwt-weak-secret': forged('weak-secret'),
  'api/mass-assignment': reads(/^(.+?) is (?:described as read only|shown by answers and not )/),
  'api/method-override': says('override'),
  'api/personal-data': data,
  'api/secret-in-answer': data,
  'api/undocumented-property': reads(/ with (.+), which its description does not name\.$/),
  'api/unhandled-input': reads(/ is answered with (status \d+), twice; /),
  'api/user-enumeration': says('answer'),
  'api/user-enumeration-time': says('time'),
  'authorization/function-level': whose,
  'authorization/missing-authentication': whose,
  'authorization/object-level': whose,
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
