import { createHash } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import type { EndpointFacts } from '../../../protocols/tls/endpoint.ts'
import { probeCcs } from '../../../protocols/tls/probe/ccs.ts'
import { probeHeartbleed } from '../../../protocols/tls/probe/heartbleed.ts'
import { brokenRecord, PADDING_VARIANTS } from '../../../protocols/tls/probe/padding.ts'
import { type Flaws, startFake } from './testing/fake-server.ts'
import { CASE_ADDRESS, casePair, caseProber, surveyCase } from './testing/survey-case.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const survey = async (flaws: Flaws): Promise<EndpointFacts> => {
  const fake = await startFake(CASE_ADDRESS, casePair(), flaws)
  cleanups.push(fake.close)
  const facts = await surveyCase(fake.port)
  if (facts === null) throw new Error('the fake was not taken for a TLS server')
  return facts
}

type Verdicts = Readonly<Record<string, unknown>>

const verdictsOf = (facts: EndpointFacts): Verdicts => ({
  heartbleed: facts.heartbleed.verdict,
  ccs: facts.ccs.verdict,
  robot: facts.robot.verdict,
  ticketbleed: facts.ticketbleed.verdict,
  padding: facts.padding.verdict,
  renegotiation: facts.renegotiation.accepted === 1,
  legacy: facts.renegotiation.legacyAccepted,
  compression: facts.extensions?.compression,
  fallback: facts.fallbackScsv,
})

const SOUND: Verdicts = {
  heartbleed: 'safe',
  ccs: 'safe',
  robot: 'safe',
  ticketbleed: 'not_applicable',
  padding: 'safe',
  renegotiation: false,
  legacy: false,
  compression: false,
  fallback: 'honoured',
}

/** Each flaw beside its fixed twin: nothing else may change. */
const CASES: readonly { readonly name: string; readonly flaws: Flaws; readonly expect: Verdicts }[] = [
  { name: 'a sound server', flaws: {}, expect: {} },
  { name: 'heartbeat that bleeds', flaws: { heartbeat: 'bleeds' }, expect: { heartbleed: 'vulnerable' } },
  { name: 'heartbeat that answers true ones alone', flaws: { heartbeat: 'sound' }, expect: {} },
  { name: 'heartbeat that is silent', flaws: { heartbeat: 'silent' }, expect: { heartbleed: 'inconclusive' } },
  { name: 'early change_cipher_spec taken', flaws: { ccs: 'taken' }, expect: { ccs: 'vulnerable' } },
  { name: 'a bare end upon it, and still there', flaws: { ccs: 'closes' }, expect: {} },
  { name: 'empty keys, as OpenSSL 1.0.1 has them', flaws: { ccs: 'empty keys' }, expect: { ccs: 'proven' } },
  { name: 'empty keys, as before', flaws: { ccs: 'empty keys before 1.0.1' }, expect: { ccs: 'proven' } },
  { name: 'an alert for each wrong padding', flaws: { robot: 'strong' }, expect: { robot: 'strong' } },
  { name: 'one alert for all wrong paddings', flaws: { robot: 'weak' }, expect: { robot: 'weak' } },
  { name: 'silence to a Finished that is wrong', flaws: { robot: 'silent' }, expect: { robot: 'inconclusive' } },
  { name: 'silence to wrong records', flaws: { padding: 'silent' }, expect: { padding: 'inconclusive' } },
  { name: 'session id padded with memory', flaws: { ticket: 'bleeds' }, expect: { ticketbleed: 'vulnerable' } },
  { name: 'session id returned as it came', flaws: { ticket: 'sound' }, expect: { ticketbleed: 'safe' } },
  { name: 'padding not looked at', flaws: { padding: 'poodle' }, expect: { padding: 'poodle' } },
  { name: 'another alert for wrong padding', flaws: { padding: 'zombie' }, expect: { padding: 'oracle' } },
  { name: 'no alert for an empty record', flaws: { padding: 'zero' }, expect: { padding: 'oracle' } },
  { name: 'renegotiation at the wish of clients', flaws: { renegotiation: 'client' }, expect: { renegotiation: true } },
  { name: 'renegotiation passed over in silence', flaws: { renegotiation: 'passed over' }, expect: {} },
  {
    name: 'nothing answered after a wish to renegotiate',
    flaws: { renegotiation: 'silent' },
    expect: { legacy: null },
  },
  {
    name: 'renegotiation without RFC 5746',
    flaws: { renegotiation: 'legacy' },
    expect: { renegotiation: true, legacy: true },
  },
  { name: 'compression', flaws: { compression: true }, expect: { compression: true } },
  { name: 'fallback signal ignored', flaws: { fallback: 'ignored' }, expect: { fallback: 'ignored' } },
]

describe('named flaws', () => {
  it.each(CASES.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
    const facts = await survey(one.flaws)
    expect(verdictsOf(facts), JSON.stringify([facts.robot, facts.padding, facts.ccs])).toEqual({
      ...SOUND,
      ...one.expect,
    })
  })
})

describe('servers that die', () => {
  it('padding that leaves no room for a MAC is never sent', async () => {
    const fake = await startFake(CASE_ADDRESS, casePair(), { padding: 'dies' })
    cleanups.push(fake.close)
    const facts = await surveyCase(fake.port)
    expect(fake.isDead()).toBe(false)
    expect(facts?.padding.verdict).toBe('safe')
  })

  it.each(['sha1', 'sha256', 'sha384'])('no variant is right padding without room for a MAC of %s', (hash) => {
    for (const block of [8, 16]) {
      for (let octets = 0; octets < 300; octets++) {
        const mac = createHash(hash).update(`${octets}`).digest()
        const session = { parts: { block }, write: { macOf: () => mac } } as unknown as Parameters<
          typeof brokenRecord
        >[0]
        for (const variant of PADDING_VARIANTS) {
          const record = brokenRecord(session, variant, Buffer.alloc(octets, 0x61))
          const padding = (record.at(-1) ?? 0) + 1
          const isRight = record.subarray(-padding).every((octet) => octet === padding - 1)
          expect(isRight && record.length < padding + mac.length, `${variant}, ${octets}`).toBe(false)
        }
      }
    }
  })

  it('that it died of an early change_cipher_spec is not taken for a refusal', async () => {
    const fake = await startFake(CASE_ADDRESS, casePair(), { ccs: 'dies' })
    cleanups.push(fake.close)
    const { prober, close } = caseProber(fake.port)
    cleanups.push(close)
    const ccs = await probeCcs(prober, { version: 0x0303, suites: [0x2f] })
    expect(fake.isDead()).toBe(true)
    expect(ccs.verdict).toBe('inconclusive')
  })

  it.each([
    ['dies', true, 'inconclusive'],
    ['closes', false, 'safe'],
  ] as const)('one that %s upon a false heartbeat is asked whether it goes on', async (heartbeat, isDead, verdict) => {
    const fake = await startFake(CASE_ADDRESS, casePair(), { heartbeat })
    cleanups.push(fake.close)
    const { prober, close } = caseProber(fake.port)
    cleanups.push(close)
    const facts = await probeHeartbleed(prober, { version: 0x0303, suites: [0x2f] })
    expect([fake.isDead(), facts.verdict]).toEqual([isDead, verdict])
  })
})
