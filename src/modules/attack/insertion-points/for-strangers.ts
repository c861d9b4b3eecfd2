/**
 * Sign-ins that nobody sees but who is signed in: to another system, or once more before a deed. As nobody they are answered by the way
 * to the application's own sign-in, whatever is filled in.
 */
import { readHtml } from '../../../page/html.ts'
import { PASSWORD_NAME } from '../../../page/names.ts'
import { mayShow } from '../../../page/shape.ts'
import { textOf } from '../../../page/text.ts'
import type { CollectContext } from '../../module.ts'
import type { CrawlFacts } from '../crawl/facts.ts'
import { withOwnAround } from './groups.ts'
import { inventoryOf, type ProbePoint, type ProbeRequest } from './inventory.ts'
import { byWorth } from './order.ts'
import { pageOrNull } from './page-or-null.ts'
import type { Shared } from './shared.ts'

/** By worth. Places that would be asked as nobody, and whose form nobody gets, are asked as all others are. */
export const inventoryFor = async (
  ctx: Pick<CollectContext, 'egress' | 'hasCredentials'>,
  shared: Pick<Shared, 'hidden'>,
  crawl: CrawlFacts,
): Promise<readonly ProbePoint[]> =>
  byWorth(withOwnAround(await forStrangers(ctx, shared, inventoryOf(crawl))), crawl.folders)

const forStrangers = async (
  { egress, hasCredentials }: Pick<CollectContext, 'egress' | 'hasCredentials'>,
  { hidden }: Pick<Shared, 'hidden'>,
  inventory: readonly ProbePoint[],
): Promise<readonly ProbePoint[]> => {
  const requests = new Set(inventory.map(({ request }) => request).filter(({ asNobody }) => asNobody))
  if (requests.size === 0 || !hasCredentials) return inventory
  const own = new Map<ProbeRequest, ProbeRequest>()
  for (const request of requests)
    if (await hidden(request.id, () => isHidden(egress, request))) {
      const { asNobody: _, signsIn: __, ...rest } = request
      own.set(request, rest)
    }
  return own.size === 0
    ? inventory
    : inventory.map((point) => ({ ...point, request: own.get(point.request) ?? point.request }))
}

/** What a script draws is in neither page: then it stays as it is. */
const isHidden = async (egress: CollectContext['egress'], { seenOn }: ProbeRequest): Promise<boolean> => {
  const page = seenOn.find(mayShow)
  if (page === undefined) return false
  const asksForPassword = async (isNobody: boolean): Promise<boolean | null> => {
    const exchange = await pageOrNull(egress, page, '', isNobody)
    if (exchange === null) return null
    const { forms, looseInputs } = readHtml(textOf(exchange), page)
    return [...forms.flatMap(({ inputs }) => inputs), ...looseInputs].some(
      ({ type, name }) => type === 'password' || PASSWORD_NAME.test(name),
    )
  }
  return (await asksForPassword(true)) === false && (await asksForPassword(false)) === true
}
