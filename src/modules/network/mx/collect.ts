/** Asks each mail server at port 25 as another mail server would: EHLO, STARTTLS, a handshake. No mail is begun. */
import { X509Certificate } from 'node:crypto'
import { targetFailure } from '../../../egress/door/target-failure.ts'
import { loadRoots } from '../../../knowledge/roots/roots.ts'
import { SUITES } from '../../../knowledge/tls/suites.ts'
import { reverseName } from '../../../protocols/dns/reverse-name.ts'
import { parseCertificate } from '../../../protocols/tls/certificate/certificate.ts'
import { nameMatches } from '../../../protocols/tls/certificate/names.ts'
import { establishTrust } from '../../../protocols/tls/certificate/trust.ts'
import { CODES } from '../../../protocols/tls/endpoint.ts'
import { classicHello, modernHello } from '../../../protocols/tls/probe/hellos.ts'
import { prepareHello, readCertificate } from '../../../protocols/tls/session/modern.ts'
import { createChannel } from '../../../protocols/tls/wire/channel.ts'
import type { Flight } from '../../../protocols/tls/wire/flight.ts'
import { createProber, type Prober } from '../../../protocols/tls/wire/prober.ts'
import { smtpPrelude } from '../../../protocols/tls/wire/starttls.ts'
import type { CollectContext } from '../../module.ts'
import type { MailFacts } from '../../passive/mail/facts.ts'
import { MX_VERSIONS, type MxFacts, type MxServer, type MxVersion } from './facts.ts'

const PORT = 25
const MOST_SERVERS = 5
/** Milliseconds for a connection, and for the greeting, which mail servers like to hold back. */
const CONNECT = 5_000
const GREETING = 10_000
/** Seconds for all handshakes of one server. */
const PATIENCE = 30

export const collectMx = async (ctx: CollectContext, mail: MailFacts): Promise<MxFacts> => {
  const known = mail.hosts.map((host) => ({ name: host.name, address: addressOf(host) }))
  const asked = known.flatMap(({ name, address }) => (address === null ? [] : [{ name, address }]))
  const servers = await Promise.all(
    asked.slice(0, MOST_SERVERS).map(async ({ name, address }) => {
      ctx.progress(`STARTTLS of ${name}`)
      return askServer(ctx, name, address)
    }),
  )
  const found = servers.flatMap((one) => one ?? [])
  const names = new Set(found.map(({ name }) => name))
  return {
    domain: mail.domain,
    servers: found,
    leftOut: known.map(({ name }) => name).filter((name) => !names.has(name)),
  }
}

const addressOf = ({ a, aaaa }: MailFacts['hosts'][number]): string | null =>
  [...a.records, ...aaaa.records].map(({ data }) => data).find((data) => typeof data === 'string') ?? null

/** Null where the guard does not let us ask. */
const askServer = async (ctx: CollectContext, name: string, address: string): Promise<MxServer | null> => {
  const [refusal, reverse] = await Promise.all([knock(ctx, name, address), namesOf(ctx, address)])
  if (refusal === null) return null
  const base = { name, address, reverse, versions: [], chain: [], certificate: null }
  if (refusal.starttls !== 'offered') return { ...base, ...refusal }
  const place = { host: name, address, port: PORT, service: 'smtp' } as const
  const prober = createProber(ctx.egress, place, ctx.signal, PATIENCE)
  const versions: MxServer['versions'][number][] = []
  let chain: readonly Buffer[] = []
  // One after another: it is somebody's mail server, and may be a stranger's.
  for (const version of MX_VERSIONS) {
    const flight = await prober.ask(helloOf(prober, version), true)
    versions.push({ version, state: stateOf(flight, version) })
    if (flight.certificates.length > 0) chain = flight.certificates
  }
  if (chain.length === 0 && versions.some(({ version, state }) => version === 'TLSv1.3' && state === 'offered')) {
    chain = await modernChain(prober)
  }
  return { ...base, ...refusal, versions, chain: chain.map((der) => der.toString('base64')), ...described(name, chain) }
}

interface Refusal {
  readonly starttls: MxServer['starttls']
  readonly detail: string
  readonly says: readonly string[]
}

/** Milliseconds: many addresses have no name, and their zones no server that answers. */
const REVERSE = 2_000
const MOST_NAMES = 4

