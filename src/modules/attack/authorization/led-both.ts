/**
 * What a page leads to that the other is shown as well: a file of a ticket that a team works on, a search that all may use. That its number shows to one
 * alone comes of what each has looked at then, and the object is hardly one's own.
 */

import { readHtml } from '../../../page/html.ts'
import { kindOf } from '../../../page/shape.ts'
import type { Answer } from './answers.ts'
import type { Flaw } from './facts.ts'
import { aloneSlot, type Case } from './judging.ts'
import { isGranted, type Party } from './parties.ts'

/** Each page is asked once as the other. */
const MOST_PAGES = 3
const MOST_ASKED = 30

/** The same flaws; those to which such a page leads are tentative. */
export const withoutLedBoth = async (
  flaws: readonly Flaw[],
  cases: readonly Case[],
  parties: readonly Party[],
): Promise<readonly Flaw[]> => {
  const answered = new Map<string, Promise<Answer | null>>()
  const ask = (party: Party, url: string): Promise<Answer | null> => {
    const key = `${party.name} ${url}`
    const before = answered.get(key)
    if (before !== undefined || answered.size >= MOST_ASKED) return before ?? Promise.resolve(null)
    const reply = party.ask({ url }).then((one) => (isGranted(one) ? one : null))
    answered.set(key, reply)
    return reply
  }
  const kept: Flaw[] = []
  for (const flaw of flaws) {
    const party = parties.find(({ name, isNobody }) => !isNobody && name === flaw.by)
    const page =
      party === undefined || !isProvenObject(flaw) ? null : await pageOfBoth(flaw, { party, flaws, cases, ask })
    kept.push(
      page === null
        ? flaw
        : { ...flaw, confidence: 'tentative', detail: `${flaw.detail} ${pathOf(page)} leads both of them there.` },
    )
  }
  return kept
}

const isProvenObject = ({ kind, writes, confidence }: Flaw): boolean =>
  kind === 'object' && !writes && confidence !== 'tentative'

interface Asking {
  readonly party: Party
  readonly flaws: readonly Flaw[]
  readonly cases: readonly Case[]
  readonly ask: (party: Party, url: string) => Promise<Answer | null>
}

/** A page that another is shown by a flaw leads nobody anywhere by right; and what names no object is nobody's own. */
const pageOfBoth = async (flaw: Flaw, { party, flaws, cases, ask }: Asking): Promise<string | null> => {
  const flawed = new Set(flaws.filter((one) => one.by === flaw.by && isProvenObject(one)).map(({ url }) => kindOf(url)))
  const one = cases.find(({ asked, victim }) => asked.request.url === flaw.url && victim.name === flaw.owner)
  if (one === undefined || aloneSlot(one, party) === null) return null
  const seenOn = one.operation.template.url === flaw.url ? one.operation.template.seenOn : []
  const shown = [...one.victim.own.values()].flatMap(({ request, first }) =>
    isGranted(first) && leadsTo(first, flaw.url) ? [request.url] : [],
  )
  const pages = [...new Set([...seenOn, ...shown])].filter((page) => page !== flaw.url && !flawed.has(kindOf(page)))
  for (const page of pages.slice(0, MOST_PAGES)) {
    const answer = await ask(party, page)
    if (answer !== null && leadsTo(answer, flaw.url)) return page
  }
  return null
}

const leadsTo = ({ text, exchange }: Answer, target: string): boolean => {
  const { links, forms } = readHtml(text, exchange.request.url)
  const wanted = plain(target)
  return [...links.map(({ url }) => url), ...forms.map(({ action }) => action)].some(
    (url) => url !== null && plain(url) === wanted,
  )
}

/** However its parameters are ordered and encoded. */
const plain = (address: string): string => {
  const url = URL.parse(address)
  if (url === null) return address
  url.hash = ''
  url.searchParams.sort()
  return url.href
}

const pathOf = (address: string): string => URL.parse(address)?.pathname ?? address
