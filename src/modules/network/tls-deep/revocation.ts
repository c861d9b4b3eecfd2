/** Asks the authority about the certificate: OCSP (RFC 6960) and revocation lists (RFC 5280, 5), both through egress. */
import { createHash, X509Certificate } from 'node:crypto'
import { targetFailure } from '../../../egress/door/target-failure.ts'
import { loadRoots } from '../../../knowledge/roots/roots.ts'
import { childAt, childrenOf, DerError, readDer, readOid, writeDer } from '../../../protocols/tls/certificate/der.ts'
import type { StatusCheck } from '../../../protocols/tls/certificate/facts.ts'
import { readList } from '../../../protocols/tls/certificate/revocation-list.ts'
import { certificateParts, keyBits, readStaple } from '../../../protocols/tls/certificate/staple.ts'
import { issuerOf } from '../../../protocols/tls/certificate/trust.ts'
import type { CollectContext } from '../../module.ts'
import type { TlsFacts } from '../../passive/tls/facts.ts'
import { servedChains } from '../../passive/tls/facts-served.ts'
import type { RevocationFacts } from './facts.ts'

const CRL_POINTS = '2.5.29.31'
/** The largest lists are far larger; a list that is cut off proves nothing but what it holds. */
const LARGEST_LIST = 4 * 1024 * 1024
const MOST_SOURCES = 2

export const askAuthority = async (ctx: CollectContext, tls: TlsFacts): Promise<RevocationFacts[]> => {
  const [served] = servedChains(tls)
  if (served === undefined) return []
  const leaf = new X509Certificate(Buffer.from(served.leaf.der, 'base64'))
  const issuers = served.sent.slice(1).map((one) => new X509Certificate(Buffer.from(one.der, 'base64')))
  const issuer = issuerOf(leaf, issuers, loadRoots())
  const found: RevocationFacts[] = []
  for (const url of ocspUrls(leaf).slice(0, MOST_SOURCES)) {
    if (issuer !== null) found.push(await askOcsp(ctx, url, leaf, issuer))
  }
  for (const url of listUrls(leaf).slice(0, MOST_SOURCES)) found.push(await readCrl(ctx, url, leaf, issuer))
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

const sha1 = (data: Buffer): Buffer => createHash('sha1').update(data).digest()

/** RFC 6960, 4.1.1: one request, its CertID by SHA-1 as every responder knows it. */
export const ocspRequest = (leaf: X509Certificate, issuer: X509Certificate): Buffer => {
  const certId = writeDer(
    0x30,
    SHA1,
    writeDer(0x04, sha1(certificateParts(issuer).subject)),
    writeDer(0x04, sha1(keyBits(issuer))),
    certificateParts(leaf).serial,
  )
  return writeDer(0x30, writeDer(0x30, writeDer(0x30, writeDer(0x30, certId))))
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
  const { status, revokedAt, checked } = readStaple(answer, { leaf, issuer, now: Date.now() })
  const when = revokedAt === null ? '' : `, ${new Date(revokedAt).toISOString().slice(0, 10)}`
  return { source: 'ocsp', url, detail: `${answer.length} octets${when}`, ...believed(status, checked) }
}

const readCrl = async (
  ctx: CollectContext,
  url: string,
  leaf: X509Certificate,
  issuer: X509Certificate | null,
): Promise<RevocationFacts> => {
  const answer = await fetchBody(ctx, url, {})
  if (typeof answer === 'string') return { source: 'crl', url, status: 'unreachable', detail: answer }
  try {
    const { listed, checked } = readList(answer, leaf, issuer, Date.now())
    const detail = `list of ${answer.length} octets`
    return { source: 'crl', url, detail, ...believed(listed ? 'revoked' : 'good', checked) }
  } catch (error) {
    if (!(error instanceof DerError) && !(error instanceof RangeError)) throw error
    return { source: 'crl', url, status: 'unreadable', detail: error.message }
  }
}

/** A word that is not the authority's, not of today or not about this certificate says nothing. */
const believed = (
  status: RevocationFacts['status'],
  checked: StatusCheck | undefined,
): Pick<RevocationFacts, 'status' | 'checked'> => {
  if (checked === undefined) return { status }
  const isWorth = checked.state === 'valid' || checked.state === 'unchecked'
  return { status: isWorth || status === 'unreadable' ? status : 'unusable', checked }
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
