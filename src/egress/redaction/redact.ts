/**
 * Takes a run's credentials out of what is told to people: findings, facts at rest, evidence, reports, events, logs.
 * Never applied to what a scan works with, and so to nothing that is sent to a target.
 *
 * A secret is hidden wherever it appears, also where a target gives it back in another coding (percent, HTML, JSON and
 * JavaScript, hexadecimal, base64), case, order or spacing, or in part. A value that is an ordinary word is hidden as
 * the value of its name alone.
 */
import { undoCodings } from './coded-text.ts'
import { createOwnContext, type OwnContext } from './own-context.ts'
import { REDACTED } from './redacted.ts'
import { formsOf } from './secret-forms.ts'
import { createIndex, joined, type Search, type Span } from './secret-search.ts'
import { type Hidden, hiddenOf, type OwnValue, type RunCredentials, SHORTEST } from './secrets-of.ts'

export interface Redactor {
  /** False when there is nothing to hide; everything then passes untouched. */
  readonly active: boolean
  readonly text: (text: string) => string
  /** Bytes in any ASCII-compatible coding. Gives the same object back when nothing was found. */
  readonly bytes: (bytes: Buffer) => Buffer
  /**
   * The texts within a JSON value; never its keys, numbers and truth values. Buffers are treated as bytes. What holds
   * nothing to hide is given back as the same object.
   */
  readonly value: <T>(value: T) => T
}

/** A redactor that learns: a session that is begun anew has secrets of its own, and those of the one before stay secret. */
export interface LearningRedactor extends Redactor {
  /** `isPassing`: good for one answer; of these the last few are enough, as there is one for each request. */
  readonly learn: (credentials: RunCredentials, isPassing?: boolean) => void
}

/** Several requests may be under way, and what they were answered is told a little later. */
const MOST_PASSING = 20

/** `vocabulary`: terms of the product in lower case, which no credential makes secret. */
export const createRedactor = (credentials: RunCredentials, vocabulary?: ReadonlySet<string>): LearningRedactor => {
  const index = createIndex()
  const secrets = createCounted(
    (secret: string) => secret,
    (secret) => {
      const forms = formsOf(secret, SHORTEST)
      index.add(forms)
      return () => index.remove(forms)
    },
  )
  let context: OwnContext | null = null
  const own = createCounted(
    ({ of, name, value }: OwnValue) => JSON.stringify([of, name, value]),
    () => () => undefined,
  )
  const take = ({ secrets: all, own: values }: Hidden): void => {
    for (const secret of all.toSorted((a, b) => b.length - a.length)) secrets.hold(secret)
    const before = own.size()
    for (const one of values) own.hold(one)
    if (own.size() !== before) context = createOwnContext(own.all())
  }
  const leave = ({ secrets: all, own: values }: Hidden): void => {
    for (const secret of all) secrets.release(secret)
    const before = own.size()
    for (const one of values) own.release(one)
    if (own.size() !== before) context = createOwnContext(own.all())
  }
  const passing: Hidden[] = []
  take(hiddenOf(credentials, vocabulary))

  const text = (input: string): string => {
    const cleaned = secrets.size() > 0 && input.length >= SHORTEST ? hideSecrets(index.search, input) : input
    return context === null ? cleaned : context.text(cleaned)
  }
  const bytes = (input: Buffer): Buffer => {
    if (!isActive()) return input
    // latin1 keeps every byte as one character, so nothing but the secret changes.
    const before = input.toString('latin1')
    const after = text(before)
    return after === before ? input : Buffer.from(after, 'latin1')
  }
  const isActive = (): boolean => secrets.size() > 0 || context !== null
  return {
    get active() {
      return isActive()
    },
    text,
    bytes,
    value: (value) => (isActive() ? visitAll(value, text, bytes, context) : value),
    learn: (more, isPassing = false) => {
      const hidden = hiddenOf(more, vocabulary)
      take(hidden)
      if (!isPassing) return
      passing.push(hidden)
      const [oldest] = passing
      if (passing.length <= MOST_PASSING || oldest === undefined) return
      passing.shift()
      leave(oldest)
    },
  }
}

interface Counted<Item> {
  readonly hold: (item: Item) => void
  readonly release: (item: Item) => void
  readonly size: () => number
  readonly all: () => readonly Item[]
}

/** Things that several hold, each once for all of them. `begin`: where the first does, and gives what is done after the last. */
const createCounted = <Item>(keyOf: (item: Item) => string, begin: (item: Item) => () => void): Counted<Item> => {
  const held = new Map<string, { readonly item: Item; readonly end: () => void; holders: number }>()
  return {
    hold: (item) => {
      const known = held.get(keyOf(item))
      if (known === undefined) held.set(keyOf(item), { item, end: begin(item), holders: 1 })
      else known.holders += 1
    },
    release: (item) => {
      const known = held.get(keyOf(item))
      if (known === undefined) return
      known.holders -= 1
      if (known.holders > 0) return
      held.delete(keyOf(item))
      known.end()
    },
    size: () => held.size,
    all: () => [...held.values()].map(({ item }) => item),
  }
}

/** As it is, and with each layer of codings undone: that may tear apart what stood there plainly. */
const hideSecrets = (search: Search, input: string): string => {
  const spans = undoCodings(input).flatMap(({ text, begin }) =>
    search(text).map(({ from, to }) => ({ from: begin(from), to: begin(to) })),
  )
  return hidden(input, joined(spans))
}

const hidden = (text: string, spans: readonly Span[]): string => {
  if (spans.length === 0) return text
  const pieces: string[] = []
  let end = 0
  for (const { from, to } of spans) {
    pieces.push(text.slice(end, from), REDACTED)
    end = to
  }
  return pieces.join('') + text.slice(end)
}

const visitAll = <T>(
  value: T,
  text: (input: string) => string,
  bytes: (input: Buffer) => Buffer,
  context: OwnContext | null,
): T => {
  const visit = (item: unknown): unknown => {
    if (typeof item === 'string') return text(item)
    if (item === null || typeof item !== 'object' || item instanceof Date) return item
    if (Buffer.isBuffer(item)) return bytes(item)
    if (item instanceof Uint8Array) {
      const given = Buffer.from(item.buffer, item.byteOffset, item.byteLength)
      const cleaned = bytes(given)
      return cleaned === given ? item : new Uint8Array(cleaned)
    }
    if (Array.isArray(item)) {
      const list = (context?.pair(item) ?? item).map(visit)
      return list.every((inner, index) => inner === item[index]) ? item : list
    }
    const members = Object.entries(item).map(([key, inner]) => [key, visit(inner)] as const)
    const own = context?.member(item as Readonly<Record<string, unknown>>) ?? null
    const kept = own === null && members.every(([key, inner]) => inner === (item as Record<string, unknown>)[key])
    return kept ? item : { ...Object.fromEntries(members), ...(own === null ? {} : { value: own }) }
  }
  return visit(value) as T
}
