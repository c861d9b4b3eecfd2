/** What the pages that somebody is shown lead to. */
import { readHtml } from '../../../page/html.ts'
import { isHtml, mediaTypeOf } from '../../../page/text.ts'
import { isDispatching } from '../insertion-points/procedure.ts'
import type { Case } from './judging.ts'
import { isGranted, type Party, type Reply } from './parties.ts'
import { STAFF } from './ranks.ts'

/**
 * Whoever is shown what `party` is (nobody: whoever comes by) is led there, so that it is meant for them. `leads`: whose pages count beside that of
 * its proof, the same for all questions about one party.
 */
export const isOffered = (
  { asked }: Case,
  cases: readonly Case[],
  party: Party,
  leads: (one: Case) => boolean = () => true,
): boolean => {
  const offered = offeredTo(cases, party, leads)
  return [asked.request.url, ...withFewer(asked.request.url)].some((url) => offered.has(addressOf(url)))
}

/** Of more parameters none is tried without. */
const MOST_PARAMETERS = 6

/**
 * With some of its parameters: a page that somebody is led to is theirs sorted and narrowed, too. Not without all, nor without what says what is to be
 * done: what is left may be any program.
 */
const withFewer = (address: string): readonly string[] => {
  const url = URL.parse(address)
  const pairs = [...(url?.searchParams ?? [])]
  if (url === null || pairs.length < 2 || pairs.length > MOST_PARAMETERS) return []
  return Array.from({ length: 2 ** pairs.length - 2 }, (_, index) => {
    const some = pairs.filter(([name, value], at) => ((index + 1) >> at) % 2 === 1 || isDispatching(name, value))
    return `${url.origin}${url.pathname}?${new URLSearchParams([...some])}`
  })
}

const offeredTo = (cases: readonly Case[], party: Party, leads: (one: Case) => boolean): ReadonlySet<string> => {
  const known = offered.get(cases)?.get(party)
  if (known !== undefined) return known
  const answered = (state: Reply['state']): ReadonlySet<string> =>
    new Set(
      cases.flatMap(({ asked, replies }) =>
        replies.get(party)?.state === state ? [addressOf(asked.request.url)] : [],
      ),
    )
  const [refused, granted] = [answered('refused'), answered('granted')]
  const found = new Set<string>()
  for (const one of cases) {
    if (!leads(one) && !isProofOf(party, one)) continue
    const reply = one.replies.get(party)
    if (!isGranted(reply) || !isHtml(mediaTypeOf(reply.exchange), reply.text)) continue
    const page = reply.exchange.request.url
    const { links, resources } = readHtml(reply.text, page)
    const led = new Set([...links, ...resources].flatMap(({ url }) => (url === null ? [] : [addressOf(url)])))
    // One menu for all says nothing of whom its entries are for.
    if (led.intersection(refused).size >= led.intersection(granted).size) continue
    for (const address of led) if (address !== addressOf(page)) found.add(address)
  }
  const others = offered.get(cases) ?? new Map<Party, ReadonlySet<string>>()
  offered.set(cases, others.set(party, found))
  return found
}
const offered = new WeakMap<readonly Case[], Map<Party, ReadonlySet<string>>>()

/** Whether somebody who is none of the few has the page of their proof in this folder, which says nothing then of whom it is for. */
export const isProvenIn = ({ session, rank }: Party, area: string): boolean =>
  area !== '' &&
  (rank ?? 0) < STAFF &&
  session?.proofAt !== undefined &&
  new URL(session.proofAt).pathname.split('/').includes(area)

/** The page that proves its session is its own by right, whatever folder it lies in. */
export const isProofOf = ({ session }: Party, { asked }: Case): boolean =>
  session?.proofAt !== undefined && addressOf(asked.request.url) === addressOf(session.proofAt)

/** However its parameters are encoded, and in whatever order they stand. */
const addressOf = (address: string): string => {
  const url = URL.parse(address)
  if (url === null) return address
  url.searchParams.sort()
  return JSON.stringify([url.origin, url.pathname, ...url.searchParams])
}
