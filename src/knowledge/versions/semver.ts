/** Semantic Versioning 2.0.0, item 11. Missing numbers are 0 (`1.2`), a leading `v` is let pass, build data is ignored. */
import { compareNumbers, compareTexts, isNumber } from './numbers.ts'

export const compareSemver = (a: string, b: string): number => {
  const [left, right] = [parts(a), parts(b)]
  for (let index = 0; index < Math.max(left.numbers.length, right.numbers.length); index += 1) {
    const order = compareNumbers(left.numbers[index] ?? '0', right.numbers[index] ?? '0')
    if (order !== 0) return order
  }
  return comparePrerelease(left.prerelease, right.prerelease)
}

const parts = (text: string) => {
  const [, numbers = '', rest = ''] = /^[\s=v]*(\d+(?:\.\d+)*)?(.*)$/s.exec(text.trim()) ?? []
  const prerelease = /^[-.]?([^+]*)/.exec(rest)?.[1] ?? ''
  return { numbers: numbers.split('.').filter(Boolean), prerelease: prerelease.split('.').filter(Boolean) }
}

const comparePrerelease = (a: readonly string[], b: readonly string[]): number => {
  // A release is newer than every version before it.
  if (a.length === 0 || b.length === 0) return b.length - a.length
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const [left, right] = [a[index], b[index]]
    if (left === undefined || right === undefined) return left === undefined ? -1 : 1
    const order = compareIdentifier(left, right)
    if (order !== 0) return order
  }
  return 0
}

const compareIdentifier = (a: string, b: string): number => {
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b)
  if (isNumber(a) !== isNumber(b)) return isNumber(a) ? -1 : 1
  return compareTexts(a, b)
}
