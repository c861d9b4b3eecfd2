/** How one protocol is asked, and what an answer proves. A probe writes nothing that changes the service. */
import type { Identity } from '../../knowledge/services/service.ts'
import type { KexFacts } from './offers.ts'
import type { Talk } from './talk.ts'

/**
 * What a stranger may do, as the exchange shows it.
 * datastore: read and usually write all data · listing: names of what is stored · directory: anonymous entry that is
 * sometimes meant · takeover: run programs · control: change or read the state of jobs, queues, screens ·
 * listener: a protocol made for trusted networks answers · observability: metrics, dashboards · null-session: a session of nobody that
 * lists shares · share: a shared folder that nobody opens
 */
export type AccessKind =
  | 'datastore'
  | 'listing'
  | 'directory'
  | 'takeover'
  | 'control'
  | 'listener'
  | 'observability'
  | 'null-session'
  | 'share'

export interface Access {
  readonly kind: AccessKind
  /** One sentence: what was asked and what was answered without a login. */
  readonly says: string
  /** The decisive piece of the answer. */
  readonly mark: string
}

export interface Proved extends Partial<Identity> {
  /** Id in the tables of knowledge/services. */
  readonly service: string
  /** Null: asked, and refused or not shown. Absent: not asked. */
  readonly access?: Access | null
  /** It offers to go on with TLS. */
  readonly starttls?: boolean
  readonly kex?: KexFacts
  /** Facts with a finding of their own. */
  readonly weakness?: 'smb1' | 'rdp-without-nla' | 'plain-login'
  /** Command that shows it again; absent: the same bytes do. */
  readonly replay?: string
}

export interface Probe {
  /** Services whose ports by habit are asked with this probe first. */
  readonly services: readonly string[]
  /** The server speaks first; the probe then reads the greeting itself. */
  readonly greets?: boolean
  /** Null where the answer is not this protocol. */
  readonly run: (talk: Talk) => Promise<Proved | null>
  /** What a second conversation shows, once the first has told the protocol; null: nothing more. */
  readonly more?: (talk: Talk) => Promise<Pick<Proved, 'access' | 'replay'> | null>
}
