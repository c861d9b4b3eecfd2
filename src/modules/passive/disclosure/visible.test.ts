import { describe, expect, it } from 'vitest'
import { caseContext } from '../../testing/judge-cases.ts'
import { caseSite } from '../../testing/site-facts.ts'
import { disclosure } from './module.ts'
import { caseDisclosure, caseFetched, caseMap, caseScript } from './testing/disclosure-facts.ts'
import { withoutSamples } from './visible.ts'

it('samples go, but not from an answer that is an error', () => {
  expect(withoutSamples('a<pre>b</pre>c', 200)).not.toContain('b')
  expect(withoutSamples('a<pre>b</pre>c', 500)).toContain('<pre>b')
})

describe('every check of the module', () => {
  const FULL = 256 * 1024
  it.each([
    '<script',
    '<pre>',
    '<!--',
    '<!-- password: a1b2c ',
    '<b>Warning</b>: x in <b>',
    '<title>Index of ',
    'a@a.a.a.a.',
    '10.0.0.',
    '-----BEGIN PRIVATE KEY-----',
    'postgres://a:b1b1b1b1',
    'at a.a.a(',
    '#0 a(',
    '/var/www/',
    'sourceMappingURL=data:application/json;base64,',
    '&#39;<',
    ' ',
  ])('stays quick on a page full of %j', (part) => {
    const text = part.repeat(FULL / part.length)
    const facts = caseDisclosure({
      scripts: [caseScript(text)],
      maps: [caseMap(text)],
      robots: caseFetched('/robots.txt', text),
      securityTxt: caseFetched('/.well-known/security.txt', text),
      malformed: caseFetched('/%c0', text),
      folders: [caseFetched('/a/', text)],
    })
    const site = caseSite({ page: { body: text, headers: [['Server', text.slice(0, 8192)]] } })
    const began = process.cpuUsage()
    for (const check of disclosure.checks) check.judge(facts, { site }, caseContext())
    expect(process.cpuUsage(began).user / 1_000).toBeLessThan(4_000)
  })
})
