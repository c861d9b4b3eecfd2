import type { CollectContext } from '../module.ts'
import { targetFailure } from '../refusal.ts'
import type { SiteFacts } from '../site/facts.ts'
import type { TlsFacts } from '../tls/facts.ts'
import type { EndpointFacts, TlsDeepFacts } from './facts.ts'
import { probeBreach } from './probe/breach.ts'
import { probeOpossum } from './probe/upgrade.ts'
import { askAuthority } from './revocation.ts'
import { surveyEndpoint } from './survey.ts'
import { createChannel } from './wire/channel.ts'
import { createProber, type Place } from './wire/prober.ts'
import { PRELUDES, type Service } from './wire/starttls.ts'

const MOST_ADDRESSES = 4
/** Milliseconds for a port to open and to say that it is ready for a hello. */
const KNOCK = 2_500
const SERVICES_AT_ONCE = 3

/** Where each service listens (IANA); 'tls' begins with the handshake. */
const PORTS: readonly (readonly [number, Service])[] = [
  [25, 'smtp'],
  [587, 'smtp'],
  [465, 'tls'],
  [143, 'imap'],
  [993, 'tls'],
  [110, 'pop3'],
  [995, 'tls'],
  [21, 'ftp'],
  [990, 'tls'],
  [389, 'ldap'],
  [636, 'tls'],
  [5432, 'postgresql'],
  [3306, 'mysql'],
  [5222, 'xmpp'],
]

export const collectTlsDeep = async (
  ctx: CollectContext,
  known: { readonly site: SiteFacts; readonly tls: TlsFacts },
): Promise<TlsDeepFacts> => {
  const { host } = ctx.target
  const { port } = known.tls
  const addresses = known.tls.asked.slice(0, MOST_ADDRESSES)
  const web = addresses.map((address): Place => ({ host, address, port, service: 'https' }))
  const [first] = addresses
  const services = PORTS.filter(([number]) => number !== port)
  const beside =
    first === undefined
      ? []
      : services.map(([number, service]): Place => ({ host, address: first, port: number, service }))
  const speaksHttps = known.tls.handshakes.some(({ result }) => result.ok)
  const [sites, others, revocation, opossum, breach] = await Promise.all([
    Promise.all(web.map((place) => look(ctx, place))),
    inTurn(beside, (place) => look(ctx, place)),
    askAuthority(ctx, known.tls),
    first !== undefined && speaksHttps ? probeOpossum(ctx, first) : NO_HTTPS,
    speaksHttps ? probeBreach(ctx, known.site.baseUrl) : NO_HTTPS,
  ])
  const all = [...sites, ...others]
  return {
    host,
    now: ctx.now,
    endpoints: all.flatMap((one) => (one !== null && 'protocols' in one ? [one] : [])),
    silent: all.flatMap((one) => (one !== null && 'reason' in one ? [one] : [])),
    revocation,
    opossum,
    breach,
  }
}

const NO_HTTPS = { verdict: 'not_applicable' as const, notes: ['the host does not speak https'] }

type Silent = TlsDeepFacts['silent'][number]

/** Null for a port where nobody answers: that is no statement about TLS. */
const look = async (ctx: CollectContext, place: Place): Promise<EndpointFacts | Silent | null> => {
  const refusal = await knock(ctx, place)
  const { address, port, service } = place
  if (refusal !== null) return refusal === CLOSED ? null : { address, port, service, reason: refusal }
  const prober = createProber(ctx.egress, place, ctx.signal)
  const facts = await surveyEndpoint(prober, (detail, fraction) => ctx.progress(detail, fraction))
  return facts ?? { address, port, service, reason: 'no version of TLS or SSL is spoken' }
}

const CLOSED = 'closed'

const knock = async (ctx: CollectContext, place: Place): Promise<string | null> => {
  try {
    const channel = createChannel(await ctx.egress.connect({ host: place.address, port: place.port, timeout: KNOCK }))
    try {
      return await PRELUDES[place.service](channel, place.host, performance.now() + 2 * KNOCK)
    } finally {
      channel.close()
    }
  } catch (error) {
    if (targetFailure(error) === null) throw error
    return CLOSED
  }
}

const inTurn = async <In, Out>(list: readonly In[], work: (one: In) => Promise<Out>): Promise<Out[]> => {
  const results: Out[] = []
  for (let at = 0; at < list.length; at += SERVICES_AT_ONCE) {
    results.push(...(await Promise.all(list.slice(at, at + SERVICES_AT_ONCE).map(work))))
  }
  return results
}
