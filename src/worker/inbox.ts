import { coverageOfFault } from '../engine/coverage.ts'
import { faultIdOf } from '../engine/faults.ts'
import type { FromChild } from '../engine/protocol.ts'
import type { NewModule } from '../store/modules.ts'
import { LeaseLost, RunFailed, Unstorable } from './failures.ts'
import type { Inbox } from './held-run.ts'
import type { Logger } from './options.ts'
import type { ChildMessage } from './supervise.ts'

type Message<Type extends FromChild['type']> = Extract<FromChild, { type: Type }>

/** Where messages go, one after the other. Each throws `LeaseLost` once the lease is gone. */
export interface Sink {
  readonly progress: (message: Message<'progress'>) => Promise<void>
  readonly audit: (entries: Message<'audit'>['entries']) => Promise<void>
  readonly evidence: (message: Message<'evidence'>) => Promise<void>
  /** What a module that still goes on has found. Throws as `module` does. */
  readonly found: (message: Pick<Message<'found'>, 'module' | 'findings'>) => Promise<void>
  /** Throws `Unstorable` for data that cannot be kept whoever sends them. */
  readonly module: (record: NewModule) => Promise<void>
  readonly token: (message: Message<'token_replaced'>) => Promise<void>
  readonly fault: (module: string, id: string) => Promise<void>
}

/** Keeps messages on a disk while what is before them cannot be stored. */
export interface Spool {
  /** Null where there is no place for it. Throws where the disk fails. */
  readonly put: (message: ChildMessage) => Spooled | null
}

/** A message on the disk: given back once. */
export interface Spooled {
  readonly take: () => ChildMessage
}

/** Bytes of evidence that may wait to be stored, and messages of all kinds. */
const MAX_WAITING_BYTES = 128 * 1024 * 1024
const MAX_WAITING = 20_000
/** Audit lines in one batch, but for those that come at once. */
const MAX_JOINED = 1_000
/** Milliseconds after which a write counts as held up by an outage. */
const HELD_UP = 5_000

/** Milliseconds in which more of what only tells of a run at work may come, to be stored together: each time costs a transaction. */
const GATHER = 250

/**
 * Stores a child's messages one after the other; what a module says, in order. What waits is joined: of several progress messages the last
 * one, of audit lines one batch. After the first failure nothing more is stored.
 */
export const createInbox = (
  runId: string,
  sink: Sink,
  onFailure: (error: unknown) => void,
  logger: Logger,
  spool: Spool | null = null,
): Inbox => {
  const waiting: (ChildMessage | Spooled)[] = []
  const store = storing(runId, sink, logger)
  let waitingBytes = 0
  let writingSince = performance.now()
  let pump: Promise<void> | null = null
  let gathering: NodeJS.Timeout | null = null
  let failure: { readonly error: unknown } | null = null

  const fail = (error: unknown): void => {
    stopGathering()
    failure = { error }
    waiting.length = 0
    onFailure(error)
  }
  /** What waits behind others goes to the disk where there is one for it; what joins others, and what is secret, does not. */
  const spooled = (message: ChildMessage): Spooled | null => {
    if (spool === null || !LARGE.includes(message.type)) return null
    try {
      return spool.put(message)
    } catch (error) {
      logger.error({ run: runId, err: error }, 'what waits cannot be put on the disk, so it waits in memory')
      return null
    }
  }
  const run = async (): Promise<void> => {
    try {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const message = 'take' in next ? next.take() : next
        if (next === message) waitingBytes -= bytesOf(message)
        writingSince = performance.now()
        await store(message)
      }
    } catch (error) {
      fail(error)
    } finally {
      pump = null
    }
  }
  const stopGathering = (): void => {
    if (gathering !== null) clearTimeout(gathering)
    gathering = null
  }
  const start = (): void => {
    stopGathering()
    if (waiting.length > 0) pump ??= run()
  }

  return {
    push: (message) => {
      if (failure || join(message, waiting)) return
      const isTelling = TELLING.includes(message.type)
      // What was gathered before it is kept before it, and it waits behind that.
      if (!isTelling) start()
      const onDisk = pump === null ? null : spooled(message)
      waiting.push(onDisk ?? message)
      if (onDisk === null) waitingBytes += bytesOf(message)
      if (waitingBytes > MAX_WAITING_BYTES || waiting.length > MAX_WAITING) {
        // In an outage that is nobody's fault: the run is left to its lease, so it starts again, but not for ever.
        const isOutage = performance.now() - writingSince > HELD_UP
        return fail(
          isOutage ? new LeaseLost() : new RunFailed('scanner_crashed', 'The scanner sent more than could be stored.'),
        )
      }
      if (isTelling && pump === null) gathering ??= setTimeout(start, GATHER)
      else start()
    },
    settled: async () => {
      for (start(); pump; start()) await pump
      if (failure) throw failure.error
    },
  }
}

