/** How modules share the writes of a form: each is promised some, whoever has something to show may take more, and a part is kept for the end. */
import { WRITES_PER_FORM } from '../../../safety/policy.ts'
import type { ProbeRequest } from './inventory.ts'
import { claimedBy } from './write-claims.ts'
import type { Asker, Form, Run, Sending } from './writes.ts'

/**
 * One module takes no more than this part of a form's writes, by how many ask: whoever comes first would leave nothing to the others.
 * Three hardly ever need the same form up to its end.
 */
const SHARES = [0.4, 1, 0.6, 0.4] as const
/** So much is promised to each: whoever comes last finds it, but for a proof. */
const PROMISED = 0.25
/** Of that, so many not even a proof may take before they were asked: by them a place shows whether it is worth more. */
const FIRST = 4
/** Of the writes that a form may be sent, so many are kept: what is stored shows elsewhere, and is looked for last. */
export const KEPT_WRITES = 8
/** Of those that are kept, so many are not even for a proof while places are asked: what was stored is proven last, and what is owed. */
const FOR_STORED = 4
/** Nor more than so many of those that were kept, before something has shown; and the last of all only for what has. */
const LATE = 3
const FOR_PROOFS = 3

/** What proved to read is not bounded, unless it was seen to write after all. `aside`: whatever proofs of others are promised. */
export const isLeft = <Answer>(
  form: Form,
  { request, pursues, claim }: Sending<Answer>,
  asker: Asker,
  aside?: 'proofs aside',
): boolean => {
  const { careful, used } = asker
  const most =
    request.bound ?? (form.changed ? (careful ? 0 : (asker.most ?? WRITES_PER_FORM)) : Number.POSITIVE_INFINITY)
  const shows = pursues === true || pursues === 'sign'
  const wanted = shows ? Math.min(FOR_STORED, asker.kept()) : asker.kept()
  const kept = most > 2 * asker.kept() ? wanted : 0
  // Who asks no places has a few to send, and its own time.
  const isAside = aside !== undefined || asker.late === undefined
  const claimed = isAside || !Number.isFinite(most) ? 0 : claimedBy(form.claims, claim)
  const ofKept = asker.late?.() ?? null
  if (form.counted >= most - Math.max(kept, claimed, ofKept === null || shows ? 0 : forDeeds(request))) return false
  if (ofKept && !shows && Number.isFinite(most))
    return (ofKept.get(form.id) ?? 0) < LATE && (most <= 2 * KEPT_WRITES || form.counted < most - FOR_PROOFS)
  if (kept === 0) return true
  const first = (used.get(form.id) ?? 0) < FIRST ? 0 : firstOf(form, asker)
  // What is being proven is worth more than first questions.
  const isClaimed = claim !== undefined && claim.left > 0
  if (first > 0 && !isClaimed && form.counted >= most - asker.kept() - first) return false
  if (pursues === true) return true
  // What is promised to it nobody takes from it; what goes beyond leaves the others theirs.
  const isItsPart = pursues === false && (used.get(form.id) ?? 0) < (most - kept) * PROMISED
  if (!isItsPart && form.counted >= most - kept - promisedBy(form, asker, most - kept)) return false
  return pursues === 'sign' || (used.get(form.id) ?? 0) < (most - kept) * shareOf(form.run)
}

/** What holds an amount is asked by others whether it takes any: with its own values, twice with others, and once to put them back. A price likewise. */
const OF_AMOUNTS = 4
const OF_PRICES = 4
const forDeeds = ({ body }: ProbeRequest): number =>
  AMOUNT.test(body ?? '') ? OF_AMOUNTS + (PRICE.test(body ?? '') ? OF_PRICES : 0) : 0
const AMOUNT = /[=:"]-?\d{1,9}(?:\.\d{1,4})?(?=[&,"}\s]|$)/
const PRICE = /price|cost|amount|total|fee/i

const shareOf = ({ askers: { size } }: Run): number => SHARES[size] ?? 1 / size

/** What others have not used yet of what is promised to them, of so many writes of the form. */
const promisedBy = (form: Form, { used }: Asker, of: number): number =>
  [...form.run.askers]
    .filter((other) => other !== used)
    .reduce((all, other) => all + Math.max(0, of * PROMISED - (other.get(form.id) ?? 0)), 0)

/** Of the first questions of others, those that they have not asked yet. */
const firstOf = (form: Form, { used }: Asker): number =>
  [...form.run.askers]
    .filter((other) => other !== used)
    .reduce((all, other) => all + Math.max(0, FIRST - (other.get(form.id) ?? 0)), 0)
