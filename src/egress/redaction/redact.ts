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
import { createSearch, joined, type Search, type Span } from './secret-search.ts'
import { hiddenOf, type RunCredentials, SHORTEST } from './secrets-of.ts'

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
  const known = [credentials]
  let passing: readonly RunCredentials[] = []
  let now = redactorOf(known, vocabulary)
  return {
    get active() {
      return now.active
    },
    text: (text) => now.text(text),
    bytes: (bytes) => now.bytes(bytes),
    value: (value) => now.value(value),
    learn: (more, isPassing = false) => {
      if (isPassing) passing = [...passing, more].slice(-MOST_PASSING)
      else known.push(more)
      now = redactorOf([...known, ...passing], vocabulary)
    },
  }
}

const redactorOf = (known: readonly RunCredentials[], vocabulary?: ReadonlySet<string>): Redactor => {
  const hidden = known.map((one) => hiddenOf(one, vocabulary))
  const secrets = [...new Set(hidden.flatMap((one) => one.secrets))].sort((a, b) => b.length - a.length)
  const own = hidden.flatMap((one) => one.own)
  const search = secrets.length > 0 ? createSearch(secrets.flatMap((secret) => formsOf(secret, SHORTEST))) : null
  const context = createOwnContext(own)
  if (search === null && context === null) return { active: false, text: same, bytes: same, value: same }
  const text = (input: string): string => {
    const cleaned = search !== null && input.length >= SHORTEST ? hideSecrets(search, input) : input
    return context === null ? cleaned : context.text(cleaned)
  }
  const bytes = (input: Buffer): Buffer => {
    // latin1 keeps every byte as one character, so nothing but the secret changes.
    const before = input.toString('latin1')
    const after = text(before)
    return after === before ? input : Buffer.from(after, 'latin1')
  }
  return { active: true, text, bytes, value: (value) => visitAll(value, text, bytes, context) }
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

const same = <T>(value: T): T => value

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
