import type { CertificateFacts, Handshake } from '../../../protocols/tls/certificate/facts.ts'
export interface TlsFacts {
  readonly host: string
  readonly port: number
  /** The list of transparency logs that timestamps were checked with. Absent in facts of older runs. */
  readonly logs?: string
  /**
   * Lists by certificate (SHA-256) that have its key among those whose private half is known; null where no list is imported.
   * Absent in facts of older runs.
   */
  readonly knownKeys?: Readonly<Record<string, string>> | null
  /** The store of roots that trust was established with. */
  readonly roots: string
  /** All the addresses of the host; at most sixteen of them were asked (four in facts of older runs). */
  readonly addresses: readonly string[]
  readonly asked: readonly string[]
  readonly handshakes: readonly Handshake[]
  /** Each certificate once. */
  readonly certificates: readonly CertificateFacts[]
  /** The other of apex and www, where it resolves and answers; null where not. */
  readonly sibling: Handshake | null
  /** Where a redirect of http leads within the site, if that is another host or port. Absent in facts of older runs. */
  readonly redirected?: Redirected | null
}

export interface Redirected {
  /** As the redirect names it. */
  readonly url: string
  readonly host: string
  readonly port: number
  readonly handshake: Handshake
}
