/** A self-check for people: a line each, how to fix it, and at the end one command for all that has to be installed. */
import type { DoctorCheck } from '../contract/operator.ts'
import { paint, type Screen } from './screen.ts'

/** To be copied by root: lists of packages that are old, or were never fetched, name what is not there any more. */
export const aptCommand = (packages: readonly string[]): string =>
  `apt-get update && apt-get install --no-install-recommends ${packages.join(' ')}`

export const checksText = (screen: Screen, checks: readonly DoctorCheck[]): string => {
  const packages = [...new Set(checks.flatMap((check) => check.packages ?? []))]
  const lines = checks.map((check) => checkText(screen, check)).join('')
  return packages.length === 0
    ? lines
    : `${lines}\nAll that is missing of Debian's packages, as root:\n  ${aptCommand(packages)}\n`
}

const checkText = (screen: Screen, { name, state, detail, fix, packages }: DoctorCheck): string => {
  const mark = {
    ok: paint(screen, 'good', 'ok     '),
    missing: paint(screen, 'medium', 'missing'),
    bad: paint(screen, 'bad', 'bad    '),
  }[state]
  return `${mark}  ${name}: ${detail}\n${fix === null || packages !== undefined ? '' : `         ${fix}\n`}`
}