/** Stores one message after the other. */
const storing = (runId: string, sink: Sink, logger: Logger): ((message: ChildMessage) => Promise<void>) => {
  const evidenceOf = new Map<string, string[]>()
  const storeModule = async (message: Message<'module'>): Promise<void> => {
    try {
      // Evidence that a child before this one left goes, but for what the result rests on where that child's findings are it.
      const named = message.findings.flatMap(({ evidence }) => evidence)
      await sink.module({
        ...recordOf(message),
        evidence: [...new Set([...(evidenceOf.get(message.module) ?? []), ...named])],
      })
    } catch (error) {
      if (!(error instanceof Unstorable)) throw error
      const { module } = message
      const id = faultIdOf(module, error.cause)
      logger.error({ run: runId, module, fault: id, err: error.cause }, 'what a module found cannot be stored')
      await sink.fault(module, id)
      const outcome = {
        ...message.outcome,
        state: 'failed' as const,
        reason: 'what it found cannot be stored',
        fault: id,
      }
      const coverage = message.coverage.map((line) => ({ ...line, ...coverageOfFault(id) }))
      await sink.module({ module, outcome, facts: null, findings: [], coverage })
    }
  }
  /** What cannot be stored is told of where the module ends. */
  const storeFound = async ({ module, findings }: Message<'found'>): Promise<void> => {
    try {
      await sink.found({ module, findings })
    } catch (error) {
      if (!(error instanceof Unstorable)) throw error
      logger.warn({ run: runId, module, err: error.cause }, 'what a module has found so far cannot be stored')
    }
  }
  return async (message: ChildMessage): Promise<void> => {
    switch (message.type) {
      case 'progress':
        return sink.progress(message)
      case 'audit':
        return sink.audit(message.entries)
      case 'evidence':
        await sink.evidence(message)
        evidenceOf.set(message.module, [...(evidenceOf.get(message.module) ?? []), message.id])
        return
      case 'token_replaced':
        return sink.token(message)
      case 'fault': {
        const { module, id, where, stack } = message
        logger.error({ run: runId, module, fault: id, where, stack }, 'a fault of the scanner')
        return sink.fault(module, id)
      }
      case 'found':
        return storeFound(message)
      case 'module':
        await storeModule(message)
    }
  }
}

/** What is counted of those that wait in memory. */
const bytesOf = (message: ChildMessage): number => (message.type === 'evidence' ? message.body.byteLength : 0)

/** Facts and files. */
const LARGE: readonly ChildMessage['type'][] = ['module', 'found', 'evidence']

const recordOf = ({ type: _, ...record }: Message<'module'>): NewModule => record

/** What tells of a run at work, and changes nothing that others of these tell. */
const TELLING: readonly ChildMessage['type'][] = ['progress', 'audit']

/** True when the message went into one that waits, before which nothing else came. */
const join = (message: ChildMessage, waiting: (ChildMessage | Spooled)[]): boolean => {
  for (let at = waiting.length - 1; at >= 0; at -= 1) {
    const before = waiting[at]
    if (before === undefined || 'take' in before) return false
    const joined = joinedOf(before, message)
    if (joined !== null) {
      waiting[at] = joined
      return true
    }
    if (!TELLING.includes(before.type) || !TELLING.includes(message.type) || before.type === message.type) return false
  }
  return false
}

const joinedOf = (before: ChildMessage, message: ChildMessage): ChildMessage | null => {
  // Each phase is told of, however short it was.
  if (before.type === 'progress' && message.type === 'progress') return before.phase === message.phase ? message : null
  if (before.type === 'found' && message.type === 'found' && before.module === message.module) return message
  if (before.type === 'audit' && message.type === 'audit' && before.entries.length < MAX_JOINED)
    return { type: 'audit', entries: before.entries.concat(message.entries) }
  return null
}
