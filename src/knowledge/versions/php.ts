/** PHP's version_compare: https://www.php.net/manual/en/function.version-compare.php */
import { compareNumbers, isNumber } from './numbers.ts'

export const comparePhp = (a: string, b: string): number => {
  const [left, right] = [partsOf(a), partsOf(b)]
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const [one, other] = [left[index], right[index]]
    // What is left over counts as more where it is a number, and is held against a plain release otherwise.
    if (one === undefined && other !== undefined) return isNumber(other) ? -1 : RELEASE - rank(other)
    if (other === undefined && one !== undefined) return isNumber(one) ? 1 : rank(one) - RELEASE
    const order = comparePart(one ?? '', other ?? '')
    if (order !== 0) return order
  }
  return 0
}

/** `-`, `_` and `+` are dots, and so is each change between digits and letters. */
const partsOf = (version: string): readonly string[] => version.trim().match(/\d+|[A-Za-z]+/g) ?? []

const ORDER: readonly (readonly [start: string, rank: number])[] = [
  ['dev', 0],
  ['alpha', 1],
  ['a', 1],
  ['beta', 2],
  ['b', 2],
  ['RC', 3],
  ['rc', 3],
  ['#', 4],
  ['pl', 5],
  ['p', 5],
]
const RELEASE = 4

/** Words are known by how they begin; a number stands for the release; any other word sorts before all. */
const rank = (part: string): number =>
  isNumber(part) ? RELEASE : (ORDER.find(([start]) => part.startsWith(start))?.[1] ?? -1)

const comparePart = (a: string, b: string): number =>
  isNumber(a) && isNumber(b) ? compareNumbers(a, b) : rank(a) - rank(b)
