/** Questions to directories and documents behind the run's own name and password: see insertion-points/at-sign-in.ts. */
import { PASSWORD_NAME } from '../../../../page/names.ts'
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

/**
 * Operators of documents in place of the password (MongoDB and what speaks like it): of the same shape each two, of which one holds for any password but
 * a made-up one. In place of the name they would sign in whoever comes first.
 */
const OPERATORS: Behind & Pick<AnswersHit, 'kind'> = {
  ...{ kind: 'nosql', name: 'operator object', instead: true },
  with: (question) => question,
  ask: (truth, turn) =>
    JSON.stringify(
      turn % 2 === 0 ? { [truth ? '$ne' : '$eq']: word(turn) } : { [truth ? '$nin' : '$in']: [word(turn), word(turn)] },
    ),
  malformed: JSON.stringify({ $qz: 'q' }),
}

export const askOwnSignIn = async (
  ctx: Pick<CollectContext, 'session' | 'target' | 'signal'>,
  points: readonly ProbePoint[],
): Promise<readonly { readonly point: ProbePoint; readonly hit: AnswersHit }[]> => {
  const leading = ctx.session?.leading
  if (leading === undefined) return []
  const found: { readonly point: ProbePoint; readonly hit: AnswersHit }[] = []
  for (const point of ownSignInPoints(ctx, points))
    for (const one of [...BEHIND, ...(PASSWORD_NAME.test(point.name) ? [OPERATORS] : [])]) {
      ctx.signal.throwIfAborted()
      const said = await askAtSignIn(leading, point, one, TRIALS)
      if (said === null) continue
      const { trials, malformed, taken, refused, replay } = said
      const hit: AnswersHit = {
        ...{
          kind: one.kind,
          proof: 'answers',
          flavour: one.instead ? `${one.name}, in place of the password` : `${one.name}, behind the right value`,
          apart: 1,
          noise: 0,
        },
        ...{ trials, malformed, excerpt: `signed in by: ${taken}\nnot by: ${refused}`, replay },
      }
      found.push({ point, hit })
      break
    }
  return found
}
