/** What comes with an application as it is delivered says nothing of its network, its server or its people. */
import { expect, it } from 'vitest'
import { caseContext } from '../../testing/judge-cases.ts'
import { caseSite } from '../../testing/site-facts.ts'
import { banner } from './banner.ts'
import { leftover } from './leftover.ts'
import { caseDisclosure, caseScript } from './testing/disclosure-facts.ts'

const known = { site: caseSite() }
const found = (judgement: ReturnType<typeof banner.judge>): readonly unknown[] =>
  'state' in judgement ? ('findings' in judgement && judgement.findings) || [] : judgement

it('what has written a handbook once is no software of the server', () => {
  const generator = (content: string) => ({
    site: caseSite({ page: { body: `<meta name=generator content="${content}">` } }),
  })
  const told = ['Docutils 0.19: https://docutils.sourceforge.io/', 'WordPress 6.4.2'].map(
    (content) => found(banner.judge(caseDisclosure(), generator(content), caseContext())).length,
  )
  expect(told).toEqual([0, 1])
})

it('addresses that a handbook explains by are nobody’s', () => {
  const page = (path: string) => ({
    site: caseSite({ page: { url: `https://shop.test${path}`, body: 'allow 192.168.5.10 from 10.0.0.7' } }),
  })
  const told = ['/tool/doc/html/config.html', '/tool/config.html'].map(
    (path) => found(leftover.judge(caseDisclosure(), page(path), caseContext())).length > 0,
  )
  expect(told).toEqual([false, true])
})

it('the author of a library is named with it, and no other person is', () => {
  const told = ['Copyright (c) 2009 E. Lindqvist (e.lindqvist@tools.test)', 'ask e.lindqvist@tools.test'].map(
    (text) => {
      const facts = caseDisclosure({ scripts: [caseScript(`/* Throttle 1.0\n * ${text} */`)] })
      return found(leftover.judge(facts, known, caseContext())).length
    },
  )
  expect(told).toEqual([0, 1])
})
