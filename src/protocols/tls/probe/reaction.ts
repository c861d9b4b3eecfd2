/** How a server reacts to a record that breaks the rules, in words that two reactions can be compared by. */
import { alertName } from '../../../knowledge/tls/alerts.ts'
import type { Channel } from '../wire/channel.ts'
import { isEnded } from '../wire/channel.ts'
import { RECORD } from '../wire/record.ts'

const MOST_EVENTS = 4
/** After an alert the end of the connection follows at once, or it is not coming. */
const AFTER_ALERT = 300

/**
 * For example "fatal bad_record_mac, closed". A reset counts as an end like any other: which of the two a server sends
 * depends on what it had not read yet, not on what it thinks of the record.
 */
export const reactionOf = async (next: Channel['record'], until: number): Promise<string> => {
  const seen: string[] = []
  let limit = until
  while (seen.length < MOST_EVENTS) {
    const got = await next(limit)
    if (isEnded(got)) {
      seen.push(got.kind)
      break
    }
    if (got.type === RECORD.alert && got.payload.length === 2) {
      const [level = 0, description = 0] = got.payload
      seen.push(`${level === 1 ? 'warning' : 'fatal'} ${alertName(description)}`)
      limit = Math.min(until, performance.now() + AFTER_ALERT)
    } else {
      seen.push(RECORD_NAMES[got.type] ?? 'unknown record')
      // An answer of many records is one answer.
      if (got.type === RECORD.data) break
    }
  }
  return seen.join(', ')
}

const RECORD_NAMES: Readonly<Record<number, string>> = {
  [RECORD.changeCipherSpec]: 'change_cipher_spec',
  [RECORD.alert]: 'unreadable alert',
  [RECORD.handshake]: 'handshake',
  [RECORD.data]: 'application data',
  [RECORD.heartbeat]: 'heartbeat',
}

export type Sample = ReadonlyMap<string, string>

/**
 * Runs every variant in each round and keeps the rounds only where they agree with each other: a single odd answer is
 * load, not an oracle. Null when they do not agree. A first round without a difference needs no second.
 */
export const stableReactions = async (
  variants: readonly string[],
  rounds: number,
  react: (variant: string) => Promise<string | null>,
): Promise<Sample | null> =>
  // A server of one process makes the others wait while it looks at one: what is odd then may be plain one by one.
  (await agreeing(variants, rounds, () => Promise.all(variants.map(react)))) ??
  agreeing(variants, rounds, async () => {
    const answers: (string | null)[] = []
    for (const variant of variants) answers.push(await react(variant))
    return answers
  })

const agreeing = async (
  variants: readonly string[],
  rounds: number,
  askAll: () => Promise<readonly (string | null)[]>,
): Promise<Sample | null> => {
  const sample = async (): Promise<Sample | null> => {
    const answers = await askAll()
    return answers.includes(null) ? null : new Map(variants.map((variant, index) => [variant, answers[index] ?? '']))
  }
  const first = await sample()
  if (first === null || !differs(first)) return first
  for (let round = 1; round < rounds; round++) {
    const next = await sample()
    if (next === null || variants.some((variant) => next.get(variant) !== first.get(variant))) return null
  }
  return first
}

export const differs = (sample: Sample): boolean => new Set(sample.values()).size > 1

/** No variant got any reaction: the server may not have looked at them, so that they are alike says nothing. */
export const isSilent = (sample: Sample): boolean => [...sample.values()].every((answer) => answer === 'timeout')

export const notesOf = (sample: Sample): string[] => [...sample].map(([variant, answer]) => `${variant}: ${answer}`)
