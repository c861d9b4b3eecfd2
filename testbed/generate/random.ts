/** The same choices for the same seed, on every machine. */

export interface Random {
  /** From 0 to below `bound`. */
  readonly below: (bound: number) => number
  /** @throws where there is nothing to pick from */
  readonly pick: <One>(from: readonly One[]) => One
  readonly shuffled: <One>(list: readonly One[]) => One[]
}

/** Mulberry32: small, and good enough to choose by. */
export const randomOf = (seed: number): Random => {
  let state = (seed * 2_654_435_761) >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (bound: number): number => Math.floor(next() * bound)
  return {
    below,
    pick: (from) => {
      const one = from[below(from.length)]
      if (one === undefined) throw new Error('nothing to pick from')
      return one
    },
    shuffled: (list) => {
      const copy = [...list]
      for (let at = copy.length - 1; at > 0; at -= 1) {
        const other = below(at + 1)
        const [a, b] = [copy[at], copy[other]]
        if (a !== undefined && b !== undefined) [copy[at], copy[other]] = [b, a]
      }
      return copy
    },
  }
}
