import { describe, expect, it } from 'vitest'
import { createExclusion, ExcludePattern, ExcludePatterns, MAX_PATTERNS } from './exclude.ts'

const excludes = (pattern: string, address: string): boolean =>
  createExclusion([pattern])(new URL(address, 'https://shop.test').href)

describe('what a pattern excludes', () => {
  it.each([
    ['the path itself', '/admin', '/admin', true],
    ['what lies below', '/admin', '/admin/users/7', true],
    ['with a slash behind', '/admin/', '/admin', true],
    ['whatever the query', '/admin', '/admin?x=1', true],
    ['not what begins alike', '/admin', '/administrator', false],
    ['not what ends alike', '/admin', '/my/admin', false],
    ['star: within one part', '/user/*/edit', '/user/7/edit', true],
    ['star: not across parts', '/user/*/edit', '/user/7/x/edit', false],
    ['star: may be nothing', '/a*', '/a', true],
    ['two stars: across parts', '/**/edit', '/user/7/x/edit', true],
    ['two stars: a beginning', '/adm**', '/administrator/x', true],
    ['the whole site', '/**', '/any/where', true],
    ['the root excludes everything', '/', '/any/where', true],
    ['parameter', '/index.php?action=delete', '/index.php?id=3&action=delete', true],
    ['parameter: another value', '/index.php?action=delete', '/index.php?action=list', false],
    ['parameter: beginning of the value', '/index.php?action=delete*', '/index.php?action=delete_all', true],
    ['parameter: absent', '/index.php?action=delete', '/index.php', false],
    ['two parameters, in any order', '/x?a=1&b=2', '/x?b=2&c=3&a=1', true],
    ['two parameters, one absent', '/x?a=1&b=2', '/x?b=2', false],
    ['a parameter on any page', '/**?do=logout', '/deep/page?do=logout', true],
    ['a dot is a dot', '/a.b', '/axb', false],
    ['a plus is a plus in the path', '/c++', '/c++/x', true],
    ['a bracket is a bracket', '/a[b]', '/ab', false],
  ])('%s', (_name, pattern, address, expected) => expect(excludes(pattern, address)).toBe(expected))
})

describe('ways to write an address do not lead around a pattern', () => {
  it.each([
    ['percent-encoded', '/%61dmin'],
    ['percent-encoded twice', '/%2561dmin'],
    ['in capitals', '/ADMIN/x'],
    ['behind dots', '/shop/../admin'],
    ['behind encoded dots', '/shop/%2e%2e/admin'],
    ['behind dots with an encoded slash', '/shop/..%2fadmin'],
    ['with two slashes', '/x/..//admin//'],
    ['with a backslash', '/x/..%5cadmin'],
    ['with a path parameter', '/admin;jsessionid=1/x'],
    ['with a stray percent sign before it', '/%zz/../admin'],
  ])('%s', (_name, address) => expect(excludes('/admin', address)).toBe(true))

  it('nor around one that is encoded itself', () => expect(excludes('/k%C3%B6nig', '/könig')).toBe(true))
  it('nor around a parameter', () => expect(excludes('/x?a=b%20c', '/x?%61=b+c')).toBe(true))
})

describe('patterns that want to take long', () => {
  it.each([
    ['many stars over one letter', '/**a**a**a**a**a**a**a**a**a**ab', `/${'a'.repeat(8_000)}`],
    ['stars over parts', '/*/*/*/*/*/*/*/*/*/*', `/${'a/'.repeat(4_000)}`],
  ])('%s', (_name, pattern, address) => {
    const began = process.cpuUsage()
    expect(ExcludePattern.safeParse(pattern).success).toBe(true)
    excludes(pattern, address)
    expect(process.cpuUsage(began).user / 1_000).toBeLessThan(1_000)
  })
})

describe('what is no pattern', () => {
  it.each([
    ['empty', ''],
    ['without a slash', 'admin'],
    ['a whole address', 'https://shop.test/admin'],
    ['a line break', '/a\n/b'],
    ['longer than 200', `/${'a'.repeat(200)}`],
    ['eleven stars', '/*a*a*a*a*a*a*a*a*a*a*'],
    ['dots', '/a/../b'],
    ['a fragment', '/a#b'],
  ])('%s', (_name, pattern) => expect(ExcludePattern.safeParse(pattern).success).toBe(false))

  it('more than fifty', () =>
    expect(ExcludePatterns.safeParse(Array.from({ length: MAX_PATTERNS + 1 }, () => '/a')).success).toBe(false))
})
