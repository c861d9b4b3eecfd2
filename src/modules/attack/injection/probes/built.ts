/**
 * Objects that work out a product or wait while they are built (CWE-502): functions that every Python has and numbers that Ruby, Java and Node.js write in
 * another way than they were given. None does anything else, and no listener is needed for them.
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
  /** `seconds` as a decimal; absent where nothing that waits is built by itself. */
  readonly wait?: (seconds: string) => string
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
  {
    // Shown as a fraction in its lowest terms.
    flavour: 'Ruby, YAML',
    format: YAML,
    product: (a, b) => `!ruby/object:Rational {denominator: 13, numerator: ${a * b * 13}}`,
  },
  {
    flavour: 'Java, YAML',
    format: YAML,
    product: (a, b) => `!!java.math.BigInteger ["${(a * b).toString(36)}", 36]`,
  },
  {
    flavour: 'Node.js, YAML',
    format: YAML,
    // By the second it is written into an answer of JSON.
    product: (a, b) => `{toString: &q !!js/function 'function(){return ${a}*${b}}', toJSON: *q}`,
  },
]

export const builtWays = (probe: Probe): readonly (() => Promise<ComputedHit | WaitedHit | null>)[] =>
  eachMember(probe).flatMap(waysOf)

/** The place, or each of several that are asked as one: what the others hold stands beside it. */
export const eachMember = (probe: Probe): readonly Probe[] =>
  probe.point.members?.map((member) => memberOf(probe, member)) ?? [probe]

const memberOf = (probe: Probe, member: ProbePoint): Probe => ({
  ...probe,
  point: member,
  send: async (value, asking = {}) => {
    const composed = compose({ ...member, request: withOwn(probe.point) }, value)
    if (composed === null) throw new Unsendable('the place does not hold the object')
    return { ...(await probe.send(probe.point.value, { ...asking, change: () => composed })), value }
  },
})

/** The request of a group with what each of its members holds: cookies of the others would be missing beside one. */
const withOwn = (group: ProbePoint): ProbePoint['request'] => {
  const { request } = group
  const own = group.value === '' ? null : compose(group, group.value)
  if (own === null) return request
  const { url, headers = request.headers, body } = own
  return { ...request, url, headers, body: typeof body === 'string' ? body : request.body }
}

/** The scalars of a document of YAML that is a mapping, or a list of them: what a program takes apart shows none that stands in its place. */
const SCALARS = /^([ \t]*(?:- )?[\w"'-]{1,40}:[ \t]+)[^\s#|>&*{[][^\n]*$/gm

/** The value with the object in its place, and in that of each of its scalars. */
const placesFor = (point: ProbePoint, format: string): readonly ((object: string) => string)[] => {
  const whole = (object: string): string => heldAs(point, format, object) ?? point.value
  const within = (object: string): string => point.value.replace(SCALARS, (_, name: string) => `${name}${object}`)
  return format === YAML && within('q') !== point.value ? [whole, within] : [whole]
}

const waysOf = (probe: Probe): readonly (() => Promise<ComputedHit | WaitedHit | null>)[] => {
  const { point } = probe
  return BUILT.filter(({ format }) => heldAs(point, format, '') !== null).flatMap(
    ({ flavour, format, product, wait }) => {
      const [held = () => point.value, ...within] = placesFor(point, format)
      const computed = [held, ...within].map(
        (place) => () =>
          askTwice(probe, 'deserialization', {
            ...{ flavour, with: (_v, a, b) => place(product(a, b)), expected: (a, b) => String(a * b) },
          }),
      )
      if (wait === undefined) return computed
      return [
        ...computed,
        async () => {
          const delays = await askDelays(probe, (seconds) => held(wait(seconds)), 'sql', 'deserialization')
          return delays && { kind: 'deserialization', proof: 'waited', flavour, ...delays }
        },
      ]
    },
  )
}
