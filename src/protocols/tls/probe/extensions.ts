/** What a server's hello says of the extensions it knows, and single questions about versions and names. */
import { ALERT } from '../../../knowledge/tls/alerts.ts'
import { FALLBACK_SCSV, suiteOf } from '../../../knowledge/tls/suites.ts'
import type { EndpointFacts, ExtensionFacts, ProtocolFacts } from '../endpoint.ts'
import { CODES } from '../endpoint.ts'
import type { Flight, ServerHello } from '../wire/flight.ts'
import { EXTENSION, type Extension, extension } from '../wire/hello.ts'
import type { Prober } from '../wire/prober.ts'
import { VERSION } from '../wire/record.ts'
import {
  classicHello,
  heartbeatAllowed,
  protocolsFor,
  renegotiationInfo,
  statusRequest,
  timestampsWanted,
} from './hellos.ts'
import type { Agreed } from './keys.ts'

/** RFC 8446, 4.1.3: "DOWNGRD" and 01. */
const DOWNGRADE_MARK = '444f574e47524401'

export const surveyExtensions = async (
  prober: Prober,
  agreed: Agreed,
  modern: boolean,
): Promise<{ readonly facts: ExtensionFacts; readonly timestamps: Buffer | null } | null> => {
  const { endpoint } = prober
  const [answers, squeezed, ...alpn] = await Promise.all([
    answersTo(prober, agreed),
    prober.ask(classicHello(endpoint, agreed.version, agreed.suites, { compression: [1, 64, 0] })),
    ...protocolsFor(endpoint.service).map(async (name) => {
      const { hello } = await prober.ask(classicHello(endpoint, agreed.version, agreed.suites, { alpn: [name] }))
      return hello?.extensions.has(EXTENSION.alpn) ? [name] : []
    }),
  ])
  const [first] = answers
  if (first === undefined) return null
  const returned = new Map(answers.flatMap(({ hello }) => [...hello.extensions]))
  const has = (type: number) => returned.has(type)
  const facts: ExtensionFacts = {
    types: [...returned.keys()],
    extendedMasterSecret: has(EXTENSION.extendedMasterSecret),
    encryptThenMac: has(EXTENSION.encryptThenMac),
    secureRenegotiation: has(EXTENSION.renegotiation),
    sessionTicket: has(EXTENSION.sessionTicket),
    heartbeat: has(EXTENSION.heartbeat),
    compression: squeezed.hello !== null && squeezed.hello.compression !== 0,
    staple: answers.some(({ staple }) => staple !== null),
    alpn: alpn.flat(),
    clientCertificate: answers.some(({ certificateRequested }) => certificateRequested),
    downgradeMark:
      modern && agreed.version === VERSION.tls12 ? first.hello.random.toString('hex').endsWith(DOWNGRADE_MARK) : null,
  }
  return { facts, timestamps: returned.get(EXTENSION.timestamps) ?? null }
}

type Answered = Flight & { readonly hello: ServerHello }

/** All extensions in one hello; where that is refused, each in a hello of its own. Without those that are not answered. */
const answersTo = async (prober: Prober, agreed: Agreed): Promise<readonly Answered[]> => {
  const ask = (more: readonly Extension[]) =>
    prober.ask(classicHello(prober.endpoint, agreed.version, agreed.suites, { more }), true)
  const all = await ask(OFFERED)
  const flights = all.hello === null ? await Promise.all(OFFERED.map((one) => ask([one]))) : [all]
  return flights.flatMap((flight) => (flight.hello === null ? [] : [{ ...flight, hello: flight.hello }]))
}

const OFFERED: readonly Extension[] = [
  renegotiationInfo(),
  statusRequest,
  timestampsWanted,
  heartbeatAllowed,
  extension(EXTENSION.extendedMasterSecret),
  extension(EXTENSION.encryptThenMac),
  extension(EXTENSION.sessionTicket),
]

/** RFC 7507: a hello that says it is a second try with a lower version than the client's best. */
export const probeFallback = async (
  prober: Prober,
  protocols: readonly ProtocolFacts[],
): Promise<EndpointFacts['fallbackScsv']> => {
  const offered = protocols.filter((one) => one.state === 'offered' && one.protocol !== 'SSLv2')
  const lower = offered.at(-2)
  if (lower === undefined || lower.protocol === 'SSLv2') return 'not_applicable'
  const hello = classicHello(prober.endpoint, CODES[lower.protocol], [...lower.suites.slice(0, 60), FALLBACK_SCSV])
  const answer = await prober.ask(hello)
  if (answer.hello !== null) return 'ignored'
  return answer.end.kind === 'alert' && answer.end.description === ALERT.inappropriateFallback ? 'honoured' : 'unknown'
}

export const probeWithoutName = async (prober: Prober, classic: Agreed): Promise<EndpointFacts['withoutName']> => {
  // One kind of key, so that the two answers differ by the name alone.
  const [first = 0] = classic.suites
  const key = suiteOf(first).authentication
  const suites = classic.suites.filter((code) => suiteOf(code).authentication === key)
  const hello = classicHello(prober.endpoint, classic.version, suites)
  const [named, unnamed] = await Promise.all([
    prober.ask(hello, true),
    prober.ask({ ...hello, servername: null }, true),
  ])
  if (unnamed.hello === null) return unnamed.end.kind === 'timeout' ? 'unknown' : 'refused'
  const [a, b] = [named.certificates[0], unnamed.certificates[0]]
  if (!a || !b) return a === b ? 'same' : 'unknown'
  return a.equals(b) ? 'same' : 'other'
}
