import { createDiffieHellmanGroup } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import type { EndpointFacts } from '../../../protocols/tls/endpoint.ts'
import { type Flaws, startFake } from './testing/fake-server.ts'
import { CASE_ADDRESS, casePair, surveyCase } from './testing/survey-case.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const survey = async (flaws: Flaws): Promise<EndpointFacts> => {
  const fake = await startFake(CASE_ADDRESS, casePair(), flaws)
  cleanups.push(fake.close)
  const facts = await surveyCase(fake.port)
  if (facts === null) throw new Error('the fake was not taken for a server')
  return facts
}

const stateOf = (facts: EndpointFacts, protocol: string) =>
  facts.protocols.find((one) => one.protocol === protocol)?.state

describe('what no library of today offers any more', () => {
  it('SSL 2.0 beside TLS', async () => {
    const facts = await survey({ versions: [2, 0x0301] })
    expect(stateOf(facts, 'SSLv2')).toBe('offered')
    expect(facts.sslv2.ciphers).toEqual(['SSL_CK_RC4_128_WITH_MD5', 'SSL_CK_RC4_128_EXPORT40_WITH_MD5'])
    expect(facts.sslv2.certificate).toBe(facts.certificates[0]?.der)
  })

  it('SSL 3.0 with CBC', async () => {
    const facts = await survey({ versions: [0x0300, 0x0301] })
    expect(stateOf(facts, 'SSLv3')).toBe('offered')
    expect(stateOf(facts, 'SSLv2')).toBe('refused')
    expect(facts.protocols.find((one) => one.protocol === 'SSLv3')?.suites).toContain(0x2f)
  })

  it('export suites, 56 bits, NULL and RC4', async () => {
    const suites = [0x2f, 0x03, 0x62, 0x02, 0x05, 0x09]
    const facts = await survey({ suites })
    expect(facts.protocols.find((one) => one.protocol === 'TLSv1')?.suites.toSorted()).toEqual(suites.toSorted())
  })

  it('Diffie-Hellman of 512 bits, and a known prime of 1024', async () => {
    const facts = await survey({ suites: [0x33], prime: `ff${'ab'.repeat(62)}03` })
    expect(facts.dh[0]).toMatchObject({ bits: 512, knownPrime: null })
    const oakley = createDiffieHellmanGroup('modp2').getPrime('hex')
    const common = await survey({ suites: [0x33], prime: oakley })
    expect(common.dh[0]).toMatchObject({ bits: 1024, knownPrime: 'RFC 2409 group 2 (1024 bit)' })
  })

  it('a server that answers every hello with TLS 1.2', async () => {
    const facts = await survey({ stuckAt: 0x0303 })
    expect(facts.protocols.find((one) => one.protocol === 'TLSv1')?.wrongVersion).toBe(0x0303)
    expect(stateOf(facts, 'TLSv1')).toBe('refused')
    expect(stateOf(facts, 'TLSv1.2')).toBe('offered')
  })

  it('a server that breaks on reserved values and on versions to come', async () => {
    const facts = await survey({ intolerant: true })
    expect(facts.tolerance.filter((one) => !one.ok).map((one) => one.probe)).toEqual(['grease', 'future-version'])
  })
})
