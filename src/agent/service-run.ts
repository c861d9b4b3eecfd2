/** A run at work whose home is the service: the seam of worker/held-run.ts over the interface. */
import { type AgentMessage, type AgentRun, LEASE_HEADER, type OobPlace } from '../contract/agent.ts'
import type { Assignment } from '../contract/assignment.ts'
import { ApiError } from '../contract/client.ts'
import type { VerificationAttempt } from '../contract/domain.ts'
import { faultIdOf } from '../engine/faults.ts'
import { unlessAborted } from '../worker/active-consent.ts'
import { RunFailed, Unstorable } from '../worker/failures.ts'
import type { Stop } from '../worker/heartbeat.ts'
import type { HeldRun, OpenRun, Orders } from '../worker/held-run.ts'
import { createInbox, type Sink, type Spool } from '../worker/inbox.ts'
import type { Logger } from '../worker/options.ts'
import { relayedCalls } from './calls.ts'
import type { PaceBook } from './pace-book.ts'
import { type AgentService, deadlineFor, isLost } from './service.ts'

export interface AgentSettings {
  readonly logger: Logger
  readonly service: AgentService
  readonly spool: Spool
  readonly paces: PaceBook
  /** Asks now for the proofs of a domain, under the rules of this machine. Never rejects for what the target does. */
  readonly verifyDomain: (claim: { readonly domain: string; readonly token: string }) => Promise<VerificationAttempt[]>
}

