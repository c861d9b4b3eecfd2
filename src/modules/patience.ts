/** What a site answers that is asked too often. */
import type { HttpExchange } from '../egress/door/egress.ts'

/** So often more. */
const MOST = 2

/**
 * Sends again what was answered with 429 (RFC 6585, 4): nobody has worked on it, and it says nothing of what was sent. How long to wait
 * the pace of the host knows, which has heard the answer, too. `isKept`: an answer that whoever asks deals with.
 */
export const patiently = async (
  send: () => Promise<HttpExchange>,
  isKept: (exchange: HttpExchange) => boolean = () => false,
): Promise<HttpExchange> => {
  let exchange = await send()
  for (let more = 0; more < MOST && exchange.status === 429 && !isKept(exchange); more += 1) exchange = await send()
  return exchange
}
