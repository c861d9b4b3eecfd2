/** `sonde key rotate-secret`: another secret key takes the place of the present one while the service goes on. */
import { OperatorError, type OperatorOutput } from '../contract/operator.ts'
import { type Resealed, resealAll } from '../store/reseal.ts'
import { repeat } from '../worker/repeat.ts'
import type { Runtime } from './runtime.ts'

/** Milliseconds for which the key before is still accepted: runs under way sign with it, people hold pages and cursors. */
const OVERLAP = 24 * 3_600_000
/** A request that read the key before the change may still write; the second look finds that. */
const PASSES = 5

type Target = Pick<Runtime, 'db' | 'keys' | 'logger'>

/**
 * With a key of the environment only what was sealed is sealed again: the operator has made the key.
 * `atOnce`: the key before is forgotten once nothing is sealed with it any more.
 */
export const rotateSecret = async (target: Target, atOnce: boolean): Promise<OperatorOutput<'rotate_secret'>> => {
  const { keys } = target
  if (keys.from === 'environment' && keys.accepted.length === 1) {
    throw new OperatorError(
      'The key is in SONDE_SECRET_KEY, which only you can change. Put the next key into SONDE_SECRET_KEY_OLD of every process ' +
        'first; then exchange the two; then call this once more.',
    )
  }
  if (keys.from === 'file') keys.replace(Date.now() + OVERLAP)
  const result = await resealed(target)
  if (keys.from === 'file' && atOnce) keys.forgetUntil(Number.POSITIVE_INFINITY)
  const end = keys.nextEnd()
  return {
    ...{ new_key: keys.from === 'file', ...result },
    old_until: end === null ? null : new Date(end).toISOString(),
  }
}

const resealed = async ({ db, keys }: Pick<Target, 'db' | 'keys'>): Promise<Resealed> => {
  let all = 0
  for (let pass = 1; ; pass += 1) {
    const { resealed: count, unopened } = await resealAll(db, keys)
    all += count
    if (count === 0 || pass === PASSES) return { resealed: all, unopened }
  }
}

/** Milliseconds between two looks whether the time of a key is over. */
const LOOK_EVERY = 15 * 60_000

/**
 * Ends what a rotation began, also one that was cut off: seals again, and then forgets keys whose time is over. Of a key of
 * the environment nobody here knows when.
 */
export const endRotations = async (target: Target): Promise<{ readonly stop: () => Promise<void> }> => {
  const { keys, logger } = target
  const ended = new AbortController()
  const look = async (): Promise<void> => {
    if (keys.from === 'environment' || keys.accepted.length === 1) return
    await resealed(target)
    keys.forgetUntil(Date.now())
  }
  await look()
  const round = repeat({ every: LOOK_EVERY, signal: ended.signal, logger, name: 'rotation of the secret key' }, look)
  return {
    stop: async () => {
      ended.abort()
      await round.ended()
    },
  }
}
