/** An agent at work: runs from the service, carried out as a worker's are, and proofs of domains asked for here. */
import { AGENT_LEASE, type AgentCheck, type AgentWork, type AskWork } from '../contract/agent.ts'
import { ApiError } from '../contract/client.ts'
import type { RunSource } from '../worker/held-run.ts'
import { type ScanOptions, TIMING, type Timing } from '../worker/options.ts'
import { fillPlaces, type Places, placesOf } from '../worker/places.ts'
import { repeat } from '../worker/repeat.ts'
import type { Instances } from './instances.ts'
import { deadlineFor, isAway, isLost } from './service.ts'
import { type AgentSettings, serviceRun } from './service-run.ts'

export interface AgentOptions extends AgentSettings, ScanOptions {
  readonly instances: Instances
  readonly version: string
  /** Opened by the operator of this machine beyond public addresses, in CIDR form. */
  readonly networks: readonly string[]
  /** Told once, in a sentence, when the service wants nothing of this agent any more. */
  readonly onRefused: (sentence: string) => void
  /** For tests; milliseconds. */
  readonly timing?: Partial<Timing>
}

export interface Agent {
  readonly activeRuns: () => number
  /** No new leases; running scans are stopped and handed back. */
  readonly drain: () => Promise<void>
}

/** Milliseconds between two questions for work. */
const POLL = 3_000
/** Checks of domains at once. */
const MOST_CHECKS = 4

export const startAgent = (options: AgentOptions): Agent => {
  const timing: Timing = { ...TIMING, lease: AGENT_LEASE * 1_000, poll: POLL, ...options.timing }
  const stopped = new AbortController()
  const checks = createChecks(options)
  let places: Places | null = null
  const active = (): readonly string[] => places?.active() ?? []
  const asking = createAsking(options, active)
  const quietly = createQuietly(options)
  places = fillPlaces(
    options,
    timing,
    serviceRuns(options, asking, quietly, checks.take),
    stopped.signal,
    () => undefined,
  )
  const round = async (): Promise<void> => {
    options.instances.touch()
    for (const instance of options.instances.dead()) {
      if ((await quietly(() => asking.forDead(instance))) !== null) options.instances.forget(instance)
    }
    // Who has a place asks anyway; checks of domains do not wait for one.
    if (active().length < placesOf(options)) return
    const work = await quietly(() => asking.ask(false))
    if (work !== null) checks.take(work.checks)
  }
  const look = repeat({ every: timing.poll, signal: stopped.signal, logger: options.logger, name: 'agent' }, round)
  look.now()
  places.look.now()
  const { drain } = places
  return {
    activeRuns: () => active().length,
    drain: async () => {
      stopped.abort()
      await Promise.all([drain(), look.ended(), checks.ended()])
    },
  }
}

interface Asking {
  readonly ask: (place: boolean) => Promise<AgentWork>
  /** What this instance had goes back to the queue. */
  readonly forDead: (instance: string) => Promise<AgentWork>
  /** A run that was given is at work. */
  readonly taken: (runId: string) => void
}

/**
 * One question after the other, each with all runs that the answers before it gave: one that the service does not hear of would
 * be taken back.
 */
const createAsking = (
  { service, instances, version, networks }: AgentOptions,
  active: () => readonly string[],
): Asking => {
  const given = new Set<string>()
  let last: Promise<unknown> = Promise.resolve()
  const send = (more: Pick<AskWork, 'instance' | 'holding' | 'place'>): Promise<AgentWork> =>
    service.client.takeAgentWork({ body: { version, networks: [...networks], ...more }, signal: deadlineFor() })
  const ask = async (place: boolean): Promise<AgentWork> => {
    const work = await send({ instance: instances.own, holding: [...new Set([...given, ...active()])], place })
    if (work.run !== null) given.add(work.run.id)
    return work
  }
  return {
    ask: (place) => {
      const next = last.then(
        () => ask(place),
        () => ask(place),
      )
      last = next
      return next
    },
    forDead: (instance) => send({ instance, holding: [], place: false }),
    taken: (runId) => void given.delete(runId),
  }
}

const serviceRuns = (
  options: AgentOptions,
  asking: Asking,
  quietly: Quietly,
  checks: (asked: readonly AgentCheck[]) => void,
): RunSource => ({
  // The service gives an agent whatever is next.
  lease: async ({ light }) => {
    if (light) return null
    const work = await quietly(() => asking.ask(true))
    if (work === null) return null
    checks(work.checks)
    const { run } = work
    if (run === null) return null
    const held = serviceRun(options, run)
    return {
      ...held,
      open: (stop) => {
        asking.taken(run.id)
        return held.open(stop)
      },
    }
  },
})

/** Asks, and gives null where the service cannot be reached, which is waited for; where it refuses the agent, that is told. */
type Quietly = <T>(work: () => Promise<T>) => Promise<T | null>

const createQuietly = ({ logger, onRefused }: AgentOptions): Quietly => {
  let away = false
  return async (work) => {
    try {
      const done = await work()
      if (away) logger.info({}, 'the service gives work again')
      away = false
      return done
    } catch (error) {
      if (error instanceof ApiError && (isLost(error) || error.problem.code === 'agent_version_wrong')) {
        onRefused(error.problem.detail)
        return null
      }
      if (!isAway(error)) throw error
      // Once an outage, however often it is asked.
      if (!away) logger.warn({ err: error }, 'the service cannot be asked for work; it is asked again')
      away = true
      return null
    }
  }
}

/** Each is answered once; what cannot be sent is asked for again by the service. */
const createChecks = (options: AgentOptions) => {
  const under = new Map<string, Promise<void>>()
  const answer = async ({ id, ...claim }: AgentCheck): Promise<void> => {
    try {
      const attempts = await options.verifyDomain(claim)
      await options.service.client.answerAgentCheck({ params: { id }, body: { attempts }, signal: deadlineFor() })
    } catch (error) {
      options.logger.warn({ domain: claim.domain, err: error }, 'whether a domain shows its proof could not be told')
    } finally {
      under.delete(id)
    }
  }
  return {
    take: (asked: readonly AgentCheck[]): void => {
      for (const check of asked) {
        if (under.size < MOST_CHECKS && !under.has(check.id)) under.set(check.id, answer(check))
      }
    },
    ended: async (): Promise<void> => void (await Promise.all(under.values())),
  }
}
