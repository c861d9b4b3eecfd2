/** Other identities of the run, in whose pages something may run that the run's own has stored. */
import { targetFailure } from '../../../../egress/door/target-failure.ts'
import { pageRequest } from '../../../../page/exchange.ts'
import { textOf } from '../../../../page/text.ts'
import { egressAs } from '../../../as-other.ts'
import type { CollectContext } from '../../../module.ts'
import type { Proof, Prover } from '../proving.ts'
import { pageHeaders } from './reflection.ts'

export interface Viewer {
  readonly name: string
  /** Asks as this one. */
  readonly ctx: CollectContext
  /** Where its sign-in ends: pages that the run's own may not be led to. */
  readonly begins: readonly string[]
}

const MOST_VIEWERS = 2

/** Those whose sign-in succeeds; `absent`: names of the others. */
export const viewersOf = async (
  ctx: CollectContext,
): Promise<{ readonly viewers: readonly Viewer[]; readonly absent: readonly string[] }> => {
  const viewers: Viewer[] = []
  const absent: string[] = []
  for (const identity of (ctx.identities ?? []).slice(0, MOST_VIEWERS + 1)) {
    const { as, name } = identity
    if (as === null || viewers.length >= MOST_VIEWERS) continue
    const begun = await identity.begin()
    const begins = begun.session?.landed ?? []
    if (begun.failed === null) viewers.push({ name, ctx: asAnother(ctx, as), begins })
    else absent.push(name)
  }
  return { viewers, absent }
}

const asAnother = (ctx: CollectContext, as: string): CollectContext => ({
  ...ctx,
  as,
  egress: egressAs(ctx.egress, as),
})

/**
 * Whether a browser runs it in the page as this one is answered, under the policy that comes with it. The browser itself has nobody's session: it is
 * given the answer.
 */
export const provenFor = async (
  ctx: CollectContext,
  prover: Prover | string,
  url: string,
  nonce: number,
): Promise<Proof | null> => {
  if (typeof prover === 'string') return null
  const answer = await answerFor(ctx, url)
  if (answer === null) return null
  const stranger = await prover.stranger({ authenticated: false })
  try {
    return await stranger.prove({ method: 'GET', url, body: null, exact: { headers: {}, answer } }, nonce)
  } finally {
    await stranger.close()
  }
}

const answerFor = async (ctx: CollectContext, url: string) => {
  try {
    const exchange = await ctx.egress.http(pageRequest(url))
    const headers = pageHeaders({ headers: exchange.headers })
    return { status: exchange.status, headers, body: textOf(exchange) }
  } catch (error) {
    if (targetFailure(error) === null) throw error
    return null
  }
}
