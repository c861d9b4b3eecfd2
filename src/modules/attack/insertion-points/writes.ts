/**
 * How often what may write is sent, by form. What the site refuses while its pages stay as they are has stored nothing and does
 * not count; what proved to read is sent freely as long as they stay so. docs/decisions/0277 says why.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Effect } from '../../../safety/effect.ts'
import { WRITES_PER_FORM } from '../../../safety/policy.ts'
import { areUnchanged, type GetPage, type LastReads, readPages, tellingOf } from '../effects/pages.ts'
import type { Read } from '../effects/reads.ts'
import type { ProbeRequest } from './inventory.ts'
import { isRefusedWrite, REFUSALS, type WriteAnswer } from './refused-writes.ts'
import { type Claim, claimsOver, takeOfClaim } from './write-claims.ts'
import { isLeft } from './write-shares.ts'

/** Who asks: one module. */
export interface Asker {
  /** So many of a form's writes are kept for what follows the places; 0 from then on. */
  readonly kept: () => number
  /** By form: how many of its writes this module has used; the same that it has joined with. */
  readonly used: Map<string, number>
  /** Likewise, of those that were kept; null until it may use them. */
  readonly late?: () => Map<string, number> | null
  readonly get: GetPage
  /** What pages said when they were last read; absent where that is not known. */
  readonly known?: LastReads['of']
  /** Of a production system: nothing more is sent to find out whether a change was made by somebody else. */
  readonly careful: boolean
  /** How often what was seen to write is sent for each form of a test system; by default WRITES_PER_FORM. */
  readonly most?: number
}

/** How a module sends. */
export interface Manner extends Pick<Asker, 'careful' | 'most'> {
  readonly signedIn: boolean
  /** Absent where it has not joined. */
  readonly used?: Asker['used']
  /** Aborted while it does not wait for forms that refuse for a time, which is the default. */
  readonly patience?: () => AbortSignal
}

/** Nothing is known of the run: as careful as can be. */
export const CAREFUL: Manner = { signedIn: false, careful: true }

export type Pursues = boolean | 'sign' | 'spare'

/** One sending of a request. */
export interface Sending<Answer> {
  readonly request: ProbeRequest
  /** Another value than the page's own stands in it. */
  readonly changes: boolean
  /**
   * Something has shown at its place: it may take what is kept, and the parts of others. A 'sign' that any of them may go by takes what
   * is promised to none of them, and so does what is 'spare': it promises least, and takes no more than its own part either.
   */
  readonly pursues: Pursues
  /** Of a place that is being proven. */
  readonly claim?: Claim | undefined
  /** The value means nothing: on a test system pages are read again behind the first that means something. */
  readonly quiet?: true | undefined
  readonly work: () => Promise<Answer>
  /** Sends it with one more value that means nothing. */
  readonly another: () => Promise<void>
}

export interface Writes {
  /** A module begins to ask places, and uses so many writes by form; what it gives back says that it has ended. */
  readonly join: (used?: Asker['used']) => () => void
  /** Null where it may not be sent any more. */
  readonly send: <Answer extends WriteAnswer>(asker: Asker, sending: Sending<Answer>) => Promise<Answer | null>
  /** While the work goes on, nobody but the module of this sends to the form of the request. */
  readonly alone: <Value>(used: Asker['used'], request: ProbeRequest, work: () => Promise<Value>) => Promise<Value>
  /** The module has asked all that deletes nothing. */
  readonly rest: (used: Asker['used']) => void
  /** Whether another module than this asks places now; 'about records': such as what deletes would take from it. */
  readonly othersAsk: (used: Asker['used'], what?: 'about records') => boolean
  /** Ends when none does any more. */
  readonly othersEnd: (used: Asker['used'], what?: 'about records') => Promise<void>
  /** As learned before, or seen since. */
  readonly effectOf: (request: ProbeRequest) => Effect
  /** Grows with each sending that may have written something. */
  readonly written: () => number
  /** How often what may have written something was sent, by the request that stands for its form. */
  readonly counts: () => Readonly<Record<string, number>>
}

