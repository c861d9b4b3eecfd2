/** At most so many at once; the others wait in the order in which they came. */
export const lanes = (most: number): (<Value>(work: () => Promise<Value>) => Promise<Value>) => {
  let free = most
  const waiting: (() => void)[] = []
  return async (work) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
