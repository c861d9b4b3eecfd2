/**
 * The roots that vouch for a public certificate: Mozilla's store as it comes with Node, and beside it the
 * authorities that the operator added (NODE_EXTRA_CA_CERTS), for sites with a certificate authority of their own.
 */
import { X509Certificate } from 'node:crypto'
import { getCACertificates } from 'node:tls'
import { tableOfBuild } from '../tables-of-build.ts'

export interface Root {
  /** Its subject, as `nameOf` writes it. */
  readonly name: string
  /** Read when it is asked for: of a hundred and forty a chain needs one, and to read all takes a light run a fortieth of its time. */
  readonly certificate: X509Certificate
}

export interface RootStore {
  readonly public: readonly Root[]
  readonly private: readonly Root[]
}

/** Names the store in a run's list of knowledge. */
export const ROOTS_VERSION = `Mozilla store of Node ${process.versions.node}`

let loaded: RootStore | null = null

export const loadRoots = (): RootStore => {
  loaded ??= { public: bundled(), private: getCACertificates('extra').map(rootOf) }
  return loaded
}

/** `bytes`: PEM or DER. */
export const rootOf = (bytes: string | Buffer): Root => {
  const certificate = new X509Certificate(bytes)
  return { name: nameOf(certificate.subject), certificate }
}

/** Names of the roots that come with Node, in its order, for a build: it is made by the Node that runs it. */
export const rootNames = (): readonly string[] => getCACertificates('bundled').map((pem) => rootOf(pem).name)

const bundled = (): readonly Root[] => {
  const names = tableOfBuild('roots') as readonly string[] | null
  const all = getCACertificates('bundled')
  return names?.length === all.length ? all.map((pem, at) => lazyRoot(pem, names[at] ?? '')) : all.map(rootOf)
}

const lazyRoot = (pem: string, name: string): Root => {
  let read: X509Certificate | null = null
  return {
    name,
    get certificate() {
      read ??= new X509Certificate(pem)
      return read
    },
  }
}

/**
 * A subject or issuer as Node writes it, without what does not count when names are compared (RFC 5280, 7.1): two that are one name are
 * written alike; two that are written alike need not be one name.
 */
export const nameOf = (name: string | undefined): string => (name ?? '').replaceAll(/[\s\\]/g, '').toLowerCase()
