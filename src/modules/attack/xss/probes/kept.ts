/** Whether a page that an answer leads to keeps the script that ran there, asked at once: a list of the latest has others by the time that all was asked. */
import { isSafe } from '../../../../safety/effect.ts'
import { harmOfAddress } from '../../../../safety/safety.ts'
import type { CollectContext } from '../../../module.ts'
import type { Probe } from '../../insertion-points/prober.ts'
import type { XssHit } from '../facts.ts'
import { answerAt } from './stored-pages.ts'

/** To whom the page shows it then; a notice that is shown once is gone. */
export const withKeeping = async <Hit extends XssHit>(
  ctx: CollectContext,
  { request }: Pick<Probe, 'request'>,
  hit: Hit,
): Promise<Hit> => {
  if (hit.kind !== 'reflected' || hit.ran === null || hit.behind === undefined || request.effect === 'reads') return hit
  if (isSafe(request.method) || harmOfAddress(hit.behind) !== null || ctx.egress.excludes(hit.behind)) return hit
  const shows = async (authenticated: boolean): Promise<boolean> =>
    (await answerAt(ctx, { url: hit.behind ?? '', drawnOn: null }, authenticated))?.includes(hit.mark) ?? false
  if (await shows(false)) return { ...hit, kept: 'anyone' }
  return (await shows(true)) ? { ...hit, kept: 'account' } : hit
}
