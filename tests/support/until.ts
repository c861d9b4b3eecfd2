import { setTimeout as delay } from 'node:timers/promises'

/** Milliseconds between two looks: at least, and at most. */
const LEAST = 5
const MOST = 100
/** How much longer it waits than a look takes: one that asks a database or a process would else keep it busy by itself. */
const REST = 19

/** Waits for a condition, looking every few milliseconds; throws at the deadline. */
export const until = async (condition: () => boolean | Promise<boolean>, milliseconds = 10_000): Promise<void> => {
  const deadline = Date.now() + milliseconds
  for (;;) {
    const asked = performance.now()
    if (await condition()) return
    if (Date.now() > deadline) throw new Error(`Not within ${milliseconds} ms: ${condition}`)
    await delay(Math.min(MOST, Math.max(LEAST, REST * (performance.now() - asked))))
  }
}
