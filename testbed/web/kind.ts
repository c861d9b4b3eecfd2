/** A way of being careless with a value, and of being careful. */

import type { Raw } from './case.ts'
import type { Place } from './place.ts'

export interface Kind {
  readonly name: string
  readonly finds: string
  readonly value: string
  readonly timed?: true
  readonly place?: Place
  readonly effect?: 'writes'
  readonly headers?: Readonly<Record<string, string>>
  readonly careless: (v: string, folder: string, raw: Raw) => unknown
  readonly careful: (v: string, folder: string, raw: Raw) => unknown
}
