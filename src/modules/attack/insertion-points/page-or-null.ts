/** A page that something is read from beside what is asked. */
import type { Egress, HttpExchange } from '../../../egress/door/egress.ts'
import { targetFailure } from '../../../egress/door/target-failure.ts'
import { pageRequest } from '../../../page/exchange.ts'

/** A page as it is now; null where it does not answer. `cookie`: what goes along beside the run's own. */
export const pageOrNull = async (
  egress: Pick<Egress, 'http'>,
  url: string,
  cookie = '',
): Promise<HttpExchange | null> => {
  try {
    return await egress.http(pageRequest(url, cookie === '' ? {} : { headers: [['Cookie', cookie]] }))
  } catch (error) {
    if (targetFailure(error) === null) throw error
    return null
  }
}
