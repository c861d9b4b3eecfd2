/**
 * What is asked within one turn of the event loop, or while a statement for the same is under way, is asked by the next one, all at once: a
 * statement costs more than a row of it. Who comes alone waits for nobody, and nothing is told of before it was asked for.
 */

interface Waiting<Asked, Found> {
  readonly asked: Asked
  readonly resolve: (found: Found) => void
  readonly reject: (error: unknown) => void
}

/**
 * `read` answers in the order in which it is asked; what it throws all of them are told. `most` are asked by one statement.
 * `idle` is called when nothing is asked any more.
 */
export const gathered = <Asked, Found>(
  read: (asked: readonly Asked[]) => Promise<readonly Found[]>,
  { most = 100, idle = () => undefined }: { readonly most?: number; readonly idle?: () => void } = {},
): ((asked: Asked) => Promise<Found>) => {
  const waiting: Waiting<Asked, Found>[] = []
  let underWay = false
  const run = async (): Promise<void> => {
    while (waiting.length > 0) {
      const now = waiting.splice(0, most)
      try {
        const found = await read(now.map(({ asked }) => asked))
        if (found.length !== now.length) throw new Error(`${found.length} answers to ${now.length} questions`)
        for (const [at, one] of found.entries()) now[at]?.resolve(one)
      } catch (error) {
        for (const { reject } of now) reject(error)
      }
    }
    underWay = false
    idle()
  }
  return (asked) =>
    new Promise((resolve, reject) => {
      waiting.push({ asked, resolve, reject })
      if (underWay) return
      underWay = true
      setImmediate(() => void run())
    })
}
