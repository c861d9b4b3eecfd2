/** What the commands need from the program around them. The entry in `main` supplies it; tests supply their own. */
import type { DoctorCheck, Operator } from '../contract/operator.ts'
import type { Screen } from './screen.ts'

export interface ServeOptions {
  readonly port: number
  readonly host: string
  readonly worker: boolean
  /** Whether the first start makes an organisation with a key. */
  readonly firstKey: boolean
  readonly json: boolean
}

export interface DemoOptions {
  readonly once: boolean
  readonly json: boolean
  readonly port: number
}

/** How an agent is started. Null: not given. */
export interface AgentCommand {
  /** Where its service answers. */
  readonly url: string | null
  readonly token: string | null
  readonly tokenFile: string | null
  /** Networks that it may reach beyond public addresses. */
  readonly allow: readonly string[]
}

export interface CopyReport {
  /** Names of the migrations that were applied. */
  readonly applied: readonly string[]
  /** Rows copied by table; null when nothing was to be copied. */
  readonly copied: Readonly<Record<string, number>> | null
}

/** How a backup is locked or opened: a passphrase, or keys of age. */
export interface BackupKey {
  /** File whose first line is the passphrase. */
  readonly passphraseFile: string | null
  /** Public keys of age, for a backup. */
  readonly recipients: readonly string[]
  /** Files with private keys of age, for a restore. */
  readonly identityFiles: readonly string[]
}

export interface BackupReport {
  /** By table. */
  readonly rows: Readonly<Record<string, number>>
  readonly files: number
  /** Of the files. */
  readonly bytes: number
  /** Files that are not as their rows say, by their keys in the storage. */
  readonly expired: readonly string[]
  readonly missing: readonly string[]
  readonly altered: readonly string[]
}

export interface FeedLine {
  readonly feed: string
  readonly title: string
  /** Null, as the others: never imported. */
  readonly version: string | null
  readonly records: number | null
  readonly imported_at: string | null
  /** When its publisher was last asked, and what went wrong the last time. */
  readonly checked_at: string | null
  readonly problem: string | null
  /** Name of the file or folder that it came from. */
  readonly source: string | null
  /** The commit, when it came from a git checkout. */
  readonly revision: string | null
  /** What the product brings along and uses until the feed is imported. */
  readonly built_in: { readonly version: string; readonly records: number } | null
}

/** Without a line and an error nothing has changed. */
export interface FeedChange {
  readonly feed: string
  readonly line: FeedLine | null
  readonly error: string | null
}

/** The knowledge feeds of this machine's data folder. Errors are sentences for a person. */
export interface FeedBundle {
  readonly path: string
  readonly bytes: number
  readonly feeds: readonly string[]
  /** One line, as minisign takes it. */
  readonly public_key: string
}

export interface Feeds {
  readonly list: () => readonly FeedLine[]
  /** Of a file, an archive, a folder or a checkout. `feed` null: recognised by what is in it. */
  readonly import: (path: string, feed: string | null) => Promise<FeedLine>
  /** Into one signed file; of no names: all that were imported. */
  readonly bundle: (path: string, names: readonly string[]) => Promise<FeedBundle>
  readonly isBundle: (path: string) => Promise<boolean>
  /** What is newer than what is here. `key` null: the one of the settings. */
  readonly importBundle: (path: string, key: string | null) => Promise<readonly FeedChange[]>
  /** Of no names: all that come by themselves; `due`: of those the ones whose day is over. Each as it is done. */
  readonly update: (
    names: readonly string[],
    options: { readonly due: boolean; readonly signal: AbortSignal },
  ) => AsyncIterable<FeedChange>
  /** Only those that were imported; null is sound. */
  readonly verify: () => readonly { readonly feed: string; readonly problem: string | null }[]
}

export interface TemplateProblem {
  readonly file: string
  /** 0 where the place is not known. */
  readonly line: number
  /** `error` and `defect` fail the check; `refused` is policy; `warning` has no effect. */
  readonly level: 'error' | 'defect' | 'refused' | 'warning'
  readonly message: string
}

