/** What comes with an application as it is delivered says nothing of its network, its server or its people. */
import { judgeCases } from '../../testing/judge-cases.ts'
import { caseSite } from '../../testing/site-facts.ts'
import { banner } from './banner.ts'
import { leftover } from './leftover.ts'
import { caseDisclosure, caseScript } from './testing/disclosure-facts.ts'

const facts = caseDisclosure()
const known = { site: caseSite() }
const body = (text: string) => ({ site: caseSite({ page: { body: text } }) })

judgeCases(banner, [
  {
    name: 'what has written a handbook once',
    facts,
    known: body('<meta name="generator" content="Docutils 0.19: https://docutils.sourceforge.io/">'),
    expect: [],
  },
])

judgeCases(leftover, [
  {
    name: 'addresses that a handbook explains by',
    facts,
    known: {
      site: caseSite({
        page: { url: 'https://shop.test/tool/doc/html/config.html', body: 'allow 192.168.5.10 from 10.0.0.7' },
      }),
    },
    expect: [],
  },
  {
    name: 'the author of a library',
    facts: caseDisclosure({
      scripts: [caseScript('/* Throttle 1.0\n * Copyright (c) 2009 E. Lindqvist (e.lindqvist@tools.test) */')],
    }),
    known,
    expect: [],
  },
])
