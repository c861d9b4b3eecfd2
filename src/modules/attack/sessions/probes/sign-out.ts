/** Begins a session beside the run's own, signs that one out, and looks whether it is over. */
import type { HttpExchange } from '../../../../egress/door/egress.ts'
import { headerOf } from '../../../../page/exchange.ts'
import { readHtml } from '../../../../page/html.ts'
import { jsonTreeOf } from '../../../../page/json.ts'
import { isTarget } from '../../../../page/postbacks.ts'
import { textOf } from '../../../../page/text.ts'
import { ENDS_SESSION } from '../../../../safety/deeds.ts'
import type { CollectContext, SpareSession, SpareSessions } from '../../../module.ts'
import type { CrawlFacts, RequestTemplate } from '../../crawl/facts.ts'
import { requestOf } from '../../insertion-points/inventory.ts'
import { goThrough, Left, notAsked, spoken } from '../asking.ts'
import { afterAnswer } from '../cookies.ts'
import type { SignOutSeen, Topic } from '../facts.ts'
import type { OwnSession } from './own-session.ts'

const MOST = 2

export const askSignOut = async (
  ctx: CollectContext,
  { requests }: Pick<CrawlFacts, 'requests'>,
  own: OwnSession | string,
  until: number,
): Promise<Topic<SignOutSeen>> => {
  const ends = requests.filter(({ harm, method }) => harm === ENDS_SESSION && ['GET', 'POST'].includes(method))
  const byAddress = [...new Map(ends.map((one) => [placeOf(one), one])).values()]
  if (byAddress.length === 0) return notAsked('not_applicable', 'no way to sign out was found')
  if (ctx.target.environment !== 'test') return notAsked('not_tested', 'a session is signed out on a test system alone')
  if (typeof own === 'string') return notAsked('not_tested', own)
  const items = byAddress.slice(0, MOST)
  const beyond = byAddress.length - items.length
  const left: Readonly<Record<string, number>> = beyond > 0 ? { [`beyond the first ${MOST}`]: beyond } : {}
  return goThrough(ctx, { name: 'sign-outs', items, until, left }, (one) => signOut(ctx, one, own.spare))
}

/** A control that stands on all pages, and is sent to each, is one. */
const placeOf = ({ url, fields }: RequestTemplate): string =>
  fields.find(({ name, value }) => isTarget(name) && value !== '')?.value ?? new URL(url).pathname

const signOut = async (
  ctx: CollectContext,
  template: RequestTemplate,
  spare: SpareSessions,
): Promise<readonly SignOutSeen[]> => {
  const isIn = async (carried: SpareSession['after']) => {
    const answer = await spoken(ctx, () => spare.isSignedIn(carried))
    if (answer === null) throw new Left('after which the proof was not answered clearly')
    return answer
  }
  if (saysMore(template)) throw new Left('that sends more than a sign-out does')
  const session = await spoken(ctx, () => spare.begin())
  if (session === null || !(await isIn(session.after))) throw new Left('as signing in once more did not work')
  const answer = await spoken(ctx, async () => session.send(await requestFor(template, session)))
  const { header } = session.after
  const cookie = afterAnswer(session.after.cookie, answer)
  const isSeen = header === null && !(await isIn({ cookie, header }))
  if (!isSeen && !isDone(answer, header)) throw new Left('whose answer signs nobody out')
  // What it answers a moment later, too.
  if (!(await isIn(session.after)) || !(await isIn(session.after))) return []
  return [seenOf(template, answer, header === null ? 'cookie' : 'header', isSeen)]
}

/**
 * A text beside what says whose session ends, and where: `{"greeting": "…"}` signs a letter off. Of a form the page that answers it tells, of JSON
 * nothing does.
 */
const saysMore = ({ encoding, body }: RequestTemplate): boolean => {
  const tree = encoding === 'json' && body !== null ? jsonTreeOf(body) : null
  if (typeof tree !== 'object' || tree === null) return false
  return Object.entries(tree).some(
    ([name, value]) => typeof value === 'string' && value !== '' && !OF_SESSION.test(name),
  )
}

const OF_SESSION = /token|csrf|session|device|client|user|account|mail|redirect|return|next|ur[il]|reason|id$/i

/** With the tokens that the page names for this session. */
const requestFor = async (template: RequestTemplate, session: SpareSession) => {
  const { url, method, headers, body } = requestOf(template)
  const [page] = template.seenOn
  if (method === 'GET' || page === undefined || body === null || template.encoding !== 'urlencoded')
    return { url, method, headers: [...headers], ...(body === null ? {} : { body }) }
  const html = readHtml(textOf(await session.send({ url: page })), page)
  const hidden = new Map(
    html.forms
      .filter(({ action }) => action !== null && new URL(action).pathname === new URL(url).pathname)
      .flatMap(({ inputs }) => inputs.map(({ name, value }): [string, string] => [name, value])),
  )
  // What is pressed the page does not hold.
  const pairs = template.fields.map(({ name, value, type }): [string, string] => [
    name,
    type === 'submit' ? value : (hidden.get(name) ?? value),
  ])
  return { url, method, headers: [...headers], body: new URLSearchParams(pairs).toString() }
}

/** Of a token that scripts keep, the answer alone tells. */
const isDone = ({ status }: HttpExchange, header: string | null): boolean => header !== null && status < 300

const seenOf = (
  { method, url, body }: RequestTemplate,
  answer: HttpExchange,
  carriedBy: SignOutSeen['carriedBy'],
  isSeen: boolean,
): SignOutSeen => {
  const to = headerOf(answer, 'location')
  const mark = `the ${carriedBy} from before it: answered as the account, twice`
  const sent = method === 'GET' ? '' : ` -X ${method}${body === null ? '' : " --data '…'"}`
  const carried = carriedBy === 'cookie' ? "-b '<the cookies>'" : "-H '<the header>'"
  return {
    ...{ method, url, carriedBy, isSeen },
    excerpt: [
      `${method} ${new URL(url).pathname}: status ${answer.status}${to === null ? '' : `, leads to ${to.split(/[?#]/)[0]}`}`,
      ...(isSeen ? ['the cookies as that answer leaves them: answered as nobody'] : []),
      mark,
    ].join('\n'),
    mark,
    replay: `curl -isk${sent} ${carried} '${url.split('?')[0]}'; curl -isk ${carried} '<a page of the account>'`,
  }
}
