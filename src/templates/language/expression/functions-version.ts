/** `compare_versions`: a version against constraints such as `>= 1.2`, `< 2`, `~> 1.4`. */
import { on, texts } from './define.ts'
import type { DslFunction } from './functions.ts'
import { DslError, textOf } from './value.ts'

export const VERSIONS: Readonly<Record<string, DslFunction>> = {
  compare_versions: on(2, 100, ([version = '', ...constraints]) => {
    const subject = parseVersion(textOf(version))
    if (subject === null) throw new DslError(`"${textOf(version).slice(0, 60)}" is no version`)
    return texts(constraints)
      .flatMap((text) => text.split(','))
      .every((constraint) => holds(subject, constraint))
  }),
}

interface Version {
  readonly numbers: readonly number[]
  readonly given: number
  readonly pre: string
}

/** Leading `v`, dotted numbers, then a pre-release and metadata, as Go's hashicorp/go-version reads them. */
const PATTERN =
  /^\s*v?(\d+(?:\.\d+)*)(-(?:\d+[\da-z\-~]*(?:\.[\da-z\-~]+)*)|-?(?:[a-z\-~]+[\da-z\-~]*(?:\.[\da-z\-~]+)*))?(?:\+[\da-z\-~.]*)?\s*$/i

const parseVersion = (text: string): Version | null => {
  if (text.length > 200) return null
  const match = PATTERN.exec(text)
  if (!match?.[1]) return null
  const numbers = match[1].split('.').map(Number)
  return { numbers, given: numbers.length, pre: (match[2] ?? '').replace(/^-/, '') }
}

const holds = (version: Version, constraint: string): boolean => {
  const match = /^\s*(=|==|!=|>=|=>|<=|=<|>|<|~>|)\s*(\S.*?)\s*$/.exec(constraint)
  const limit = parseVersion(match?.[2] ?? '')
  if (!match || limit === null) throw new DslError(`"${constraint}" is no constraint of versions`)
  const order = compare(version, limit)
  switch (match[1]) {
    case '!=':
      return order !== 0
    case '>':
      return order > 0 && comparablePre(version, limit)
    case '<':
      return order < 0 && comparablePre(version, limit)
    case '>=':
    case '=>':
      return order >= 0 && comparablePre(version, limit)
    case '<=':
    case '=<':
      return order <= 0 && comparablePre(version, limit)
    case '~>':
      return order >= 0 && comparablePre(version, limit) && sameLine(version, limit)
    default:
      return order === 0
  }
}

/** A pre-release satisfies a bound only where the bound is one of the same release. */
const comparablePre = (version: Version, limit: Version): boolean => {
  if (version.pre === '') return true
  return limit.pre !== '' && compareNumbers(version.numbers, limit.numbers) === 0
}

const sameLine = (version: Version, limit: Version): boolean =>
  limit.numbers
    .slice(0, Math.max(1, limit.given - 1))
    .every((number, index) => (version.numbers[index] ?? 0) === number)

const compareNumbers = (a: readonly number[], b: readonly number[]): number => {
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const order = (a[at] ?? 0) - (b[at] ?? 0)
    if (order !== 0) return Math.sign(order)
  }
  return 0
}

const compare = (a: Version, b: Version): number => {
  const order = compareNumbers(a.numbers, b.numbers)
  if (order !== 0 || a.pre === b.pre) return order
  if (a.pre === '') return 1
  if (b.pre === '') return -1
  const left = a.pre.split('.')
  const right = b.pre.split('.')
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const x = left[at]
    const y = right[at]
    if (x === y) continue
    if (x === undefined) return -1
    if (y === undefined) return 1
    const numeric = [/^\d+$/.test(x), /^\d+$/.test(y)]
    if (numeric[0] && numeric[1]) return Math.sign(Number(x) - Number(y))
    if (numeric[0] !== numeric[1]) return numeric[0] ? -1 : 1
    return x < y ? -1 : 1
  }
  return 0
}
