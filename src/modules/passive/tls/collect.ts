import { X509Certificate } from 'node:crypto'
import { EgressError, type TlsSession, type TlsTarget } from '../../../egress/door/egress.ts'
import { targetFailure } from '../../../egress/door/target-failure.ts'
import { openKnownKeys } from '../../../knowledge/feeds/known-keys.ts'
import { loadRoots, ROOTS_VERSION } from '../../../knowledge/roots/roots.ts'
import { type CtLogs, openCtLogs } from '../../../knowledge/tls/ct-logs.ts'
import { isSameSite } from '../../../page/same-site.ts'
import { embeddedTimestamps, parseCertificate } from '../../../protocols/tls/certificate/certificate.ts'
import type { CertificateFacts, Handshake, HandshakeResult, Version } from '../../../protocols/tls/certificate/facts.ts'
import { VERSIONS } from '../../../protocols/tls/certificate/facts.ts'
import { readStaple, stapledTimestamps } from '../../../protocols/tls/certificate/staple.ts'
import { checkTimestamps } from '../../../protocols/tls/certificate/timestamps.ts'
import { establishTrust, issuerOf } from '../../../protocols/tls/certificate/trust.ts'
import type { CollectContext } from '../../module.ts'
import type { SiteFacts } from '../site/facts.ts'
import type { Redirected, TlsFacts } from './facts.ts'

const MOST_ADDRESSES = 16
const TRIES_AFTER_TIMEOUT = 3
const LONGEST_CHAIN = 12
/** Old servers are asked as an old client would: nothing is held back but anonymous suites. */
const EVERYTHING = 'ALL:!aNULL:!eNULL:@SECLEVEL=0'

/** The addresses beside one another; at each that answers five handshakes beside the first: each version alone, and one without SNI. */
export const collectTls = async (ctx: CollectContext, site: SiteFacts): Promise<TlsFacts> => {
  const { host } = ctx.target
  const port = tlsPort(ctx.target.port, site)
  const asked = site.addresses.slice(0, MOST_ADDRESSES)
  const certificates = certificateList()
  const logs = openCtLogs(ctx.knowledge)
  const seen: Seen = { certificates, logs }
  let done = 0
  const at = async (address: string): Promise<readonly Handshake[]> => {
    const place: Place = { host, port, address }
    const first = await firstHandshake(ctx, place, seen)
    const handshakes = [first]
    if (first.result.ok) {
      for (const version of VERSIONS) handshakes.push(await shake(ctx, place, { offered: version }, seen))
      handshakes.push(await shake(ctx, place, { servername: null }, seen))
    }
    done += 1
    ctx.progress(`certificate and protocol versions of ${address}`, done / asked.length)
    return handshakes
  }
  const handshakes = (await Promise.all(asked.map(at))).flat()
  const sibling = handshakes.some(({ result }) => result.ok) ? await askSibling(ctx, port, seen) : null
  const redirected = await askRedirected(ctx, port, site, seen)
  return {
    host,
    port,
    roots: ROOTS_VERSION,
    logs: logs.version,
    addresses: site.addresses,
    asked,
    handshakes,
    certificates: certificates.all,
    knownKeys: knownKeysOf(ctx.knowledge, certificates.all),
    sibling,
    redirected,
  }
}

const knownKeysOf = (
  folder: string | undefined,
  certificates: readonly CertificateFacts[],
): Readonly<Record<string, string>> | null => {
  const lists = openKnownKeys(folder)
  if (lists === null) return null
  try {
    return Object.fromEntries(
      certificates.flatMap(({ der, sha256, key }) => {
        // A key that the library cannot read is on no list either.
        if (key.type === 'unknown') return []
        const { publicKey } = new X509Certificate(Buffer.from(der, 'base64'))
        const name = lists.nameOf(publicKey)
        return name === null ? [] : [[sha256, name]]
      }),
    )
  } finally {
    lists.close()
  }
}

interface Place {
  readonly host: string
  readonly port: number
  readonly address: string
}

interface Offer {
  readonly servername?: string | null
  readonly offered?: Version
}

/** A registered port holds for https only where the site was found to speak https there. */
const tlsPort = (registered: number | null, site: SiteFacts): number => {
  const base = URL.parse(site.baseUrl)
  if (base?.protocol === 'https:' && base.port !== '') return Number(base.port)
  return registered ?? 443
}

const firstHandshake = async (ctx: CollectContext, place: Place, seen: Seen): Promise<Handshake> => {
  let last = await shake(ctx, place, {}, seen)
  for (let tries = 1; tries < TRIES_AFTER_TIMEOUT; tries++) {
    if (last.result.ok || last.result.code !== 'timeout') break
    last = await shake(ctx, place, {}, seen)
  }
  return last
}

