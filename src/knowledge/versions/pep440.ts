/** Python's order: PEP 440. What is no version by the PEP sorts before all that are. */
import { compareNumbers, compareTexts, isNumber } from './numbers.ts'

const PATTERN =
  /^v?(?:(\d+)!)?(\d+(?:\.\d+)*)(?:[-_.]?(alpha|a|beta|b|preview|pre|c|rc)[-_.]?(\d*))?(?:-(\d+)|[-_.]?(?:post|rev|r)[-_.]?(\d*))?(?:[-_.]?(dev)[-_.]?(\d*))?(?:\+([a-z\d]+(?:[-_.][a-z\d]+)*))?$/

interface PepVersion {
  readonly epoch: string
  readonly release: readonly string[]
  /** `[rank, number]`: development, pre-release, release itself. */
  readonly pre: readonly [number, string]
  /** Null where it is no post-release. */
  readonly post: string | null
  /** Null where it is no development release. */
  readonly dev: string | null
  readonly local: readonly string[] | null
}

export const comparePep440 = (a: string, b: string): number => {
  const [left, right] = [parse(a), parse(b)]
  if (left === null || right === null) {
    return left === right ? compareTexts(a, b) : left === null ? -1 : 1
  }
  return (
    compareNumbers(left.epoch, right.epoch) ||
    compareRelease(left.release, right.release) ||
    left.pre[0] - right.pre[0] ||
    compareNumbers(left.pre[1], right.pre[1]) ||
    compareOptional(left.post, right.post, -1) ||
    compareOptional(left.dev, right.dev, 1) ||
    compareLocal(left.local, right.local)
  )
}

const RANKS: Readonly<Record<string, number>> = { a: 1, alpha: 1, b: 2, beta: 2, c: 3, rc: 3, pre: 3, preview: 3 }
const RELEASE = 4

const parse = (text: string): PepVersion | null => {
  const match = PATTERN.exec(text.trim().toLowerCase())
  if (match === null) return null
  const [, epoch = '0', release = '0', word, number, implicitPost, post, dev, devNumber, local] = match
  const postNumber = implicitPost ?? post
  const isDev = dev !== undefined
  const pre: PepVersion['pre'] =
    word !== undefined
      ? [RANKS[word] ?? RELEASE, number || '0']
      : // A development release of the release itself comes before its pre-releases.
        [isDev && postNumber === undefined ? 0 : RELEASE, '0']
  return {
    epoch,
    release: release.split('.'),
    pre,
    post: postNumber === undefined ? null : postNumber || '0',
    dev: isDev ? devNumber || '0' : null,
    local: local === undefined ? null : local.split(/[-_.]/),
  }
}

const compareRelease = (a: readonly string[], b: readonly string[]): number => {
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const order = compareNumbers(a[index] ?? '0', b[index] ?? '0')
    if (order !== 0) return order
  }
  return 0
}

/** `absent` is the place of a version without the part: -1 before all that have it, 1 after. */
const compareOptional = (a: string | null, b: string | null, absent: -1 | 1): number => {
  if (a === null || b === null) return a === b ? 0 : a === null ? absent : -absent
  return compareNumbers(a, b)
}

const compareLocal = (a: readonly string[] | null, b: readonly string[] | null): number => {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const [left, right] = [a[index], b[index]]
    if (left === undefined || right === undefined) return left === undefined ? -1 : 1
    if (isNumber(left) !== isNumber(right)) return isNumber(left) ? 1 : -1
    const order = isNumber(left) ? compareNumbers(left, right) : compareTexts(left, right)
    if (order !== 0) return order
  }
  return 0
}
