/** What an SSH server offers in its key exchange, and its host keys (RFC 4253). */

/** SSH_MSG_KEXINIT (RFC 4253, 7.1): the server's lists in its order of preference. */
export interface KexFacts {
  readonly protocol: string
  readonly kex: readonly string[]
  readonly hostKeys: readonly string[]
  /** Client to server and server to client together. */
  readonly ciphers: readonly string[]
  readonly macs: readonly string[]
  readonly compression: readonly string[]
  /** Shown by a key exchange that was begun and not ended; null where none came about. Absent in older facts. */
  readonly hostKey?: HostKeyFacts | null
}

export interface HostKeyFacts {
  /** ssh-rsa, ssh-dss, ecdsa-sha2-nistp256, ssh-ed25519, … */
  readonly type: string
  /** Modulus of RSA, prime of DSA, field of the curves; null where it is not known. */
  readonly bits: number | null
  /** Base64 without padding, as `ssh-keygen -l` prints it. */
  readonly sha256: string
  /** The public key itself as SSH writes it, Base64. Absent in older facts. */
  readonly octets?: string
}
