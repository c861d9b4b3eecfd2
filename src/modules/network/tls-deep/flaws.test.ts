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
  { name: 'record_overflow for nothing but padding', flaws: { padding: 'overflow' }, expect: { padding: 'oracle' } },
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
