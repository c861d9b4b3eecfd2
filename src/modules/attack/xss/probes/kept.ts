/** Whether a page that an answer leads to keeps the script that ran there, asked at once: a list of the latest has others by the time that all was asked. */
import { isSafe } from '../../../../safety/effect.ts'
import { harmOfAddress } from '../../../../safety/safety.ts'
import type { CollectContext } from '../../../module.ts'
import type { Probe } from '../../insertion-points/prober.ts'
import type { XssHit } from '../facts.ts'
import type { Prover } from '../proving.ts'
import { answerAt } from './stored-pages.ts'
import { provenBy } from './stored-proofs.ts'

/** To whom the page shows it then, and whether it runs for them; a notice that is shown once is gone. */
export const withKeeping = async <Hit extends XssHit>(
  ctx: CollectContext,
  { request }: Pick<Probe, 'request'>,
  hit: Hit,
  prover: Prover | string,
): Promise<Hit> => {
  if (hit.kind !== 'reflected' || hit.ran === null || hit.behind === undefined || request.effect === 'reads') return hit
  if (isSafe(request.method) || harmOfAddress(hit.behind) !== null || ctx.egress.excludes(hit.behind)) return hit
  const { behind: url, mark, nonce } = hit
  const shows = async (authenticated: boolean): Promise<boolean> =>
    (await answerAt(ctx, { url, drawnOn: null }, authenticated))?.includes(mark) ?? false
  for (const kept of ['anyone', 'account'] as const) {
    const authenticated = kept === 'account'
    if (!(await shows(authenticated))) continue
    const proof = nonce === undefined ? null : await provenBy(prover, url, { nonce, authenticated })
    return { ...hit, kept, ...(proof !== null && proof.ran !== null ? { ranAgain: true as const } : {}) }
  }
  return hit
}
