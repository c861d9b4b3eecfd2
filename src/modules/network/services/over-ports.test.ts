import { expect, it } from 'vitest'
import { caseContext } from '../../testing/judge-cases.ts'
import type { PortsFacts } from '../ports/facts.ts'
import { casePorts } from '../ports/testing/ports-facts.ts'
import { exposedServices } from './exposed.ts'
import { overPorts } from './over-ports.ts'
import { caseServices } from './testing/services-facts.ts'

const judged = (ports: Partial<PortsFacts>, facts = caseServices()) =>
  overPorts(exposedServices).judge(facts, { ports: casePorts(ports) }, caseContext())

it.each([
  ['all of the usual ones were tried', {}],
  ['more than those', { tried: '1-65535' }],
])('nothing found is a pass where %s', (_name, ports) => expect(judged(ports)).toEqual([]))

it.each([
  ['a few were tried', { tried: '80,443' }],
  ['the time was over', { left: '8080' }],
])('nothing found says nothing where %s', (_name, ports) =>
  expect(judged(ports)).toMatchObject({ state: 'inconclusive', findings: [] }),
)

it('what was found stands', () =>
  expect(judged({ tried: '23' }, caseServices({ port: 23, service: 'telnet' }))).toMatchObject({
    state: 'inconclusive',
    findings: [{ definition: { id: 'services/telnet-exposed' } }],
  }))
