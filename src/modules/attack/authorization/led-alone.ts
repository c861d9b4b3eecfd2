/**
 * Pages below an object that everybody knows of: `/plots/8/lease` of a plot in a public list. That its number is known says nothing of whose they are, but
 * the application does, which leads its owner there from the object's own page and nobody else from the same page.
 */
import { readHtml } from '../../../page/html.ts'
import type { CollectContext } from '../../module.ts'
import type { Answer } from './answers.ts'
import type { Flaw } from './facts.ts'
import { aloneSlot, type Case, flawOf, HALF, isHigher, isPublic, ownOf, type World } from './judging.ts'
import type { Slot } from './operations.ts'
import { isGranted, type Party } from './parties.ts'
import { carriedOf, isPersonal } from './telling.ts'

/** Each costs two requests, where another was shown something personal. */
const MOST = 20

/** `found`: what other questions have found already. */
export const ledAloneFlaws = async (
  ctx: CollectContext,
  cases: readonly Case[],
  world: World,
  found: readonly Flaw[],
): Promise<readonly Flaw[]> => {
  const known = new Set(found.map(({ name, by }) => `${by} ${name}`))
  const asked = cases.flatMap((one) =>
    isPublic(one, world)
      ? []
      : world.identities
          .filter((party) => party !== one.victim && !isHigher(party, one.victim))
          .filter((party) => !known.has(`${party.name} ${one.operation.name}`) && isShownMore(one, party))
          .map((party) => ({ one, party })),
  )
  const flaws: Flaw[] = []
  for (const { one, party } of asked.slice(0, MOST)) flaws.push(...(await askParent(ctx, one, party)))
  return flaws
}

/** What another knows the number of, and is shown more below it. */
const isShownMore = (one: Case, party: Party): boolean => {
  const reply = one.replies.get(party)
  if (!isGranted(reply) || parentOf(one) === null || aloneSlot(one, party) !== null) return false
  const { share, leaves } = carriedOf(ownOf(one, party), reply)
  return share >= HALF && leaves.some(isPersonal)
}

/** The page of the object itself; null where the address ends with it, or names none. */
const parentOf = ({ operation, asked }: Case): { readonly url: string; readonly slot: Slot } | null => {
  const slot = operation.slots.findLast(({ place }) => place === 'path')
  const url = new URL(asked.request.url)
  const segments = url.pathname.replace(/\/$/, '').split('/')
  // Segments are counted from the first behind the slash.
  const at = slot === undefined ? 0 : Number(slot.at) + 2
  if (slot === undefined || at >= segments.length) return null
  return { url: `${url.origin}${segments.slice(0, at).join('/')}`, slot }
}

const askParent = async (ctx: CollectContext, one: Case, party: Party): Promise<readonly Flaw[]> => {
  const parent = parentOf(one)
  const reply = one.replies.get(party)
  if (parent === null || !isGranted(reply)) return []
  const [mine, theirs] = [await one.victim.ask({ url: parent.url }), await party.ask({ url: parent.url })]
  if (!isGranted(mine) || !isGranted(theirs)) return []
  const target = pathOf(one.asked.request.url)
  if (!leadsTo(mine, target) || leadsTo(theirs, target)) return []
  const { leaves } = carriedOf(ownOf(one, party), reply)
  const own = leaves.filter(({ value }) => !theirs.values.has(value))
  if (!own.some(isPersonal)) return []
  const because = `${new URL(parent.url).pathname} leads ${one.victim.name} there, and not ${party.name}`
  return [flawOf(ctx, one, { kind: 'object', confidence: 'confirmed', leaves: own, slot: parent.slot, because }, party)]
}

const leadsTo = ({ text, exchange }: Answer, path: string): boolean => {
  const { links, forms } = readHtml(text, exchange.request.url)
  return [...links.map(({ url }) => url), ...forms.map(({ action }) => action)].some(
    (url) => url !== null && pathOf(url) === path,
  )
}

const pathOf = (address: string): string => (URL.parse(address)?.pathname ?? '').replace(/\/$/, '')
