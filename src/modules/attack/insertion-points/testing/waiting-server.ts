/** A server in virtual time that some of its places can make wait, for tests of who is found to wait beside others. */
import type { Reply } from '../prober.ts'

export interface WaitingPlace {
  /** Milliseconds that its page takes by itself. */
  readonly own: number
  /** How often it keeps each wait that it is told; 0 where it keeps none. */
  readonly keeps: number
  /** Waits of one lock hold each other up, as updates of one row do. */
  readonly lock: string | null
  /** Milliseconds that its ordinary answers took longer when they were taken, as much else was asked. */
  readonly queued: number
}

export interface WaitingServer {
  /** `waits`: seconds that the value asks for. Gone without an answer after `timeout` milliseconds. */
  readonly ask: (place: WaitingPlace, waits: number, timeout: number) => Promise<Pick<Reply, 'status' | 'ms'>>
  /** Runs until `work` is done. */
  readonly until: <Value>(work: Promise<Value>) => Promise<Value>
  /** The most that waited at once so far, and the milliseconds that have gone by. */
  readonly seen: () => { readonly sleeping: number; readonly now: number }
}

interface Job {
  readonly place: WaitingPlace
  /** Milliseconds. */
  readonly sleep: number
  readonly answer: () => void
}

/** `workers`: requests served at once; `jitter`: milliseconds that an answer takes longer by chance. */
export const waitingServer = (workers: number, jitter: () => number): WaitingServer => {
  const timers: { readonly at: number; readonly fire: () => void }[] = []
  const line: Job[] = []
  /** Who waits for a lock has its worker already. */
  const behind = new Map<string, Job[]>()
  let [now, busy, sleeping, most] = [0, 0, 0, 0]
  const after = (ms: number, fire: () => void): void => void timers.push({ at: now + ms, fire })

  const work = (job: Job): void => {
    const { place, sleep } = job
    if (sleep > 0) sleeping += 1
    most = Math.max(most, sleeping)
    after(place.own + sleep + jitter(), () => {
      if (sleep > 0) sleeping -= 1
      busy -= 1
      job.answer()
      const next = lockOf(job) === null ? undefined : behind.get(lockOf(job) ?? '')?.shift()
      if (next) work(next)
      else behind.delete(lockOf(job) ?? '')
      serve()
    })
  }

  const serve = (): void => {
    for (let job = busy < workers ? line.shift() : undefined; job; job = busy < workers ? line.shift() : undefined) {
      busy += 1
      const lock = lockOf(job)
      const held = lock === null ? undefined : behind.get(lock)
      if (held) held.push(job)
      else {
        if (lock !== null) behind.set(lock, [])
        work(job)
      }
    }
  }

  return {
    seen: () => ({ sleeping: most, now }),
    ask: (place, waits, timeout) =>
      new Promise((resolve) => {
        const began = now
        const done = { yet: false }
        const end = (status: number): void => {
          if (done.yet) return
          done.yet = true
          resolve({ status, ms: now - began })
        }
        line.push({ place, sleep: waits * 1_000 * place.keeps, answer: () => end(200) })
        after(timeout, () => end(0))
        serve()
      }),
    until: async (work) => {
      const ended = { yet: false }
      const over = work.finally(() => {
        ended.yet = true
      })
      while (!ended.yet) {
        await new Promise((resolve) => setImmediate(resolve))
        if (ended.yet) break
        timers.sort((a, b) => a.at - b.at)
        const next = timers.shift()
        if (!next) throw new Error('nothing is left to happen')
        now = next.at
        next.fire()
      }
      return over
    },
  }
}

const lockOf = ({ place: { lock }, sleep }: Job): string | null => (sleep > 0 ? lock : null)
