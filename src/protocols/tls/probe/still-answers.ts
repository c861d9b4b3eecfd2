/** Behind a question upon which the connection just ended: a server that refused it goes on, one that died of it does not. */
import type { Prober } from '../wire/prober.ts'
import { classicHello } from './hellos.ts'
import type { Agreed } from './keys.ts'

/** A true hello, and whether its whole flight came. */
export const stillAnswers = async (
  prober: Prober,
  agreed: Agreed,
): Promise<{ readonly answers: boolean; readonly note: string }> => {
  const { end } = await prober.ask(classicHello(prober.endpoint, agreed.version, agreed.suites), true)
  return end.kind === 'done'
    ? { answers: true, note: 'a true hello behind it was answered' }
    : { answers: false, note: `then to a true hello: ${end.kind}` }
}
