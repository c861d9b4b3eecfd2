/** What the checks read of the facts: the chains a browser is given, and where. */
import type { Location, Proof } from '../../../contract/finding.ts'
import type { CertificateFacts, Handshake, HandshakeResult } from '../../../protocols/tls/certificate/facts.ts'
import type { Unjudged } from '../../module.ts'
import type { TlsFacts } from './facts.ts'

type Success = Extract<HandshakeResult, { ok: true }>

/** One distinct chain, as given to a browser that sends the name. */
export interface Served extends Success {
  readonly leaf: CertificateFacts
  /** As sent, leaf first. */
  readonly sent: readonly CertificateFacts[]
  /** The leaf and what vouches for it, as far as it was sent. */
  readonly vouching: readonly CertificateFacts[]
  readonly addresses: readonly string[]
}

export const servedChains = (facts: TlsFacts): readonly Served[] => {
  const groups = new Map<string, Served>()
  for (const handshake of facts.handshakes.filter(isOrdinary)) {
    const served = describeServed(facts, handshake)
    if (served === null) continue
    const key = served.chain.join()
    const before = groups.get(key)
    groups.set(key, before === undefined ? served : { ...before, addresses: [...before.addresses, handshake.address] })
  }
  return [...groups.values()]
}

/** The chain of one handshake, null where it failed. */
export const describeServed = (facts: TlsFacts, handshake: Handshake): Served | null => {
  const { result, address } = handshake
  if (!result.ok) return null
  const sent = result.chain.flatMap((place) => facts.certificates[place] ?? [])
  const [leaf] = sent
  if (leaf === undefined) return null
  const vouching = result.trust.path.flatMap((place) => sent[place] ?? [])
  return { ...result, leaf, sent, vouching, addresses: [address] }
}

/** The handshake of a browser of today: every version, with the name. */
export const isOrdinary = (handshake: Handshake): boolean => handshake.offered === null && handshake.servername !== null

export const NO_TLS: Unjudged = {
  state: 'not_applicable',
  reason: 'No TLS connection could be made, so there is no certificate to judge.',
}

export const placeOf = (facts: TlsFacts): Location => ({ host: facts.host, port: facts.port })

export const day = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** The certificate's decisive lines and the command that prints them again. */
export const certificateProof = (
  facts: TlsFacts,
  served: Served,
  lines: readonly string[],
  mark: string | null,
): Proof => ({
  excerpt: [`Subject: ${served.leaf.subject}`, `Issuer: ${served.leaf.issuer}`, ...lines].join('\n').slice(0, 8000),
  mark,
  replay: `openssl s_client -connect ${served.addresses[0]}:${facts.port} -servername ${facts.host} -showcerts </dev/null | openssl x509 -noout -text`,
})
