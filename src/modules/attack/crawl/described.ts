/**
 * Operations of descriptions, brought by a person or found on the way: each is asked under the policy, those that need an id of
 * something after those that list it. What became of each is part of the reach.
 */
import type { Operation } from '../../../contract/described.ts'
import type { HttpExchange, HttpRequest } from '../../../egress/door/egress.ts'
import { createLinkedValues } from '../../../page/linked-values.ts'
import { isSafe } from '../../../safety/effect.ts'
import { takesAway } from '../../../safety/putting-away.ts'
import { harmOfAddress } from '../../../safety/safety.ts'
import { requestOf } from '../insertion-points/inventory.ts'
import { procedureOf, procedureText } from '../insertion-points/procedure.ts'
import { draftOf, isOpen } from './drafts.ts'
import type { DescribedOperation, RequestTemplate, Source } from './facts.ts'
import { answersWithErrors } from './graphql.ts'
import type { ReachNotes } from './reach.ts'
import type { Draft, Requests } from './requests.ts'

export interface DescribedParts {
  readonly origin: string
  readonly requests: Requests
  readonly notes: ReachNotes
  /** Null where nothing answers. */
  readonly send: (request: HttpRequest) => Promise<HttpExchange | null>
  /** Hands on what was answered to what was asked by the description alone. */
  readonly read: (url: string, answer: HttpExchange) => void
  /** Told of what was refused, which may say what it lacks. */
  readonly refused: (request: RequestTemplate, answer: HttpExchange) => void
  readonly signal: AbortSignal
}

export interface Described {
  /** `seenOn`: the address of the description; null where a person has brought it. */
  readonly take: (operations: readonly Operation[], source: Source, seenOn: string | null) => void
  /** Operations of a description that could not be taken: `GET /path`, and why. */
  readonly refuse: (where: string, reason: string) => void
  /**
   * Asks what can be asked with what is known by now, and lists what may write, to be learned. `last`: what is still without a
   * value gets one that is made up, and what was refused is asked once more. `until` is by performance.now().
   */
  readonly run: (last: boolean, until: number) => Promise<void>
  /** What one of the list was answered when it was sent to learn what it does. */
  readonly answered: (request: RequestTemplate, answer: HttpExchange) => void
  /** Writes what became of each into the notes. */
  readonly conclude: () => void
  /** Each with the request that stands for it now. */
  readonly operations: () => readonly DescribedOperation[]
}

interface Entry {
  readonly operation: Operation
  readonly source: Source
  readonly seenOn: string | null
  /** Best status so far; null where none was answered. */
  status: number | null
  /** Whether an answer was more than a refusal, whatever its status. */
  taken: boolean
  /** As it was listed last. */
  listed: RequestTemplate | null
  tries: number
}

/** What its body says is to be done: one address of JSON-RPC has as many operations as procedures. */
const saidBy = ({ body }: Operation): string =>
  body === null
    ? ''
    : procedureText(
        procedureOf({
          encoding: body.fields.length > 0 ? 'urlencoded' : /json/i.test(body.type) ? 'json' : 'none',
          fields: body.fields,
          body: body.text,
        }),
      )

const AT_ONCE = 6
const MOST = 5_000
/** Operations that facts keep. */
const MOST_KEPT = 2_000
/** One is asked at most so often: whole, with what is required alone, with other values. */
const MOST_TRIES = 3
/** Optional parameters that are added one by one. */
const MOST_ADDED = 8

