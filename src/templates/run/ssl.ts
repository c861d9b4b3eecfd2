/** Runs an ssl step: one handshake with the target, and what the certificate says, under the names of the format. */
import { X509Certificate } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import { type Egress, EgressError, type TlsSession, type TlsTarget } from '../../egress/door/egress.ts'
import type { Value } from '../language/expression/value.ts'
import type { SslStep } from '../language/template.ts'
import { answerOf, type Executor, StepSkipped } from './executor.ts'
import { hostPortOf } from './own-host.ts'
import { HAND_VERSIONS, handshakeByHand } from './ssl-by-hand.ts'

const VERSIONS: Readonly<Record<string, TlsTarget['minVersion']>> = {
  tls10: 'TLSv1',
  tls11: 'TLSv1.1',
  tls12: 'TLSv1.2',
  tls13: 'TLSv1.3',
}

export const runSsl: Executor<SslStep> = async (step, run) => {
  const place = hostPortOf(run, run.fill(step.address), run.target.scheme === 'https' ? run.target.port : 443)
  const session = needsHand(step)
    ? await byHand(run.egress, place, step)
    : await handshake(run.egress, { ...place, ...versions(step) })
  // A server that refuses has no such answer to look at.
  if (session === null) return false
  const found = valuesOf(session, place.host, place.port)
  const response = JSON.stringify(found)
  const seen = answerOf({ ...found, response, matched: `${place.host}:${place.port}`, type: 'ssl' }, run.text, {
    body: 'response',
    all: 'response',
    raw: 'response',
  })
  const shown = { at: place, request: `TLS handshake with ${place.host}:${place.port}`, response }
  return run.judge(step.operators, seen, shown).matched
}

const handshake = async (egress: Pick<Egress, 'tls'>, target: TlsTarget): Promise<TlsSession | null> => {
  try {
    return await egress.tls(target)
  } catch (error) {
    if (error instanceof EgressError && error.code === 'protocol') return null
    throw error
  }
}

/** OpenSSL offers neither SSL 3.0 nor every suite that a template may name. */
const needsHand = ({ maxVersion, cipherSuites }: SslStep): boolean => maxVersion === 'ssl30' || cipherSuites.length > 0

const byHand = async (
  egress: Pick<Egress, 'connect' | 'tls'>,
  place: { readonly host: string; readonly port: number },
  { minVersion, maxVersion, cipherSuites }: SslStep,
): Promise<TlsSession | null> => {
  const range = { min: codeOf(minVersion ?? 'ssl30'), max: codeOf(maxVersion ?? 'tls13') }
  const answer = await handshakeByHand(egress, place, range, cipherSuites)
  // The chain is not verified on this way: what the usual handshake says of it stands.
  const usual = answer === null ? null : await handshake(egress, place)
  return (
    answer && {
      address: answer.address,
      protocol: answer.version,
      cipher: answer.cipher,
      alpn: null,
      chain: answer.chain.length > 0 ? answer.chain : (usual?.chain ?? []),
      ocspResponse: null,
      authorizationError: usual?.authorizationError ?? null,
    }
  )
}

/** @throws StepSkipped */
const codeOf = (version: string): number => {
  const code = Object.hasOwn(HAND_VERSIONS, version) ? HAND_VERSIONS[version] : undefined
  if (code === undefined) throw new StepSkipped(`there is no version ${version.slice(0, 20)}`, 'defect')
  return code
}

const versions = ({ minVersion, maxVersion }: SslStep): Pick<TlsTarget, 'minVersion' | 'maxVersion'> => {
  const read = (text: string | null): TlsTarget['minVersion'] => {
    // From SSL 3.0 on is from the oldest that OpenSSL has.
    if (text === null || text === 'ssl30') return undefined
    const version = Object.hasOwn(VERSIONS, text) ? VERSIONS[text] : undefined
    if (version === undefined) throw new StepSkipped(`there is no version ${text.slice(0, 20)}`, 'defect')
    return version
  }
  const [min, max] = [read(minVersion), read(maxVersion)]
  return { ...(min === undefined ? {} : { minVersion: min }), ...(max === undefined ? {} : { maxVersion: max }) }
}

const UNTRUSTED: readonly string[] = [
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_UNTRUSTED',
  'INVALID_CA',
]

const valuesOf = (session: TlsSession, host: string, port: number): Readonly<Record<string, Value>> => {
  const { protocol, cipher, chain, address, authorizationError } = session
  const about = {
    host,
    port: String(port),
    ip: address,
    sni: host,
    probe_status: true,
    tls_version: protocol.replace(/^TLSv1$/, 'tls10').replace(/^TLSv1\.(\d)$/, 'tls1$1'),
    cipher: cipher,
    untrusted: UNTRUSTED.includes(authorizationError ?? ''),
    revoked: authorizationError === 'CERT_REVOKED',
  }
  const [leaf] = chain
  return leaf === undefined ? about : { ...about, ...certificateValues(new X509Certificate(leaf), host) }
}

const certificateValues = (certificate: X509Certificate, host: string): Readonly<Record<string, Value>> => {
  const names = [...(certificate.subjectAltName ?? '').matchAll(/(?:DNS|IP Address):([^,\s"]+)/g)].map(
    ([, name = '']) => name,
  )
  const subject = partsOf(certificate.subject)
  const issuer = partsOf(certificate.issuer)
  const commonName = lastOf(subject, 'CN')
  const domains = [...new Set([commonName, ...names].filter((name) => name !== ''))]
  return {
    subject_dn: nameText(subject),
    subject_cn: commonName,
    subject_org: subject.flatMap(([key, value]) => (key === 'O' ? [value] : [])),
    subject_an: names,
    domains,
    issuer_dn: nameText(issuer),
    issuer_cn: lastOf(issuer, 'CN'),
    issuer_org: issuer.flatMap(([key, value]) => (key === 'O' ? [value] : [])),
    serial: (certificate.serialNumber.match(/../g) ?? []).join(':'),
    not_before: Math.floor(Date.parse(certificate.validFrom) / 1_000),
    not_after: Math.floor(Date.parse(certificate.validTo) / 1_000),
    expired: Date.parse(certificate.validTo) < Date.now(),
    self_signed: certificate.subject === certificate.issuer,
    mismatched: (ipaddr.isValid(host) ? certificate.checkIP(host) : certificate.checkHost(host)) === undefined,
    wildcard_certificate: domains.some((name) => name.startsWith('*.')),
    fingerprint_sha1: certificate.fingerprint.replaceAll(':', '').toLowerCase(),
    fingerprint_sha256: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
  }
}

type NameParts = readonly (readonly [key: string, value: string])[]

/** Node writes one part a line, in the order of the certificate. */
const partsOf = (name: string): NameParts =>
  name.split('\n').flatMap((line) => {
    const [, key, value] = /^([^=]+)=(.*)$/s.exec(line) ?? []
    return key === undefined || value === undefined ? [] : [[key, value] as const]
  })

/** RFC 2253 writes a name from its end, which is how the templates of the format expect it. */
const nameText = (parts: NameParts): string =>
  parts
    .toReversed()
    .map(([key, value]) => `${key}=${value}`)
    .join(', ')

const lastOf = (parts: NameParts, wanted: string): string => parts.findLast(([key]) => key === wanted)?.[1] ?? ''
