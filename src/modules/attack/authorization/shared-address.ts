/** What addresses say of whom an object is for. */
import { isHtml, mediaTypeOf } from '../../../page/text.ts'
import { MADE_UP } from '../crawl/facts.ts'
import { isTokenField } from '../insertion-points/tokens.ts'
import type { Answer } from './answers.ts'
import type { Case } from './judging.ts'
import { isUser } from './names.ts'
import type { Slot } from './operations.ts'
import { isGranted, linksIn, type Party, type Reply } from './parties.ts'

/**
 * Whether the page above an object is what lists such objects. What is named in a query lies in no folder: the page above its program may be a menu,
 * which is one for everybody; it is a list where it leads to that program with such an object.
 */
export const isListOf = (
  { exchange, text }: Pick<Answer, 'exchange' | 'text'>,
  { asked }: { readonly asked: { readonly request: { readonly url: string } } },
  slot: Pick<Slot, 'place' | 'at'> | null,
): boolean => {
  if (slot?.place !== 'query' || !isHtml(mediaTypeOf(exchange), text)) return true
  const { pathname } = new URL(asked.request.url)
  return linksIn(text, exchange.request.url).some(
    ([address, named]) => new URL(address).pathname === pathname && Object.hasOwn(JSON.parse(named) as object, slot.at),
  )
}

/**
 * The list as each of the two is shown it, by the same question: without a query, where both were asked so, else the one that shows the most. One that
 * is narrowed to nothing is the same for everybody.
 */
export const listAsBoth = (parent: string | null, victim: Party, party: Party): readonly [Reply?, Reply?] => {
  const [best] = [...victim.own.entries()]
    .flatMap(([operation, { request, first }]) => {
      const theirs = (party.own.get(operation) ?? askedAlike(request.url, party))?.first
      return request.url.split('?')[0] === parent && theirs ? [{ url: request.url, mine: first, theirs }] : []
    })
    .toSorted(
      (a, b) => Number(a.url.includes('?')) - Number(b.url.includes('?')) || valuesOf(b.mine) - valuesOf(a.mine),
    )
  return best ? [best.mine, best.theirs] : []
}
const valuesOf = (reply: Reply): number => (isGranted(reply) ? reply.values.size : 0)

const askedAlike = (url: string, { own }: Party) => {
  const same = [...own.values()].filter(({ request }) => request.url.split('?')[0] === url.split('?')[0])
  return same.find(({ request }) => request.url === url) ?? same[0]
}

/**
 * A key in it that nobody guesses takes the place of a sign-in, as in feeds, calendars and links that are shared. A token against forged requests
 * does not: it says that a page of the site was asked, and nothing of whose the object is.
 */
export const isSecretAddress = (address: string): boolean =>
  [...new URL(address).searchParams].some(
    ([name, value]) =>
      /(?:^|[_-])(?:key|token|sig|signature|secret|hash|hmac|code|auth|ticket)$/i.test(name) &&
      !isTokenField(name) &&
      isUnguessable(value),
  )

const isUnguessable = (value: string): boolean =>
  /^[\w.~+/=-]{20,}$/.test(value) && /\d/.test(value) && /[a-z]/i.test(value)

export const POOL = 'all objects of its kind that the other is shown are shown to both'
/** So many objects that both are shown are no chance. */
const FEWEST_IN_COMMON = 2

/**
 * Whether nothing tells objects of one from those of another: of a kind that both are shown several of, the other is shown none that is not shown to the
 * one as well. Then that an object shows to the one alone comes of a list that ends, or that tells what is whose to do: a queue that a team works on. Of people
 * of one role; whoever is of a higher one sees those of all.
 */
