import { setTimeout as delay } from 'node:timers/promises'

/** Waits for a condition, looking every few milliseconds; throws at the deadline. */
export const until = async (condition: () => boolean | Promise<boolean>, milliseconds = 10_000): Promise<void> => {
  const deadline = Date.now() + milliseconds
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Not within ${milliseconds} ms: ${condition}`)
    await delay(5)
  }
}
