/** What the services module saw. Plain JSON. */
import type { Access } from './probe.ts'
import type { Said } from './talk.ts'

export interface ServicesFacts {
  readonly host: string
  readonly address: string
  /** True where the host accepts every connection, so that only what speaks is listed. */
  readonly everythingOpen: boolean
  /** In order of port. */
  readonly services: readonly ServiceFacts[]
  /** Open ports that were left out because there are too many. */
  readonly leftOut: number
  /** Version of the imported Recog rules, null without. */
  readonly recog: string | null
}

export interface ServiceFacts {
  readonly port: number
  /** Id in knowledge/services, null where nothing is known. */
  readonly service: string | null
  readonly title: string | null
  /** protocol: it spoke the protocol · port: guessed by the port's habit · untouched: nothing may be sent there. */
  readonly by: 'protocol' | 'port' | 'untouched' | 'nothing'
  readonly tls: boolean
  readonly starttls: boolean
  readonly product: string | null
  readonly version: string | null
  readonly info: string | null
  readonly cpe: string | null
  /** The imported Recog rule that said so, null where our own did. */
  readonly recog: string | null
  readonly access: Access | null
  readonly weakness: 'smb1' | 'rdp-without-nla' | 'plain-login' | null
  readonly kex: KexFacts | null
  readonly exchange: readonly Said[]
  /** File with the whole exchange, where it proves something. */
  readonly evidence: { readonly id: string; readonly filename: string } | null
  /** Command that shows the same again. */
  readonly replay: string | null
}

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
}
