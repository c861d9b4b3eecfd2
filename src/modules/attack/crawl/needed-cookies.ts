/**
 * Forms that stand only where something was begun before: what a basket leads to, the second step of a form in several. Whoever comes without the
 * cookie is shown another page, so that each request of the run to them brings it from then on.
 */
import { targetFailure } from '../../../egress/door/target-failure.ts'
import { pageRequest } from '../../../page/exchange.ts'
import { readHtml } from '../../../page/html.ts'
import { textOf } from '../../../page/text.ts'
import type { CollectContext } from '../../module.ts'
import type { RequestTemplate } from './facts.ts'
import type { Brought } from './fetching.ts'

const MOST = 40

/** One request for each page with a form that was asked with cookies of the site, at most 40. `until`: milliseconds on the process's clock. */
export const lookForNeeds = async (
  { egress, signal }: Pick<CollectContext, 'egress' | 'signal'>,
  broughtTo: ReadonlyMap<string, Brought>,
  requests: readonly RequestTemplate[],
  until: number,
): Promise<void> => {
  const forms = requests.filter(({ source, fields, harm }) => source === 'form' && fields.length > 0 && harm === null)
  const byPage = Map.groupBy(forms, ({ seenOn }) => seenOn.find((page) => broughtTo.has(page)) ?? '')
  for (const [page, there] of [...byPage].slice(0, MOST)) {
    if (page === '' || performance.now() > until) continue
    const names = await namesOn(page, egress, signal)
    const gone = there.filter(({ fields }) => names !== null && !fields.some(({ name }) => names.has(name)))
    const brought = broughtTo.get(page)
    if (gone.length === 0 || brought === undefined) continue
    egress.hideCookies?.(brought.begun)
    for (const url of [page, ...gone.map((form) => form.url)]) egress.carry?.(url, brought.all)
  }
}

/** Of the fields that somebody without these cookies is shown there; null where it does not answer. */
const namesOn = async (
  page: string,
  egress: CollectContext['egress'],
  signal: AbortSignal,
): Promise<ReadonlySet<string> | null> => {
  try {
    const answer = await egress.http(pageRequest(page))
    if (answer.status >= 500 || answer.status === 429) return null
    const { forms, looseInputs } = readHtml(textOf(answer), page)
    return new Set([...forms.flatMap(({ inputs }) => inputs), ...looseInputs].map(({ name }) => name))
  } catch (error) {
    signal.throwIfAborted()
    if (targetFailure(error) === null) throw error
    return null
  }
}
