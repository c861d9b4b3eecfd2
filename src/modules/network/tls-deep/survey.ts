/** One endpoint from end to end: versions and suites first, then everything that rests on them side by side. */
import {
  CODES,
  type EndpointFacts,
  type Oracle,
  PROTOCOLS,
  type Protocol,
  type ProtocolFacts,
} from '../../../protocols/tls/endpoint.ts'
import { probeCcs } from '../../../protocols/tls/probe/ccs.ts'
import { simulateClients } from '../../../protocols/tls/probe/clients.ts'
import { probeFallback, probeWithoutName, surveyExtensions } from '../../../protocols/tls/probe/extensions.ts'
import { probeHeartbleed } from '../../../protocols/tls/probe/heartbleed.ts'
import { probeInjection } from '../../../protocols/tls/probe/injection.ts'
import {
  type Agreed,
  isEcdhReused,
  surveyCertificates,
  surveyCurves,
  surveyDh,
  surveyModernCertificates,
  surveyModernGroups,
  surveyModernSchemes,
  surveySchemes,
} from '../../../protocols/tls/probe/keys.ts'
import { probePadding } from '../../../protocols/tls/probe/padding.ts'
import { probeRenegotiation } from '../../../protocols/tls/probe/renegotiation.ts'
import { probeClassicResumption, probeEarlyData } from '../../../protocols/tls/probe/resumption.ts'
import { probeRobot } from '../../../protocols/tls/probe/robot.ts'
import { scoutHello, surveyProtocol } from '../../../protocols/tls/probe/suites.ts'
import { probeTicketbleed } from '../../../protocols/tls/probe/ticketbleed.ts'
import { browserHello, probeTolerance } from '../../../protocols/tls/probe/tolerance.ts'
import type { Prober } from '../../../protocols/tls/wire/prober.ts'
import { askSslv2, type Sslv2Facts } from '../../../protocols/tls/wire/sslv2.ts'

export type Report = (detail: string, fraction: number) => void

type Classic = Exclude<Protocol, 'SSLv2'>

/** Null where nothing at the endpoint speaks TLS or SSL. */
export const surveyEndpoint = async (prober: Prober, report: Report): Promise<EndpointFacts | null> => {
  const { endpoint } = prober
  report(`${endpoint.service} at ${endpoint.address}: versions and cipher suites`, 0)
  const scout = await prober.ask(scoutHello(prober))
  // An endpoint that answers nothing at all would be asked hundreds of times in vain, each at the length of its deadline.
  if (scout.hello === null && scout.end.kind === 'timeout') return null
  const names = PROTOCOLS.filter((protocol): protocol is Classic => protocol !== 'SSLv2')
  const askOldest = () => prober.converse((channel) => askSslv2(channel, prober.deadline()))
  const [first, ...rest] = await Promise.all([
    askOldest(),
    ...names.map((protocol) => surveyProtocol(prober, protocol)),
  ])
  const until = performance.now() + ASKING_AGAIN
  const sslv2 = isUnanswered(sslv2Protocol(first)) ? await askOldest() : first
  const protocols = [sslv2Protocol(sslv2), ...(await askedAgain(prober, rest, until))]
  if (!protocols.some((one) => one.state === 'offered')) return null
  const found = suites(protocols)
  report(`${endpoint.service} at ${endpoint.address}: keys, extensions and known flaws`, 0.5)
  const base = {
    ...endpoint,
    protocols,
    sslv2: { ciphers: sslv2?.ciphers ?? [], certificate: sslv2?.certificate ?? null },
  }
  const [keys, { timestamps, ...behaviour }, flaws, modern] = await Promise.all([
    surveyKeys(prober, found),
    surveyBehaviour(prober, found, protocols),
    surveyFlaws(prober, found),
    // Up to TLS 1.2 all of this comes in clear.
    found.classic === null ? surveyModernCertificates(prober, found.modern) : null,
  ])
  const { timestamps: list, ...more } = modern ?? { timestamps }
  const timestampList = list?.toString('base64') ?? null
  return { ...base, ...keys, ...behaviour, ...flaws, ...more, timestampList, connections: prober.asked() }
}

/** Milliseconds that versions are given which were silent while others were asked beside them. */
const ASKING_AGAIN = 12_000

const isUnanswered = ({ state, complete }: ProtocolFacts): boolean => state === 'unknown' || !complete

/** A server of one process answers one after another: what it left open is asked again alone. */
const askedAgain = async (
  prober: Prober,
  protocols: readonly ProtocolFacts[],
  until: number,
): Promise<readonly ProtocolFacts[]> => {
  const settled: ProtocolFacts[] = []
  for (const one of protocols) {
    const isOpen = isUnanswered(one) && one.protocol !== 'SSLv2' && performance.now() < until
    settled.push(isOpen ? await surveyProtocol(prober, one.protocol) : one)
  }
  return settled
}

interface Offered {
  /** The highest version up to TLS 1.2, with its suites. */
  readonly classic: Agreed | null
  readonly all: readonly Agreed[]
  readonly modern: readonly number[]
}

