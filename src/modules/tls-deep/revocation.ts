/** Asks the authority about the certificate: OCSP (RFC 6960) and revocation lists (RFC 5280, 5), both through egress. */
import { createHash, X509Certificate } from 'node:crypto'
import type { CollectContext } from '../module.ts'
import { targetFailure } from '../refusal.ts'
import { childAt, childrenOf, DerError, readDer, readOid } from '../tls/der.ts'
import type { TlsFacts } from '../tls/facts.ts'
import { servedChains } from '../tls/served.ts'
import { readStaple } from '../tls/staple.ts'
import type { RevocationFacts } from './facts.ts'
import { u8, vector } from './wire/bytes.ts'

const CRL_POINTS = '2.5.29.31'
/** The largest lists are far larger; a list that is cut off proves nothing but what it holds. */
const LARGEST_LIST = 4 * 1024 * 1024
const MOST_SOURCES = 2

export const askAuthority = async (ctx: CollectContext, tls: TlsFacts): Promise<RevocationFacts[]> => {
  const [served] = servedChains(tls)
  if (served === undefined) return []
  const leaf = new X509Certificate(Buffer.from(served.leaf.der, 'base64'))
  const issuers = served.sent.slice(1).map((one) => new X509Certificate(Buffer.from(one.der, 'base64')))
  const issuer = issuers.find((one) => leaf.checkIssued(one)) ?? null
  const found: RevocationFacts[] = []
  for (const url of ocspUrls(leaf).slice(0, MOST_SOURCES)) {
    if (issuer !== null) found.push(await askOcsp(ctx, url, leaf, issuer))
  }
  for (const url of listUrls(leaf).slice(0, MOST_SOURCES)) found.push(await readList(ctx, url, leaf))
  return found
}

const ocspUrls = (leaf: X509Certificate): string[] =>
  [...(leaf.infoAccess ?? '').matchAll(/^OCSP - URI:(http:\/\/[^\s"]{1,500})$/gm)].flatMap((match) => match[1] ?? [])

/** The http addresses anywhere inside the extension. */
const listUrls = (leaf: X509Certificate): string[] => {
  const tbs = childrenOf(childAt(readDer(leaf.raw), 0))
  const wrapper = tbs.find((node) => node.tag === 0xa3)
  if (wrapper === undefined) return []
  for (const extension of childrenOf(childAt(wrapper, 0))) {
    const parts = childrenOf(extension)
    if (parts[0] === undefined || readOid(parts[0].content) !== CRL_POINTS) continue
    const text = parts.at(-1)?.content.toString('latin1') ?? ''
    return [...text.matchAll(/http:\/\/[\x21-\x7e]{4,500}?(?=[^\x21-\x7e]|$)/g)].map((match) => match[0])
  }
  return []
}

const SHA1 = Buffer.from('300906052b0e03021a0500', 'hex')

const der = (tag: number, ...content: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(content)
  const length = body.length < 128 ? u8(body.length) : Buffer.concat([u8(0x82), vector(2, body).subarray(0, 2)])
  return Buffer.concat([u8(tag), length, body])
}

const sha1 = (data: Buffer): Buffer => createHash('sha1').update(data).digest()

/** RFC 6960, 4.1.1: one request, its CertID by SHA-1 as every responder knows it. */
export const ocspRequest = (leaf: X509Certificate, issuer: X509Certificate): Buffer => {
  const issuerName = tbsParts(issuer).subject
  // BIT STRING of the key without its count of unused bits.
  const key = childAt(readDer(issuer.publicKey.export({ type: 'spki', format: 'der' })), 1).content.subarray(1)
  const certId = der(0x30, SHA1, der(0x04, sha1(issuerName)), der(0x04, sha1(key)), tbsParts(leaf).serial)
  return der(0x30, der(0x30, der(0x30, der(0x30, certId))))
}

/** Serial number and subject of a certificate, whole values. */
const tbsParts = (certificate: X509Certificate): { readonly serial: Buffer; readonly subject: Buffer } => {
  const parts = childrenOf(childAt(readDer(certificate.raw), 0))
  const at = parts[0]?.tag === 0xa0 ? 1 : 0
  const [serial, subject] = [parts[at], parts[at + 4]]
  if (serial === undefined || subject === undefined) throw new DerError('the certificate is cut')
  return { serial: serial.whole, subject: subject.whole }
}

const askOcsp = async (
  ctx: CollectContext,
  url: string,
  leaf: X509Certificate,
  issuer: X509Certificate,
): Promise<RevocationFacts> => {
  const answer = await fetchBody(ctx, url, {
    method: 'POST',
    headers: [['Content-Type', 'application/ocsp-request']],
    body: ocspRequest(leaf, issuer),
  })
  if (typeof answer === 'string') return { source: 'ocsp', url, status: 'unreachable', detail: answer }
  const { status, revokedAt } = readStaple(answer)
  const when = revokedAt === null ? '' : `, ${new Date(revokedAt).toISOString().slice(0, 10)}`
  return { source: 'ocsp', url, status, detail: `${answer.length} octets${when}` }
}

const readList = async (ctx: CollectContext, url: string, leaf: X509Certificate): Promise<RevocationFacts> => {
  const answer = await fetchBody(ctx, url, {})
  if (typeof answer === 'string') return { source: 'crl', url, status: 'unreachable', detail: answer }
  try {
    const listed = isListed(answer, tbsParts(leaf).serial)
    return { source: 'crl', url, status: listed ? 'revoked' : 'good', detail: `list of ${answer.length} octets` }
  } catch (error) {
    if (!(error instanceof DerError) && !(error instanceof RangeError)) throw error
    return { source: 'crl', url, status: 'unreadable', detail: error.message }
  }
}

/** CertificateList → tbsCertList → revokedCertificates, each a sequence that begins with the serial number. */
export const isListed = (list: Buffer, serial: Buffer): boolean => {
  const parts = childrenOf(childAt(readDer(list), 0))
  // The one sequence whose members are sequences that begin with a number: after the dates.
  const dates = parts.findLastIndex((node) => node.tag === 0x17 || node.tag === 0x18)
  const revoked = parts[dates + 1]
  if (revoked?.tag !== 0x30) return false
  for (let at = 0; at < revoked.content.length; ) {
    const entry = readDer(revoked.content, at)
    if (readDer(entry.content).whole.equals(serial)) return true
    at += entry.whole.length
  }
  return false
}

const fetchBody = async (
  ctx: CollectContext,
  url: string,
  request: {
    readonly method?: string
    readonly headers?: readonly (readonly [string, string])[]
    readonly body?: Buffer
  },
): Promise<Buffer | string> => {
  try {
    const { status, body, truncated } = await ctx.egress.http({
      url,
      ...request,
      authenticated: false,
      maxBody: LARGEST_LIST,
    })
    if (status !== 200) return `status ${status}`
    return truncated ? 'the answer is too long' : body
  } catch (error) {
    const failure = targetFailure(error)
    if (failure !== null) return failure.message
    // A responder at an address that may not be asked says nothing about the site.
    if (error instanceof Error && 'code' in error && error.code === 'refused_by_guard')
      return 'the address may not be asked'
    throw error
  }
}
