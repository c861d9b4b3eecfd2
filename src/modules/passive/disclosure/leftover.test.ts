import { judgeCases } from '../../testing/judge-cases.ts'
import { caseSite } from '../../testing/site-facts.ts'
import { leftover } from './leftover.ts'
import { caseDisclosure, caseScript } from './testing/disclosure-facts.ts'

const facts = caseDisclosure()
const known = { site: caseSite() }
const body = (text: string) => ({ site: caseSite({ page: { body: text } }) })
const header = (name: string, value: string) => ({ site: caseSite({ page: { headers: [[name, value]] } }) })

const ADDRESS = ['disclosure/private-address']
const MAIL = ['disclosure/email-in-code']

judgeCases(leftover, [
  { name: 'nothing left', facts, known, expect: [] },
  { name: 'address in a comment', facts, known: body('<!-- http://10.20.30.41:8080/ -->'), expect: ADDRESS },
  { name: 'address in a header', facts, known: header('X-Backend', '192.168.7.4'), expect: ADDRESS },
  {
    name: 'version that looks like an address',
    facts,
    known: body('<p>Release v10.2.3.4, 10.20.30.400 and 10.1.2.3.4</p>'),
    expect: [],
  },
  { name: 'networks', facts, known: body('<p>10.0.0.0/8 192.168.1.0/24 to 192.168.1.255</p>'), expect: [] },
  { name: 'public address', facts, known: body('<p>172.32.0.1 8.8.8.8</p>'), expect: [] },
  {
    name: 'the scanned address itself',
    facts,
    known: { site: caseSite({ addresses: ['10.1.2.3'], page: { body: '10.1.2.3' } }) },
    expect: [],
  },
  { name: 'person in a comment', facts, known: body('<!-- ask e.lindqvist@shop.test -->'), expect: MAIL },
  {
    name: 'person in a script',
    facts: caseDisclosure({ scripts: [caseScript('// by e.lindqvist@shop.test')] }),
    known,
    expect: MAIL,
  },
  {
    name: 'contact on the page',
    facts,
    known: body('<a href="mailto:jo.smith@shop.test">jo.smith@shop.test</a>'),
    expect: [],
  },
  { name: 'role in a comment', facts, known: body('<!-- support@shop.test -->'), expect: [] },
  {
    name: 'picture for two densities',
    facts: caseDisclosure({ scripts: [caseScript('"logo@2x.png icons@large.svg"')] }),
    known,
    expect: [],
  },
])
