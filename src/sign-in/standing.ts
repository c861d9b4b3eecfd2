/**
 * A proof whose words are gone: a run that writes changes the name of its own account as well, and with it the words by which the
 * owner knows that page. Where everything else is that of the first proof, and nobody in particular is answered otherwise, it is proven.
 */
import type { Proof } from '../contract/sign-in.ts'
import type { HttpExchange } from '../egress/door/egress.ts'
import { tellingWords } from '../page/similarity.ts'
import { textOf } from '../page/text.ts'
import type { KeeperPorts } from './keeper.ts'

type Seen = Awaited<ReturnType<KeeperPorts['prove']>>

/** Share of the words of the first proof that the page has to have, and of those that it does not show to nobody. */
const KEPT = 0.8
const OWN = 0.9

export interface StandingPorts {
  readonly prove: () => Promise<Seen>
  /** The same, as nobody. */
  readonly asNobody: () => Promise<Seen>
  /** Hears once that the words are gone. */
  readonly told: (detail: string) => void
}

/** Proves as `prove` does, and remembers what the first proof has shown. */
export const createStanding = (
  { text, path }: Pick<Proof, 'text' | 'path'>,
  { prove, asNobody, told }: StandingPorts,
): (() => Promise<Seen>) => {
  let first: HttpExchange | null = null
  let isTold = false
  return async () => {
    const seen = await prove()
    const { isSignedIn, answer } = seen
    if (isSignedIn === true) first ??= answer ?? null
    if (isSignedIn !== false || first === null || answer === undefined || text === undefined) return seen
    if (!isKept(answer, first, text)) return seen
    const nobody = await asNobody()
    if (nobody.answer === undefined || !isOthers(nobody.answer, answer, first, text)) return seen
    if (!isTold) told(`${path} no longer shows “${text}”, and is that of the account in all else`)
    isTold = true
    return { ...seen, isSignedIn: true, why: '' }
  }
}

const isKept = (answer: HttpExchange, first: HttpExchange, text: string): boolean =>
  answer.status === first.status &&
  answer.status < 300 &&
  (tellingWords([without(first, text)], []).share(shown(answer)) ?? 0) >= KEPT

/** Whether nobody is refused, or is shown none of what the account still is. */
const isOthers = (nobody: HttpExchange, answer: HttpExchange, first: HttpExchange, text: string): boolean => {
  if (nobody.status === 429 || nobody.status >= 500) return false
  if (nobody.status !== first.status) return true
  return (tellingWords([without(first, text)], [shown(nobody)]).share(shown(answer)) ?? 0) >= OWN
}

const shown = (exchange: HttpExchange): string => textOf(exchange) || exchange.body.toString('utf8')
const without = (exchange: HttpExchange, text: string): string => shown(exchange).replaceAll(text, ' ')
