/**
 * Handshakes that OpenSSL would not begin: SSL 3.0, and suites that it no longer has. The hello is written here, and the
 * answer read as far as it comes in clear.
 */
import type { Egress } from '../../egress/door/egress.ts'
import { CLASSIC_SUITES, MODERN_SUITES, SUITES, suiteOf } from '../../knowledge/tls/suites.ts'
import { classicHello, modernHello } from '../../protocols/tls/probe/hellos.ts'
import { createChannel } from '../../protocols/tls/wire/channel.ts'
import { readFlight } from '../../protocols/tls/wire/flight.ts'
import { helloRecord } from '../../protocols/tls/wire/hello.ts'
import { VERSION } from '../../protocols/tls/wire/record.ts'
import { StepSkipped } from './executor.ts'

export const HAND_VERSIONS: Readonly<Record<string, number>> = {
  ssl30: VERSION.ssl3,
  tls10: VERSION.tls10,
  tls11: VERSION.tls11,
  tls12: VERSION.tls12,
  tls13: VERSION.tls13,
}

export interface HandAnswer {
  /** As templates write it: `tls12`. */
  readonly version: string
  /** IANA name. */
  readonly cipher: string
  /** DER, leaf first; empty where the server encrypts them. */
  readonly chain: readonly Buffer[]
  readonly address: string
}

/** Milliseconds for the server's flight. */
const PATIENCE = 5_000

/** Null where the server takes none of it. `suites` are IANA names; empty offers all. @throws EgressError, StepSkipped */
export const handshakeByHand = async (
  egress: Pick<Egress, 'connect'>,
  target: { readonly host: string; readonly port: number },
  range: { readonly min: number; readonly max: number },
  suites: readonly string[],
): Promise<HandAnswer | null> => {
  const codes = SUITES.filter(({ name }) => suites.includes(name)).map(({ code }) => code)
  const offered = (known: readonly number[]): readonly number[] =>
    suites.length === 0 ? known : codes.filter((code) => known.includes(code))
  if (suites.length > 0 && codes.length === 0) {
    throw new StepSkipped(`there are no cipher suites ${suites.join(', ').slice(0, 100)}`, 'defect')
  }
  const place = { ...target, address: target.host, service: 'tls' as const }
  const modern = range.max >= VERSION.tls13 ? offered(MODERN_SUITES) : []
  const classic = range.min <= VERSION.tls12 ? offered(CLASSIC_SUITES) : []
  const hellos = [
    ...(modern.length > 0 ? [modernHello(place, modern)] : []),
    ...(classic.length > 0 ? [classicHello(place, Math.min(range.max, VERSION.tls12), classic)] : []),
  ]
  for (const hello of hellos) {
    const stream = await egress.connect({ ...target, timeout: PATIENCE })
    const channel = createChannel(stream)
    try {
      channel.write(helloRecord(hello))
      const { hello: answer, certificates } = await readFlight(channel, performance.now() + PATIENCE, true)
      if (answer === null || answer.version < range.min || answer.version > range.max) continue
      const [version = ''] = Object.entries(HAND_VERSIONS).find(([, code]) => code === answer.version) ?? []
      return { version, cipher: suiteOf(answer.suite).name, chain: certificates, address: stream.remoteAddress }
    } finally {
      channel.close()
    }
  }
  return null
}