export const createDescribed = (parts: DescribedParts): Described => {
  const { requests, notes, origin } = parts
  const values = createLinkedValues()
  const entries = new Map<string, Entry>()
  const asker = createAsker(parts, values)

  return {
    take: (operations, source, seenOn) => {
      for (const operation of operations) {
        const key = JSON.stringify([operation.method, operation.path, operation.name, saidBy(operation)])
        if (entries.has(key)) continue
        if (entries.size >= MOST) notes.count({ ...ROW, fate: 'left_out', reason: 'beyond the longest list' }, 1)
        else entries.set(key, { operation, source, seenOn, status: null, taken: false, listed: null, tries: 0 })
      }
    },
    refuse: (where, reason) => {
      const [, method = '', path = where] = /^([A-Z]+) (.*)$/s.exec(where) ?? []
      const url = `${origin}${path.startsWith('/') ? '' : '/'}${path}`
      notes.note({ ...ROW, method, url, fate: 'left_out', reason: `refused when it was read: ${reason}` })
    },
    run: async (last, until) => {
      asker.until(until)
      const all = [...entries.values()].toSorted((a, b) => turnOf(a) - turnOf(b))
      for (;;) {
        // What removes things comes when nobody needs them any more.
        const ready = all.filter(
          ({ tries, operation }) => tries === 0 && !isOpen(operation, values) && operation.method !== 'DELETE',
        )
        if (ready.length === 0 || asker.isOver()) break
        const reading = ready.filter(({ operation }) => isSafe(operation.method))
        await asker.askAll(reading.length > 0 ? reading : ready, false)
      }
      if (!last) return
      const refused = all.filter(
        ({ tries, status, taken }) => tries > 0 && tries < MOST_TRIES && status !== null && !taken,
      )
      await asker.askAll(refused, true)
      await asker.askAll(
        all.filter(({ tries }) => tries === 0),
        false,
      )
    },
    answered: asker.answered,
    conclude: () => {
      for (const entry of entries.values())
        notes.note({ ...ROW, ...fateOf(entry, requests), ...placeOf(entry, origin) })
    },
    operations: () =>
      [...entries.values()].slice(0, MOST_KEPT).map(({ operation, listed, status }) => {
        const { method, path, name, signIn, answer, readOnly, forAdministrators } = operation
        return {
          ...{ method, path, name, status, request: listed === null ? null : (requests.find(listed.id)?.id ?? null) },
          ...(signIn === undefined ? {} : { signIn }),
          ...(answer === undefined ? {} : { answer }),
          ...(readOnly === undefined ? {} : { readOnly }),
          ...(forAdministrators === undefined ? {} : { forAdministrators }),
        }
      }),
  }
}

/** Sends what operations describe, and keeps with each what it was answered. */
const createAsker = (
  { requests, origin, send, read, refused, signal }: DescribedParts,
  values: ReturnType<typeof createLinkedValues>,
) => {
  let end = 0
  const isOver = (): boolean => signal.aborted || performance.now() > end
  const byRequest = new Map<string, Entry>()

  const saw = (entry: Entry, url: string, answer: HttpExchange): void => {
    const text = answer.body.toString('utf8')
    const refuses = answer.status >= 400 || answersWithErrors(text)
    if (entry.status === null || rankOf(answer.status) < rankOf(entry.status)) entry.status = answer.status
    if (isGood(answer.status) && !refuses) entry.taken = true
    if (!refuses) values.saw(url, text)
  }

  /** Lists the operation as a request, and sends it where it may be sent freely. True where it was taken, and what it lists is nothing. */
  const ask = async (entry: Entry, how: { seenFirst: boolean; lean: boolean }): Promise<boolean> => {
    entry.tries += 1
    const { operation, source, seenOn } = entry
    const draft = draftOf(operation, { origin, source, seenOn, values, ...how })
    const listed = draft && requests.add(draft)
    if (!draft || !listed) return false
    entry.listed = listed
    byRequest.set(keyOf(listed), entry)
    if (listed.harm !== null || listed.bound !== undefined) return false
    const { url, method, headers, body } = requestOf(listed)
    const answer = await send({ url, method, headers, ...(body === null ? {} : { body }) })
    if (answer === null) return false
    saw(entry, url, answer)
    const text = answer.body.toString('utf8')
    if (answer.status >= 400 || answersWithErrors(text)) {
      refused(listed, answer)
      return false
    }
    requests.add({ ...draft, sent: true })
    if (method === 'GET') read(url, answer)
    return listsNothing(text)
  }

  /** Whole; with what is required alone where that is refused, or where a filter that was made up leaves nothing of a list. */
  const askBoth = async (entry: Entry, seenFirst: boolean): Promise<void> => {
    const isEmpty = await ask(entry, { seenFirst, lean: false })
    const wasRefused = entry.status !== null && !entry.taken
    if (!(wasRefused || isEmpty) || !hasLess(entry.operation) || isOver()) return
    await ask(entry, { seenFirst, lean: true })
    if (wasRefused && entry.taken) await addOneByOne(entry, seenFirst)
  }

  /** One optional parameter whose value is refused takes the others with it: those that are taken stay, and what an answer has shown by now is known. */
  const addOneByOne = async ({ operation, source, seenOn, listed }: Entry, seenFirst: boolean): Promise<void> => {
    if (operation.method !== 'GET' || listed === null || listed.harm !== null || listed.bound !== undefined) return
    const left = operation.parameters.filter((one) => one.in === 'query' && !one.required && !one.given)
    let also: ReadonlySet<string> = new Set()
    let taken: Draft | null = null
    for (const { name } of left.slice(0, MOST_ADDED)) {
      if (isOver()) break
      const more = new Set([...also, name])
      const draft = draftOf(operation, { ...{ origin, source, seenOn, values, seenFirst }, lean: true, also: more })
      if (!draft || harmOfAddress(draft.url) !== null) continue
      const answer = await send({ url: draft.url, method: 'GET', headers: draft.headers ?? [] })
      if (!answer || !isGood(answer.status)) continue
      also = more
      taken = draft
      read(draft.url, answer)
    }
    // Each parameter is a place once, of the address that has them all.
    if (taken !== null) requests.add({ ...taken, sent: true })
  }

  return {
    /** By performance.now(). */
    until: (time: number): void => {
      end = time
    },
    isOver,
    askAll: async (some: readonly Entry[], seenFirst: boolean): Promise<void> => {
      const waiting = [...some]
      const worker = async (): Promise<void> => {
        for (let next = waiting.shift(); next && !isOver(); next = waiting.shift()) await askBoth(next, seenFirst)
      }
      await Promise.all(Array.from({ length: AT_ONCE }, worker))
    },
    answered: (request: RequestTemplate, answer: HttpExchange): void => {
      const entry = byRequest.get(keyOf(request))
      if (entry) saw(entry, request.url, answer)
    },
  }
}

