/**
 * A proof whose words are gone: a run that writes changes the name of its own account as well, or its language, and with it the words by
 * which the owner knows that page. Where everything else is that of the first proof, and nobody in particular is answered otherwise, it is proven.
 */
import type { Proof } from '../contract/sign-in.ts'
import type { HttpExchange } from '../egress/door/egress.ts'
import { wordsIn } from '../page/similarity.ts'
import { textOf } from '../page/text.ts'
import type { KeeperPorts } from './keeper.ts'

type Seen = Awaited<ReturnType<KeeperPorts['prove']>>

/** Share of what the first proof has shown that the page has to have, and of that which it does not show to nobody. */
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
    const proven = first
    const reads = readsFor(text).filter((read) => isKept(answer, proven, read))
    if (reads.length === 0) return seen
    const { answer: nobodys } = await asNobody()
    if (nobodys === undefined || !reads.some((read) => isOthers(nobodys, answer, proven, read))) return seen
    if (!isTold) told(`${path} no longer shows “${text}”, and is that of the account in all else`)
    isTold = true
    return { ...seen, isSignedIn: true, why: '' }
  }
}

/** What of the first proof the page still has, by its words, or in another language by what they stand in. */
type Read = (exchange: HttpExchange) => ReadonlySet<string>

const readsFor = (text: string): readonly Read[] => [
  (exchange) => wordsIn(shown(exchange).replaceAll(text, ' ')),
  (exchange) => partsIn(shown(exchange)),
]

const isKept = (answer: HttpExchange, first: HttpExchange, read: Read): boolean => {
  const was = read(first)
  return (
    answer.status === first.status &&
    answer.status < 300 &&
    was.size > 0 &&
    was.intersection(read(answer)).size / was.size >= KEPT
  )
}

/** Whether nobody is refused, or is shown none of what the account still is. */
const isOthers = (nobody: HttpExchange, answer: HttpExchange, first: HttpExchange, read: Read): boolean => {
  if (nobody.status === 429 || nobody.status >= 500) return false
  if (nobody.status !== first.status) return true
  const own = read(first).difference(read(nobody))
  return own.size > 0 && own.intersection(read(answer)).size / own.size >= OWN
}

/** Names, ids and addresses of the page: a language that the account has been given changes none of them. */
const partsIn = (html: string): ReadonlySet<string> =>
  new Set(
    [...html.slice(0, MOST_TEXT).matchAll(/\s(id|name|for|href|action)\s*=\s*["']?([^"'\s>]{1,200})/gi)].map(
      ([, name = '', value = '']) => `${name.toLowerCase()}=${value}`,
    ),
  )
const MOST_TEXT = 1_000_000

const shown = (exchange: HttpExchange): string => textOf(exchange) || exchange.body.toString('utf8')
