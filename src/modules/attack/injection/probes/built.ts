/**
 * Objects that work out a product or wait while they are built (CWE-502): functions that every Python has and that do nothing else. No listener is needed
 * for them.
 */

import { compose } from '../../insertion-points/compose.ts'
import { askDelays } from '../../insertion-points/delays.ts'
import type { ProbePoint } from '../../insertion-points/inventory.ts'
import { type Probe, Unsendable } from '../../insertion-points/prober.ts'
import type { ComputedHit, WaitedHit } from '../facts.ts'
import { heldAs, PICKLE_FORMAT, YAML } from '../objects.ts'
import { askTwice } from './arithmetic.ts'

export const BUILT: readonly {
  readonly flavour: string
  readonly format: string
  readonly product: (a: number, b: number) => string
  /** `seconds` as a decimal. */
  readonly wait: (seconds: string) => string
}[] = [
  {
    flavour: 'Python, pickle',
    format: PICKLE_FORMAT,
    product: (a, b) => `coperator\nmul\n(I${a}\nI${b}\ntR.`,
    wait: (seconds) => `ctime\nsleep\n(F${seconds}\ntR.`,
  },
  {
    flavour: 'Python, YAML',
    format: YAML,
    product: (a, b) => `!!python/object/apply:operator.mul [${a}, ${b}]`,
    wait: (seconds) => `!!python/object/apply:time.sleep [${seconds}]`,
  },
]

/** Of a group, its members each: what others of it hold stands beside it. */
export const builtWays = (probe: Probe): readonly (() => Promise<ComputedHit | WaitedHit | null>)[] =>
  probe.point.members?.flatMap((member) => waysOf(memberOf(probe, member))) ?? waysOf(probe)

const memberOf = (probe: Probe, member: ProbePoint): Probe => ({
  ...probe,
  point: member,
  send: async (value, asking = {}) => {
    const composed = compose(member, value)
    if (composed === null) throw new Unsendable('the place does not hold the object')
    return { ...(await probe.send(probe.point.value, { ...asking, change: () => composed })), value }
  },
})

const waysOf = (probe: Probe): readonly (() => Promise<ComputedHit | WaitedHit | null>)[] => {
  const { point } = probe
  return BUILT.filter(({ format }) => heldAs(point, format, '') !== null).flatMap(
    ({ flavour, format, product, wait }) => {
      const held = (object: string): string => heldAs(point, format, object) ?? point.value
      return [
        () =>
          askTwice(probe, 'deserialization', {
            ...{ flavour, with: (_v, a, b) => held(product(a, b)), expected: (a, b) => String(a * b) },
          }),
        async () => {
          const delays = await askDelays(probe, (seconds) => held(wait(seconds)), 'sql', 'deserialization')
          return delays && { kind: 'deserialization', proof: 'waited', flavour, ...delays }
        },
      ]
    },
  )
}