export interface Run {
  counted: number
  /** Of those that are over; never less. */
  written: number
  /** What modules that ask places now have used; none where nobody says so. `left`: the next of them ends. */
  readonly askers: Set<ReadonlyMap<string, number>>
  /** Of these, who has nothing left but what deletes. */
  readonly resting: Set<ReadonlyMap<string, number>>
  left: PromiseWithResolvers<void>
  /** While it is found out whether this form changes its pages, no other is sent; null otherwise. */
  alone: { readonly form: Form; readonly over: Promise<void> } | null
}

export interface Form {
  readonly id: string
  /** The request that stands for it. */
  readonly first: string
  /** That of the first, for all of its form. */
  readonly pages: readonly string[]
  /** Of all forms. */
  readonly run: Run
  /** Sent, and may have written. */
  counted: number
  /** Sent, and has written nothing as far as its pages tell. */
  free: number
  /** Of those, with other values than the page's own, which on a test system mean something. */
  others: number
  /** At so many others the pages are read again. */
  next: number
  changed: boolean
  /** The answer to the request as it is. */
  accepted: WriteAnswer | null
  /** Refused by the site, and for that not counted. */
  refused: number
  /** Taken by the site, for all that is known, since the pages were read. */
  taken: number
  /** The pages changed where everything was refused: a refusal says nothing here. */
  refusedStores: boolean
  /** The pages changed, and the next value shows whether by it. */
  doubtful: boolean
  /** What the pages said before was read by the crawl: others may have changed them since. */
  aged: boolean
  /** How often they changed by somebody else. */
  excuses: number
  before: readonly Read[] | null
  /** How often other forms that may write were sent, when the pages were read. */
  elsewhere: number
  /** The first other value that means something, alone; null before it. */
  trial: Promise<void> | null
  /** One reads the pages at a time. */
  line: Promise<void>
  /** Of what is being proven, the first first. */
  readonly claims: Claim[]
  /** The module that has it for itself, and until when; null otherwise. */
  held: { readonly by: Asker['used']; readonly over: Promise<void> } | null
}

/** Pages are read again behind the first of such values, then each time that so many times more were sent, or a bound's worth at most. */
const SELDOMER = { production: 4, test: 16 } as const
/** So many changes of pages may be those of visitors. */
const EXCUSES = 3
/** Milliseconds that a form is left to one module while another wants it. */
const PATIENCE = 4_000

const NEW: Omit<Form, 'id' | 'first' | 'pages' | 'run' | 'line' | 'claims'> = {
  ...{ counted: 0, free: 0, others: 0, next: 1, changed: false, doubtful: false, aged: false, excuses: 0 },
  ...{ before: null, elsewhere: 0, trial: null, held: null, accepted: null },
  ...{ refused: 0, taken: 0, refusedStores: false },
}