/** Characters of the texts that the interface takes. */
const LONGEST = 2_000
const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1).toWellFormed()}…` : text)

export const serviceRun = (settings: AgentSettings, run: AgentRun): HeldRun => {
  const { client } = settings.service
  const about = { params: { id: run.id }, headers: { [LEASE_HEADER]: run.lease } }
  return {
    runId: run.id,
    domain: run.domain,
    light: false,
    attempts: run.attempts,
    heartbeat: async () => {
      try {
        const { cancel_requested, silence } = await client.beatAgentRun({ ...about, signal: deadlineFor() })
        return { cancelRequested: cancel_requested, silence }
      } catch (error) {
        if (isLost(error)) return 'lost'
        throw error
      }
    },
    release: async () => {
      try {
        await client.releaseAgentRun({ ...about, signal: deadlineFor() })
        return 'released'
      } catch (error) {
        if (isLost(error)) return 'lost'
        throw error
      }
    },
    open: (stop) => openServiceRun(settings, run, stop),
  }
}

const openServiceRun = (settings: AgentSettings, run: AgentRun, stop: Stop): OpenRun => {
  const { service, logger, spool } = settings
  const { client } = service
  const about = { params: { id: run.id }, headers: { [LEASE_HEADER]: run.lease } }
  const insist = <T>(work: () => Promise<T>): Promise<T> => service.insist(work, stop.lost)
  let begun: (Omit<Orders, 'assignment'> & { readonly attempt: number }) | null = null
  const attempt = (): NonNullable<typeof begun> => {
    if (begun === null) throw new Error('The run has not begun')
    return begun
  }

  /** Where a worker of the service listens for calls from targets. */
  let place: OobPlace | null = null
  const callsSince = (after: number) =>
    insist(() => client.listAgentCalls({ ...about, body: { after }, signal: deadlineFor() }))

  let seq = 0
  /** One after the other: the number goes on once the service has kept what it stands for. */
  const numbered = async (work: (seq: number) => Promise<void>): Promise<void> => {
    await insist(() => work(seq + 1))
    seq += 1
  }
  const tell = (message: AgentMessage): Promise<void> => {
    const bytes = JSON.stringify(message).length
    return numbered((number) =>
      client.tellAgentRun({ ...about, body: { seq: number, message }, signal: deadlineFor(bytes) }),
    )
  }
  const sink = createSink(tell, (message) =>
    numbered(async (number) => {
      const { id, module, filename, contentType: content_type, body } = message
      const content = new Uint8Array(body)
      await client.putAgentEvidence({
        params: { ...about.params, evidence_id: id },
        query: { seq: number, module, filename, content_type },
        raw: { type: 'application/octet-stream', content },
        ...{ headers: about.headers, signal: deadlineFor(content.byteLength) },
      })
    }),
  )

  return {
    scanned: null,
    start: async () => {
      const started = await insist(() => client.startAgentRun({ ...about, signal: deadlineFor() }))
      const { started_at, attempt: number, prove, active_refused } = started
      const refused = prove === null ? active_refused : await proven(prove)
      begun = { startedAt: new Date(started_at), attempt: number, activeRefused: refused }
    },
    orders: async () => {
      const read = await insist(() => client.readAssignment({ ...about, signal: deadlineFor() }))
      const { traffic_key: trafficKey, out_of_band, ...assignment } = read
      place = out_of_band
      return { ...attempt(), trafficKey, assignment: assignment as unknown as Assignment }
    },
    calls: () => place && relayedCalls(place, { after: callsSince, onDeaf: () => stop.ask('drain'), logger }),
    slice: async (address) => settings.paces(run.id, address),
    inbox: (onFailure) => createInbox(run.id, sink, onFailure, logger, spool),
    died: async ({ modules, detail }, again) => {
      await tell({ type: 'died', modules: [...modules], detail: cut(detail) })
      for (const module of modules) await sink.fault(module, faultIdOf(module, detail))
      if (!again) return
      const entry = { ts: new Date().toISOString(), module: 'worker', event: 'scanner_restarted' }
      await sink.audit([{ ...entry, attempt: attempt().attempt, detail }])
    },
    complete: async () => {
      await insist(() =>
        client.endAgentRun({ ...about, body: { end: { result: 'completed' } }, signal: deadlineFor() }),
      )
      return 'done'
    },
    fail: async ({ kind, detail }) => {
      const end = { result: 'failed' as const, kind, detail: cut(detail) }
      await insist(() => client.endAgentRun({ ...about, body: { end }, signal: deadlineFor() }))
    },
    cancel: async () => {
      await insist(() => client.endAgentRun({ ...about, body: { end: { result: 'canceled' } }, signal: deadlineFor() }))
    },
  }

  async function proven(claim: { readonly domain: string; readonly token: string }): Promise<string | null> {
    const attempts = await unlessAborted(settings.verifyDomain(claim), stop.signal)
    const answer = await insist(() => client.proveAgentRun({ ...about, body: { attempts }, signal: deadlineFor() }))
    return answer.active_refused
  }
}

type PutEvidence = (message: Parameters<Sink['evidence']>[0][number]) => Promise<void>

const createSink = (tell: (message: AgentMessage) => Promise<void>, putEvidence: PutEvidence): Sink => ({
  progress: ({ phase, detail, progress }) => tell({ type: 'progress', phase, detail: cut(detail), progress }),
  audit: async (entries) => {
    for (let at = 0; at < entries.length; at += LINES) {
      await tell({ type: 'audit', entries: entries.slice(at, at + LINES) as never })
    }
  },
  evidence: async (messages) => {
    for (const message of messages) {
      try {
        await putEvidence(message)
      } catch (cause) {
        if (!(cause instanceof ApiError)) throw cause
        throw new RunFailed('storage_failed', `The file ${message.filename} could not be stored.`, { cause })
      }
    }
  },
  found: async ({ module, findings }) => {
    await storable(() => tell({ type: 'found', module, findings } as never))
  },
  module: async (record) => {
    const { outcome } = record
    const reason = outcome.reason === null ? null : cut(outcome.reason)
    await storable(() => tell({ type: 'module', ...record, outcome: { ...outcome, reason } } as never))
  },
  token: ({ lineage, token }) => tell({ type: 'token_replaced', lineage, token }),
  fault: (module, id) => tell({ type: 'fault', module, id }),
})

const storable = async (telling: () => Promise<void>): Promise<void> => {
  try {
    await telling()
  } catch (cause) {
    if (cause instanceof ApiError && UNSTORABLE.includes(cause.status)) throw new Unstorable({ cause })
    throw cause
  }
}

/** Audit lines in one message. */
const LINES = 500
/** The service is there and refuses these very data. */
const UNSTORABLE = [400, 413, 422]
