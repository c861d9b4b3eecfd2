/** Rate limits: what is counted, and what the answers say of it. The counters are the database's, for all API processes. */

import type { KeyOwner } from '../store/api-keys.ts'
import type { Queryable } from '../store/database.ts'
import { admitKey, type RateTaken, takeRates } from '../store/rate-limits.ts'
import { gathered } from './gathered.ts'
import type { Limits } from './options.ts'

export interface LimitPolicy {
  /** As in the RateLimit headers. */
  readonly name: string
  readonly quota: number
  /** Seconds. */
  readonly window: number
  /** `quota` at once, then one in each `window / quota` seconds; else `quota` in each window. */
  readonly refills: boolean
}

export interface LimitState {
  readonly policy: LimitPolicy
  readonly ok: boolean
  readonly remaining: number
  /** Seconds until the whole quota is back. */
  readonly reset: number
  /** Seconds until one more request may succeed; 0 while it may. */
  readonly retryAfter: number
}

export type LimitName = 'key' | 'agent' | 'starts' | 'run' | 'refused-credentials'

/** One request, to be counted. */
export interface Demand {
  readonly limit: LimitName
  /** A key or a member, with a run, or an address. */
  readonly subject: string
}

/** One request, to be counted for whoever asks; `of`: what of theirs. */
export interface Counted {
  readonly limit: LimitName
  readonly of?: string
}

export const subjectOf = (actor: string, of: string | undefined): string => `${actor}${suffixOf(of)}`
const suffixOf = (of: string | undefined): string => (of === undefined ? '' : ` ${of}`)

export interface Admission {
  readonly owner: KeyOwner
  readonly states: readonly LimitState[]
}

export interface Limiter {
  /** The owner of the key, for whom one of each was taken; null, and nothing was, where the key may not be used. @throws DatabaseError */
  readonly admit: (secret: string, counted: readonly Counted[]) => Promise<Admission | null>
  /** Takes one of each. @throws DatabaseError */
  readonly take: (demands: readonly Demand[]) => Promise<readonly LimitState[]>
  /** What this process knows of an address whose credentials were refused; takes nothing and asks nobody. */
  readonly refusals: (address: string) => LimitState
}

/** Requests of an agent for each that a key has: its runs tell what they see as they see it. */
const AGENT_SHARE = 10
/** Addresses remembered at once; past it the oldest is forgotten, so memory is bounded whatever is sent. */
const MOST_ADDRESSES = 10_000

export const createLimiter = (db: Queryable, limits: Limits): Limiter => {
  const policies = policiesOf(limits)
  const admissions = gatherAdmissions(db, policies)
  const refused = new Map<string, { readonly until: number; readonly remaining: number }>()
  const remember = (address: string, { remaining, reset }: LimitState): void => {
    refused.delete(address)
    refused.set(address, { until: performance.now() + reset * 1_000, remaining })
    const [oldest] = refused.keys()
    if (refused.size > MOST_ADDRESSES && oldest !== undefined) refused.delete(oldest)
  }
  return {
    admit: admissions,
    take: async (demands) => {
      const taken = await takeRates(
        db,
        demands.map(({ limit, subject }) => ({ ...policies[limit], seconds: policies[limit].window, subject })),
      )
      return taken.map((one) => {
        const state = stateOf(policies[one.name as LimitName], one)
        if (one.name === 'refused-credentials') remember(one.subject, state)
        return state
      })
    },
    refusals: (address) => {
      const policy = policies['refused-credentials']
      const left = ((refused.get(address)?.until ?? 0) - performance.now()) / 1_000
      const known = left > 0 ? refused.get(address) : undefined
      const remaining = known?.remaining ?? policy.quota
      return { policy, ok: true, remaining, reset: known ? Math.ceil(left) : policy.window, retryAfter: 0 }
    },
  }
}

/** All that comes with one key: apart, its requests would wait for each other's row, each with a connection of its own. */
const gatherAdmissions = (db: Queryable, policies: Readonly<Record<LimitName, LimitPolicy>>): Limiter['admit'] => {
  const asking = new Map<string, (asked: undefined) => Promise<Admission | null>>()
  const statesOf = (taken: readonly RateTaken[]): LimitState[] =>
    taken.map((one) => stateOf(policies[one.name as LimitName], one))
  const askingFor = (name: string, secret: string, counted: readonly Counted[]) => {
    const demands = counted.map(({ limit, of }) => ({
      ...{ ...policies[limit], seconds: policies[limit].window, subject: suffixOf(of) },
    }))
    const read = async ({ length }: readonly undefined[]): Promise<(Admission | null)[]> => {
      const admitted = await admitKey(db, secret, demands, length)
      return Array.from(
        { length },
        (_, at) => admitted && { owner: admitted.owner, states: statesOf(admitted.taken[at] ?? []) },
      )
    }
    const most = Math.max(1, Math.floor(Math.min(...demands.map(({ quota }) => quota))))
    return gathered(read, { most, idle: () => void asking.delete(name) })
  }
  return (secret, counted) => {
    const name = JSON.stringify([secret, counted])
    const ask = asking.get(name) ?? askingFor(name, secret, counted)
    asking.set(name, ask)
    return ask(undefined)
  }
}

const policiesOf = (limits: Limits): Readonly<Record<LimitName, LimitPolicy>> => ({
  key: { name: 'key', quota: limits.requestsPerMinute, window: 60, refills: false },
  agent: { name: 'agent', quota: limits.requestsPerMinute * AGENT_SHARE, window: 60, refills: false },
  starts: { name: 'starts', quota: limits.startsPerMinute, window: 60, refills: false },
  run: { name: 'run', quota: limits.runReads, window: limits.runReads * limits.runReadSeconds, refills: true },
  'refused-credentials': {
    ...{ name: 'refused-credentials', quota: limits.refusalsPerMinute, window: 60, refills: false },
  },
})

export const stateOf = (policy: LimitPolicy, { spent, refused, age }: RateTaken): LimitState => {
  const interval = policy.window / policy.quota
  const reset = policy.refills ? Math.ceil(spent * interval) : Math.max(1, Math.ceil(policy.window - age))
  const wait = policy.refills ? Math.max(1, Math.ceil((spent + 1 - policy.quota) * interval)) : reset
  const remaining = Math.max(0, Math.floor(policy.quota - spent))
  return { policy, ok: !refused, remaining, reset, retryAfter: refused ? wait : 0 }
}

/** The two fields of draft-ietf-httpapi-ratelimit-headers-10, as structured-field lists. */
export const limitHeaders = (states: readonly LimitState[]): Readonly<Record<string, string>> => ({
  RateLimit: states.map(({ policy, remaining, reset }) => `"${policy.name}";r=${remaining};t=${reset}`).join(', '),
  'RateLimit-Policy': states.map(({ policy }) => `"${policy.name}";q=${policy.quota};w=${policy.window}`).join(', '),
})
