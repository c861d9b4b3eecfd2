/** OpenSSL's order up to 1.1.1: letters after the third number, `1.0.2 < 1.0.2a < 1.0.2z < 1.0.2za`; `-beta1` before. */
import { compareNumbers, compareTexts } from './numbers.ts'

export const compareOpenssl = (a: string, b: string): number => {
  const [left, right] = [parts(a), parts(b)]
  for (let index = 0; index < Math.max(left.numbers.length, right.numbers.length); index += 1) {
    const order = compareNumbers(left.numbers[index] ?? '0', right.numbers[index] ?? '0')
    if (order !== 0) return order
  }
  return (
    left.letters.length - right.letters.length ||
    compareTexts(left.letters, right.letters) ||
    left.stage - right.stage ||
    compareNumbers(left.stageNumber, right.stageNumber)
  )
}

/** `fips` and other builds of a release are that release. */
const STAGES: readonly string[] = ['dev', 'alpha', 'beta', 'pre']

const parts = (text: string) => {
  const [, numbers = '0', letters = '', stage = '', stageNumber = '0'] =
    /^(\d+(?:\.\d+)*)([a-z]{0,3})(?:-?(dev|alpha|beta|pre)(\d+)?)?/.exec(text.trim().toLowerCase()) ?? []
  const place = STAGES.indexOf(stage)
  return { numbers: numbers.split('.'), letters, stage: place < 0 ? STAGES.length : place, stageNumber }
}
