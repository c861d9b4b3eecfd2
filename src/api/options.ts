import type { FastifyBaseLogger } from 'fastify'
import type { Registry } from 'prom-client'
import type { ObjectStorage } from '../artifacts/artifacts.ts'
import type { VerificationAttempt } from '../contract/domain.ts'
import type { FileFormat } from '../contract/finding.ts'
import type { FindingsFile } from '../contract/findings-file.ts'
import type { Organisation, Plan, Role } from '../contract/organisation.ts'
import type { SecretKeys } from '../contract/secret-keys.ts'
import type { Database } from '../store/database.ts'
import { type ConnectionLimits, connectionLimits } from './connections.ts'

/** Numbers of the decisions page; an operator may set others. */
export interface Limits {
  readonly requestsPerMinute: number
  readonly startsPerMinute: number
  /** Reads of one run with one key: so many at once … */
  readonly runReads: number
  /** … then one in so many seconds. */
  readonly runReadSeconds: number
  /** Refused credentials per minute and address. */
  readonly refusalsPerMinute: number
  /** Bytes. */
  readonly body: number
  /** Open event streams of this process. */
  readonly streams: number
  readonly connections: ConnectionLimits
  /** Files that are being sent at once. */
  readonly downloads: number
}

export const DEFAULT_LIMITS: Limits = {
  requestsPerMinute: 300,
  startsPerMinute: 30,
  runReads: 12,
  runReadSeconds: 5,
  refusalsPerMinute: 30,
  body: 64 * 1024,
  streams: 10_000,
  connections: connectionLimits(12_500),
  downloads: 2_500,
}

/** Milliseconds for a request to arrive. */
export interface Arrival {
  /** Its head, counted from the connection for its first. */
  readonly head: number
  readonly request: number
  /** Between two looks at these. */
  readonly look: number
}

export const DEFAULT_ARRIVAL: Arrival = { head: 10_000, request: 30_000, look: 1_000 }

/** A provider of OpenID Connect, as the operator configured it. */
export interface OpenIdProvider {
  /** On the button of the sign-in page. */
  readonly name: string
  /** Where to send the browser, and what it has to come back with. */
  readonly start: (
    redirectUri: string,
  ) => Promise<{ readonly url: string; readonly state: string; readonly nonce: string; readonly verifier: string }>
  /** Rejects for any answer that is not the provider's to exactly this question. */
  readonly finish: (
    address: URL,
    checks: { readonly state: string; readonly nonce: string; readonly verifier: string },
  ) => Promise<OpenIdPerson>
  /** Whose members sign in by it. */
  readonly organisation: () => Promise<Organisation>
}

export interface OpenIdPerson {
  readonly issuer: string
  readonly subject: string
  readonly name: string
  readonly email: string | null
  /** For somebody who signs in for the first time; null: nobody may who has not been let in. */
  readonly role: Role | null
}

export interface AppOptions {
  readonly arrival?: Arrival
  readonly db: Database
  readonly storage: ObjectStorage
  /** Signs addresses of the filesystem storage; null where the storage signs its own (S3). */
  readonly fileKeys: SecretKeys | null
  readonly plans: readonly Plan[]
  readonly limits: Limits
  /** Seal credentials; what signs cursors is derived from them. */
  readonly keys: SecretKeys
  /** The operator has set up a mail server. Default false. */
  readonly mail?: boolean
  /** What a genuine Sonde-Run header says (seconds since the epoch), null for any other. */
  readonly verifyTraffic: (header: string) => { readonly runId: string; readonly issuedAt: number } | null
  /** Signs the Sonde-Run header of this run, and of no other: base64url. Without it such a header is nobody's. */
  readonly trafficKey?: (runId: string) => string
  /** How long a person who asks waits for an agent, in milliseconds. Default 25,000. */
  readonly agentPatience?: number
  /** Names of the operator's static table, lower case. */
  readonly hosts: ReadonlySet<string>
  readonly allowTargetPorts: boolean
  /** From which scans come, as the operator names them; CIDR. */
  readonly scanAddresses: readonly string[]
  /** Of runs to one host, by the operator's setting; a domain may take fewer. */
  readonly requestsPerSecond: number
  /** Asks now, through egress; one attempt for each method. Never rejects for what the target does. */
  readonly verifyDomain: (domain: { readonly domain: string; readonly token: string }) => Promise<VerificationAttempt[]>
  readonly render: Readonly<Record<FileFormat, (file: FindingsFile) => string>>
  /** A logo as reports use it, or why the file cannot be one. */
  readonly prepareLogo: (file: Buffer) => Promise<{ readonly body: Buffer } | { readonly problem: string }>
  /** The first page of a report as a PNG; rejects with `unavailable` where it cannot be made. */
  readonly drawCover: (of: {
    readonly organisation: string
    readonly logo: Buffer | null
    readonly watermark: boolean
  }) => Promise<Buffer>
  /** Folder of the built web application; null serves none. */
  readonly webFolder: string | null
  /** Null where the operator configured none. */
  readonly openId: OpenIdProvider | null
  /** Where clients reach the service, without a slash at the end. A function, as a free port is known late. */
  readonly baseUrl: () => string
  readonly version: string
  readonly logger: FastifyBaseLogger | null
  /** Figures of the same process that /metrics shows too; default a registry of its own. */
  readonly metrics?: Registry
  /** Whose X-Forwarded-For is believed: addresses or networks in CIDR form. Default nobody's. */
  readonly trustProxy?: readonly string[]
}