export const isPool = (
  slot: Slot,
  victim: Pick<Party, 'objects' | 'role' | 'rank'>,
  other: Pick<Party, 'objects' | 'role' | 'rank'>,
): boolean => {
  if (isUser(slot) || victim.role !== other.role || victim.rank !== other.rank) return false
  const known = new Set(victim.objects(slot))
  const theirs = other.objects(slot).filter((id) => id !== MADE_UP)
  return new Set(theirs).size >= FEWEST_IN_COMMON && theirs.every((id) => known.has(id))
}

/**
 * Whether both are shown several objects of that kind, of which there are many, beside those that show to one alone: lists that end,
 * and what one has just looked at, may tell the two apart as well as whose they are. What programs of one folder call alike is of one kind: pages to which an object alone leads name no other.
 */
export const isSharedInPart = (slot: Slot, address: string, victim: Pooling, other: Pooling): boolean => {
  if (isUser(slot) || victim.role !== other.role || victim.rank !== other.rank) return false
  const folder = folderOf(address)
  const beside = [...victim.own.keys()].flatMap(({ slots, template }) =>
    folderOf(template.url) === folder
      ? slots.filter(({ place, name }) => place !== 'path' && place === slot.place && name === slot.name)
      : [],
  )
  const [mine, theirs] = [victim, other].map(
    ({ objects }) => new Set([slot, ...beside].flatMap((one) => objects(one)).filter((id) => id !== MADE_UP)),
  )
  if (mine === undefined || theirs === undefined || theirs.size < FULL) return false
  return mine.intersection(theirs).size >= FEWEST_IN_COMMON
}

/** A list that ends has so many: of fewer objects all are shown. */
const FULL = 8

/**
 * Likewise of what belongs to an object of such a kind: its page leads to that object, by the same id, where the kind is at home (a timer, a graph of
 * a ticket). Whoever may see the one may see the other.
 */
export const isPartOfShared = (slot: Slot, { asked, answers: [answer], victim }: Asked, other: Pooling): boolean => {
  if (isSharedInPart(slot, asked.request.url, victim, other)) return true
  const id = asked.values.get(slot)
  if (id === undefined) return false
  const leadsTo = new Set(
    linksIn(answer.text, answer.exchange.request.url).flatMap(([link, named]) =>
      Object.entries(JSON.parse(named) as Record<string, unknown>).flatMap(([name, value]) =>
        value === id ? [`${new URL(link).pathname} ${name}`] : [],
      ),
    ),
  )
  return [...victim.own.keys()].some(({ slots, template }) =>
    slots.some(
      (one) =>
        one.place === 'query' &&
        leadsTo.has(`${new URL(template.url).pathname} ${one.at}`) &&
        isSharedInPart(one, template.url, victim, other),
    ),
  )
}

interface Asked {
  readonly asked: { readonly request: { readonly url: string }; readonly values: ReadonlyMap<Slot, string> }
  readonly answers: readonly [Pick<Answer, 'exchange' | 'text'>, ...unknown[]]
  readonly victim: Pooling
}

type Pooling = Pick<Party, 'objects' | 'role' | 'rank' | 'own'>

const folderOf = (address: string): string => new URL('.', address.split(/[?#]/)[0]).href

/** Of the folder above. */
export const parentOf = (address: string): string => {
  const url = new URL(address)
  return `${url.origin}${url.pathname.replace(/\/[^/]*\/?$/, '')}`
}

/** An address that is a secret by itself is given to whom it is meant for. */
export const isCapability = ({ asked, operation }: Case): boolean => {
  const { pathname, searchParams } = new URL(asked.request.url)
  if (
    [...searchParams.keys()].some((name) => /^(?:sig|signature|token|key|expires|hash|hmac|code)$|^x-amz-/i.test(name))
  )
    return true
  const isLong = pathname.split('/').some((segment) => /^[\w-]{20,}$/.test(segment) && /\d/.test(segment))
  return isLong && operation.words.some((word) => SHARES.test(word))
}
const SHARES =
  /^(?:share|shared|shares|public|s|invite|invites|invitation|invitations|link|links|download|downloads|unsubscribe|view|embed|track|tracking)$/
