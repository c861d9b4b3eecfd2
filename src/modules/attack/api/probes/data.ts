/** What answers hold: secrets, what is people's own, and what the description does not name. */

import type { AnswerShape } from '../../../../contract/described.ts'
import { textOf } from '../../../../page/text.ts'
import type { CollectContext } from '../../../module.ts'
import { curlOf } from '../../insertion-points/replay.ts'
import { ask, type Topic } from '../asking.ts'
import type { DataHit } from '../facts.ts'
import { documentOf, isDenial, type Leaf, leavesOf, namesOf } from '../leaves.ts'
import { asked, type Target, whereOf } from '../operations.ts'
import { GRAVE, personalOf, secretOf, secretsOf } from '../sensitive.ts'
import { shownOf } from '../showing.ts'
import type { GivenTokens } from '../tokens/sources.ts'

export const dataWork =
  (ctx: CollectContext, given: GivenTokens): Topic<Target, DataHit>['work'] =>
  async ({ request, operation }, found) => {
    const whole = asked(request)
    const answer = await ask(ctx, whole)
    given.see(answer)
    const text = textOf(answer)
    const document = documentOf(answer)
    if (answer.status < 200 || answer.status >= 300 || document === undefined || isDescription(document)) return
    const stranger = asked(request, { authenticated: false })
    const open = ctx.hasCredentials ? await isSame(ctx, stranger, document) : !isDenial(answer.status, text)
    const tell = (kind: DataHit['kind'], names: readonly string[], what: readonly string[]): void => {
      const mark = `${kind === 'undocumented' ? 'not described' : 'holds'}: ${(what.length > 0 ? what : names).slice(0, 10).join(', ')}`
      found({
        ...{ kind, names: names.slice(0, 30), what, open, ...whereOf(request) },
        ...{ excerpt: shownOf(whole, mark, document), mark, replay: curlOf(open ? stranger : whole) },
      })
    }
    const leaves = leavesOf(document)
    const secrets = secretsOf(leaves)
    if (secrets.length > 0) tell('secret', eachOnce(secrets), whatOf(secrets.map((leaf) => secretOf(leaf)?.what ?? '')))
    const people = peopleIn(leaves, open)
    if (people.length > 0) tell('personal', eachOnce(people), whatOf(people.map((leaf) => personalOf(leaf) ?? '')))
    const told = eachOnce(secrets)
    const unknown = operation?.answer ? beyond(operation.answer, document).filter((name) => !told.includes(name)) : []
    if (unknown.length > 0) tell('undocumented', unknown, [])
  }

const eachOnce = (leaves: readonly Leaf[]): readonly string[] => [...new Set(leaves.map(({ pointer }) => pointer))]
const whatOf = (kinds: readonly string[]): readonly string[] => [...new Set(kinds)].toSorted()

/** Of several people, and more than how to reach them; of who asks it may be anything. */
const peopleIn = (leaves: readonly Leaf[], open: boolean): readonly Leaf[] => {
  const found = leaves.filter((leaf) => personalOf(leaf) !== null)
  const values = (kind: string): number =>
    new Set(found.filter((leaf) => personalOf(leaf) === kind).map(({ value }) => value)).size
  const several = whatOf(found.map((leaf) => personalOf(leaf) ?? '')).filter((kind) => values(kind) > 1)
  if (several.some((kind) => GRAVE.has(kind))) return found
  return open && several.length > 1 ? found : []
}

const isSame = async (ctx: CollectContext, request: ReturnType<typeof asked>, document: unknown): Promise<boolean> => {
  const answer = await ask(ctx, request)
  const other = documentOf(answer)
  if (answer.status < 200 || answer.status >= 300 || other === undefined) return false
  const names = new Set(namesOf(other))
  return namesOf(document).every((name) => names.has(name))
}

/** A description shows examples, and nobody's data. */
const isDescription = (document: unknown): boolean =>
  typeof document === 'object' &&
  document !== null &&
  ['openapi', 'swagger', '__schema', 'asyncapi', '$schema'].some((name) => name in document)

/** Names that stand where nothing more may. */
const beyond = ({ names, open }: AnswerShape, document: unknown): readonly string[] => {
  const known = new Set(['', ...names])
  return namesOf(document).filter(
    (name) =>
      !known.has(name) &&
      !open.some((prefix) => name === prefix || name.startsWith(`${prefix}/`)) &&
      known.has(parentOf(name)),
  )
}

/** The first that is unknown stands for what lies in it. The whole document is known. */
const parentOf = (name: string): string => name.slice(0, name.lastIndexOf('/'))