/** One protocol of a folder of templates. */
export interface TemplateSummary {
  readonly protocol: string
  readonly files: number
  readonly broken: number
  /** Never run, by policy. */
  readonly refused: readonly { readonly reason: string; readonly templates: number }[]
  /** Not run in a scan that must not harm, by tier. */
  readonly heldBack: readonly { readonly tier: string; readonly templates: number }[]
  /** Run in a scan with the whole catalogue. */
  readonly allowed: number
}

export interface TemplateLint {
  readonly summary: readonly TemplateSummary[]
  readonly templates: number
  readonly refused: number
  readonly broken: number
  readonly problems: readonly TemplateProblem[]
}

export interface TemplateHit {
  readonly template: string
  readonly name: string
  readonly severity: string
  /** Names of the matchers that held, '' without. */
  readonly matcher: string
  readonly at: string
  readonly extracted: readonly string[]
  /** confirmed, firm or tentative: what asking again and asking wrongly showed. */
  readonly confidence: string
  readonly because: string
}

export interface TemplateRun {
  readonly selected: number
  readonly run: number
  readonly skipped: readonly { readonly template: string; readonly reason: string }[]
  readonly failed: readonly { readonly template: string; readonly reason: string }[]
  /** Tiers that were not allowed, with how many templates each held back. */
  readonly heldBack: Readonly<Record<string, number>>
  readonly refuted: number
  readonly requests: { readonly named: number; readonly sent: number }
  readonly hits: readonly TemplateHit[]
}

export interface TemplateRunOptions {
  readonly folder: string
  /** http or https address. */
  readonly target: string
  /** Tiers that are allowed beside what only reads. */
  readonly allow: readonly string[]
  readonly values: Readonly<Record<string, string>>
  /** Ids; empty means all. */
  readonly only: readonly string[]
}

/** A user's own templates. Errors are sentences for a person. */
export interface TemplateTool {
  readonly lint: (folder: string) => TemplateLint
  readonly run: (
    options: TemplateRunOptions,
    signal: AbortSignal,
    progress: (text: string) => void,
  ) => Promise<TemplateRun>
}

export interface CliDeps {
  readonly version: string
  /** The program came by itself: no service can be on this machine, and commands of its operator are left out. */
  readonly remote: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  readonly screen: Screen
  /** Aborted when the person interrupts. */
  readonly signal: AbortSignal
  /** `--data`: the folder in place of SONDE_DATA, for everything below; told before a command acts. */
  readonly chooseFolder: (folder: string) => void
  /** Whether it was named so: then its service is meant, whatever SONDE_URL says. */
  readonly folderNamed: () => boolean
  /** The running service of this data folder, or the database itself. */
  readonly operator: () => Promise<Operator>
  /** Address and key of the service on this machine's data folder, when there is one. */
  readonly localService: () => Promise<{ readonly url: string; readonly apiKey: string } | null>
  /** Each of these runs until it is told to stop and gives the exit code. */
  readonly serve: (options: ServeOptions) => Promise<number>
  /** `json`: says by one line of JSON that it is ready. */
  readonly work: (options: { readonly json: boolean }) => Promise<number>
  readonly agent: (command: AgentCommand) => Promise<number>
  readonly checkAgent: (command: AgentCommand) => Promise<readonly DoctorCheck[]>
  readonly demo: (options: DemoOptions) => Promise<number>
  readonly migrate: (to: string | null) => Promise<CopyReport>
  readonly backup: (file: string, key: BackupKey) => Promise<BackupReport>
  /** `held`: under an emergency stop over all organisations. */
  readonly restore: (file: string, key: BackupKey, held: boolean) => Promise<BackupReport>
  readonly doctor: () => Promise<readonly DoctorCheck[]>
  readonly feeds: () => Promise<Feeds>
  readonly templates: () => Promise<TemplateTool>
}
