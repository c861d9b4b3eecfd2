/** Where there is too little time for all, something of every kind has its turn. */

/** Of each the how manyth of its kind it is, from 0. */
export const turnsOf = <One>(all: readonly One[], kindOf: (one: One) => string): ReadonlyMap<One, number> => {
  const counts = new Map<string, number>()
  return new Map(
    all.map((one) => {
      const kind = kindOf(one)
      const turn = counts.get(kind) ?? 0
      counts.set(kind, turn + 1)
      return [one, turn]
    }),
  )
}

/** The first of each kind, then the second of each; otherwise in their order. */
export const eachKindFirst = <One>(all: readonly One[], kindOf: (one: One) => string): readonly One[] => {
  const turns = turnsOf(all, kindOf)
  return all.toSorted((a, b) => (turns.get(a) ?? 0) - (turns.get(b) ?? 0))
}

/** Up to the last slash of the path, whatever its numbers: folders of records are of one kind. */
export const folderKindOf = (url: string): string =>
  (url.split(/[?#]/)[0] ?? '').replace(/[^/]*$/, '').replaceAll(/\d+/g, '0')
