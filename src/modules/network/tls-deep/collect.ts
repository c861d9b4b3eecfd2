import { type KeyObject, randomBytes, X509Certificate } from 'node:crypto'
import { targetFailure } from '../../../egress/door/target-failure.ts'
import { openKnownKeys } from '../../../knowledge/feeds/known-keys.ts'
import { type CtLogs, openCtLogs } from '../../../knowledge/tls/ct-logs.ts'
import { headerOf } from '../../../page/exchange.ts'
import { DerError } from '../../../protocols/tls/certificate/der.ts'
import type { CheckedTimestamp } from '../../../protocols/tls/certificate/facts.ts'
import { checkTimestamps, readTimestampList } from '../../../protocols/tls/certificate/timestamps.ts'
import type { EndpointFacts } from '../../../protocols/tls/endpoint.ts'
import { createChannel, isEnded } from '../../../protocols/tls/wire/channel.ts'
import { createProber, type TlsEndpoint } from '../../../protocols/tls/wire/prober.ts'
import { PRELUDES } from '../../../protocols/tls/wire/starttls.ts'
import type { CollectContext } from '../../module.ts'
import type { SiteFacts } from '../../passive/site/facts.ts'
import type { TlsFacts } from '../../passive/tls/facts.ts'
import { type AddressGap, gapOf, LEFT } from '../../passive/tls/facts-addresses.ts'
import type { ServicesFacts } from '../services/facts.ts'
import { endpointsBeside, type OtherEndpoints } from './endpoints.ts'
import type { TlsDeepFacts } from './facts.ts'
import { collectQuic } from './quic.ts'
import { askAuthority } from './revocation.ts'
import { surveyEndpoint } from './survey.ts'

const MOST_ADDRESSES = 4
/** Milliseconds for a port to open and to say that it is ready for a hello. */
const KNOCK = 2_500
const SERVICES_AT_ONCE = 3
/** Milliseconds after which no further service is begun, so that what was seen is judged. */
const LAST_START = 180_000

export const collectTlsDeep = async (
  ctx: CollectContext,
  known: { readonly site: SiteFacts; readonly tls: TlsFacts; readonly services?: ServicesFacts | undefined },
): Promise<TlsDeepFacts> => {
  const { host } = ctx.target
  const { port } = known.tls
  const gap = gapOf(known.tls)
  const routed = known.tls.asked.filter((address) => !gap?.unrouted.includes(address))
  const addresses = routed.slice(0, MOST_ADDRESSES)
  const web = addresses.map((address): TlsEndpoint => ({ host, address, port, service: 'https' }))
  const [first] = addresses
  const beside = first === undefined ? NOTHING_BESIDE : endpointsBeside({ host, address: first, port }, known.services)
  const speaksHttps = known.tls.handshakes.some(({ result }) => result.ok)
  const [sites, others, revocation, opossum, breach, quic] = await Promise.all([
    Promise.all(web.map((endpoint) => look(ctx, endpoint))),
    concurrently(beside.endpoints, (endpoint) => look(ctx, endpoint)),
    askAuthority(ctx, known.tls),
    first !== undefined && speaksHttps ? probeOpossum(ctx, first) : NO_HTTPS,
    speaksHttps ? probeBreach(ctx, known.site.baseUrl) : NO_HTTPS,
    first !== undefined && speaksHttps ? collectQuic(ctx, first, port, known.site) : null,
  ])
  const all = [...sites, ...others.results]
  const endpoints = all.flatMap((one) => (one !== null && 'protocols' in one ? [one] : []))
  const logs = openCtLogs(ctx.knowledge)
  return {
    host,
    now: ctx.now,
    endpoints,
    timestamps: endpoints.filter(({ service }) => service === 'https').flatMap((one) => timestampsOf(one, logs)),
    gap: gapBehind(gap, routed, endpoints),
    leftOut: [...beside.leftOut, ...others.left.map((endpoint) => endpoint.port)],
    silent: all.flatMap((one) => (one !== null && 'reason' in one ? [one] : [])),
    quic,
    knownKeys: knownKeysOf(ctx.knowledge, endpoints),
    revocation,
    opossum,
    breach,
  }
}

/** Of the addresses of the site, where any was surveyed: those that only a deeper look has heard are no gap. */
const gapBehind = (
  gap: AddressGap | null,
  routed: readonly string[],
  endpoints: readonly EndpointFacts[],
): AddressGap | null => {
  const web = new Set(endpoints.filter(({ service }) => service === 'https').map(({ address }) => address))
  const { known = routed.length, unrouted = [], open: before = [] } = gap ?? {}
  const open = [
    ...before.filter(({ address }) => !web.has(address)),
    ...routed
      .slice(MOST_ADDRESSES)
      .filter((address) => !before.some((one) => one.address === address))
      .map((address) => ({ address, why: LEFT })),
  ]
  if (web.size === 0 || unrouted.length + open.length === 0) return null
  return { asked: known - unrouted.length - open.length, known, unrouted, open }
}

const NOTHING_BESIDE: OtherEndpoints = { endpoints: [], leftOut: [] }
const NO_HTTPS = { verdict: 'not_applicable' as const, notes: ['the host does not speak https'] }

type Silent = TlsDeepFacts['silent'][number]

/** Null for a port where nobody answers: that is no statement about TLS. */
const look = async (ctx: CollectContext, endpoint: TlsEndpoint): Promise<EndpointFacts | Silent | null> => {
  const refusal = await knock(ctx, endpoint)
  const { address, port, service } = endpoint
  if (refusal !== null) return refusal === CLOSED ? null : { address, port, service, reason: refusal }
  const prober = createProber(ctx.egress, endpoint, ctx.signal)
  const facts = await surveyEndpoint(prober, (detail, fraction) => ctx.progress(detail, fraction))
  return facts ?? { address, port, service, reason: 'no version of TLS or SSL is spoken' }
}

