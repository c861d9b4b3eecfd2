/** The attempts of one series, each with a token that is good for it. */
import type { HttpExchange } from '../../../egress/door/egress.ts'
import { textOf } from '../../../page/text.ts'
import type { CollectContext } from '../../module.ts'
import { areEqual } from '../effects/reads.ts'
import { ask, askOrLeave } from './asking.ts'
import { type Attempts, nobody, prepareAttempts } from './attempts.ts'
import type { Chosen } from './endpoints.ts'

export interface Series {
  /** As `askOrLeave`. */
  readonly ask: () => Promise<HttpExchange | null | 'left'>
  /** Those of now. */
  readonly attempts: () => Attempts
}

/**
 * Where the second attempt with a token is answered otherwise than the first, and one with a token of its own as the first, the token is good once: each
 * further attempt brings its own. One person for all of them. `timeout`: milliseconds for an answer.
 */
export const beginSeries = async (
  ctx: CollectContext,
  chosen: Pick<Chosen, 'kind' | 'request'>,
  timeout: number,
): Promise<Series> => {
  const person = nobody()
  const prepared = (): Promise<Attempts> => prepareAttempts(chosen, (one) => ask(ctx, one), person)
  let attempts = await prepared()
  let isOnce = false
  const answers: HttpExchange[] = []
  const send = async (by: Attempts): Promise<HttpExchange | null | 'left'> => askOrLeave(ctx, by.next(), timeout)
  return {
    attempts: () => attempts,
    ask: async () => {
      if (isOnce) attempts = await prepared()
      const answer = await send(attempts)
      if (answer === null || answer === 'left') return answer
      answers.push(answer)
      const [first = answer] = answers
      if (answers.length !== 2 || !attempts.isOfPage || isSame(first, answer)) return answer
      const anew = await prepared()
      const other = await send(anew)
      if (other === null || other === 'left' || !isSame(first, other)) return answer
      attempts = anew
      isOnce = true
      return other
    },
  }
}

const isSame = (one: HttpExchange, other: HttpExchange): boolean =>
  one.status === other.status && areEqual(textOf(one), textOf(other))
