import { describe, expect, test } from 'vitest'
import { type DomainRules, parseDomainName } from './domain-name.ts'

const closed: DomainRules = { hosts: new Set(), allowPorts: false }
const open: DomainRules = { hosts: new Set(['shop.test', 'localhost', 'deep.shop.test']), allowPorts: true }

describe('taken', () => {
  const cases: readonly [trick: string, text: string, rules: DomainRules, domain: string][] = [
    ['registrable name', 'example.com', closed, 'example.com'],
    ['name below it', 'a.b.example.co.uk', closed, 'a.b.example.co.uk'],
    ['upper case', 'EXAMPLE.Com', closed, 'example.com'],
    ['dot at the end', 'example.com.', closed, 'example.com'],
    ['umlaut', 'Bücher.example.de', closed, 'xn--bcher-kva.example.de'],
    ['sharp s stays itself in UTS 46', 'faß.de', closed, 'xn--fa-hia.de'],
    ['ideographic full stop', '例え。jp', closed, 'xn--r8jz45g.jp'],
    ['full-width letters', 'ｅｘａｍｐｌｅ.com', closed, 'example.com'],
    ['below a private suffix', 'me.github.io', closed, 'me.github.io'],
    ['underscore in a lower label', '_dmarc.example.com', closed, '_dmarc.example.com'],
    ['table name', 'shop.test', open, 'shop.test'],
    ['table name without a dot', 'localhost', open, 'localhost'],
    ['table name in upper case', 'SHOP.test', open, 'shop.test'],
    ['port where allowed', 'shop.test:8081', open, 'shop.test:8081'],
    ['highest port', 'example.com:65535', open, 'example.com:65535'],
  ]
  test.each(cases)('%s', (_, text, rules, domain) => {
    expect(parseDomainName(text, rules)).toMatchObject({ ok: true, domain })
  })
})

describe('refused', () => {
  const cases: readonly [trick: string, text: string, rules: DomainRules, message: RegExp][] = [
    ['scheme', 'https://example.com', closed, /without https/],
    ['path', 'example.com/', closed, /path/],
    ['user', 'me@example.com', closed, /user name/],
    ['space', 'exam ple.com', closed, /spaces/],
    ['line break', 'example.com\n', closed, /spaces/],
    ['zero-width joiner', 'exam\u200dple.com', closed, /invisible/],
    ['NUL', 'example\0.com', closed, /invisible/],
    ['wildcard', '*.example.com', closed, /wildcards/],
    ['public suffix', 'co.uk', closed, /public suffix, under/],
    ['top level', 'com', closed, /public suffix, under/],
    ['private suffix', 'github.io', closed, /public suffix, under/],
    ['no public suffix', 'shop.test', closed, /no public suffix/],
    ['not in the table', 'other.test', open, /no public suffix/],
    ['below a table name', 'www.shop.test', open, /no public suffix/],
    ['IPv4', '192.0.2.1', open, /address/],
    ['IPv4 with port', '192.0.2.1:80', open, /address/],
    ['IPv4 as one number', '2130706433', open, /address/],
    ['IPv4 in hex', '0x7f.1', open, /address/],
    ['IPv4 in octal', '0177.0.0.1', open, /address/],
    ['IPv4 in full-width digits', '１２７.0.0.1', open, /address/],
    ['IPv6 in brackets', '[::1]', open, /address/],
    ['IPv6', '::1', open, /address/],
    ['port where not allowed', 'example.com:8080', closed, /port/],
    ['port zero', 'example.com:0', open, /port/],
    ['port too high', 'example.com:65536', open, /port/],
    ['port with a zero before it', 'example.com:080', open, /port/],
    ['port left out', 'example.com:', open, /port/],
    ['hyphen first', '-a.example.com', closed, /domain name/],
    ['hyphen last', 'a-.example.com', closed, /domain name/],
    ['empty label', 'a..example.com', closed, /domain name/],
    ['dot first', '.example.com', closed, /domain name/],
    ['two dots at the end', 'example.com..', closed, /domain name/],
    ['label of 64', `${'a'.repeat(64)}.com`, closed, /domain name/],
    ['254 characters', `${'a.'.repeat(125)}com.`.slice(0, 300).replace(/com\.$/, 'comm.com'), closed, /domain name/],
    ['forbidden character', 'a%b.com', closed, /domain name/],
    ['bad punycode', 'xn--a.com', closed, /domain name/],
    ['only dots', '.', closed, /domain name/],
    ['empty', '', closed, /domain name/],
  ]
  test.each(cases)('%s', (_, text, rules, message) => {
    const parsed = parseDomainName(text, rules)
    expect(parsed.ok ? parsed.domain : parsed.message).toMatch(message)
    expect(parsed.ok).toBe(false)
  })
})
