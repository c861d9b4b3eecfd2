/**
 * What the work gives, unless it takes longer: nothing waits without a deadline for what somebody else answers.
 *
 * @param milliseconds at least one is waited
 * @param late what is thrown then; what the work still throws afterwards is no news
 */
export const within = async <Value>(
  milliseconds: number,
  work: Promise<Value>,
  late = (): Error => new Error(`No answer within ${milliseconds} ms`),
): Promise<Value> => {
  const over = Promise.withResolvers<never>()
  const timer = setTimeout(() => over.reject(late()), Math.max(1, milliseconds))
  work.catch(() => undefined)
  try {
    return await Promise.race([work, over.promise])
  } finally {
    clearTimeout(timer)
  }
}
