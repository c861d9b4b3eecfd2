/** What objects of classes are made with: `new Api('/v1')`, `super('/users')`. */
import type { AnyNode, CallExpression, Node } from 'acorn'
import { madeWith } from './given.ts'
import type { Fn, Holder, ProgramFacts, Scope } from './program.ts'
import { childrenOf, type FunctionNode, isFunction } from './syntax.ts'
import type { Given, Value } from './value.ts'

const MOST_ARGUMENTS = 6
/** Classes above a class, and nodes of a constructor that are looked through for `super(…)`. */
const DEEPEST = 4
const MOST_NODES = 200

export interface Construction {
  /** What the constructor of a holder, and those of what it extends, get where it is called with the values. */
  readonly of: (holder: Holder, values: readonly Value[]) => readonly Given[]
  /** `this` within its methods, which know what their class hands to those above it. */
  readonly self: (holder: Holder) => Value
}

/** The function of the file that makes a holder; null where it has none of its own. */
export const makerIn = (facts: ProgramFacts, { maker }: Holder): Fn | null =>
  (maker === null ? undefined : facts.fnOf.get(maker)) ?? null

export const createConstruction = (
  facts: ProgramFacts,
  read: (node: Node, scope: Scope) => Value,
  baseOf: (holder: Holder) => Holder | null,
): Construction => {
  const known = new Map<Holder, readonly Given[]>()

  const handedUp = (holder: Holder, depth: number): readonly Given[] => {
    const before = known.get(holder)
    if (before) return before
    known.set(holder, [])
    const maker = makerIn(facts, holder)
    const call = maker && holder.base ? superCallIn(maker.node) : null
    const base = call && depth < DEEPEST ? baseOf(holder) : null
    if (!(maker && call && base)) return []
    const values = call.arguments.slice(0, MOST_ARGUMENTS).map((one) => read(one, maker.scope))
    const found = of(base, values, depth + 1)
    known.set(holder, found)
    return found
  }
  const of = (holder: Holder, values: readonly Value[], depth = 0): readonly Given[] => {
    const maker = makerIn(facts, holder)
    if (maker === null) {
      const base = depth < DEEPEST ? baseOf(holder) : null
      return base ? of(base, values, depth + 1) : []
    }
    const own = { fn: maker.id, values }
    return [
      own,
      ...handedUp(holder, depth).map((one) => ({ ...one, values: one.values.map((value) => madeWith(value, [own])) })),
    ]
  }

  return {
    of: (holder, values) => of(holder, values),
    self: (holder) => ({ kind: 'instance', holder, made: true, given: handedUp(holder, 0) }),
  }
}

const superCallIn = (maker: FunctionNode): CallExpression | null => {
  const open: AnyNode[] = [maker.body as AnyNode]
  for (let count = 0; count < MOST_NODES; count += 1) {
    const node = open.shift()
    if (node === undefined) return null
    if (node.type === 'CallExpression' && node.callee.type === 'Super') return node
    if (!isFunction(node)) open.push(...childrenOf(node))
  }
  return null
}
