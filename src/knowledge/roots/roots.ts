/**
 * The roots that vouch for a public certificate: Mozilla's store as it comes with Node, and beside it the
 * authorities that the operator added (NODE_EXTRA_CA_CERTS), for sites with a certificate authority of their own.
 */
import { X509Certificate } from 'node:crypto'
import { getCACertificates } from 'node:tls'

export interface RootStore {
  readonly public: readonly X509Certificate[]
  readonly private: readonly X509Certificate[]
}

/** Names the store in a run's list of knowledge. */
export const ROOTS_VERSION = `Mozilla store of Node ${process.versions.node}`

let loaded: RootStore | null = null

export const loadRoots = (): RootStore => {
  loaded ??= { public: parse('bundled'), private: parse('extra') }
  return loaded
}

const parse = (kind: 'bundled' | 'extra'): readonly X509Certificate[] =>
  getCACertificates(kind).map((pem) => new X509Certificate(pem))
