import { describe, expect, it } from 'vitest'
import fc from '../../../tests/support/properties.ts'
import { anyText } from '../../../tests/support/texts.ts'
import { parsePolicyHeader, parsePolicyMeta } from './policy.ts'

const shape = (values: readonly string[]) =>
  parsePolicyHeader(values).map(({ directives }) =>
    Object.fromEntries([...directives].map(([k, v]) => [k, v.join(' ')])),
  )

describe('policies of a header', () => {
  it.each([
    ['one directive', ["default-src 'self'"], [{ 'default-src': "'self'" }]],
    ['name in capitals', ["Default-SRC 'self'"], [{ 'default-src': "'self'" }]],
    [
      'comma separates policies',
      ["default-src 'self', script-src a.test"],
      [{ 'default-src': "'self'" }, { 'script-src': 'a.test' }],
    ],
    [
      'two lines are two policies',
      ["default-src 'self'", 'img-src *'],
      [{ 'default-src': "'self'" }, { 'img-src': '*' }],
    ],
    ['the first of a name counts', ["script-src 'self'; script-src *"], [{ 'script-src': "'self'" }]],
    ['tabs and empty directives', [";;\tscript-src\t'self' ; "], [{ 'script-src': "'self'" }]],
    ['no value', ['upgrade-insecure-requests'], [{ 'upgrade-insecure-requests': '' }]],
    ['curly quotes drop the directive alone', ['script-src ‘self’; img-src a.test'], [{ 'img-src': 'a.test' }]],
    ['no-break space is no white space', ['script-src\u00a0*; img-src a.test'], [{ 'img-src': 'a.test' }]],
    ['nothing', ['', ' ; , ;'], []],
  ] as const)('%s', (_name, values, expected) => {
    expect(shape(values)).toEqual(expected)
  })

  it('keeps duplicates and dropped directives apart', () => {
    const [policy] = parsePolicyHeader(['script-src a; script-src b; img-src “x”'])
    expect(policy).toMatchObject({ duplicates: ['script-src'], nonAscii: ['img-src “x”'] })
  })

  it('never throws and stays bounded', () => {
    fc.assert(
      fc.property(fc.array(anyText({ maxLength: 200 }), { maxLength: 5 }), (values) => {
        expect(parsePolicyHeader(values).length).toBeLessThanOrEqual(32)
      }),
    )
    const begun = process.cpuUsage()
    parsePolicyHeader(['script-src '.repeat(500_000), ';'.repeat(1_000_000)])
    expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(1_000)
  })
})

describe('a policy of a meta element', () => {
  it('takes a comma for a part of the source and loses what needs a header', () => {
    const policy = parsePolicyMeta("script-src 'self', a.test; frame-ancestors 'none'; sandbox; report-uri /r")
    expect(policy.directives.get('script-src')).toEqual(["'self',", 'a.test'])
    expect(policy.removed).toEqual(['frame-ancestors', 'sandbox', 'report-uri'])
    expect(policy.directives.size).toBe(1)
  })
})
