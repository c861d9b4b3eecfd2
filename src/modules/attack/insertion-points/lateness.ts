/** How long answers took: what ordinary ones of a request take, and which of them a wait has held up. */
import { medianOf } from './delay-times.ts'
import type { ProbeRequest } from './inventory.ts'
import type { Reply } from './prober.ts'
import type { Shared } from './shared.ts'
import type { Span } from './turns.ts'

/** An answer is late that took so many times what is usual, and so many milliseconds more. */
const [TIMES, MORE] = [3, 250]
/** Of fewer answers nothing is usual. */
const FEWEST = 2

/** An ordinary answer counts as one of its request's own times. */
export const timed = async (
  { timings, turns }: Pick<Shared, 'timings' | 'turns'>,
  { id }: Pick<ProbeRequest, 'id'>,
  work: Promise<Reply>,
): Promise<Reply> => {
  const reply = await work
  if (reply.status === 0) return reply
  const known = timings.get(id) ?? []
  const usual = medianOf(known)
  if (known.length >= FEWEST && reply.ms >= TIMES * usual && reply.ms >= usual + MORE) turns.late(spanOf(reply))
  timings.set(id, [...known, reply.ms])
  return reply
}

/** One that was told to wait, by so many milliseconds. */
export const waited = async (
  { turns }: Pick<Shared, 'turns'>,
  work: Promise<Reply>,
  asked: number | undefined,
): Promise<Reply> => {
  const reply = await work
  if (asked !== undefined && asked > 0 && reply.status !== 0 && reply.ms >= asked) turns.waited(spanOf(reply))
  return reply
}

/** It has only just come. */
const spanOf = ({ ms }: Reply): Span => {
  const to = performance.now()
  return { from: to - ms, to }
}
