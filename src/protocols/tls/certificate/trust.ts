import { X509Certificate } from 'node:crypto'
import { nameOf, type Root, type RootStore } from '../../../knowledge/roots/roots.ts'
import { keyOf, verifies } from './certificate.ts'
import type { CertificateFacts, Trust } from './facts.ts'

const LONGEST_PATH = 8

/**
 * Follows signatures from the leaf upwards through what the server sent, in whatever order, to a root.
 * Dates and names are judged elsewhere: an expired certificate of a known authority is still that authority's.
 * @param chain at least the leaf, as sent
 */
export const establishTrust = (chain: readonly CertificateFacts[], roots: RootStore): Trust => {
  const sent = chain.map((certificate) => new X509Certificate(Buffer.from(certificate.der, 'base64')))
  const path = [0]
  for (let at = 0; path.length <= LONGEST_PATH; ) {
    const current = sent[at]
    const facts = chain[at]
    if (current === undefined || facts === undefined) break
    for (const state of ['public', 'private'] as const) {
      const root = namedBy(current, roots[state]).find((one) => one.raw.equals(current.raw) || isSignedBy(current, one))
      if (root !== undefined) return { state, path, anchor: oneLine(root.subject) }
    }
    if (facts.selfSigned) return { state: at === 0 ? 'self-signed' : 'untrusted', path, anchor: facts.subject }
    // Of two with the same key, an old and a new one, clients take the one that holds.
    const [issuer] = sent
      .flatMap((candidate, index) => (!path.includes(index) && isIssuedBy(current, candidate) ? [index] : []))
      .toSorted((a, b) => (chain[b]?.notAfter ?? 0) - (chain[a]?.notAfter ?? 0))
    if (issuer === undefined)
      return { state: isPublished(facts) ? 'incomplete' : 'untrusted', path, anchor: facts.issuer }
    path.push(issuer)
    at = issuer
  }
  return { state: 'untrusted', path, anchor: chain[path.at(-1) ?? 0]?.issuer ?? '' }
}

/** Who signed the leaf, among what was sent and the roots; null where it is not at hand. */
export const issuerOf = (
  leaf: X509Certificate,
  sent: readonly X509Certificate[],
  roots: RootStore,
): X509Certificate | null =>
  sent.find((candidate) => isIssuedBy(leaf, candidate)) ??
  namedBy(leaf, [...roots.public, ...roots.private]).find((root) => isSignedBy(leaf, root)) ??
  null

/**
 * Public authorities publish the issuing certificate for clients that can fetch it, and enter what they issue into public logs;
 * private ones hardly ever do either.
 */
const isPublished = ({ issuerUrls, timestamps }: CertificateFacts): boolean =>
  issuerUrls.length > 0 || (timestamps !== null && timestamps.length > 0)

/** Those that may be this very certificate, or have issued it. */
const namedBy = ({ subject, issuer }: X509Certificate, roots: readonly Root[]): readonly X509Certificate[] => {
  const names = [nameOf(subject), nameOf(issuer)]
  return roots.filter(({ name }) => names.includes(name)).map(({ certificate }) => certificate)
}

const isIssuedBy = (certificate: X509Certificate, issuer: X509Certificate): boolean => {
  return issuer.ca && isSignedBy(certificate, issuer)
}

/** A root is one by being in the store; the oldest do not say so themselves. */
const isSignedBy = (certificate: X509Certificate, issuer: X509Certificate): boolean => {
  if (!certificate.checkIssued(issuer)) return false
  const key = keyOf(issuer)
  return key !== null && verifies(certificate, key)
}

const oneLine = (name: string): string => name.split('\n').join(', ')