const knownKeysOf = (
  knowledge: string | undefined,
  endpoints: readonly EndpointFacts[],
): Readonly<Record<string, string>> | null => {
  const lists = openKnownKeys(knowledge)
  if (lists === null) return null
  try {
    const shown = endpoints.filter(({ service }) => service !== 'https').flatMap(({ certificates }) => certificates)
    return Object.fromEntries(
      shown.flatMap(({ der, sha256 }) => {
        const key = publicKeyOf(der)
        const name = key && lists.nameOf(key)
        return name === null ? [] : [[sha256, name]]
      }),
    )
  } finally {
    lists.close()
  }
}

/** A key that the library cannot read is on no list either. */
const publicKeyOf = (der: string): KeyObject | null => {
  try {
    return new X509Certificate(Buffer.from(der, 'base64')).publicKey
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null
    throw error
  }
}

/** A list that cannot be read proves no timestamp. */
const timestampsOf = ({ timestampList, certificates }: EndpointFacts, logs: CtLogs): readonly CheckedTimestamp[] => {
  const leaf = certificates.find(({ servername }) => servername !== null)
  if (!timestampList || leaf === undefined) return []
  try {
    const list = readTimestampList(Buffer.from(timestampList, 'base64'))
    const certificate = new X509Certificate(Buffer.from(leaf.der, 'base64'))
    return checkTimestamps(list, { source: 'handshake', leaf: certificate, issuer: null }, logs)
  } catch (error) {
    if (error instanceof DerError || error instanceof RangeError) return []
    throw error
  }
}

const CLOSED = 'closed'

const knock = async (ctx: CollectContext, endpoint: TlsEndpoint): Promise<string | null> => {
  try {
    const channel = createChannel(
      await ctx.egress.connect({ host: endpoint.address, port: endpoint.port, timeout: KNOCK }),
    )
    try {
      return await PRELUDES[endpoint.service](channel, endpoint.host, performance.now() + 2 * KNOCK)
    } finally {
      channel.close()
    }
  } catch (error) {
    if (targetFailure(error) === null) throw error
    return CLOSED
  }
}

/** A few at once; what could not be begun in time is left. */
const concurrently = async <In, Out>(
  list: readonly In[],
  work: (one: In) => Promise<Out>,
): Promise<{ readonly results: readonly NonNullable<Out>[]; readonly left: readonly In[] }> => {
  const until = performance.now() + LAST_START
  const results = new Map<number, Out>()
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < list.length && performance.now() < until) {
      const at = next++
      const one = list[at]
      if (one !== undefined) results.set(at, await work(one))
    }
  }
  await Promise.all(Array.from({ length: SERVICES_AT_ONCE }, worker))
  return { results: list.flatMap((_, at) => results.get(at) ?? []), left: list.slice(next) }
}

/** Hidden fields and meta tags that carry a secret of the session. */
const SECRET = /<(?:input|meta)\b[^>]{0,300}(?:csrf|xsrf|token|nonce|authenticity)[^>]{0,300}>/i

export const probeBreach = async (ctx: CollectContext, baseUrl: string): Promise<TlsDeepFacts['breach']> => {
  const canary = `sonde${randomBytes(6).toString('hex')}`
  const url = new URL(baseUrl)
  if (url.protocol !== 'https:') return { verdict: 'not_applicable', notes: ['the site is not served over https'] }
  url.searchParams.set('q', canary)
  try {
    const page = await ctx.egress.http({ url: url.href, headers: [['Accept-Encoding', 'gzip, deflate, br, zstd']] })
    const coding = headerOf(page, 'content-encoding') ?? 'none'
    if (coding === 'none' || coding === 'identity') return { verdict: 'safe', notes: ['Content-Encoding: none'] }
    const text = page.body.toString('utf8')
    const reflected = text.includes(canary)
    const secret = SECRET.test(text)
    const notes = [
      `Content-Encoding: ${coding}`,
      `input repeated on the page: ${reflected ? 'yes' : 'no'}`,
      `secret in a field: ${secret ? 'yes' : 'no'}`,
    ]
    return { verdict: reflected && secret ? 'vulnerable' : 'compressed', notes }
  } catch (error) {
    const failure = targetFailure(error)
    if (failure === null) throw error
    return { verdict: 'inconclusive', notes: [failure.message] }
  }
}

const WAIT = 3_000

export const probeOpossum = async (ctx: CollectContext, address: string): Promise<TlsDeepFacts['opossum']> => {
  try {
    const channel = createChannel(await ctx.egress.connect({ host: address, port: 80, timeout: WAIT }))
    try {
      const { host } = ctx.target
      channel.write(
        Buffer.from(`OPTIONS / HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: TLS/1.0\r\n\r\n`, 'latin1'),
      )
      const got = await channel.take((input) => {
        const end = input.indexOf('\n')
        return end < 0 ? (input.length > 1024 ? 1024 : null) : end + 1
      }, performance.now() + WAIT)
      if (isEnded(got)) return { verdict: 'inconclusive', notes: [`port 80: ${got.kind}`] }
      const line = got.toString('latin1').trim().slice(0, 200)
      const switched = /^HTTP\/1\.[01] 101\b/.test(line)
      return { verdict: switched ? 'vulnerable' : 'safe', notes: ['sent: Upgrade: TLS/1.0', `answered: ${line}`] }
    } finally {
      channel.close()
    }
  } catch (error) {
    const failure = targetFailure(error)
    if (failure === null) throw error
    return { verdict: 'not_applicable', notes: [`port 80: ${failure.message}`] }
  }
}