const suites = (protocols: readonly ProtocolFacts[]): Offered => {
  const all = protocols.flatMap(({ protocol, state, suites }): Agreed[] =>
    protocol === 'SSLv2' || protocol === 'TLSv1.3' || state !== 'offered' ? [] : [{ version: CODES[protocol], suites }],
  )
  return {
    classic: all.at(-1) ?? null,
    all,
    modern: protocols.find((one) => one.protocol === 'TLSv1.3')?.suites ?? [],
  }
}

const surveyKeys = async (
  prober: Prober,
  { classic, all, modern }: Offered,
): Promise<Pick<EndpointFacts, 'groups' | 'schemes' | 'dh' | 'ecdhReused' | 'certificates'>> => {
  const [curves, modernGroups, schemes, modernSchemes, dh, ecdhReused, certificates] = await Promise.all([
    classic ? surveyCurves(prober, classic) : [],
    modern.length > 0 ? surveyModernGroups(prober, modern) : [],
    classic ? surveySchemes(prober, classic) : [],
    modern.length > 0 ? surveyModernSchemes(prober, modern) : [],
    // Export suites may be offered in the oldest version alone.
    Promise.all(all.map((agreed) => surveyDh(prober, agreed))),
    classic ? isEcdhReused(prober, classic) : false,
    classic ? surveyCertificates(prober, classic) : [],
  ])
  const seen = new Set<string>()
  return {
    groups: [...new Set([...modernGroups, ...curves])],
    schemes: [...new Set([...schemes, ...modernSchemes])].toSorted((a, b) => a - b),
    dh: dh.flat().filter(({ prime }) => !seen.has(prime) && seen.add(prime)),
    ecdhReused,
    certificates,
  }
}

const surveyBehaviour = async (
  prober: Prober,
  { classic, modern }: Offered,
  protocols: readonly ProtocolFacts[],
): Promise<
  Pick<
    EndpointFacts,
    'extensions' | 'withoutName' | 'fallbackScsv' | 'resumption' | 'tolerance' | 'clients' | 'renegotiation'
  > & { readonly timestamps: Buffer | null }
> => {
  const best = browserHello(prober, [...modern, ...(classic?.suites ?? [])].slice(0, 60), modern.length > 0)
  const [surveyed, withoutName, fallbackScsv, byClassic, byModern, tolerance, clients] = await Promise.all([
    classic ? surveyExtensions(prober, classic, modern.length > 0) : null,
    classic ? probeWithoutName(prober, classic) : ('unknown' as const),
    probeFallback(prober, protocols),
    classic ? probeClassicResumption(prober, classic) : { sessionId: null, ticket: null, ticketLifetime: null },
    modern.length > 0 ? probeEarlyData(prober, modern) : { earlyData: null, earlyDataReplayed: null, lifetime: null },
    classic === null || classic.version === CODES['TLSv1.2'] || modern.length > 0 ? probeTolerance(prober, best) : [],
    simulateClients(prober),
  ])
  const secure = surveyed?.facts.secureRenegotiation ?? true
  return {
    extensions: surveyed?.facts ?? null,
    timestamps: surveyed?.timestamps ?? null,
    withoutName,
    fallbackScsv,
    tolerance,
    clients,
    resumption: {
      ...byClassic,
      ticketLifetime: byModern.lifetime ?? byClassic.ticketLifetime,
      earlyData: byModern.earlyData,
      earlyDataReplayed: byModern.earlyDataReplayed,
    },
    renegotiation: classic
      ? await probeRenegotiation(prober, classic, secure)
      : { secure: true, accepted: null, legacyAccepted: null },
  }
}

type Flaws = Pick<EndpointFacts, 'heartbleed' | 'ccs' | 'robot' | 'ticketbleed' | 'padding' | 'starttlsInjection'>

const surveyFlaws = async (prober: Prober, { classic, modern }: Offered): Promise<Flaws> => {
  const injection = probeInjection(prober, classic, modern)
  if (classic === null) {
    const none: Oracle<never> = { verdict: 'not_applicable', notes: ['none of SSL 3.0 to TLS 1.2 is offered'] }
    return {
      heartbleed: none,
      ccs: none,
      robot: none,
      ticketbleed: none,
      padding: none,
      starttlsInjection: await injection,
    }
  }
  const [heartbleed, ccs, robot, ticketbleed, padding, starttlsInjection] = await Promise.all([
    probeHeartbleed(prober, classic),
    probeCcs(prober, classic),
    probeRobot(prober, classic),
    probeTicketbleed(prober, classic),
    probePadding(prober, classic),
    injection,
  ])
  return { heartbleed, ccs, robot, ticketbleed, padding, starttlsInjection }
}

const sslv2Protocol = (facts: Sslv2Facts | null): ProtocolFacts => ({
  protocol: 'SSLv2',
  state: facts?.state ?? 'unknown',
  suites: [],
  complete: facts?.state !== 'unknown',
  order: null,
  chachaFirst: false,
  wrongVersion: null,
  foreignSuite: null,
  hello: null,
})
