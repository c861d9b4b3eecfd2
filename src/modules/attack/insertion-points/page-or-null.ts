/** A page that something is read from beside what is asked. */
import type { Egress, HttpExchange } from '../../../egress/door/egress.ts'
import { targetFailure } from '../../../egress/door/target-failure.ts'
import { pageRequest } from '../../../page/exchange.ts'

/** A page as it is now; null where it does not answer. `cookie`: what goes along beside the run's own, of which `isNobody` brings none. */
export const pageOrNull = async (
  egress: Pick<Egress, 'http'>,
  url: string,
  cookie = '',
  isNobody = false,
): Promise<HttpExchange | null> => {
  const headers = cookie === '' ? {} : { headers: [['Cookie', cookie] as const] }
  try {
    return await egress.http(pageRequest(url, { ...headers, ...(isNobody ? { authenticated: false } : {}) }))
  } catch (error) {
    if (targetFailure(error) === null) throw error
    return null
  }
}
