/**
 * Whether what was sent to a place came to the code behind it. A request that is refused as its own page makes it, for want of a token, a
 * right or a valid neighbour, is answered alike whatever stands in it: such a place was not asked, whatever was sent there.
 */
import { type Refusal, refusalIn } from '../../../page/refusing.ts'
import { compose, isAdded } from './compose.ts'
import { EVERY_WAY, TURNED_AWAY } from './facts.ts'
import { isGuess } from './groups.ts'
import { type ProbePoint, slotOf } from './inventory.ts'
import { identical, moves, noiseOf } from './likeness.ts'
import { OWN_NAMES } from './point.ts'
import { leavesOf } from './points.ts'
import type { Reply } from './prober.ts'
import type { Leave } from './records.ts'
import type { Shared } from './shared.ts'
import { secretsIn } from './sign-in.ts'

export const keyOf = (point: ProbePoint): string => `${point.request.id} ${slotOf(point)}`

/** A header or cookie that is put beside a request has a baseline of its own. */
export const baselineKey = (point: ProbePoint): string => (isAdded(point) ? keyOf(point) : point.request.id)

/** Nobody has looked at the values: who asks, the method, the form of the message (RFC 9110, 15.5); 419 and 440 of frameworks. */
const GATES: ReadonlySet<number> = new Set([401, 403, 405, 406, 407, 415, 419, 426, 428, 440, 511])
/** As well what is said of a value that was looked at. */
const VALUES: ReadonlySet<number> = new Set([400, 409, 412, 417, 422])

/** By its status, or in words where that promises a result. */
const refusalOf = (reply: Reply): Refusal => {
  if (GATES.has(reply.status)) return 'gate'
  return VALUES.has(reply.status) ? 'value' : refusalIn(reply)
}

/** What a place was answered with, whoever asked. */
export const noteReached = (reached: Map<string, boolean>, point: ProbePoint, reply: Reply): void => {
  const members = point.members ?? [point]
  if (members.every((one) => reached.get(keyOf(one)))) return
  const came = reply.status !== 0 && refusalOf(reply) === null
  // Which of a group was looked at the answer to all does not tell.
  if (came && point.members) return
  for (const one of members) reached.set(keyOf(one), came || reached.get(keyOf(one)) === true)
}

/** Headers, cookies and guesses stand beside requests that have places of their own, and are asked at others as well. */
const isOwn = (point: ProbePoint): boolean =>
  !isAdded(point) && point.place !== 'name' && !OWN_NAMES.has(point.place) && !isGuess(point)

/** Each is null where the request may not be sent any more. */
interface Asks {
  readonly usual: (point: ProbePoint) => Promise<readonly [Reply, Reply] | null>
  readonly other: (point: ProbePoint, value: string) => Promise<Reply | null>
}

/** Null, and nothing is asked, where a place has shown to be reached. */
export const leaveTurnedAway = (point: ProbePoint, shared: Shared, asks: Asks, leave: Leave): Promise<void> | null => {
  if (!isOwn(point) || shared.reached.get(keyOf(point)) !== false) return null
  return isTurnedAway(point, shared, asks).then((isSo) => {
    if (isSo) leave(point, EVERY_WAY, TURNED_AWAY)
  })
}

const isTurnedAway = async (point: ProbePoint, { replies }: Shared, { usual: ask, other }: Asks): Promise<boolean> => {
  const usual = await ask(point)
  if (usual === null) return true
  const refusal = refusalOf(usual[0])
  if (refusal === null) return false
  // A wrong password is refused, and was looked at.
  if (isOfPasswords(usual[0], refusal) && secretsIn(point.request.body ?? '').length > 0) return false
  const control = await replies.known(`${keyOf(point)} control`)?.catch(() => undefined)
  if (control && moves(control, usual, [point.value])) return false
  if (refusal !== 'value' || !isAlone(point)) return true
  // Nothing else could be wrong: where nothing is answered otherwise than something, it was looked at.
  const nothing = compose(point, '') === null ? null : await other(point, '')
  return nothing === null || identical(nothing, usual[0], noiseOf(usual))
}

/** Under a status of success nobody has looked at the password where the words speak of a captcha or a token. */
const isOfPasswords = ({ status }: Reply, refusal: Refusal): boolean =>
  status < 400 ? refusal === 'value' : [400, 401, 403].includes(status)

/** The one value of its request. */
const isAlone = ({ request: { url, body, headers }, place }: ProbePoint): boolean => {
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  const values = body === null ? 0 : /json/i.test(type) ? leavesOf(body).length : body.split(/&|\bname="/).length
  return new URL(url).searchParams.size + values + (place === 'path' ? 1 : 0) === 1
}
