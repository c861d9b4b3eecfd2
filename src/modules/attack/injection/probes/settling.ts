/** Of the calls that came, which places made them: several places at a time, as each is waited for. */
import type { ProbePoint } from '../../insertion-points/inventory.ts'
import type { CalledHit } from '../facts.ts'
import { isProven } from '../proven.ts'

const AT_ONCE = 6

export interface Came<Sent> {
  readonly point: ProbePoint
  readonly sent: Sent
}

export interface Settled {
  readonly point: ProbePoint
  readonly hit: CalledHit
}

/** One proof of each kind is enough for a place. `tell`: of how many places so many are done. */
export const settleCalls = async <Sent extends Pick<CalledHit, 'kind'>>(
  came: readonly Came<Sent>[],
  confirm: (one: Came<Sent>) => Promise<CalledHit | null>,
  tell: (done: number, all: number) => void,
): Promise<readonly Settled[]> => {
  const places = [...Map.groupBy(came, ({ point }) => point).values()]
  const found: Settled[] = []
  let [next, done] = [0, 0]
  const askPlace = async (calls: readonly Came<Sent>[]): Promise<void> => {
    const proven = new Set<CalledHit['kind']>()
    for (const one of calls) {
      if (proven.has(one.sent.kind)) continue
      const hit = await confirm(one)
      if (hit) found.push({ point: one.point, hit })
      if (hit && isProven(hit)) proven.add(hit.kind)
    }
  }
  const work = async (): Promise<void> => {
    for (let calls = places[next]; calls; calls = places[next]) {
      next += 1
      await askPlace(calls)
      done += 1
      tell(done, places.length)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return found
}
