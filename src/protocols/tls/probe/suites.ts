/** Which versions and suites a server takes: offer many, take the chosen one off, until it refuses. */

import { ALERT } from '../../../knowledge/tls/alerts.ts'
import { CLASSIC_SUITES, MODERN_SUITES, suiteOf } from '../../../knowledge/tls/suites.ts'
import { CODES, type Protocol, type ProtocolFacts } from '../endpoint.ts'
import type { Flight } from '../wire/flight.ts'
import type { Hello } from '../wire/hello.ts'
import type { Prober } from '../wire/prober.ts'
import { VERSION } from '../wire/record.ts'
import { classicHello, modernHello } from './hellos.ts'

type Classic = Exclude<Protocol, 'SSLv2'>

/** Old servers break on hellos with more suites than this. */
const MOST_IN_HELLO = 64
export const scoutSuites: readonly number[] = [
  0xc02f, 0xc030, 0xc02b, 0xc02c, 0xcca8, 0xcca9, 0xc013, 0xc014, 0xc009, 0xc00a, 0xc027, 0xc028, 0x9c, 0x9d, 0x2f,
  0x35, 0x9e, 0x9f, 0x33, 0x39, 0x0a, 0x16, 0xc012, 0x05, 0x04,
]

/** The plainest hello there is: whoever speaks any version answers it, if only by an alert. */
export const scoutHello = (prober: Prober): Hello => classicHello(prober.endpoint, VERSION.tls12, scoutSuites)

interface Found {
  readonly suites: readonly number[]
  readonly complete: boolean
  readonly wrongVersion: number | null
  readonly foreignSuite: number | null
  readonly hello: string | null
}

export const surveyProtocol = async (prober: Prober, protocol: Classic): Promise<ProtocolFacts> => {
  const version = CODES[protocol]
  const helloOf = (suites: readonly number[]): Hello =>
    version === VERSION.tls13 ? modernHello(prober.endpoint, suites) : classicHello(prober.endpoint, version, suites)
  const first = await prober.ask(helloOf(version === VERSION.tls13 ? MODERN_SUITES : scoutSuites))
  const refused = refusal(protocol, first, version)
  if (refused) return refused
  const all = version === VERSION.tls13 ? MODERN_SUITES : CLASSIC_SUITES
  const found = merge(await Promise.all(batches(all).map((batch) => eliminate(prober, helloOf, batch, version))))
  const facts: ProtocolFacts = {
    ...found,
    protocol,
    state: found.suites.length > 0 ? 'offered' : found.complete ? 'refused' : 'unknown',
    order: null,
    chachaFirst: false,
  }
  return found.suites.length > 1 ? { ...facts, ...(await preference(prober, helloOf, found.suites)) } : facts
}

/** A server that names another version for the commonest suites need not be asked for the rest. */
const refusal = (protocol: Classic, { hello, end }: Flight, version: number): ProtocolFacts | null => {
  const other = hello !== null && hello.version !== version
  const unspoken = end.kind === 'alert' && end.description === ALERT.protocolVersion
  const silent = hello === null && end.kind === 'timeout'
  const foreign = hello === null && end.kind === 'garbage'
  if (!other && !unspoken && !silent && !foreign) return null
  const nothing = { suites: [], order: null, chachaFirst: false, foreignSuite: null, hello: null }
  // A lower version is the ordinary answer to a higher offer, but a higher one was never offered.
  const wrongVersion = other && hello.version > version ? hello.version : null
  return { ...nothing, protocol, state: silent ? 'unknown' : 'refused', complete: !silent, wrongVersion }
}

/** Neighbours in the registry are alike, so they are dealt out to the batches in turn: equal work for each. */
const batches = (suites: readonly number[]): readonly (readonly number[])[] => {
  const count = Math.ceil(suites.length / MOST_IN_HELLO)
  return Array.from({ length: count }, (_, batch) => suites.filter((_suite, index) => index % count === batch))
}

const eliminate = async (
  prober: Prober,
  helloOf: (suites: readonly number[]) => Hello,
  offered: readonly number[],
  version: number,
): Promise<Found> => {
  const suites: number[] = []
  let left = offered
  let start: string | null = null
  const done = (change: Partial<Found> = {}): Found => ({
    suites,
    complete: true,
    wrongVersion: null,
    foreignSuite: null,
    hello: start,
    ...change,
  })
  while (left.length > 0) {
    const { hello, end, messages } = await prober.ask(helloOf(left))
    if (hello === null) return done({ complete: end.kind !== 'timeout' })
    if (hello.version !== version) return done({ wrongVersion: hello.version > version ? hello.version : null })
    if (!left.includes(hello.suite)) return done({ foreignSuite: hello.suite })
    start ??= (messages[0] ?? Buffer.alloc(0)).toString('hex').slice(0, 240)
    suites.push(hello.suite)
    left = left.filter((suite) => suite !== hello.suite)
  }
  return done()
}

const merge = (parts: readonly Found[]): Found => ({
  suites: parts.flatMap((part) => part.suites).toSorted((a, b) => a - b),
  complete: parts.every((part) => part.complete),
  wrongVersion: parts.find((part) => part.wrongVersion !== null)?.wrongVersion ?? null,
  foreignSuite: parts.find((part) => part.foreignSuite !== null)?.foreignSuite ?? null,
  hello: parts.find((part) => part.hello !== null)?.hello ?? null,
})

/** The same choice from two opposite orders is the server's own; then its whole order follows by elimination. */
const preference = async (
  prober: Prober,
  helloOf: (suites: readonly number[]) => Hello,
  suites: readonly number[],
): Promise<Pick<ProtocolFacts, 'suites' | 'order' | 'chachaFirst'>> => {
  const chosen = async (offer: readonly number[]): Promise<number | null> =>
    (await prober.ask(helloOf(offer))).hello?.suite ?? null
  const [up, down] = await Promise.all([chosen(suites), chosen(suites.toReversed())])
  if (up === null || down === null) return { suites, order: null, chachaFirst: false }
  if (up !== down) return { suites, order: 'client', chachaFirst: false }
  const isChacha = (code: number) => suiteOf(code).cipher === 'CHACHA20'
  const chacha = suites.filter(isChacha)
  const asMobile =
    chacha.length > 0 && !isChacha(up) ? await chosen([...chacha, ...suites.filter((one) => !isChacha(one))]) : null
  const ordered: number[] = []
  let left = suites
  while (left.length > 1) {
    const next = await chosen(left)
    if (next === null || !left.includes(next)) break
    ordered.push(next)
    left = left.filter((suite) => suite !== next)
  }
  return { suites: [...ordered, ...left], order: 'server', chachaFirst: asMobile !== null && isChacha(asMobile) }
}
