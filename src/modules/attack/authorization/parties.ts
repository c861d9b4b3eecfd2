/** Everybody as whom the operations are asked, and what each was shown by right. */

import { SESSION_LOST } from '../../../contract/reach.ts'
import type { Egress, HttpRequest } from '../../../egress/door/egress.ts'
import { targetFailure } from '../../../egress/door/target-failure.ts'
import { readHtml } from '../../../page/html.ts'
import { jsonTreeOf } from '../../../page/json.ts'
import { createLinkedValues } from '../../../page/linked-values.ts'
import { plainName } from '../../../page/names.ts'
import { harmOfAddress } from '../../../safety/safety.ts'
import type { CollectContext, RunIdentity, RunSession } from '../../module.ts'
import type { RequestTemplate } from '../crawl/facts.ts'
import { isMinted, mintFor, withMinted } from '../insertion-points/freshness.ts'
import { requestOf } from '../insertion-points/inventory.ts'
import { NOT_ROUTED, type Routed, thingOfRoute } from '../insertion-points/routed.ts'
import { type Answer, readAnswer } from './answers.ts'
import type { Cell } from './facts.ts'
import { isOnePage, type Operation, type Slot } from './operations.ts'
import { createOwnIds, type SignInAnswer } from './own-ids.ts'

/** What an operation answered, or why it did not. */
export type Reply = Answer | { readonly state: 'failed' | 'left'; readonly why: string }

export const isAnswer = (reply: Reply | undefined): reply is Answer => reply !== undefined && 'exchange' in reply
export const isGranted = (reply: Reply | undefined): reply is Answer => isAnswer(reply) && reply.state === 'granted'

export interface Party {
  /** '' of nobody. */
  readonly name: string
  readonly role: string
  /** By the words of its role, then by what it was shown; null of nobody. */
  rank: number | null
  readonly isNobody: boolean
  /** Why it cannot be asked; null where it can. */
  left: string | null
  /** As whom it is asked, watched over; null where nobody does. */
  session: RunSession | null
  /** `of`: what it was made of; where that brings a token against forged requests, one of this party's own is put in its place. */
  readonly ask: (request: HttpRequest, of?: RequestTemplate) => Promise<Reply>
  /** By the operation as it was asked of its own accord: with no object, or with one of its own. */
  readonly own: Map<Operation, Asked>
  /** Takes what it was shown by right. */
  readonly learn: (operation: Operation, answer: Answer) => void
  /** What these have shown was not shown by right after all. */
  readonly unlearn: (operations: ReadonlySet<Operation>) => void
  /** Objects that it knows of for a place, in their order. */
  readonly objects: (slot: Slot) => readonly string[]
  /** By which property of a thing it was shown what stands in a path: `title` of `/records/diary`. */
  readonly propertyOf: (slot: Slot) => string | undefined
  /** Takes what its sign-in was answered, which is its own by right. */
  readonly learnOwn: (answers: readonly SignInAnswer[]) => void
  /** Of a place, the objects that its sign-in named. */
  readonly named: (slot: Slot) => readonly string[]
  /** Whether it was shown something that is called so, whatever thing that is. */
  readonly knowsId: (value: string) => boolean
  /** Whether it was shown a value, by right and by another operation than this. */
  readonly knows: (value: string, but: Operation) => boolean
  requests: number
}

export interface Asked {
  readonly request: HttpRequest
  readonly values: ReadonlyMap<Slot, string>
  readonly first: Reply
  /** That it is this one's, as its own answer says: `owner is carla`; absent where another answer named it. */
  readonly says?: string
}

const TIMEOUT = 15_000
const MOST_BYTES = 1024 * 1024
const ACCEPT = 'application/json, text/html;q=0.9, */*;q=0.8'