const shake = async (ctx: CollectContext, place: Place, offer: Offer, seen: Seen): Promise<Handshake> => {
  const servername = offer.servername === undefined ? place.host : offer.servername
  const offered = offer.offered ?? null
  const target: TlsTarget = {
    host: place.address,
    port: place.port,
    servername,
    minVersion: offered ?? 'TLSv1',
    maxVersion: offered ?? 'TLSv1.3',
    ciphers: EVERYTHING,
    requestOcsp: true,
  }
  const asked = { address: place.address, servername, offered }
  try {
    return { ...asked, result: describe(await ctx.egress.tls(target), seen) }
  } catch (error) {
    // An address that the operator's guard forbids says nothing about the others.
    if (isRefusal(error)) return { ...asked, result: { ok: false, code: error.code, message: error.message } }
    const failure = targetFailure(error)
    if (failure === null) throw error
    const noRoute = failure.cause instanceof EgressError && failure.cause.noRoute
    return {
      ...asked,
      result: { ok: false, code: failure.code, message: failure.message, ...(noRoute ? { noRoute } : {}) },
    }
  }
}

/** What grows and what stays the same over the handshakes. */
interface Seen {
  readonly certificates: CertificateList
  readonly logs: CtLogs
}

const describe = (session: TlsSession, { certificates, logs }: Seen): HandshakeResult => {
  const chain = session.chain.slice(0, LONGEST_CHAIN).flatMap((der) => certificates.place(der) ?? [])
  const parsed = chain.flatMap((place) => certificates.all[place] ?? [])
  const sent = parsed.map((one) => new X509Certificate(Buffer.from(one.der, 'base64')))
  const [leaf, ...others] = sent
  if (leaf === undefined) return { ok: false, code: 'protocol', message: 'no certificate that could be read' }
  const issuer = issuerOf(leaf, others, loadRoots())
  return {
    ok: true,
    protocol: session.protocol,
    cipher: session.cipher,
    chain,
    staple: session.ocspResponse === null ? null : readStaple(session.ocspResponse, { leaf, issuer, now: Date.now() }),
    timestamps: [
      ...checkTimestamps(embeddedTimestamps(leaf.raw) ?? [], { source: 'certificate', leaf, issuer }, logs),
      ...checkTimestamps(
        session.ocspResponse === null ? [] : stapledTimestamps(session.ocspResponse),
        { source: 'ocsp', leaf, issuer },
        logs,
      ),
    ],
    trust: establishTrust(parsed, loadRoots()),
  }
}

/**
 * www for a bare name and the bare name for www: visitors type both. Null where the other is not there, or points where no scan
 * may go.
 */
const askSibling = async (ctx: CollectContext, port: number, seen: Seen): Promise<Handshake | null> => {
  const { host } = ctx.target
  const handshake = await askByName(ctx, host.startsWith('www.') ? host.slice(4) : `www.${host}`, port, seen)
  return handshake?.result.ok ? handshake : null
}

/** Visitors who type the name without https are sent there: its certificate is the first that they are shown. */
const askRedirected = async (
  ctx: CollectContext,
  port: number,
  site: SiteFacts,
  seen: Seen,
): Promise<Redirected | null> => {
  const [url] = site.http.hops.flatMap((hop) => {
    const to = hop.location === null ? null : URL.parse(hop.location, hop.url)
    return to?.protocol === 'https:' && isSameSite(to.href, hop.url) ? [to] : []
  })
  if (url === undefined) return null
  const there = { host: url.hostname, port: Number(url.port || 443) }
  if (there.host === ctx.target.host && there.port === port) return null
  const handshake = await askByName(ctx, there.host, there.port, seen)
  return handshake && { url: url.href, ...there, handshake }
}

/** At the first address that answers or fails; null where the name leads nowhere, or where no scan may go. */
const askByName = async (ctx: CollectContext, host: string, port: number, seen: Seen): Promise<Handshake | null> => {
  try {
    const { addresses } = await ctx.egress.resolve(host)
    for (const address of addresses.slice(0, MOST_ADDRESSES)) {
      const handshake = await shake(ctx, { host, port, address }, {}, seen)
      if (handshake.result.ok || !handshake.result.noRoute) return handshake
    }
    return null
  } catch (error) {
    if (targetFailure(error) !== null || isRefusal(error)) return null
    throw error
  }
}

const isRefusal = (error: unknown): error is EgressError =>
  error instanceof EgressError && error.code === 'refused_by_guard'

interface CertificateList {
  readonly all: readonly CertificateFacts[]
  /** Null when it is no certificate. */
  readonly place: (der: Buffer) => number | null
}

const certificateList = (): CertificateList => {
  const all: CertificateFacts[] = []
  const places = new Map<string, number | null>()
  const place = (der: Buffer): number | null => {
    const key = der.toString('base64')
    const known = places.get(key)
    if (known !== undefined) return known
    const parsed = parseOrNull(der)
    const at = parsed === null ? null : all.push(parsed) - 1
    places.set(key, at)
    return at
  }
  return { all, place }
}

/** What OpenSSL took in the handshake but nobody can parse is left out of the facts. */
const parseOrNull = (der: Buffer): CertificateFacts | null => {
  try {
    return parseCertificate(der)
  } catch {
    return null
  }
}
