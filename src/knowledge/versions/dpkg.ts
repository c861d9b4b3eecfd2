/** Debian's order of versions: Debian Policy 5.6.12, deb-version(7). */
import { compareNumbers } from './numbers.ts'

export const compareDpkg = (a: string, b: string): number => {
  const left = parts(a)
  const right = parts(b)
  return (
    compareNumbers(left.epoch, right.epoch) ||
    compareText(left.upstream, right.upstream) ||
    compareText(left.revision, right.revision)
  )
}

interface DpkgVersion {
  readonly epoch: string
  readonly upstream: string
  /** '' where there is none; the policy makes that equal to 0. */
  readonly revision: string
}

const parts = (version: string): DpkgVersion => {
  const [, epoch = '0', rest = ''] = /^(?:(\d+):)?(.*)$/s.exec(version.trim()) ?? []
  const hyphen = rest.lastIndexOf('-')
  return hyphen < 0
    ? { epoch, upstream: rest, revision: '' }
    : { epoch, upstream: rest.slice(0, hyphen), revision: rest.slice(hyphen + 1) }
}

/** Runs of non-digits and of digits in turn, as the policy describes it. */
const compareText = (a: string, b: string): number => {
  let left = a
  let right = b
  while (left !== '' || right !== '') {
    const words = [/^\D*/.exec(left)?.[0] ?? '', /^\D*/.exec(right)?.[0] ?? ''] as const
    const byWord = compareWords(...words)
    if (byWord !== 0) return byWord
    left = left.slice(words[0].length)
    right = right.slice(words[1].length)
    const numbers = [/^\d*/.exec(left)?.[0] ?? '', /^\d*/.exec(right)?.[0] ?? ''] as const
    const byNumber = compareNumbers(numbers[0] || '0', numbers[1] || '0')
    if (byNumber !== 0) return byNumber
    left = left.slice(numbers[0].length)
    right = right.slice(numbers[1].length)
  }
  return 0
}

const compareWords = (a: string, b: string): number => {
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const order = rank(a[index]) - rank(b[index])
    if (order !== 0) return order
  }
  return 0
}

/** A tilde sorts before the end, the end before letters, letters before everything else. */
const rank = (character: string | undefined): number => {
  if (character === '~') return -1
  if (character === undefined) return 0
  return /[A-Za-z]/.test(character) ? character.charCodeAt(0) : character.charCodeAt(0) + 256
}
