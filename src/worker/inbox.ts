import { coverageOfFault } from '../engine/coverage.ts'
import { faultIdOf } from '../engine/faults.ts'
import type { FromChild } from '../engine/protocol.ts'
import { type Database, DatabaseError } from '../store/database.ts'
import { appendAudit } from '../store/events.ts'
import { countFault } from '../store/faults.ts'
import { type Lease, progress } from '../store/lease.ts'
import { saveModule } from '../store/modules.ts'
import { held, LeaseLost, RunFailed } from './failures.ts'
import type { Logger } from './options.ts'
import type { ChildMessage } from './supervise.ts'

type Evidence = Extract<FromChild, { type: 'evidence' }>

export interface Inbox {
  readonly push: (message: ChildMessage) => void
  /** Resolves when everything pushed so far is stored; rejects with the first failure. */
  readonly settled: () => Promise<void>
}

/** Bytes of evidence that may wait to be stored, and messages of all kinds. */
const MAX_WAITING_BYTES = 128 * 1024 * 1024
const MAX_WAITING = 20_000
/** Milliseconds after which a write counts as held up by an outage. */
const HELD_UP = 5_000

/**
 * Stores a child's messages one after the other, in order. What waits is joined: of several progress messages the last
 * one, of audit lines one batch. After the first failure nothing more is stored.
 */
export const createInbox = (
  db: Database,
  lease: Lease,
  storeEvidence: (evidence: Evidence) => Promise<void>,
  storeToken: (lineage: string, token: string) => Promise<void>,
  onFailure: (error: unknown) => void,
  logger: Logger,
): Inbox => {
  const waiting: ChildMessage[] = []
  const evidenceOf = new Map<string, string[]>()
  let waitingBytes = 0
  let writingSince = performance.now()
  let pump: Promise<void> | null = null
  let failure: { readonly error: unknown } | null = null

  const fail = (error: unknown): void => {
    failure = { error }
    waiting.length = 0
    onFailure(error)
  }
  const store = async (message: ChildMessage): Promise<void> => {
    switch (message.type) {
      case 'progress':
        held(await progress(db, lease, message))
        return
      case 'audit':
        held(await appendAudit(db, lease, message.entries))
        return
      case 'evidence':
        await storeEvidence(message)
        evidenceOf.set(message.module, [...(evidenceOf.get(message.module) ?? []), message.id])
        return
      case 'token_replaced':
        await storeToken(message.lineage, message.token)
        return
      case 'fault': {
        const { module, id, where, stack } = message
        logger.error({ run: lease.runId, module, fault: id, where, stack }, 'a fault of the scanner')
        await countFault(db, module, id)
        return
      }
      case 'module':
        await storeModule(message)
    }
  }
  const storeModule = async (message: Extract<FromChild, { type: 'module' }>): Promise<void> => {
    try {
      // Evidence that a child before this one left without a result goes.
      held(await saveModule(db, lease, { ...message, evidence: evidenceOf.get(message.module) ?? [] }))
    } catch (error) {
      if (!isUnstorable(error)) throw error
      const { module } = message
      const id = faultIdOf(module, error)
      logger.error({ run: lease.runId, module, fault: id, err: error }, 'what a module found cannot be stored')
      await countFault(db, module, id)
      const outcome = {
        ...message.outcome,
        state: 'failed' as const,
        reason: 'what it found cannot be stored',
        fault: id,
      }
      const coverage = message.coverage.map((line) => ({ ...line, ...coverageOfFault(id) }))
      held(await saveModule(db, lease, { module, outcome, facts: null, findings: [], coverage }))
    }
  }
  const run = async (): Promise<void> => {
    try {
      for (let message = waiting.shift(); message; message = waiting.shift()) {
        if (message.type === 'evidence') waitingBytes -= message.body.byteLength
        writingSince = performance.now()
        await store(message)
      }
    } catch (error) {
      fail(error)
    } finally {
      pump = null
    }
  }

  return {
    push: (message) => {
      if (failure || join(waiting.at(-1), message, waiting)) return
      waiting.push(message)
      if (message.type === 'evidence') waitingBytes += message.body.byteLength
      if (waitingBytes > MAX_WAITING_BYTES || waiting.length > MAX_WAITING) {
        // In an outage that is nobody's fault: the run is left to its lease, so it starts again, but not for ever.
        const isOutage = performance.now() - writingSince > HELD_UP
        return fail(
          isOutage ? new LeaseLost() : new RunFailed('scanner_crashed', 'The scanner sent more than could be stored.'),
        )
      }
      pump ??= run()
    },
    settled: async () => {
      while (pump) await pump
      if (failure) throw failure.error
    },
  }
}

/** The database is there and refuses these very data: classes 22 and 23 of SQLSTATE, and 54, a limit of the program. */
const isUnstorable = (error: unknown): boolean => error instanceof DatabaseError && /^(22|23|54)/.test(error.code)

/** True when the message went into the last one that waits. */
const join = (last: ChildMessage | undefined, message: ChildMessage, waiting: ChildMessage[]): boolean => {
  if (last?.type === 'progress' && message.type === 'progress') waiting[waiting.length - 1] = message
  else if (last?.type === 'audit' && message.type === 'audit') {
    waiting[waiting.length - 1] = { type: 'audit', entries: last.entries.concat(message.entries) }
  } else return false
  return true
}
