/**
 * A template as the engine runs it: plain JSON, so that a compiled catalogue can be kept on disk.
 * Format: the public documentation of nuclei's YAML templates. Strings that are compared with bytes of an answer are
 * byte strings (one character a byte, UTF-8 for what is not ASCII), see `bytes.ts`.
 */
import type { Severity } from '../../contract/finding.ts'
import type { Tier } from '../../safety/templates.ts'

type Written = string | number | boolean
/** As it is written; lists are for flows, which go through them. */
export type Variable = readonly [name: string, value: Written | readonly Written[]]

export interface Template {
  readonly id: string
  /** Path within its catalogue, with slashes. */
  readonly file: string
  /** SHA-256 of the file's bytes, hex. */
  readonly hash: string
  readonly info: Info
  /** In the order of the file; several protocols may be mixed. Empty for a workflow. */
  readonly steps: readonly Step[]
  /** Null for anything but a workflow. */
  readonly workflow: readonly WorkflowStep[] | null
  /** Source of the flow, null without. */
  readonly flow: string | null
  /** Evaluated in order when the template starts. Values may hold `{{…}}`. */
  readonly variables: readonly Variable[]
  /** As variables, but nothing may change them. */
  readonly constants: readonly Variable[]
  /** Asks hosts of its own instead of the target. */
  readonly selfContained: boolean
  readonly stopAtFirstMatch: boolean
  /** What it does to a target, judged from what it sends. */
  readonly tiers: readonly Tier[]
  /** Requests it may send to one target at most, redirects not counted. */
  readonly requests: number
}

export interface Info {
  readonly name: string
  readonly severity: Severity | 'unknown'
  readonly tags: readonly string[]
  readonly description: string
  readonly remediation: string
  readonly references: readonly string[]
  readonly cve: readonly string[]
  readonly cwe: number | null
  readonly cvss: string | null
  readonly cpe: string | null
  readonly vendor: string | null
  readonly product: string | null
}

export type Step = HttpStep | DnsStep | SslStep | TcpStep | HeadlessStep | JavascriptStep
export type Protocol = Step['protocol']

interface StepBase {
  /** How `flow` names it, besides its number. */
  readonly id: string | null
  readonly operators: Operators
}

export type Attack = 'batteringram' | 'pitchfork' | 'clusterbomb'
/** Lists by name, in the order of the file. A long list is a file's, read when it is needed. */
export type Payloads = readonly (readonly [name: string, values: readonly string[] | { readonly file: string }])[]
export type Pairs = readonly (readonly [name: string, value: string])[]

export interface HttpStep extends StepBase {
  readonly protocol: 'http'
  readonly method: string
  readonly paths: readonly string[]
  /** Whole requests as text; empty where `paths` is used. */
  readonly raw: readonly string[]
  readonly headers: Pairs
  readonly body: string | null
  readonly payloads: Payloads
  readonly attack: Attack
  /** Where a redirect may lead: nowhere, to the same host, anywhere (a guarded scan stays at the target). */
  readonly redirects: 'none' | 'host' | 'all'
  readonly maxRedirects: number
  readonly cookieJar: boolean
  /** Bytes of a raw request go out as written. */
  readonly unsafe: boolean
  /** A raw path is put behind the target's own path. */
  readonly autoMerge: boolean
  readonly stopAtFirstMatch: boolean
  readonly skipVariablesCheck: boolean
  /** A later request is sent for each value that an earlier one extracted. */
  readonly iterateAll: boolean
  /** Bytes of the body that operators see; null means all. */
  readonly maxSize: number | null
  /** Before anything is sent. */
  readonly preCondition: Operators | null
  readonly digest: { readonly username: string; readonly password: string } | null
  /** Operators look at every answer of the run instead of one of their own. */
  readonly global: boolean
}

export interface DnsStep extends StepBase {
  readonly protocol: 'dns'
  readonly name: string
  readonly type: string
  readonly recursion: boolean
  readonly retries: number
}