export const createWrites = (): Writes => {
  const forms = new Map<string, Form>()
  const run: Run = {
    ...{ counted: 0, written: 0, askers: new Set(), resting: new Set(), left: Promise.withResolvers(), alone: null },
  }
  const othersAsk: Writes['othersAsk'] = (used, what) =>
    [...run.askers].some((one) => one !== used && (what === undefined || !run.resting.has(one)))
  const tellOthers = (): void => {
    run.left.resolve()
    run.left = Promise.withResolvers()
  }
  const find = ({ id, form: key = id, watched = [] }: ProbeRequest): Form => {
    const known = forms.get(key)
    if (known) return known
    const form = { ...NEW, id: key, first: id, pages: watched, run, claims: [], line: Promise.resolve() }
    forms.set(key, form)
    return form
  }
  return {
    join: (used = new Map()) => {
      run.askers.add(used)
      return () => {
        run.askers.delete(used)
        tellOthers()
      }
    },
    rest: (used) => {
      run.resting.add(used)
      tellOthers()
    },
    send: async (asker, sending) => {
      const { request } = sending
      if (request.bound === undefined && request.watched === undefined) return sending.work()
      const form = find(request)
      if (form.held !== null) await freeOf(form, asker.used)
      const watches = await isWatched(form, request, asker)
      if (!watches || !isLookedBehind(asker, sending)) return sendOne(form, asker, sending, watches)
      if (form.trial !== null) {
        await form.trial
        return sendOne(form, asker, sending, isOpen(form, request))
      }
      const trial = Promise.withResolvers<void>()
      form.trial = trial.promise
      return sendOne(form, asker, sending, true).finally(() => trial.resolve())
    },
    alone: async (used, request, work) => {
      const form = find(request)
      if (form.held !== null) await freeOf(form, used)
      const over = Promise.withResolvers<void>()
      const own = { by: used, over: over.promise }
      form.held = own
      try {
        return await work()
      } finally {
        // Whoever did not want to wait any more has it by now.
        if (form.held === own) form.held = null
        over.resolve()
      }
    },
    othersAsk,
    othersEnd: async (used, what) => {
      while (othersAsk(used, what)) await run.left.promise
    },
    effectOf: ({ id, form = id, effect }) => (forms.get(form)?.changed ? 'writes' : effect),
    written: () => run.written,
    counts: () =>
      Object.fromEntries(
        [...forms.values()].filter(({ counted }) => counted > 0).map(({ first, counted }) => [first, counted]),
      ),
  }
}

/** What was seen to write is not watched: each of its requests counts. */
const isOpen = ({ changed }: Form, { effect }: ProbeRequest): boolean => !changed && effect !== 'writes'

const isWatched = async (form: Form, request: ProbeRequest, asker: Asker): Promise<boolean> => {
  if (form.pages.length === 0 || !isOpen(form, request)) return false
  await inLine(form, async () => {
    form.before ??= lastRead(form, asker) ?? (await reread(form, asker))
  })
  return tellingOf(form.pages, form.before ?? []).length > 0
}

const sendOne = async <Answer extends WriteAnswer>(
  form: Form,
  asker: Asker,
  sending: Sending<Answer>,
  watches: boolean,
): Promise<Answer | null> => {
  const { request } = sending
  await othersLookedAt(form)
  if (!isLeft(form, sending, asker)) {
    if (!isLeft(form, sending, asker, 'proofs aside')) return null
    await claimsOver(form.claims, sending.claim)
    if (!isLeft(form, sending, asker)) return null
  }
  if (sending.claim) takeOfClaim(form.claims, sending.claim)
  count(form, asker, 1)
  let mayHave = true
  try {
    const answer = await sending.work()
    if (!sending.changes && answer.status > 0 && answer.status < 400) form.accepted ??= answer
    const bounded = request.bound !== undefined || form.changed
    const refused = isRefused(form, asker, request, answer)
    if (!refused) form.taken += 1
    mayHave = !(refused && bounded) && (!watches || form.changed || (bounded && answer.status < 400))
    if (mayHave) return answer
    count(form, asker, -1)
    if (refused && bounded) form.refused += 1
    if (form.changed || !watches) return answer
    form.free += 1
    return await lookBehind(form, asker, sending, answer)
  } finally {
    if (mayHave) form.run.written += 1
  }
}

/** Of a production system nothing is left out of the count. */
const isRefused = (
  form: Form,
  { careful, most = WRITES_PER_FORM }: Asker,
  request: ProbeRequest,
  answer: WriteAnswer,
): boolean =>
  !careful &&
  !form.refusedStores &&
  form.refused < REFUSALS * (request.bound ?? most) &&
  isRefusedWrite(request, form.accepted, answer)

/** What has written nothing so far, as its pages tell. */
const lookBehind = async <Answer extends WriteAnswer>(
  form: Form,
  asker: Asker,
  sending: Sending<Answer>,
  answer: Answer,
): Promise<Answer> => {
  if (!isLookedBehind(asker, sending)) return answer
  form.others += 1
  if (form.others >= form.next) await inLine(form, () => look(form, asker, sending))
  return answer
}

