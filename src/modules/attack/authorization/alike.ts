/**
 * Records of one program that are open to all: of hundreds of goods in a shop two are asked as everybody, the others as nobody. What nobody is kept from
 * nobody can take.
 */
import { headerOf } from '../../../page/exchange.ts'
import { segmentsOf } from '../../../page/segments.ts'
import { buildOf, type StandIns, type Standing } from '../insertion-points/likes.ts'
import type { Operation } from './operations.ts'
import { requestWith } from './operations.ts'
import { isGranted, type Party, type Reply } from './parties.ts'

/** A record that nobody was shown as those that stand for it, which were asked as everybody. */
export interface OpenRecord {
  readonly operation: Operation
  readonly program: string
  readonly reply: Reply
}

/** Those of a program that others stand for; `standing` by the id of its request. */
export const stoodFor = (operation: Operation, standIns: StandIns): Standing | null => {
  const standing = standIns.get(operation.template.id)
  return standing === undefined ||
    standing.asked.length === 0 ||
    standing.asked.includes(operation.template.id) ||
    !isPlainRead(operation)
    ? null
    : standing
}

/** What is read by its address alone. */
const isPlainRead = ({ template: { method, body } }: Operation): boolean => method === 'GET' && body === null

/**
 * Those that nobody is shown, built and labelled as nobody's pages of those that stand for them. `side`: carries out the work for each,
 * several at once.
 */
export const openRecords = async (
  operations: readonly Operation[],
  standIns: StandIns,
  nobody: Party,
  side: (some: readonly Operation[], work: (operation: Operation) => Promise<void>) => Promise<unknown>,
): Promise<readonly OpenRecord[]> => {
  const replies = new Map<Operation, Reply>()
  const ask = async (operation: Operation): Promise<void> => {
    const known = nobody.own.get(operation)?.first
    replies.set(operation, known ?? (await nobody.ask(requestWith(operation, new Map()), operation.template)))
  }
  const rest = operations.flatMap((operation) => {
    const standing = stoodFor(operation, standIns)
    return standing === null ? [] : [{ operation, standing }]
  })
  const ids = new Set(rest.flatMap(({ standing }) => standing.asked))
  const first = operations.filter(({ template }) => ids.has(template.id))
  await side(first, ask)
  /** By the id of a request, how nobody's page of it is built. */
  const builds = new Map(first.map((one) => [one.template.id, buildFor(one, standIns, replies)]))
  const usual = ({ asked }: Standing): string | null => {
    const [one, ...others] = asked.map((id) => builds.get(id) ?? null)
    return one !== undefined && others.every((other) => other === one) ? one : null
  }
  const worth = rest.filter(({ standing }) => usual(standing) !== null)
  await side(
    worth.map(({ operation }) => operation),
    ask,
  )
  return worth.flatMap(({ operation, standing }) => {
    const reply = replies.get(operation)
    const isSame = buildFor(operation, standIns, replies) === usual(standing)
    return isSame && reply !== undefined ? [{ operation, program: standing.program, reply }] : []
  })
}

const buildFor = (operation: Operation, standIns: StandIns, replies: ReadonlyMap<Operation, Reply>): string | null => {
  const reply = replies.get(operation)
  const program = standIns.get(operation.template.id)?.program
  if (!isGranted(reply) || program === undefined) return null
  const { exchange, text } = reply
  const { url } = operation.template
  const word = segmentsOf(url)[program.split('/').indexOf('*') - 1] ?? ''
  const contentType = headerOf(exchange, 'content-type') ?? ''
  return buildOf({ status: exchange.status, text, contentType }, url, word)
}