/** None where nobody answers: an address without a name is nothing unusual. */
const namesOf = async (ctx: CollectContext, address: string): Promise<readonly string[]> => {
  try {
    const { answers } = await ctx.egress.dns({ name: reverseName(address), type: 'PTR', timeout: REVERSE })
    const names = answers.flatMap(({ type, data }) => (type === 'PTR' && typeof data === 'string' ? [data] : []))
    return names.slice(0, MOST_NAMES).map(plainName)
  } catch (error) {
    if (targetFailure(error) === null) throw error
    return []
  }
}

const plainName = (name: string): string => name.replace(/\.$/, '').toLowerCase().slice(0, 253)

/** The first word behind the code: a name, or an address in brackets. */
const ownName = (reply: string): readonly string[] => {
  const [, name] = /^\d{3}[ -]([\w.:[\]-]{1,255})(?:\s|$)/.exec(reply) ?? []
  return name === undefined ? [] : [plainName(name)]
}

/** Says whether TLS may be begun; null where the guard refuses the address. */
const knock = async (ctx: CollectContext, name: string, address: string): Promise<Refusal | null> => {
  const replies: string[] = []
  const refusal = await speak(ctx, name, address, (reply) => void replies.push(reply))
  return refusal && { ...refusal, says: [...new Set(replies.flatMap(ownName))] }
}

const speak = async (
  ctx: CollectContext,
  name: string,
  address: string,
  heard: (reply: string) => void,
): Promise<Omit<Refusal, 'says'> | null> => {
  try {
    const channel = createChannel(await ctx.egress.connect({ host: address, port: PORT, timeout: CONNECT }))
    try {
      const said = await smtpPrelude('', heard)(channel, name, performance.now() + GREETING)
      if (said === null) return { starttls: 'offered', detail: 'STARTTLS is offered' }
      const starttls = /not announced/.test(said) ? 'absent' : /STARTTLS was refused/.test(said) ? 'refused' : 'silent'
      return { starttls, detail: said }
    } finally {
      channel.close()
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'refused_by_guard') return null
    const failure = targetFailure(error)
    if (failure === null) throw error
    return { starttls: 'unreachable', detail: failure.message }
  }
}

const MODERN = [0x1301, 0x1302, 0x1303]
/** What mail servers have in common; an anonymous suite would bring no certificate. */
const CLASSIC = SUITES.filter(
  ({ exchange, authentication, cipher, isExport }) =>
    ['RSA', 'DHE', 'ECDHE'].includes(exchange) &&
    ['RSA', 'ECDSA'].includes(authentication) &&
    ['AES', 'CHACHA20', '3DES', 'RC4', 'CAMELLIA'].includes(cipher) &&
    !isExport,
).map(({ code }) => code)

const helloOf = ({ endpoint: place }: Prober, version: MxVersion) =>
  version === 'TLSv1.3' ? modernHello(place, MODERN) : classicHello(place, CODES[version], CLASSIC)

const stateOf = ({ hello, end }: Flight, version: MxVersion): 'offered' | 'refused' | 'unknown' => {
  if (hello !== null) return hello.version === CODES[version] ? 'offered' : 'refused'
  return end.kind === 'timeout' ? 'unknown' : 'refused'
}

const modernChain = async (prober: Prober): Promise<readonly Buffer[]> => {
  const hello = prepareHello(modernHello(prober.endpoint, MODERN))
  const got = await prober.converse((channel) => readCertificate(channel, hello, prober.deadline()))
  return got?.chain ?? []
}

const described = (name: string, chain: readonly Buffer[]): Pick<MxServer, 'certificate'> => {
  const parsed = chain.slice(0, 12).flatMap((der) => readable(der))
  const [leaf] = parsed
  if (leaf === undefined) return { certificate: null }
  const { subject, sha256, notBefore, notAfter, dnsNames } = leaf
  const isNamed = (dnsNames ?? []).some((pattern) => nameMatches(pattern, name))
  const trust = establishTrust(parsed, loadRoots()).state
  return { certificate: { subject, sha256, notBefore, notAfter, isNamed, trust } }
}

/** Nothing for what OpenSSL does not take for a certificate. */
const readable = (der: Buffer) => {
  try {
    new X509Certificate(der)
    return [parseCertificate(der)]
  } catch {
    return []
  }
}