const isLookedBehind = <Answer>({ careful }: Asker, { changes, quiet }: Sending<Answer>): boolean =>
  changes && (careful || !quiet)

const count = (form: Form, { used, late }: Asker, times: number): void => {
  form.counted += times
  form.run.counted += times
  used.set(form.id, (used.get(form.id) ?? 0) + times)
  const ofKept = late?.()
  ofKept?.set(form.id, (ofKept.get(form.id) ?? 0) + times)
}

/** Not of a production system: what somebody has changed there since would take four more requests to be told from what the form does. */
const lastRead = (form: Form, { careful, known }: Asker): readonly Read[] | null => {
  const reads = careful ? null : (known?.(form.pages) ?? null)
  form.aged = reads !== null
  return reads
}

const reread = (form: Form, { get }: Asker): Promise<readonly Read[]> => {
  form.elsewhere = form.run.counted - form.counted
  return readPages(form.pages, get)
}

/** Reads the pages again. Where they changed by it, all that was sent may have written. */
const look = async <Answer>(form: Form, asker: Asker, sending: Sending<Answer>): Promise<void> => {
  if (form.changed || form.others < form.next) return
  form.next = Math.min(form.others * SELDOMER[asker.careful ? 'production' : 'test'], form.others + WRITES_PER_FORM)
  const { before, elsewhere, pages } = form
  const after = await reread(form, asker)
  const same = await areUnchanged(pages, before ?? [], after, asker.get)
  form.before = after
  const mayBeOthers = form.aged || form.elsewhere !== elsewhere
  form.aged = false
  if (same) {
    form.doubtful = false
    form.taken = 0
    return
  }
  if (asker.careful ? isExcused(form) : mayBeOthers && !(await isOwn(form, asker, sending))) return
  form.changed = true
  form.refusedStores = form.taken === 0
  count(form, asker, form.free)
  form.run.written += form.free
}

/**
 * Visitors change pages of a production system, too, though hardly behind the first value: a change that is seen later is laid to the
 * form where another follows its next value, or where it is one too many.
 */
const isExcused = (form: Form): boolean => {
  if (form.others <= 1 || form.doubtful || form.excuses === EXCUSES) return false
  form.doubtful = true
  form.excuses += 1
  form.next = form.others + 1
  return true
}

/**
 * Others that may write were sent as well, or may have been since the crawl read the pages: a change is laid to the form where one follows two values of its own. One that means
 * nothing may be refused where that of the probe was taken, and what is written over by the same again does not change.
 */
const isOwn = async <Answer>(form: Form, asker: Asker, { work, another }: Sending<Answer>): Promise<boolean> => {
  await othersLookedAt(form)
  const over = Promise.withResolvers<void>()
  form.run.alone = { form, over: over.promise }
  try {
    let changes = 0
    for (const send of [another, work, another, work]) {
      const before = await reread(form, asker)
      form.free += 1
      await send()
      form.before = await reread(form, asker)
      if (!(await areUnchanged(form.pages, before, form.before, asker.get))) changes += 1
    }
    return changes > 1
  } finally {
    form.run.alone = null
    over.resolve()
  }
}

/** What others store in between would be laid to the one that is looked at. */
const othersLookedAt = async ({ run, id }: Form): Promise<void> => {
  while (run.alone !== null && run.alone.form.id !== id) await run.alone.over
}

/** Whoever has the form may wait for an answer that is asked for by another: after a while that one goes on. */
const freeOf = async (form: Form, used: Asker['used']): Promise<void> => {
  const called = new AbortController()
  const patience = delay(PATIENCE, 'over', { ref: false, signal: called.signal }).catch(() => 'called off')
  while (form.held !== null && form.held.by !== used)
    if ((await Promise.race([form.held.over, patience])) === 'over') break
  called.abort()
}

const inLine = async (form: Form, work: () => Promise<void>): Promise<void> => {
  const before = form.line
  const done = Promise.withResolvers<void>()
  form.line = done.promise
  await before
  await work().finally(() => done.resolve())
}
