/** The end of a crawl that its time or its requests bring about: what it has seen by then holds, and it says why there is no more. */
import type { Crawling } from './crawling.ts'

export const TIME = 'its share of the time was used up'

/** Waits for the work as long as the crawl has time. @throws what the work throws by itself */
export const inItsTime = async (crawling: Crawling, work: Promise<void>): Promise<void> => {
  try {
    if (await crawling.last.leaves(work)) crawling.cut = TIME
  } catch (error) {
    if (!isBudget(error)) throw error
    crawling.cut = 'its share of the requests was used up'
  } finally {
    crawling.last.end()
  }
}

const isBudget = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'budget'
