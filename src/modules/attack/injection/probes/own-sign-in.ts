/** Questions to directories and documents behind the run's own name and password: see insertion-points/at-sign-in.ts. */
import type { CollectContext } from '../../../module.ts'
import { askAtSignIn, type Behind, ownSignInPoints } from '../../insertion-points/at-sign-in.ts'
import type { ProbePoint } from '../../insertion-points/inventory.ts'
import type { AnswersHit } from '../facts.ts'
import { QUESTIONERS } from '../questions.ts'
import { word } from './answers.ts'

const TRIALS = 8
const KINDS: readonly string[] = ["xpath text in '", 'ldap filter', "nosql JavaScript in '"]

const BEHIND: readonly (Behind & Pick<AnswersHit, 'kind'>)[] = QUESTIONERS.filter(({ kind, flavour }) =>
  KINDS.includes(`${kind} ${flavour}`),
).map(({ kind, flavour, with: put, ask, malformed }) => ({
  ...{ kind, name: flavour, malformed },
  with: (question) => put('', question),
  ask: (truth, turn) => ask(truth, word(turn), ''),
}))

export const askOwnSignIn = async (
  ctx: Pick<CollectContext, 'session' | 'target' | 'signal'>,
  points: readonly ProbePoint[],
): Promise<readonly { readonly point: ProbePoint; readonly hit: AnswersHit }[]> => {
  const leading = ctx.session?.leading
  if (leading === undefined) return []
  const found: { readonly point: ProbePoint; readonly hit: AnswersHit }[] = []
  for (const point of ownSignInPoints(ctx, points))
    for (const one of BEHIND) {
      ctx.signal.throwIfAborted()
      const said = await askAtSignIn(leading, point, one, TRIALS)
      if (said === null) continue
      const { trials, malformed, taken, refused, replay } = said
      const hit: AnswersHit = {
        ...{ kind: one.kind, proof: 'answers', flavour: `${one.name}, behind the right value`, apart: 1, noise: 0 },
        ...{ trials, malformed, excerpt: `signed in by: ${taken}\nnot by: ${refused}`, replay },
      }
      found.push({ point, hit })
      break
    }
  return found
}
