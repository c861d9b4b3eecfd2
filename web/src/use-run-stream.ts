import { useEffect, useState } from 'react'
import type { RunEvent } from '../../src/contract/event.ts'
import { watchScan } from '../../src/contract/event-stream.ts'
import { client } from './client.ts'
import { fold, type LiveRun, NOTHING_YET } from './run-stream.ts'

/** Milliseconds between two drawings: a scan can send hundreds of lines in a second. */
const DRAW_EVERY = 250

export interface Watched {
  readonly live: LiveRun
  /** Why the stream broke off for good; null while it is well. */
  readonly error: unknown
}

/** Follows the run while `on`; resumes by itself after a break. */
export const useRunStream = (id: string, on: boolean): Watched => {
  const [watched, setWatched] = useState<Watched>({ live: NOTHING_YET, error: null })
  useEffect(() => {
    if (!on) return undefined
    const stop = new AbortController()
    let waiting: RunEvent[] = []
    let timer: ReturnType<typeof setTimeout> | null = null
    const draw = (): void => {
      timer = null
      const batch = waiting
      waiting = []
      setWatched(({ live, error }) => ({ live: fold(live, batch), error }))
    }
    const follow = async (): Promise<void> => {
      for await (const event of watchScan(client, id, { signal: stop.signal })) {
        waiting.push(event)
        timer ??= setTimeout(draw, DRAW_EVERY)
      }
    }
    setWatched({ live: NOTHING_YET, error: null })
    follow().catch((error: unknown) => {
      if (!stop.signal.aborted) setWatched(({ live }) => ({ live, error }))
    })
    return () => {
      stop.abort()
      if (timer !== null) clearTimeout(timer)
    }
  }, [id, on])
  return watched
}