export const partiesOf = (
  ctx: CollectContext,
  routed: Routed = NOT_ROUTED,
): { readonly identities: readonly Party[]; readonly nobody: Party } => {
  const parties: Party[] = []
  // What one was shown says by which property a path names its things, to all of them.
  const found = new Map<Slot, string>()
  const propertyOf = (slot: Slot): string | undefined => {
    const known = found.get(slot) ?? parties.map((one) => one.propertyOf(slot)).find((one) => one !== undefined)
    if (known !== undefined) found.set(slot, known)
    return known
  }
  parties.push(...(ctx.identities ?? []).map((identity) => partyOf(ctx, identity, routed, propertyOf)))
  return { identities: [...parties], nobody: partyOf(ctx, null, routed, propertyOf) }
}

const partyOf = (
  ctx: CollectContext,
  identity: RunIdentity | null,
  routed: Routed,
  propertyOf: (slot: Slot) => string | undefined,
): Party => {
  let values = createLinkedValues()
  let told: readonly SignInAnswer[] = []
  let signedIn = createOwnIds([])
  const own = egressOf(ctx, identity)
  /** By value the operation that showed it; null where several did. */
  const shown = new Map<string, Operation | null>()
  const wrong = new Set<Operation>()
  const party: Party = {
    name: identity?.name ?? '',
    role: identity?.role ?? '',
    rank: identity === null ? null : rankOf(identity),
    isNobody: identity === null,
    left: null,
    session: null,
    own: new Map(),
    requests: 0,
    ask: async (request, of) => {
      if (party.left !== null) return { state: 'left', why: party.left }
      party.requests += 1
      const headers = request.headers ?? []
      const accepts = headers.some(([name]) => name.toLowerCase() === 'accept')
      const asked = { ...request, headers: accepts ? headers : [...headers, ['Accept', ACCEPT] as const] }
      try {
        const elsewhere = [...(party.session ? [party.session.proofAt] : []), ...pagesWithTokens(party, of)]
        const sent =
          of === undefined
            ? { request: asked, isBorrowed: false }
            : await withTokenOf(own, asked, of, elsewhere, identity !== null)
        if (sent === null) return { state: 'failed', why: 'no token of its own against forged requests was found' }
        const answer = readAnswer(await own.http({ ...sent.request, timeout: TIMEOUT, maxBody: MOST_BYTES }))
        // Each form may have a token of its own.
        return sent.isBorrowed && answer.state === 'refused' && answer.exchange.status >= 400
          ? { state: 'failed', why: 'it was refused, perhaps for its token, which is that of another page' }
          : answer
      } catch (error) {
        ctx.signal.throwIfAborted()
        const failure = targetFailure(error)
        if (failure === null) throw error
        if (failure.code === 'auth_lost') party.left = SESSION_LOST
        if (failure.code === 'auth_lost') return { state: 'left', why: SESSION_LOST }
        if (failure.code === 'excluded') return { state: 'left', why: 'the policy leaves it alone' }
        return { state: 'failed', why: failure.code === 'timeout' ? 'no answer in time' : 'no answer' }
      }
    },
    unlearn: (operations) => {
      for (const operation of operations) wrong.add(operation)
      values = createLinkedValues()
      shown.clear()
      party.learnOwn(told)
      for (const [operation, { first }] of party.own) if (isGranted(first)) party.learn(operation, first)
    },
    learn: (operation, answer) => {
      if (wrong.has(operation)) return
      for (const value of answer.values) shown.set(value, isShownBy(shown.get(value), operation) ? operation : null)
      const { url } = answer.exchange.request
      values.saw(atRoute(url, routed), answer.text)
      for (const [address, text] of alsoAs(url, answer.text, routed)) values.saw(address, text)
    },
    learnOwn: (answers) => {
      told = answers
      signedIn = createOwnIds(answers)
      for (const { url, text } of answers) values.saw(url, text)
    },
    named: (slot) => signedIn(slot),
    objects: (slot) => {
      const addresses = signedIn(slot).filter((value) => value.includes('@'))
      // Whoever was shown the address of another has that of a person, and nothing of theirs.
      if (addresses.length > 0) return addresses
      const named = values.all(slot.name, slot.of)
      const property = slot.place === 'path' ? propertyOf(slot) : undefined
      if (property !== undefined) return [...new Set([...signedIn(slot), ...values.all(property, slot.of)])]
      const known = named.length > 0 || slot.place !== 'path' ? named : values.all('id', slot.of)
      return [...new Set([...signedIn(slot), ...known])]
    },
    propertyOf: ({ value, of }) => values.propertyOf(value, of),
    knowsId: (value) => values.all('id', null).includes(value),
    knows: (value, but) => {
      const by = shown.get(value)
      return by === null || !isShownBy(by, but)
    },
  }
  return party
}

