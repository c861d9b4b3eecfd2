/** The known name that was probably meant. */

/** Null where none is within two letters, or the word is too short to tell. */
export const nearest = (word: string, known: Iterable<string>): string | null => {
  if (word.length < 3 || word.length > 40) return null
  let best: string | null = null
  let least = word.length < 6 ? 2 : 3
  for (const name of known) {
    const distance = Math.abs(name.length - word.length) >= least ? least : distanceOf(word.toLowerCase(), name, least)
    if (distance < least && distance > 0) [best, least] = [name, distance]
  }
  return best
}

/** Behind a message: `; did you mean "words"?` */
export const didYouMean = (word: string, known: Iterable<string>): string => {
  const meant = nearest(word, known)
  return meant === null ? '' : `; did you mean "${meant}"?`
}

/** Letters changed, added, left out or swapped with their neighbour. */
const distanceOf = (a: string, b: string, most: number): number => {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      let cost = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1)
      next.push(cost)
    }
    if (Math.min(...next) >= most) return most
    before = row
    row = next
  }
  return row[b.length] ?? most
}