export interface SslStep extends StepBase {
  readonly protocol: 'ssl'
  readonly address: string
  readonly minVersion: string | null
  readonly maxVersion: string | null
  readonly cipherSuites: readonly string[]
}

export interface TcpInput {
  /** Byte string; may hold `{{…}}`. */
  readonly data: string
  readonly hex: boolean
  /** Bytes to read after it; 0 reads nothing. */
  readonly read: number
  /** Part under which what was read is known. */
  readonly name: string | null
}

export interface TcpStep extends StepBase {
  readonly protocol: 'tcp'
  /** `{{Hostname}}`, `tls://{{Hostname}}`, `{{Host}}:22`. */
  readonly hosts: readonly string[]
  /** Ports in place of the target's own. */
  readonly ports: readonly number[]
  readonly inputs: readonly TcpInput[]
  readonly readSize: number
  readonly readAll: boolean
  readonly payloads: Payloads
  readonly attack: Attack
  readonly stopAtFirstMatch: boolean
}

export interface HeadlessAction {
  readonly action: string
  readonly name: string | null
  readonly args: Readonly<Record<string, string>>
}

export interface HeadlessStep extends StepBase {
  readonly protocol: 'headless'
  readonly actions: readonly HeadlessAction[]
  readonly payloads: Payloads
  readonly attack: Attack
  readonly stopAtFirstMatch: boolean
}

export interface JavascriptStep extends StepBase {
  readonly protocol: 'javascript'
  readonly code: string
  readonly init: string | null
  readonly preCondition: string | null
  readonly args: readonly (readonly [name: string, value: string | number])[]
  readonly payloads: Payloads
  readonly attack: Attack
  readonly stopAtFirstMatch: boolean
}

export interface WorkflowStep {
  /** Path of a template or a folder; null where tags choose. */
  readonly template: string | null
  readonly tags: readonly string[]
  /** Run these when a matcher of that name matched. */
  readonly matchers: readonly WorkflowMatcher[]
  /** Run when the template matched at all. */
  readonly subtemplates: readonly WorkflowStep[]
}

export interface WorkflowMatcher {
  readonly names: readonly string[]
  readonly condition: Condition
  readonly subtemplates: readonly WorkflowStep[]
}

export type Condition = 'and' | 'or'

export interface Operators {
  readonly condition: Condition
  readonly matchers: readonly Matcher[]
  readonly extractors: readonly Extractor[]
}

export interface MatcherBase {
  readonly name: string | null
  /** Which part of the answer; `body` for http when the template names none. */
  readonly part: string
  readonly condition: Condition
  readonly negative: boolean
  /** Decides, but is no result by itself. */
  readonly internal: boolean
}

export type Matcher = MatcherBase &
  (
    | { readonly type: 'status'; readonly codes: readonly number[] }
    | { readonly type: 'size'; readonly sizes: readonly number[] }
    /** Byte strings; `dynamic` ones hold `{{…}}`. */
    | {
        readonly type: 'word'
        readonly words: readonly string[]
        readonly caseInsensitive: boolean
        readonly dynamic: boolean
      }
    | { readonly type: 'regex'; readonly patterns: readonly string[]; readonly dynamic: boolean }
    /** Byte strings, decoded from hex. */
    | { readonly type: 'binary'; readonly values: readonly string[] }
    | { readonly type: 'dsl'; readonly expressions: readonly string[] }
    | { readonly type: 'xpath'; readonly queries: readonly string[] }
  )

export interface ExtractorBase {
  readonly name: string | null
  readonly part: string
  /** Feeds later requests and is not shown. */
  readonly internal: boolean
}

export type Extractor = ExtractorBase &
  (
    | {
        readonly type: 'regex'
        readonly patterns: readonly string[]
        readonly group: number
        readonly dynamic: boolean
      }
    | { readonly type: 'kval'; readonly keys: readonly string[]; readonly caseInsensitive: boolean }
    | { readonly type: 'json'; readonly queries: readonly string[] }
    | { readonly type: 'xpath'; readonly queries: readonly string[]; readonly attribute: string | null }
    | { readonly type: 'dsl'; readonly expressions: readonly string[] }
  )
