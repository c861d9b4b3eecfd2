/** RPM's order: rpm-version(7). `[epoch:]version[-release]`; a tilde sorts before, a caret after the same text without. */
import { compareNumbers, compareTexts, isNumber } from './numbers.ts'

export const compareRpm = (a: string, b: string): number => {
  const [left, right] = [parts(a), parts(b)]
  const byVersion = compareNumbers(left.epoch, right.epoch) || compareSegments(left.version, right.version)
  // A text without a release stands for every release.
  if (byVersion !== 0 || left.release === null || right.release === null) return byVersion
  return compareSegments(left.release, right.release)
}

const parts = (text: string) => {
  const [, epoch = '0', version = '', release] = /^(?:(\d+):)?([^-]*)(?:-(.*))?$/s.exec(text.trim()) ?? []
  return { epoch, version, release: release ?? null }
}

const compareSegments = (a: string, b: string): number => {
  const left = a.match(/\d+|[A-Za-z]+|[~^]/g) ?? []
  const right = b.match(/\d+|[A-Za-z]+|[~^]/g) ?? []
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const order = compareSegment(left[index], right[index])
    if (order !== 0) return order
  }
  return 0
}

const compareSegment = (a: string | undefined, b: string | undefined): number => {
  if (a === b) return 0
  if (a === '~') return -1
  if (b === '~') return 1
  if (a === undefined) return -1
  if (b === undefined) return 1
  // A caret is newer than the end, older than any further segment.
  if (a === '^') return -1
  if (b === '^') return 1
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b)
  if (isNumber(a) !== isNumber(b)) return isNumber(a) ? 1 : -1
  return compareTexts(a, b)
}
