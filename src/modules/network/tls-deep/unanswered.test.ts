/** A question without an answer voids the verdicts that rest on it, and no others. */
import { expect, it } from 'vitest'
import type { Protocol } from '../../../protocols/tls/endpoint.ts'
import { caseTls } from '../../passive/tls/testing/tls-facts.ts'
import { caseContext } from '../../testing/judge-cases.ts'
import { caseSite } from '../../testing/site-facts.ts'
import { knownAttacks } from './known-attacks.ts'
import { protocol } from './protocol.ts'
import type { DeepCheck } from './report.ts'
import { suites } from './suites.ts'
import { caseDeep, caseEndpoint, caseProtocols } from './testing/deep-facts.ts'

const silentTo = (...versions: readonly Protocol[]) =>
  caseProtocols().map((one) =>
    versions.includes(one.protocol) ? { ...one, state: 'unknown' as const, complete: false } : one,
  )

const voided = (check: DeepCheck, ...endpoints: readonly (readonly Protocol[])[]) => {
  const facts = caseDeep(
    {},
    { endpoints: endpoints.map((versions) => caseEndpoint({ protocols: silentTo(...versions) })) },
  )
  const judgement = check.judge(facts, { site: caseSite(), tls: caseTls() }, caseContext())
  if (!('state' in judgement)) return []
  return 'only' in judgement && judgement.only ? judgement.only.map((id) => id.replace('tls-deep/', '')) : 'all'
}

it.each([
  ['SSL 2.0', ['SSLv2'], ['protocol-sslv2'], ['drown'], []],
  ['SSL 3.0', ['SSLv3'], ['protocol-sslv3'], ['poodle', 'beast', 'freak'], 'all'],
  ['TLS 1.1', ['TLSv1.1'], ['protocol-legacy'], ['freak'], 'all'],
  ['TLS 1.2', ['TLSv1.2'], [], [], 'all'],
  ['TLS 1.3', ['TLSv1.3'], [], [], []],
] as const)('silence to %s', (_name, versions, ofVersions, ofAttacks, ofSuites) => {
  expect(voided(protocol, versions)).toEqual(ofVersions)
  expect(voided(knownAttacks, versions)).toEqual(ofAttacks)
  expect(voided(suites, versions)).toEqual(ofSuites)
})

it('two endpoints that are silent to different versions void the verdicts of both', () => {
  expect(voided(protocol, ['SSLv2'], ['SSLv3'])).toEqual(['protocol-sslv2', 'protocol-sslv3'])
})
