/**
 * Signs in beside the run's own session, writes another number or name into cookies that name who it is, and looks who is answered (CWE-565).
 * Only the page of the proof is asked for; nothing of anybody else is kept.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { readHtml } from '../../../../page/html.ts'
import { likeness } from '../../../../page/similarity.ts'
import { textOf } from '../../../../page/text.ts'
import type { CollectContext, RunSession, SpareSession } from '../../../module.ts'
import type { CrawlFacts } from '../../crawl/facts.ts'
import { ask, goThrough, Left, notAsked, spoken } from '../asking.ts'
import { cookieOf, pairsOf } from '../cookies.ts'
import type { Topic, TrustedSeen } from '../facts.ts'
import { namesOf, type Readable, readableOf } from '../readable.ts'
import { signInPages } from './givers.ts'
import type { OwnSession } from './own-session.ts'

export const askTrusted = async (
  ctx: CollectContext,
  crawl: CrawlFacts,
  own: OwnSession | string,
  until: number,
): Promise<Topic<TrustedSeen>> => {
  const { session } = ctx
  if (session === undefined || typeof own === 'string') return notAsked('not_tested', String(own))
  const left: Record<string, number> = {}
  const begun =
    (await remembered(ctx, crawl, own).catch((error: unknown) => {
      if (!(error instanceof Left)) throw error
      left[`not asked for by the box of the sign-in: ${error.message}`] = 1
      return null
    })) ?? own.first
  const items = [...pairsOf(begun.after.cookie)].flatMap(([name, value]): Named[] => {
    const readable = readableOf(value, session.account)
    return readable === null ? [] : [{ name, readable }]
  })
  return goThrough(ctx, { name: 'cookies that name somebody', items, until, left }, (item) =>
    lookAt(ctx, { session, own, begun }, item),
  )
}

interface Named {
  readonly name: string
  readonly readable: Readable
}

interface Signed {
  readonly session: RunSession
  readonly own: OwnSession
  readonly begun: SpareSession
}

/** What a box beside a password is called that asks to stay signed in. */
const REMEMBER = /remember|stay|keep|persist|permanent|auto_?log/i

/** A sign-in with that box ticked; null where none of its pages has one, or signing in so does not work. */
const remembered = async (
  ctx: CollectContext,
  crawl: CrawlFacts,
  { spare }: OwnSession,
): Promise<SpareSession | null> => {
  for (const page of signInPages(ctx, crawl).slice(0, MOST_PAGES)) {
    const html = readHtml(textOf(await ask(ctx, { url: page, authenticated: false })), page)
    const ticked = html.forms
      .filter(({ inputs }) => inputs.some(({ type }) => type === 'password'))
      .flatMap(({ inputs }) => inputs.filter(({ type, name }) => type === 'checkbox' && REMEMBER.test(name)))
      .map(({ name, value }) => [name, value === '' ? 'on' : value] as const)
    if (ticked.length > 0) return spoken(ctx, () => spare.begin({ ticked }))
  }
  return null
}
const MOST_PAGES = 3

type Way = TrustedSeen['way']

const lookAt = async (ctx: CollectContext, signed: Signed, item: Named): Promise<readonly TrustedSeen[]> => {
  const { session, begun, own } = signed
  const cookies = pairsOf(begun.after.cookie)
  const reader = await readerOf(ctx, signed)
  for (const way of ['alone', 'beside'] as const) {
    const cookieFor = (value: string): string | null =>
      cookieOf(way === 'alone' ? [[item.name, value]] : new Map([...cookies, [item.name, value]]))
    const isIn = await own.letsIn(cookieFor(cookies.get(item.name) ?? ''))
    // Few cookies let in by themselves; with all of them the session does, or nothing can be asked beside it.
    if (!isIn && way === 'beside') throw new Left('as the session that was begun for it was over')
    if (!isIn) continue
    const other = await otherOf(reader, { ...item, others: await accountsBeside(ctx) }, cookieFor)
    if (other !== null) return [seenOf(session, item, way, other)]
  }
  return []
}

interface Reader {
  /** Who is answered with these cookies: `own` the account, `other` somebody else, `nobody`. */
  readonly who: (cookie: string | null) => Promise<'own' | 'other' | 'nobody'>
}

