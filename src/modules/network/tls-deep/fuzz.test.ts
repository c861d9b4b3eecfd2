import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import fc from '../../../../tests/support/properties.ts'
import { probeHeartbleed } from '../../../protocols/tls/probe/heartbleed.ts'
import { classicHello, modernHello } from '../../../protocols/tls/probe/hellos.ts'
import { probeRobot } from '../../../protocols/tls/probe/robot.ts'
import { probeTicketbleed } from '../../../protocols/tls/probe/ticketbleed.ts'
import { openModern, prepareHello } from '../../../protocols/tls/session/modern.ts'
import { helloRecord } from '../../../protocols/tls/wire/hello.ts'
import { parseSslv2 } from '../../../protocols/tls/wire/sslv2.ts'
import { startFake } from './testing/fake-server.ts'
import { CASE_ADDRESS, casePair, caseProber } from './testing/survey-case.ts'

const ROUNDS = 150

/** The first flight of a sound server, as octets. */
const recordedFlight = async (): Promise<Buffer> => {
  const fake = await startFake(CASE_ADDRESS, casePair(), { heartbeat: 'sound', ticket: 'sound' })
  const { prober, close } = caseProber(fake.port)
  const octets = await prober.converse(async (channel) => {
    channel.write(helloRecord(classicHello(prober.endpoint, 0x0303, [0x2f])))
    const got = await channel.take((input) => (input.length > 200 ? input.length : null), prober.deadline())
    return Buffer.isBuffer(got) ? got : Buffer.alloc(0)
  })
  await close()
  await fake.close()
  if (octets === null || octets.length === 0) throw new Error('no flight')
  return octets
}

const mutated = (octets: Buffer, changes: readonly (readonly [number, number])[], cut: number): Buffer => {
  const copy = Buffer.from(octets)
  for (const [at, value] of changes) copy[at % copy.length] = value
  return copy.subarray(0, copy.length - (cut % copy.length))
}

describe('octets of a stranger', () => {
  it('never break a probe', { timeout: 60_000 }, async () => {
    const flight = await recordedFlight()
    let answer = flight
    const server = createServer((socket) => {
      socket.on('error', () => socket.destroy())
      socket.once('data', () => socket.end(answer))
    })
    server.listen(0, CASE_ADDRESS)
    await once(server, 'listening')
    const { prober, close } = caseProber((server.address() as AddressInfo).port)
    const agreed = { version: 0x0303, suites: [0x2f, 0x9c] }
    // Most changes within the hello and the lengths, where the parsers are.
    const change = fc.tuple(fc.oneof(fc.nat(120), fc.nat(flight.length)), fc.nat(255))
    const sample = fc.sample(fc.tuple(fc.array(change, { minLength: 1, maxLength: 6 }), fc.nat(40)), {
      numRuns: ROUNDS,
      seed: 7,
    })
    for (const [changes, cut] of sample) {
      answer = mutated(flight, changes, cut)
      const results = await Promise.all([
        prober.ask(classicHello(prober.endpoint, 0x0303, [0x2f]), true),
        probeHeartbleed(prober, agreed),
        probeTicketbleed(prober, agreed),
        probeRobot(prober, agreed),
        prober.converse((channel) =>
          openModern(channel, prepareHello(modernHello(prober.endpoint, [0x1301])), prober.deadline(500)),
        ),
      ])
      expect(['vulnerable', 'strong', 'weak']).not.toContain(results[1].verdict)
      expect(results[3].verdict).not.toMatch(/strong|weak/)
    }
    await close()
    server.close()
    await once(server, 'close')
  })

  it('never break the reading of SSL 2.0', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 2, maxLength: 80 }), (octets) => {
        const framed = Buffer.from([0x80, octets.length, 4, 0, 1, 0, 2, ...octets])
        expect(['offered', 'refused']).toContain(parseSslv2(framed).state)
      }),
      { numRuns: 500, seed: 7 },
    )
  })
})
