import { describe, expect, it } from 'vitest'
import { bypasses } from './bypass.ts'
import { allowsEval, allowsInline, allowsScript, effective, forbidsScripts, scriptNonces } from './effective.ts'
import { type Policy, parsePolicyHeader } from './policy.ts'

const policies = (...values: string[]): readonly Policy[] => parsePolicyHeader(values)
const one = (value: string): Policy => {
  const [policy] = policies(value)
  if (policy === undefined) throw new Error('no policy')
  return policy
}
const self = new URL('https://shop.test/')

describe('fallbacks', () => {
  it.each([
    ['script-src-elem', 'script-src a; default-src b; script-src-elem c', 'script-src-elem'],
    ['script-src-attr', 'script-src a; default-src b', 'script-src'],
    ['script-src', 'default-src b; script-src-elem c', 'default-src'],
    ['object-src', 'default-src b', 'default-src'],
    ['frame-src', 'child-src a; default-src b', 'child-src'],
    ['base-uri', 'default-src b', undefined],
    ['form-action', 'default-src b', undefined],
  ])('%s under %s', (name, text, expected) => {
    expect(effective(one(text), name)?.name).toBe(expected)
  })
})

describe('inline code', () => {
  it.each([
    ['no directive', 'img-src a', true],
    ['keyword', "script-src 'unsafe-inline'", true],
    ['keyword in default-src', "default-src 'unsafe-inline'", true],
    ['nonce voids the keyword', "script-src 'unsafe-inline' 'nonce-AAAAAAAA'", false],
    ['hash voids the keyword', "script-src 'unsafe-inline' 'sha256-AAAA'", false],
    ['strict-dynamic voids the keyword', "script-src 'unsafe-inline' 'strict-dynamic'", false],
    ['elements apart', "script-src 'unsafe-inline'; script-src-elem 'self'", false],
  ])('%s', (_name, text, expected) => {
    expect(allowsInline(one(text), 'elem')).toBe(expected)
  })

  it('judges handlers apart from elements', () => {
    const policy = one("script-src 'self'; script-src-attr 'unsafe-inline'")
    expect([allowsInline(policy, 'elem'), allowsInline(policy, 'attr')]).toEqual([false, true])
  })
})

it('eval follows script-src, never script-src-elem', () => {
  expect(allowsEval(one("script-src 'self'; script-src-elem 'unsafe-eval'"))).toBe(false)
  expect(allowsEval(one("default-src 'unsafe-eval'"))).toBe(true)
  expect(allowsEval(one("script-src-elem 'self'"))).toBe(true)
  expect(allowsEval(one("script-src 'wasm-unsafe-eval'"))).toBe(false)
})

it('strict-dynamic ignores hosts', () => {
  const policy = one("script-src 'nonce-AAAAAAAA' 'strict-dynamic' https: 'self'")
  expect(allowsScript(policy, new URL('https://x.test/'), self)).toBe(false)
  expect(scriptNonces(policy)).toEqual(['AAAAAAAA'])
})

it('a sandbox without allow-scripts runs nothing', () => {
  expect(forbidsScripts(one('sandbox'))).toBe(true)
  expect(forbidsScripts(one('sandbox Allow-Scripts'))).toBe(false)
})

describe('bypasses', () => {
  const kinds = (...values: string[]) =>
    [...new Set(bypasses(policies(...values), self).map(({ kind }) => kind))].toSorted()

  it.each([
    ['own files alone', ["script-src 'self'"], []],
    ['star', ['script-src *'], ['open']],
    ['bare scheme', ['script-src https:'], ['open']],
    ['data', ["script-src 'self' data:"], ['open']],
    ['wildcard of a top-level domain', ['script-src *.com'], ['open']],
    ['wildcard of a hoster', ['script-src *.github.io'], ['open']],
    ['wildcard of one owner', ['script-src *.owner.example'], []],
    ['host with AngularJS', ['script-src cdnjs.cloudflare.com'], ['angular']],
    ['host with JSONP', ['script-src accounts.google.com'], ['jsonp']],
    ['path away from the known file', ['script-src https://accounts.google.com/gsi/client'], []],
    ['JSONP that needs eval', ['script-src www.google-analytics.com'], []],
    ['JSONP that gets eval', ["script-src www.google-analytics.com 'unsafe-eval'"], ['jsonp']],
    ['second policy forbids', ['script-src *', "script-src 'self'"], []],
    ['both policies allow', ['script-src *', 'script-src https:'], ['open']],
    ['strict-dynamic', ["script-src 'nonce-AAAAAAAA' 'strict-dynamic' *"], []],
    ['none', ["default-src 'none'"], []],
  ])('%s', (_name, values, expected) => {
    expect(kinds(...values)).toEqual(expected)
  })

  it('names the source that allows it', () => {
    expect(bypasses(policies("script-src 'self' cdnjs.cloudflare.com"), self)[0]?.by).toEqual(['cdnjs.cloudflare.com'])
  })
})
