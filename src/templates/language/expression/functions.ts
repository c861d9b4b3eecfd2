/** The helper functions, by name. Each answers also without underscores, as the format has it. */
import { CODING } from './functions-coding.ts'
import { DIGESTS } from './functions-digest.ts'
import { RANDOM } from './functions-random.ts'
import { TEXT } from './functions-text.ts'
import { TIME } from './functions-time.ts'
import { VERSIONS } from './functions-version.ts'
import type { Value } from './value.ts'

/** What functions may learn about the run. All optional: without, the function that needs it says so. */
export interface FunctionContext {
  /** Told how many seconds the request is to wait before it goes out. */
  readonly wait?: (seconds: number) => void
  /** Whether a part of the answer holds a word, asked of an index; undefined where there is none. */
  readonly contains?: (part: string, value: string, word: string, lower: boolean) => boolean | undefined
  /** JARM of an address that the run has fingerprinted; undefined for any other. */
  readonly jarm?: (address: string) => string | undefined
}

export interface DslFunction {
  readonly min: number
  readonly max: number
  /** @throws DslError */
  readonly call: (args: readonly Value[], context: FunctionContext) => Value
}

export const functionNamed = (name: string): DslFunction | null => BY_NAME.get(name) ?? null
export const functionNames = (): readonly string[] => [...BY_NAME.keys()]

const ALL: Readonly<Record<string, DslFunction>> = { ...TEXT, ...CODING, ...DIGESTS, ...RANDOM, ...TIME, ...VERSIONS }

const BY_NAME: ReadonlyMap<string, DslFunction> = new Map(
  Object.entries(ALL).flatMap(([name, known]) => [[name, known] as const, [name.replaceAll('_', ''), known] as const]),
)
