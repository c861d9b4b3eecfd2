/** What pages lead to that are shown to nobody. */
import { readHtml } from '../../../page/html.ts'
import { isHtml, mediaTypeOf } from '../../../page/text.ts'
import type { Case } from './judging.ts'
import { isGranted, type Party, type Reply } from './parties.ts'

/** Whoever comes by is led there, so that all are meant to see it. */
export const isOffered = ({ asked }: Case, cases: readonly Case[], nobody: Party): boolean =>
  offeredBy(cases, nobody).has(addressOf(asked.request.url))

const offeredBy = (cases: readonly Case[], nobody: Party): ReadonlySet<string> => {
  const known = offered.get(cases)
  if (known !== undefined) return known
  const answered = (state: Reply['state']): ReadonlySet<string> =>
    new Set(
      cases.flatMap(({ asked, replies }) =>
        replies.get(nobody)?.state === state ? [addressOf(asked.request.url)] : [],
      ),
    )
  const [refused, granted] = [answered('refused'), answered('granted')]
  const found = new Set<string>()
  for (const { replies } of cases) {
    const reply = replies.get(nobody)
    if (!isGranted(reply) || !isHtml(mediaTypeOf(reply.exchange), reply.text)) continue
    const page = reply.exchange.request.url
    const { links, resources } = readHtml(reply.text, page)
    const led = new Set([...links, ...resources].flatMap(({ url }) => (url === null ? [] : [addressOf(url)])))
    // One menu for all says nothing of whom its entries are for.
    if (led.intersection(refused).size >= led.intersection(granted).size) continue
    for (const address of led) if (address !== addressOf(page)) found.add(address)
  }
  offered.set(cases, found)
  return found
}
const offered = new WeakMap<readonly Case[], ReadonlySet<string>>()

/** However its parameters are encoded, and in whatever order they stand. */
const addressOf = (address: string): string => {
  const url = URL.parse(address)
  if (url === null) return address
  url.searchParams.sort()
  return JSON.stringify([url.origin, url.pathname, ...url.searchParams])
}
