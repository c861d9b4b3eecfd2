/** An answer as matchers and extractors see it, whatever protocol it came by. */
import type { Value } from '../expression/value.ts'
import type { Text } from './text.ts'

export interface Answer {
  /** What a part or variable of that name holds; undefined where there is none. */
  readonly get: (name: string) => Value | undefined
  /** A part as text; undefined where there is none. `body` of http is the whole decoded body. */
  readonly text: (part: string) => Text | undefined
}
