/** What the pages that somebody is shown lead to. */
import { type HtmlInput, type HtmlPage, readHtml } from '../../../page/html.ts'
import { kindOf } from '../../../page/shape.ts'
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
  leads: (one: Case) => boolean = ANYBODY,
): boolean => {
  const { addresses, forms } = offeredTo(cases, party, leads)
  const { url } = asked.request
  if ([url, ...withFewer(url)].some((one) => addresses.has(addressOf(one)))) return true
  // A page whose form asks for itself leads there as far as one is led to the page.
  const isLed = ({ page, action }: LeadingForm): boolean => page !== action || addresses.has(addressOf(page))
  return forms.some((form) => isLed(form) && isFilledIn(form, url))
}

/** Whoever comes by is led there, or by a page of another kind to others of its kind: from a list to some of its records. */
export const isForEverybody = (one: Case, cases: readonly Case[], nobody: Party): boolean => {
  if (isOffered(one, cases, nobody)) return true
  const { url } = one.asked.request
  const isDone = [...(URL.parse(url)?.searchParams ?? [])].some(([name, value]) => isDispatching(name, value))
  return !isDone && offeredTo(cases, nobody, ANYBODY).kinds.has(kindOf(bare(url)))
}
const ANYBODY = (): boolean => true

/** Whether other operations show a value to whoever comes by, as pages lead there. */
export const shownToAll = (one: Case, cases: readonly Case[], nobody: Party): ((value: string) => boolean) => {
  const shown = cases.flatMap((other) => {
    const reply = other.operation === one.operation ? undefined : other.replies.get(nobody)
    return isGranted(reply) && isForEverybody(other, cases, nobody) ? [reply] : []
  })
  return (value) =>
    shown.some(({ values, text }) => values.has(value) || (value.length > SHORT && text.includes(value)))
}
/** Characters that stand in any text. */
const SHORT = 3

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

/** A form that asks for a page, filled in: each parameter is a field of it, and has its value where nobody is to change it. */
const isFilledIn = ({ action, inputs }: LeadingForm, address: string): boolean => {
  const url = URL.parse(address)
  if (url === null || url.search === '' || bare(address) !== action) return false
  return [...url.searchParams].every(([name, value]) =>
    inputs.some((input) => input.name === name && (input.type !== 'hidden' || input.value === value)),
  )
}

const offeredTo = (cases: readonly Case[], party: Party, leads: (one: Case) => boolean): Offered => {
  const known = offered.get(cases)?.get(party)
  if (known !== undefined) return known
  const answered = (state: Reply['state']): ReadonlySet<string> =>
    new Set(
      cases.flatMap(({ asked, replies }) =>
        replies.get(party)?.state === state ? [addressOf(asked.request.url)] : [],
      ),
    )
  const [refused, granted] = [answered('refused'), answered('granted')]
  const addresses = new Set<string>()
  const kinds = new Set<string>()
  const forms: LeadingForm[] = []
  for (const one of cases) {
    if (!leads(one) && !isProofOf(party, one)) continue
    const reply = one.replies.get(party)
    if (!isGranted(reply) || !isHtml(mediaTypeOf(reply.exchange), reply.text)) continue
    const page = reply.exchange.request.url
    const html = readHtml(reply.text, page)
    const { links, resources } = html
    const led = new Set([...links, ...resources].flatMap(({ url }) => (url === null ? [] : [addressOf(url)])))
    // One menu for all says nothing of whom its entries are for.
    const [less, more] = [led.intersection(refused).size, led.intersection(granted).size]
    if (less === 0 || less < more) forms.push(...leadingFormsOf(html, page))
    if (less >= more) continue
    for (const address of led) if (address !== addressOf(page)) addresses.add(address)
    for (const { url } of links) if (url !== null && isRecordBehind(url, page)) kinds.add(kindOf(bare(url)))
  }
  const found = { addresses, forms, kinds }
  const others = offered.get(cases) ?? new Map<Party, Offered>()
  offered.set(cases, others.set(party, found))
  return found
}
const offered = new WeakMap<readonly Case[], Map<Party, Offered>>()

interface Offered {
  readonly addresses: ReadonlySet<string>
  /** Of records, by what of their address is no number, as `kindOf` writes it. */
  readonly kinds: ReadonlySet<string>
  readonly forms: readonly LeadingForm[]
}

interface LeadingForm {
  /** Both without parameters. */
  readonly page: string
  readonly action: string
  readonly inputs: readonly HtmlInput[]
}

const leadingFormsOf = ({ forms }: Pick<HtmlPage, 'forms'>, page: string): readonly LeadingForm[] =>
  forms.flatMap(({ action, method, inputs }) =>
    action === null || method !== 'get' ? [] : [{ page: bare(page), action: bare(action), inputs }],
  )

/** Named by a number, and of another kind than the page. */
const isRecordBehind = (url: string, page: string): boolean =>
  kindOf(bare(url)) !== bare(url) && kindOf(bare(url)) !== kindOf(bare(page))

const bare = (address: string): string => address.split(/[?#]/)[0] ?? address

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
