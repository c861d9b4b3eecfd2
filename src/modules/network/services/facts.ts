/** What the services module saw. Plain JSON. */
import type { KexFacts } from '../../../protocols/services/offers.ts'
import type { Access } from '../../../protocols/services/probe.ts'
import type { Said } from '../../../protocols/services/talk.ts'

export interface ServicesFacts {
  readonly host: string
  readonly address: string
  /** True where the host accepts every connection, so that only what speaks is listed. */
  readonly everythingOpen: boolean
  /** In order of port. */
  readonly services: readonly ServiceFacts[]
  /** Open ports that were left out because there are too many. */
  readonly leftOut: number
  /** Which web services pass on what strangers ask for. Absent in facts of older runs. */
  readonly proxies?: ProxyFacts
  /** By the fingerprint of an SSH host key the list that has its private half; null where no list is imported. Absent in older facts. */
  readonly knownKeys?: Readonly<Record<string, string>> | null
  /** Version of the imported Recog rules, null without. */
  readonly recog: string | null
}

export interface ProxyFacts {
  /** Ports that were asked for another service of the host. */
  readonly asked: readonly number[]
  /** Ports that could not be: there is nothing to ask them for, or there are too many. */
  readonly open: readonly number[]
  readonly found: readonly {
    readonly port: number
    /** Port of the service that answered through it. */
    readonly through: number
    readonly method: 'CONNECT' | 'GET'
    readonly exchange: readonly Said[]
    readonly replay: string
  }[]
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
