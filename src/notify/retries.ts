/** When a message that was not taken is sent again. */

/** Minutes from one attempt to the next: eight attempts within 24 hours. */
const PAUSES = [0.1, 1, 5, 30, 120, 360, 900] as const

/** `attempts` made so far, `random` from 0 to 1. Null: it has had its 24 hours. Up to a tenth is added by chance. */
export const nextAttempt = (attempts: number, now: Date, random: number): Date | null => {
  const minutes = PAUSES[attempts - 1]
  return minutes === undefined ? null : new Date(now.getTime() + minutes * 60_000 * (1 + random / 10))
}
