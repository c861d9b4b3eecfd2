/**
 * What runs one step of a template. One file a protocol: `http.ts`, `dns.ts`, `ssl.ts`, `tcp.ts`, `headless.ts`,
 * `javascript.ts`, each exporting one function of the type `Executor`; `executors.ts` holds the list.
 * An executor asks through `run.egress` alone, makes an `Answer` of what came back and hands it to `run.judge`.
 */
import type { Location } from '../../contract/finding.ts'
import type { Egress } from '../../egress/door/egress.ts'
import type { ModuleBrowser } from '../../modules/browser.ts'
import type { FunctionContext } from '../language/expression/functions.ts'
import type { Lookup, Value } from '../language/expression/value.ts'
import type { Answer } from '../language/match/answer.ts'
import type { Text } from '../language/match/text.ts'
import type { Verdict } from '../language/match/verdict.ts'
import type { Attack, Operators, Payloads, Step, Template } from '../language/template.ts'
import type { HttpSpec } from './http/request.ts'

/** Resolves to whether the step matched, which is what `flow` asks. @throws StepSkipped, EgressError */
export type Executor<S extends Step = Step> = (step: S, run: StepRun) => Promise<boolean>

/** Why a step is not run. */
export type SkipKind =
  /** Something that only the operator knows: a user name, a password, a key. */
  | 'value'
  /** It asks somebody other than the target. */
  | 'elsewhere'
  /** What a scanner that must not harm does not do. */
  | 'policy'
  /** It makes no sense for this target. */
  | 'target'
  /** A browser, a list of the catalogue or a service's module is not there. */
  | 'absent'
  /** A mistake of the template that shows only when it runs. */
  | 'defect'
  /** The engine lacks it. */
  | 'unsupported'

/** The step cannot be run. Counted and named, never "clean". */
export class StepSkipped extends Error {
  readonly kind: SkipKind
  constructor(reason: string, kind: SkipKind) {
    super(reason)
    this.name = 'StepSkipped'
    this.kind = kind
  }
}

export interface TemplateTarget {
  /** `https://shop.test/app`, without a slash at the end. */
  readonly base: string
  readonly scheme: 'http' | 'https'
  readonly host: string
  readonly port: number
  /** Variables that the address gives: BaseURL, RootURL, Hostname, Host, Port, Path, Scheme, FQDN, RDN, … */
  readonly variables: ReadonlyMap<string, string>
}

/** One template against one target. */
export interface StepRun {
  readonly template: Template
  readonly target: TemplateTarget
  readonly egress: Egress
  readonly signal: AbortSignal
  /** What templates know: the target's variables, the template's own, what steps have set. Later `set` wins. */
  readonly values: Values
  /** What DSL functions may learn of the run. */
  readonly functions: FunctionContext
  /**
   * Text of the template with its markers replaced, as a byte string. `extra` is asked first (a payload's values).
   * @throws StepSkipped naming what is unknown
   */
  readonly fill: (text: string, extra?: Lookup) => string
  /** Payload values by the attack, one map a request; one empty map without payloads. */
  readonly combinations: (payloads: Payloads, attack: Attack) => Iterable<ReadonlyMap<string, Value>>
  /** A text that knows the words of the catalogue; equal bytes give the same one. */
  readonly text: (bytes: string) => Text
  /**
   * Runs the operators on an answer, keeps what internal extractors found in `values`, and records a hit where the verdict
   * is one to report.
   */
  readonly judge: (operators: Operators, answer: Answer, shown: Shown, extra?: Lookup) => Verdict
  /** The matchers alone, with nothing kept: for conditions. */
  readonly test: (operators: Operators, answer: Answer) => boolean
  /** The module's browser, when there is one. */
  readonly browser: () => Promise<ModuleBrowser>
}

export interface Values {
  readonly get: Lookup
  readonly set: (name: string, value: Value) => void
}

/** What a hit shows of the exchange: where it was and its bytes, in byte strings. */
export interface Shown {
  readonly at: Location
  readonly request: string
  readonly response: string
  /** Http alone: a command that asks the same again, the status of the answer, and what was asked for. */
  readonly http?: {
    readonly command: string
    readonly status: number
    readonly target: string
    readonly spec: HttpSpec
  }
}

/** An answer made of named values; `fallback` is the part that stands for "all of it". */
export const answerOf = (
  values: Readonly<Record<string, Value | undefined>>,
  text: (bytes: string) => Text,
  aliases: Readonly<Record<string, string>> = {},
): Answer => {
  const texts = new Map<string, Text>()
  const get = (name: string): Value | undefined => {
    const key = Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name
    return Object.hasOwn(values, key) ? values[key] : undefined
  }
  return {
    get,
    text: (part) => {
      const known = texts.get(part)
      if (known !== undefined) return known
      const value = get(part)
      if (value === undefined || value === null) return undefined
      const made = text(typeof value === 'string' ? value : String(value))
      texts.set(part, made)
      return made
    },
  }
}