/** By no other, so far. */
const isShownBy = (by: Operation | null | undefined, operation: Operation): boolean =>
  by === undefined || (by !== null && isOnePage(by, operation))

/** Everything as this one. */
const egressOf = (
  { egress }: CollectContext,
  identity: RunIdentity | null,
): Pick<Egress, 'http' | 'credentialsFor' | 'hideCookies'> => {
  const who = identity === null ? { authenticated: false } : { as: identity.as }
  return {
    http: (request) => egress.http({ ...request, ...who }),
    credentialsFor: async (url) =>
      identity === null ? [] : ((await egress.credentialsFor?.(url, identity.as ?? undefined)) ?? []),
    ...(egress.hideCookies ? { hideCookies: egress.hideCookies } : {}),
  }
}

/**
 * Null where it needs a token, and the pages that name one have none for who asks. Those that the crawl saw may be of somebody else's object: the
 * same page of the object that is asked about stands beside them, and others that this one was shown, as most tokens are the session's.
 */
const withTokenOf = async (
  egress: Pick<Egress, 'http' | 'credentialsFor' | 'hideCookies'>,
  request: HttpRequest,
  template: RequestTemplate,
  elsewhere: readonly string[],
  signedIn: boolean,
): Promise<{ readonly request: HttpRequest; readonly isBorrowed: boolean } | null> => {
  const made = requestOf(template)
  if (!isMinted(made)) return { request, isBorrowed: false }
  const pages = [null, ...pagesOfAsked(request, template), ...elsewhere]
  for (const [index, page] of pages.entries()) {
    const minted = await mintFor(egress, page === null ? made : { ...made, seenOn: [page] }, signedIn)
    const isBorrowed = index >= pages.length - elsewhere.length
    if (minted !== null) return { request: withMinted(request, made, minted), isBorrowed }
  }
  return null
}

const MOST_ELSEWHERE = 2

/** Pages that this one was shown with fields that are called as the tokens of a request are: most tokens are the session's. */
const pagesWithTokens = (party: Party, template: RequestTemplate | undefined): readonly string[] => {
  const names = template === undefined ? [] : (requestOf(template).tokens ?? []).map(({ name }) => name)
  if (names.length === 0) return []
  return [...party.own.values()]
    .filter(({ first }) => isGranted(first) && names.every((name) => first.text.includes(`name="${name}"`)))
    .map(({ request }) => request.url)
    .slice(0, MOST_ELSEWHERE)
}

/** Where the form of this object stands: below its address, as that of the crawl's did, or at it. */
export const pagesOfAsked = (
  { url: asked }: Pick<HttpRequest, 'url'>,
  { url, seenOn }: Pick<RequestTemplate, 'url' | 'seenOn'>,
): readonly string[] => {
  if (asked === url) return []
  const below = seenOn.flatMap((page) => (page.startsWith(`${url}/`) ? [`${asked}${page.slice(url.length)}`] : []))
  return [...new Set([...below.slice(0, 1), asked])].filter((page) => harmOfAddress(page) === null)
}

/** Answers that speak of oneself speak of a user; links of pages name objects. */
const alsoAs = (
  address: string,
  text: string,
  routed: Routed,
): readonly (readonly [address: string, text: string])[] => {
  const { origin, pathname } = new URL(address)
  const users = `${origin}/users`
  const json = jsonTreeOf(text)
  if (json === undefined) return [...linksIn(text, address, routed), ...choicesIn(text, address)]
  const self = [json, memberOf(json, 'data')].flatMap((holder) =>
    ['me', 'viewer', 'currentUser', 'current_user', 'profile'].map((key) => memberOf(holder, key)),
  )
  return [
    ...(SELF.test(pathname.split('/').findLast((one) => one !== '') ?? '') ? [[users, text] as const] : []),
    ...self.flatMap((one) => (one === undefined ? [] : [[users, JSON.stringify(one)] as const])),
  ]
}
const SELF = /^(?:me|self|profile|account|whoami|session|viewer|current(?:-?user)?)$/i
const MOST_LINKS = 500

const memberOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined

/** Of links within the site: what stands in their queries, and segments that name an object of the folder before them. */
export const linksIn = (
  html: string,
  address: string,
  routed: Routed = NOT_ROUTED,
): readonly (readonly [string, string])[] => {
  const { origin, host } = new URL(address)
  return [...html.matchAll(HREF)]
    .slice(0, MOST_LINKS)
    .flatMap(([, quoted, bare = '']): (readonly [string, string])[] => {
      const url = URL.parse((quoted ?? bare).replaceAll('&amp;', '&'), address)
      if (url === null || url.host !== host) return []
      const segments = url.pathname.split('/').slice(1)
      const named = Object.fromEntries(url.searchParams)
      return [
        ...(Object.keys(named).length === 0 ? [] : [[atRoute(url.href, routed), JSON.stringify(named)] as const]),
        ...segments.flatMap((id, at) => {
          const folder = segments[at - 1]
          return folder !== undefined && OBJECT.test(id)
            ? [[`${origin}/${folder}`, JSON.stringify({ id })] as const]
            : []
        }),
      ]
    })
}
/** Of forms: what is offered to be chosen is named to whoever is offered it, as the person that a task may be given to. */
const choicesIn = (html: string, address: string): readonly (readonly [string, string])[] =>
  (/<select\b/i.test(html) ? readHtml(html, address).forms : [])
    .flatMap(({ action, inputs }) =>
      inputs
        .filter(({ tag, name }) => tag === 'select' && name !== '')
        .flatMap(({ name, options }) => options.map((value) => ({ at: action ?? address, name, value }))),
    )
    .filter(({ value }) => OBJECT.test(value))
    .slice(0, MOST_LINKS)
    .map(({ at, name, value }) => [at, JSON.stringify({ [name]: value })] as const)

/** As if what chooses the program were its path. */
const atRoute = (address: string, routed: Routed): string => {
  const thing = thingOfRoute(address, routed)
  return thing === null ? address : `${new URL(address).origin}/${plainName(thing)}`
}
/** Of links, quoted or not (HTML, 13.1.2.3), and where forms and scripts send what stands beside an object. */
const HREF =
  /\b(?:href|(?:form)?action|data-(?:[a-z]+-)?(?:action|url|href)|hx-[a-z]+)\s*=\s*(?:["']([^"'\s]{1,500})["']|([^"'\s<>`]{1,500})(?=[\s>]))/gi
const OBJECT = /^[\w-]{0,100}\d[\w-]{0,100}$/

const RANKS: readonly (readonly [rank: number, pattern: RegExp])[] = [
  [0, /\b(?:guest|viewer|read-?only|readonly|observer|anonymous)\b/i],
  [4, /\b(?:root|super-?(?:user|admin)|system|operator|platform)\b/i],
  [3, /\b(?:admin\w*|owner)\b/i],
  [2, /\b(?:manager|editor|moderator|staff|support|agent|supervisor|lead|accountant|publisher|auditor)\b/i],
]

/** By the words of its role, or of its name where it has none. */
const rankOf = ({ role, name }: Pick<RunIdentity, 'role' | 'name'>): number => {
  const said = (role === '' ? name : role).replaceAll('_', ' ')
  return RANKS.find(([, pattern]) => pattern.test(said))?.[0] ?? 1
}

export const cellOf = (reply: Reply | undefined): Cell => {
  if (reply === undefined) return { state: 'left', status: null, why: 'not asked' }
  return isAnswer(reply)
    ? { state: reply.state, status: reply.exchange.status, why: reply.why }
    : { state: reply.state, status: null, why: reply.why }
}