/** @throws Left where the page of the proof does not show who is signed in */
const readerOf = async (ctx: CollectContext, { session, begun }: Signed): Promise<Reader> => {
  const read = async (cookie: string | null) => {
    const answer = await spoken(ctx, () => begun.send({ url: session.proofAt }, { cookie, header: begun.after.header }))
    return { status: answer.status, text: textOf(answer) }
  }
  const own = await read(begun.after.cookie)
  const nobody = await read(null)
  const shown = namesOf(session.account).filter((name) => isNamedIn(own.text, name) && !isNamedIn(nobody.text, name))
  if (shown.length === 0) throw new Left('as the page that proves the session does not show who is signed in')
  return {
    who: async (cookie) => {
      const { status, text } = await read(cookie)
      const isPage = status === own.status && likeness(text, own.text) >= SAME
      if (!isPage || likeness(text, own.text) <= likeness(text, nobody.text)) return 'nobody'
      return shown.some((name) => isNamedIn(text, name)) ? 'own' : 'other'
    },
  }
}

/** Pages of two people share as much of their words. */
const SAME = 0.5

/** As a word of its own, whichever its letters. */
const isNamedIn = (text: string, name: string): boolean =>
  new RegExp(`(?<![\\w.-])${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w-])`, 'i').test(text)

/**
 * Whose page is shown, twice, while that of somebody who cannot be is not, and the account's own still is; null for nobody's.
 * @throws Left where the cookie does not show the account itself
 */
const otherOf = async (
  { who }: Reader,
  { readable, others }: Pick<Named, 'readable'> & { readonly others: readonly string[] },
  cookieFor: (value: string) => string | null,
): Promise<string | null> => {
  const asked = (one: string) => who(cookieFor(readable.naming(one)))
  if ((await asked(readable.own)) !== 'own') throw new Left('as it did not show the account by its own value')
  if ((await asked(nonsenseFor(readable))) !== 'nobody') return null
  for (const other of othersThan(readable, others)) {
    if ((await asked(other)) !== 'other' || (await asked(other)) !== 'other') continue
    if ((await asked(readable.own)) === 'own') return other
  }
  return null
}

const nonsenseFor = ({ kind }: Readable): string =>
  kind === 'number' ? String(randomInt(900_000_000, 999_999_999)) : `sonde${randomBytes(6).toString('hex')}`

const NAMES: readonly string[] = ['admin', 'administrator', 'root', 'test', 'user', 'guest', 'demo']

/** What the other identities of the run sign in by. */
const accountsBeside = async ({ identities = [] }: CollectContext): Promise<readonly string[]> => {
  const begun = await Promise.all(identities.filter(({ as }) => as !== null).map((one) => one.begin()))
  return begun.flatMap(({ session }) => session?.account ?? [])
}

const othersThan = ({ kind, own }: Readable, others: readonly string[]): readonly string[] => {
  // Where the account stands without what follows its @, so do theirs.
  const accounts = others.map((one) => (own.includes('@') ? one : (one.split('@')[0] ?? one)))
  if (kind === 'name')
    return [...new Set([...accounts, ...NAMES])].filter((name) => name.toLowerCase() !== own.toLowerCase())
  const number = Number(own)
  return [...new Set([number + 1, number - 1, 1, 2, number + 2])].filter((one) => one > 0 && one !== number).map(String)
}

const seenOf = (session: RunSession, { name, readable }: Named, way: Way, other: string): TrustedSeen => {
  const { pathname } = new URL(session.proofAt)
  const said = readable.kind === 'number' ? 'another number' : `“${other}”`
  const mark = `Cookie ${name} with ${said}: ${pathname} answers as somebody else`
  const rest = way === 'alone' ? '' : '<the other cookies of a session>; '
  return {
    ...{ method: 'GET', url: session.proofAt, cookie: name, says: readable.says, way, mark },
    excerpt: [
      `Cookie ${name}, ${readable.says}, ${way === 'alone' ? 'by itself' : 'beside the session'}: ${pathname} answers as the account`,
      mark,
      `with ${readable.kind === 'number' ? 'a number' : 'a name'} that nobody has: ${pathname} answers nobody`,
    ].join('\n'),
    replay: `curl -isk -b '${rest}${name}=${readable.naming(other)}' '${session.proofAt}'`,
  }
}
