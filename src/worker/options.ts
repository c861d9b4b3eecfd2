import type { KeepingStorage } from '../artifacts/keep.ts'
import type { VerificationAttempt } from '../contract/domain.ts'
import type { Plan } from '../contract/organisation.ts'
import type { SecretKeys } from '../contract/secret-keys.ts'
import type { EgressSettings } from '../egress/door/settings.ts'
import type { OobListener } from '../egress/oob/listener.ts'
import type { ModuleSettings } from '../engine/protocol.ts'
import type { Database } from '../store/database.ts'
import type { StoredDomain } from '../store/domains.ts'
import type { FeedNews } from './feed-news.ts'
import type { LoginTester } from './login-looks.ts'
import type { ReportWriter, RunJudge } from './report-writer.ts'

/** What the worker asks of the object storage; src/artifacts has it. */
export interface Storage extends KeepingStorage {
  readonly delete: (key: string) => Promise<void>
  /** Rejects while the storage does not work; may be asked at any time. Without it only a failed write tells. */
  readonly check?: () => Promise<void>
}

/** Structured, as pino's. */
export interface Logger {
  readonly info: (fields: object, message: string) => void
  readonly warn: (fields: object, message: string) => void
  readonly error: (fields: object, message: string) => void
}

/** What it takes to scan, wherever the runs come from. */
export interface ScanOptions {
  readonly egress: EgressSettings
  /** The operator's settings for modules. */
  readonly modules?: ModuleSettings
  /** Folder of the imported knowledge feeds. */
  readonly knowledge?: string
  /** Hears calls from targets; without it nothing that needs one is tested. */
  readonly outOfBand?: Pick<OobListener, 'watch' | 'settings'>
  readonly logger: Logger
  /** Runs at once. Default: one for each core. */
  readonly concurrency?: number
  /** Light runs beside them: passive, and without a browser. Default: two for each core, none where `concurrency` is given. */
  readonly lightConcurrency?: number
  /** Bytes that this process and what it starts may still take. Default: as the system or its control group says. */
  readonly freeMemory?: () => number
  /** Wall-clock seconds of one scan. Default 3,600. */
  readonly runSeconds?: number
  /** Heap cap of the scan child in MiB. Default 1,024. */
  readonly childMemoryMb?: number
  /** Environment variables handed to the child beside the harmless ones. It never gets keys or database addresses. */
  readonly childEnv?: Readonly<Record<string, string>>
  /** Makes a folder for the temporary files of one child; without it these are where the worker's are. */
  readonly childFolder?: () => Promise<{ readonly path: string; readonly remove: () => Promise<void> }>
  /** Seconds after a run for which a started child waits for the next one. Default 0: none waits. */
  readonly spareSeconds?: number
  /** Body of the scan child, asked for at each start. Null, and by default: the engine's source. */
  readonly scanScript?: () => Promise<URL | null>
}

export interface WorkerOptions extends ScanOptions {
  readonly db: Database
  readonly storage: Storage
  readonly plans: readonly Plan[]
  /** Days that the events of ended runs are kept, 31 at least. Null, and by default: as the longest of the plans keeps files. */
  readonly eventDays?: number | null
  /** 32 bytes; opens the runs' credentials and the key that signs. */
  readonly keys: SecretKeys
  readonly report: ReportWriter
  readonly judge: RunJudge
  /** Asks now for the proofs of a domain; see verify-domain.ts. Never rejects for what the target does. */
  readonly verifyDomain: (claim: StoredDomain) => Promise<readonly VerificationAttempt[]>
  /** Tries out stored logins where people ask for it; without it such a test waits for another worker. */
  readonly testLogin?: LoginTester
  /** Product and version, for the findings file. */
  readonly scanner: string
  /** Version of each set of data that comes with the product. */
  readonly bundled?: Readonly<Record<string, string>>
  /** Shown on the lease; unique among workers. */
  readonly workerId?: string
  /** Judges stored runs again when feeds bring news; without it another worker does. */
  readonly news?: FeedNews
  /** Done once a day by one worker after another, e.g. checking domains again. */
  readonly daily?: (signal: AbortSignal) => Promise<void>
  /** For tests; milliseconds. */
  readonly timing?: Partial<Timing>
}

/** Milliseconds. */
export interface Timing {
  readonly lease: number
  readonly heartbeat: number
  /** Looks at the queue without being woken. */
  readonly poll: number
  /** From asking the child to stop to killing it. */
  readonly grace: number
  /** From the child's own deadline to killing it. */
  readonly overrun: number
  /** Without any sign of life of the child, after which it is ended. */
  readonly silence: number
  /** Between looks at what is due beside the queue. */
  readonly reap: number
  readonly sweep: number
  /** First and longest pause while the storage is away … */
  readonly storageFirst: number
  readonly storageMost: number
  /** … and how long a run waits for it before it goes back. */
  readonly storagePatience: number
  /** A run waits so long for its report, and ends without it then. */
  readonly reportWait: number
  /** From a storage that failed a report to the next attempt. */
  readonly reportRetry: number
  /** From a signature that could not be made to the next attempt. */
  readonly signRetry: number
  /** Between looks at what feeds have brought. */
  readonly news: number
}

export const TIMING: Timing = {
  lease: 30_000,
  heartbeat: 5_000,
  poll: 2_000,
  grace: 10_000,
  overrun: 15_000,
  silence: 120_000,
  reap: 5_000,
  sweep: 10 * 60_000,
  storageFirst: 500,
  storageMost: 15_000,
  storagePatience: 15 * 60_000,
  reportWait: 120_000,
  reportRetry: 60_000,
  signRetry: 60_000,
  news: 30_000,
}
