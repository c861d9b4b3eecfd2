/** What the tests of one file open, closed after each of them: the last first. */
import { afterEach } from 'vitest'
import { answering, type Bench, listen, openBench } from './servers.ts'

/** Called once, at the top of a file. `closing`: what else a test opens is put there. */
export const benches = () => {
  const closing: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })
  const closed = <Made extends { readonly close: () => Promise<void> }>(made: Made): Made => {
    closing.push(made.close)
    return made
  }
  return {
    closing,
    bench: (...args: Parameters<typeof openBench>): Bench => {
      const made = openBench(...args)
      closing.push(made.run.close)
      return made
    },
    serve: async (...args: Parameters<typeof answering>) => closed(await answering(...args)),
    raw: async (...args: Parameters<typeof listen>) => closed(await listen(...args)),
  }
}
