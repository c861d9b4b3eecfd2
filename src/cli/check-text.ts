/** One line of a self-check, and how to fix it. */
import type { DoctorCheck } from '../contract/operator.ts'
import { paint, type Screen } from './screen.ts'

export const checkText = (screen: Screen, check: DoctorCheck): string => {
  const mark = {
    ok: paint(screen, 'good', 'ok     '),
    missing: paint(screen, 'medium', 'missing'),
    bad: paint(screen, 'bad', 'bad    '),
  }[check.state]
  return `${mark}  ${check.name}: ${check.detail}\n${check.fix === null ? '' : `         ${check.fix}\n`}`
}
