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
  /** Files that came together. */
  readonly evidence: (messages: readonly Message<'evidence'>[]) => Promise<void>
  /** What a module that still goes on has found. Throws as `module` does. */
  readonly found: (message: Pick<Message<'found'>, 'module' | 'findings'>) => Promise<void>
  /** Throws `Unstorable` for data that cannot be kept whoever sends them. */
  readonly module: (record: NewModule) => Promise<void>
  readonly token: (message: Message<'token_replaced'>) => Promise<void>
  readonly fault: (module: string, id: string) => Promise<void>
  /** Keeps all that is done with the sink that it gives, or nothing of it. Absent: it keeps one thing after the other. */
  readonly together?: (work: (sink: Sink) => Promise<void>) => Promise<void>
}

/** Keeps messages on a disk while what is before them cannot be stored. */
export interface Spool {
  /** Null where there is no place for it. Throws where the disk fails. */
  readonly put: (message: ChildMessage) => Spooled | null
}

/** A message that waits, in memory or on the disk. */
interface Waiting {
  readonly type: ChildMessage['type']
  held: ChildMessage | Spooled
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

/**
 * Milliseconds in which more may come, to be stored together: each time costs a transaction. Of a run that has just begun somebody waits
 * for the first thing, of one that goes on nobody tells a second from a quarter.
 */
const GATHER = { first: 250, last: 1_000 } as const
/** The same of files; and their bytes that wait in memory no longer, and how many are stored together. */
const FILES = { gather: 250, bytes: 1024 * 1024, together: 20 } as const
/** Messages in one transaction: a hold on the run's row that its heartbeat does not notice. */
const MOST_TOGETHER = 50

/**
 * Stores a child's messages in order; files as they come, before what names them. What waits is joined: of several progress messages the
 * last one, of audit lines one batch. After the first failure nothing more is stored.
 */
export const createInbox = (
  runId: string,
  sink: Sink,
  onFailure: (error: unknown) => void,
  logger: Logger,
  spool: Spool | null = null,
): Inbox => {
  const waiting: Waiting[] = []
  const store = storing(runId, sink, logger)
  let waitingBytes = 0
  let writingSince = performance.now()
  let pump: Promise<void> | null = null
  const [gathering, files] = [createAlarm(), createAlarm()]
  let gather: number = GATHER.first
  /** What waits is to be stored now, all of it; files are in any case. */
  let due = false
  let failure: { readonly error: unknown } | null = null

  const fail = (error: unknown): void => {
    gathering.stop()
    files.stop()
    failure = { error }
    waiting.length = 0
    onFailure(error)
  }
  const spooled = spoolingTo(spool, runId, logger)
  /** What is stored next; none where it is gathered still. */
  const take = (): readonly Waiting[] => {
    const evidence = waiting.filter(({ type }) => type === 'evidence').slice(0, spool === null ? FILES.together : 1)
    if (evidence.length > 0) {
      for (const one of evidence) waiting.splice(waiting.indexOf(one), 1)
      return evidence
    }
    const next = due ? waiting.splice(0, sink.together === undefined ? 1 : MOST_TOGETHER) : []
    due = due && waiting.length > 0
    return next
  }
  const read = ({ held }: Waiting): ChildMessage => {
    if ('take' in held) return held.take()
    waitingBytes -= bytesOf(held)
    return held
  }
  const run = async (): Promise<void> => {
    try {
      for (let next = take(); next.length > 0; next = take()) {
        writingSince = performance.now()
        await store(next.map(read))
      }
    } catch (error) {
      fail(error)
    } finally {
      pump = null
    }
  }
  const begin = (): void => {
    files.stop()
    // A round that finds nothing to take ends before it is remembered, and would be taken for one under way.
    if (due || waiting.some(({ type }) => type === 'evidence')) pump ??= run()
  }
  const start = (): void => {
    gathering.stop()
    due = waiting.length > 0
    begin()
  }
  const later = (): void => {
    gather = Math.min(2 * gather, GATHER.last)
    start()
  }

  return {
    push: (message) => {
      if (failure || join(message, waiting)) return
      const onDisk = pump === null ? null : spooled(message)
      waiting.push({ type: message.type, held: onDisk ?? message })
      if (onDisk === null) waitingBytes += bytesOf(message)
      if (waitingBytes > MAX_WAITING_BYTES || waiting.length > MAX_WAITING) {
        // In an outage that is nobody's fault: the run is left to its lease, so it starts again, but not for ever.
        const isOutage = performance.now() - writingSince > HELD_UP
        return fail(
          isOutage ? new LeaseLost() : new RunFailed('scanner_crashed', 'The scanner sent more than could be stored.'),
        )
      }
      if (message.type !== 'evidence') {
        if (!due) gathering.set(later, gather)
        // What waits behind others goes to the disk: there it costs no memory.
      } else if (spool !== null || waitingBytes > FILES.bytes) begin()
      else files.set(begin, FILES.gather)
    },
    settled: async () => {
      for (start(); pump; start()) await pump
      if (failure) throw failure.error
    },
  }
}

/** What waits behind others goes to the disk where there is one for it; what joins others, and what is secret, does not. */
const spoolingTo =
  (spool: Spool | null, runId: string, logger: Logger) =>
  (message: ChildMessage): Spooled | null => {
    if (spool === null || !LARGE.includes(message.type)) return null
    try {
      return spool.put(message)
    } catch (error) {
      logger.error({ run: runId, err: error }, 'what waits cannot be put on the disk, so it waits in memory')
      return null
    }
  }

/** Rings once; set again before that, it rings when it would have. */
const createAlarm = () => {
  let timer: NodeJS.Timeout | null = null
  return {
    set: (work: () => void, milliseconds: number): void => {
      timer ??= setTimeout(work, milliseconds)
    },
    stop: (): void => {
      if (timer !== null) clearTimeout(timer)
      timer = null
    },
  }
}

/** Stores messages in their order: those that stand in the database at once, or where one of them cannot be kept one after the other. */
const storing = (runId: string, sink: Sink, logger: Logger): ((messages: readonly ChildMessage[]) => Promise<void>) => {
  const evidenceOf = new Map<string, string[]>()
  const put = async (to: Sink, message: ChildMessage): Promise<void> => {
    switch (message.type) {
      case 'progress':
        return to.progress(message)
      case 'audit':
        return to.audit(message.entries)
      case 'evidence':
        return keepFiles(to, [message])
      case 'token_replaced':
        return to.token(message)
      case 'fault':
        return to.fault(message.module, message.id)
      case 'found':
        return to.found(message)
      case 'module': {
        // Evidence that a child before this one left goes, but for what the result rests on where that child's findings are it.
        const named = message.findings.flatMap(({ evidence }) => evidence)
        const evidence = [...new Set([...(evidenceOf.get(message.module) ?? []), ...named])]
        return to.module({ ...recordOf(message), evidence })
      }
    }
  }
  const keepFiles = async (to: Sink, messages: readonly Message<'evidence'>[]): Promise<void> => {
    await to.evidence(messages)
    for (const { module, id } of messages) evidenceOf.set(module, [...(evidenceOf.get(module) ?? []), id])
  }
  /** A module whose result cannot be kept has failed; what it has found so far, where that cannot be kept, is told of at its end. */
  const putOne = async (message: ChildMessage): Promise<void> => {
    try {
      await put(sink, message)
    } catch (error) {
      if (!(error instanceof Unstorable)) throw error
      if (message.type === 'module') return failModule(message, error.cause)
      const module = message.type === 'found' ? message.module : null
      logger.warn({ run: runId, module, err: error.cause }, 'what a module has found so far cannot be stored')
    }
  }
  const failModule = async (message: Message<'module'>, cause: unknown): Promise<void> => {
    const { module } = message
    const id = faultIdOf(module, cause)
    logger.error({ run: runId, module, fault: id, err: cause }, 'what a module found cannot be stored')
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
  const putTogether = async (messages: readonly ChildMessage[]): Promise<boolean> => {
    if (sink.together === undefined || messages.length < 2) return false
    try {
      await sink.together(async (to) => {
        for (const message of messages) await put(to, message)
      })
      return true
    } catch (error) {
      if (error instanceof Unstorable) return false
      throw error
    }
  }
  return async (messages) => {
    for (const message of messages) {
      if (message.type !== 'fault') continue
      const { module, id, where, stack } = message
      logger.error({ run: runId, module, fault: id, where, stack }, 'a fault of the scanner')
    }
    const evidence = messages.filter((message) => message.type === 'evidence')
    if (evidence.length === messages.length) return keepFiles(sink, evidence)
    if (await putTogether(messages)) return
    for (const message of messages) await putOne(message)
  }
}

/** What is counted of those that wait in memory. */
const bytesOf = (message: ChildMessage): number => (message.type === 'evidence' ? message.body.byteLength : 0)

/** Facts and files. */
const LARGE: readonly ChildMessage['type'][] = ['module', 'found', 'evidence']

const recordOf = ({ type: _, ...record }: Message<'module'>): NewModule => record

/** True when the message went into one of its kind that waits. */
const join = (message: ChildMessage, waiting: readonly Waiting[]): boolean => {
  for (let at = waiting.length - 1; at >= 0; at -= 1) {
    const one = waiting[at]
    if (one === undefined || 'take' in one.held) continue
    const joined = joinedOf(one.held, message)
    if (joined !== null) {
      one.held = joined
      return true
    }
    if (one.type === message.type && (one.type === 'progress' || one.type === 'audit')) return false
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
