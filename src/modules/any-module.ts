/** A module whose own types are forgotten: what the engine handles, since the list holds modules of every shape. */
import type { FactTable } from '../contract/findings-file.ts'
import type { Anew, Day } from './anew.ts'
import type {
  CollectContext,
  FindingDefinition,
  JudgeContext,
  Judgement,
  ScanModule,
  Watcher,
  Watching,
} from './module.ts'
import type { ReachPart } from './reach.ts'

type Erased<Key extends keyof ScanModule> = Pick<ScanModule, Key>

export interface AnyCheck {
  readonly findings: readonly FindingDefinition[]
  readonly judge: (facts: never, known: never, about: JudgeContext) => Judgement
}

export interface ModuleGrade {
  readonly id: string
  readonly title: string
  readonly grade: string
  readonly score: number | null
  readonly reasons?: string[]
}

export interface AnyWatcher {
  readonly see: Watcher<unknown>['see']
  readonly seeSignIn?: Watcher<unknown>['seeSignIn']
  readonly conclude: (facts: never, cutOff?: string | null) => unknown
}

/** An `Anew` of whatever facts. */
export interface AnyAnew extends Pick<Anew<never, never>, 'suffices' | 'questions' | 'answers' | 'because'> {
  readonly facts: (facts: never, known: never, day: Day) => Promise<unknown>
}

/** Facts come in as `never`: only the engine calls these, with facts that the module itself returned. */
export interface AnyModule extends Erased<'title' | 'conduct' | 'budget'> {
  readonly id: string
  readonly needs: readonly string[]
  readonly decides?: true
  readonly uses?: readonly string[]
  readonly unless?: (known: never) => string | null
  readonly collect: (ctx: CollectContext, known: never) => Promise<unknown>
  readonly watch?: (watching: Watching) => AnyWatcher
  readonly checks: readonly AnyCheck[]
  readonly tables?: (facts: never) => readonly FactTable[]
  readonly reach?: (facts: never, known: never) => ReachPart
  readonly knowledge?: (facts: never) => Readonly<Record<string, string>>
  readonly anew?: AnyAnew
  readonly grade?: (facts: never, known: never) => ModuleGrade | null
}
