/** Conditions behind the run's own name and password: see insertion-points/at-sign-in.ts. */
import type { CollectContext } from '../../../module.ts'
import { askAtSignIn, type Behind, ownSignInPoints } from '../../insertion-points/at-sign-in.ts'
import type { ProbePoint } from '../../insertion-points/inventory.ts'
import type { BooleanHit } from '../facts.ts'
import { malformedPredicate, randomPredicates } from '../predicates.ts'
import { TRIALS } from './begun.ts'

const BEHIND: readonly Behind[] = ["'", '"'].map((quote) => ({
  name: `text in ${quote}`,
  with: (question) => `${quote} and ${question} and ${quote}q${quote}=${quote}q`,
  ask: (truth) => randomPredicates(2).find((one) => one.truth === truth)?.text ?? '',
  malformed: malformedPredicate(),
}))

export const askOwnSignIn = async (
  ctx: Pick<CollectContext, 'session' | 'target' | 'signal'>,
  points: readonly ProbePoint[],
): Promise<readonly { readonly point: ProbePoint; readonly hit: BooleanHit }[]> => {
  const leading = ctx.session?.leading
  if (leading === undefined) return []
  const found: { readonly point: ProbePoint; readonly hit: BooleanHit }[] = []
  for (const point of ownSignInPoints(ctx, points))
    for (const one of BEHIND) {
      ctx.signal.throwIfAborted()
      const said = await askAtSignIn(leading, point, one, TRIALS)
      if (said === null) continue
      found.push({ point, hit: hitOf(one, said) })
      break
    }
  return found
}

/** Signed in or not: nothing in between. */
const hitOf = (
  { name }: Behind,
  { trials, malformed, taken, refused, replay }: NonNullable<Awaited<ReturnType<typeof askAtSignIn>>>,
): BooleanHit => ({
  technique: 'boolean',
  boundary: `${name}, behind the right value`,
  ...{ apart: 1, noise: 0 },
  trials: trials.map(({ question, truth, answer }) => ({ predicate: question, truth, answer })),
  ...{ malformed, truePayload: taken, falsePayload: refused },
  ...{ trueExcerpt: 'The account is signed in.', falseExcerpt: 'Nobody is signed in.', replay },
})
