/** What a scanner said about the pages, and what is made of it. */
import type { WebCase } from '../../testbed/web/case.ts'

export interface Scores {
  /** Careless pages that were called vulnerable in the right way, by id. */
  readonly found: ReadonlyMap<string, readonly string[]>
  /** Everything it was sure of and that is not so. */
  readonly wrong: readonly string[]
  /** Requests by `twin/id`. */
  readonly counts: ReadonlyMap<string, number>
  readonly ms: number
}

export const recallOf = (cases: readonly WebCase[], { found }: Scores): number =>
  cases.length === 0 ? 1 : cases.filter(({ id }) => found.has(id)).length / cases.length

export const missedOf = (cases: readonly WebCase[], { found }: Scores): readonly string[] =>
  cases.filter(({ id }) => !found.has(id)).map(({ id }) => id)

/** Both twins of each, one number a place. */
export const requestsOf = (cases: readonly WebCase[], { counts }: Scores): readonly number[] =>
  cases.flatMap(({ id }) => ['careless', 'careful'].map((twin) => counts.get(`${twin}/${id}`) ?? 0))

export const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)

export const medianOf = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

/** The class of a page, as reports name it. */
export const classOf = ({ finds }: WebCase): string => (finds[0]?.startsWith('sqli/') ? 'sqli' : (finds[0] ?? ''))
