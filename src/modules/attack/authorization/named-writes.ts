/**
 * What is named for administrators and does something for a lone role all the same. Nobody of a higher role shows what it does, so that the name alone
 * proves nothing: beside it another operation has to refuse the same account for who it is (403: RFC 9110, 15.5.4), and nobody in particular has to be
 * refused by it. On test systems alone, once each, as the crawl has sent it before, or has kept from it as what closes a thing.
 */
import { PUTS_AWAY } from '../../../safety/deeds.ts'
import type { CollectContext } from '../../module.ts'
import type { Flaw } from './facts.ts'
import { type Case, flawOf, type World } from './judging.ts'
import { isForAdministrators, isForbidden, isOfFew } from './named.ts'
import { nameOf, type Operation, requestWith } from './operations.ts'
import { isGranted, type Party } from './parties.ts'
import { bounded } from './sending.ts'

const DOES: readonly string[] = ['POST', 'PUT', 'PATCH']

export const loneRoleWrites = async (
  ctx: CollectContext,
  operations: readonly Operation[],
  world: World,
): Promise<readonly Flaw[]> => {
  const [party] = world.identities
  if (party === undefined || ctx.target.environment !== 'test' || isOfFew(world.identities)) return []
  const flaws: Flaw[] = []
  for (const operation of operations) {
    const { reads, template } = operation
    const isKnown = template.sent || template.boundBy === PUTS_AWAY
    if (reads || !DOES.includes(template.method) || !isKnown || !isForAdministrators(operation)) continue
    const refused = refusedBeside(operation, party)
    if (refused !== null) flaws.push(...(await askOne(ctx, operation, party, world, refused)))
  }
  return flaws
}

const refusedBeside = ({ area }: Operation, party: Party): Operation | null =>
  [...party.own.keys()].find(
    (other) => other.area === area && isForAdministrators(other) && isForbidden(other, party),
  ) ?? null

const askOne = async (
  ctx: CollectContext,
  operation: Operation,
  party: Party,
  { nobody }: World,
  refused: Operation,
): Promise<readonly Flaw[]> => {
  const { template } = operation
  const request = requestWith(operation, new Map())
  const stranger = await bounded(ctx, operation, request, () => nobody.ask(request, template))
  if (stranger?.state !== 'refused') return []
  const reply = await bounded(ctx, operation, request, () => party.ask(request, template))
  if (reply === null || !isGranted(reply) || reply.exchange.status > 299) return []
  const one: Case = {
    ...{ operation, victim: party, stable: [], answers: [reply, reply] },
    ...{ asked: { request, values: new Map(), first: reply }, replies: new Map([[party, reply]]) },
  }
  const because = `its ${operation.forAdministrators ? 'description' : 'name'} says that it is for administrators, and ${refused.name} beside it is refused to ${party.name}`
  const found = { kind: 'function', confidence: 'firm', leaves: [], slot: null, because } as const
  const done = `${party.name}${party.role === '' ? '' : ` (${party.role})`} is answered status ${reply.exchange.status} by ${nameOf(operation).name}`
  return [{ ...flawOf(ctx, one, found, party), writes: true, detail: `${done}: ${because}.` }]
}