/** Of JSON with lists: none of them has an entry. What stands beside them tells how much there is. */
const listsNothing = (text: string): boolean =>
  text.length <= MOST_OF_NOTHING && /\[\s*\]/.test(text) && !/\[\s*[^\]\s]/.test(text)
const MOST_OF_NOTHING = 500

/** With what it takes away all else that is asked about it would be gone. */
const ASKED_LAST = 'it deletes or closes a thing: its places are asked behind all others'

const ROW = { kind: 'operation', holds: true } as const

const isGood = (status: number): boolean => status >= 200 && status < 300

/** Lower is better: taken, led elsewhere, refused, failed. */
const rankOf = (status: number): number => [2, 3, 4, 5].indexOf(Math.floor(status / 100)) >>> 0

/** What lists things comes before what shows one of them, and that before what makes or removes one. */
const turnOf = ({ operation: { method, path } }: Entry): number =>
  (method === 'GET' ? 0 : method === 'DELETE' ? 2_000 : 1_000) + path.split('{').length * 50 + path.split('/').length

const hasLess = ({ parameters, body }: Operation): boolean =>
  body?.lean !== undefined || parameters.some(({ required, given }) => !required && !given)

/** Ids change while routes are learned; what is sent does not. */
const keyOf = ({ method, url, body, fields }: RequestTemplate): string =>
  JSON.stringify([method, url, body, fields.map(({ name }) => name)])

const placeOf = ({ operation: { method, path, name } }: Entry, origin: string): { method: string; url: string } => ({
  method,
  url: `${origin}${path}${name === '' ? '' : `#${name}`}`,
})

const fateOf = (
  { status, listed }: Entry,
  requests: Requests,
): { fate: 'asked' | 'left_out' | 'cut_off'; reason: string | null; holds?: boolean; status?: number } => {
  if (status !== null) return { fate: 'asked', reason: null, status }
  if (listed === null) return { fate: 'cut_off', reason: 'the crawl ended before' }
  const { harm, boundBy } = requests.find(listed.id) ?? listed
  // Its places are listed, and say by themselves what becomes of them.
  if (harm !== null) return { fate: 'left_out', reason: harm, holds: false }
  if (takesAway(boundBy)) return { fate: 'left_out', reason: ASKED_LAST, holds: false }
  return { fate: 'cut_off', reason: 'it did not answer', holds: false }
}
