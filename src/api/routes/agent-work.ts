/** What agents call. Every write is fenced by the lease of the run, as a worker's is. */
import type { FastifyRequest } from 'fastify'
import { keepFile, runFileKey } from '../../artifacts/keep.ts'
import { AGENT_LEASE, type AgentMessage, LEASE_HEADER, type OobPlace } from '../../contract/agent.ts'
import { ProblemError } from '../../contract/problem.ts'
import { Uuid } from '../../contract/run.ts'
import { sleep } from '../../contract/sleep.ts'
import { activeStanding, proofFrom, settleProof } from '../../store/active-proof.ts'
import {
  agentsRun,
  handOver,
  type Kept,
  keepOnce,
  leaseForAgent,
  letGo,
  reserveOnce,
  standing,
  startOnce,
} from '../../store/agent-runs.ts'
import { answerCheck, noteSeen, takeChecks } from '../../store/agents.ts'
import { confirmEvidence } from '../../store/artifacts.ts'
import { assignmentOf } from '../../store/assignment.ts'
import { callsAfter, listenFor } from '../../store/calls.ts'
import { type Database, DatabaseError } from '../../store/database.ts'
import { setVerified } from '../../store/domains.ts'
import { appendAudit } from '../../store/events.ts'
import { addChildDeath, countFault } from '../../store/faults.ts'
import { heartbeat } from '../../store/heartbeat.ts'
import { type LeasedRun, progress, release } from '../../store/lease.ts'
import { saveFound, saveModule } from '../../store/modules.ts'
import { keepToken } from '../../store/refresh-tokens.ts'
import { about, answer, bind, type Route, rawAnswer } from '../route.ts'
import type { Caller, Services } from '../services.ts'

/** Under which the figures of the operator count what went wrong in agents: the names that those send are their own. */
const FAULTS_OF_AGENTS = 'agent'

export const agentWorkRoutes = (services: Services): readonly Route[] => [
  ...askingRoutes(services),
  ...leaseRoutes(services),
  ...tellingRoutes(services),
]

/** The run in the path, whose lease the request shows and the agent has. */
const ownRun = async ({ db }: Services, request: FastifyRequest, id: string, { actor }: Caller): Promise<LeasedRun> => {
  const token = leaseOf(request)
  const run = token === null ? null : await agentsRun(db, actor.id, { runId: id, token })
  if (run === null) throw leaseLost()
  return run
}

/** Null: the request shows none. */
const leaseOf = (request: FastifyRequest): string | null =>
  Uuid.safeParse(request.headers[LEASE_HEADER.toLowerCase()]).data ?? null

/** What an agent asks for beside its runs. */
const askingRoutes = (services: Services): readonly Route[] => {
  const { db, plans } = services
  return [
    bind('readAgent', async ({ caller: { actor, organisation } }) =>
      answer(200, {
        agent: { id: actor.id, name: actor.name.replace(/^agent /, '') },
        organisation: organisation.name,
        ...{ version: services.version, now: new Date().toISOString() },
      }),
    ),

    bind('takeAgentWork', async ({ body, caller: { actor } }) => {
      await noteSeen(db, actor.id, body)
      if (body.version !== services.version) {
        throw new ProblemError(
          'agent_version_wrong',
          `This service is version ${services.version}, and the agent is ${body.version}: install version ${services.version} of it.`,
        )
      }
      const by = { agentId: actor.id, instance: body.instance }
      await letGo(db, by, body.holding)
      const run = body.place ? await leaseForAgent(db, plans, by) : null
      const checks = await takeChecks(db, actor.id)
      // Whoever reads the activity is told of what was taken, and not of every look.
      return about(run === null ? null : run.domain, answer(200, { run: run && shown(run), checks }))
    }),

    bind('answerAgentCheck', async ({ params, body, caller: { actor } }) => {
      // At once: who waits for the answer reads the domain next.
      const domain = await db.transaction(async (tx) => {
        const asked = await answerCheck(tx, actor.id, params.id, body.attempts)
        if (asked !== null && body.attempts.some(({ ok }) => ok)) {
          await setVerified(tx, asked, { ...proofFrom(new Date()), through: actor.id })
        }
        return asked
      })
      return about(domain, rawAnswer(204, null))
    }),
  ]
}

/** A run from its lease to its end. */
const leaseRoutes = (services: Services): readonly Route[] => {
  const { db, keys } = services
  return [
    bind('beatAgentRun', async ({ params, caller, request }) => {
      const beat = held(await heartbeat(db, await ownRun(services, request, params.id, caller), AGENT_LEASE))
      return about(null, answer(200, { cancel_requested: beat.cancelRequested, silence: beat.silence }))
    }),

    bind('startAgentRun', async ({ params, caller, request }) => {
      const run = await ownRun(services, request, params.id, caller)
      const { startedAt, attempt } = held(await startOnce(db, run))
      const state = held(await activeStanding(db, run))
      const refused = 'refused' in state ? state.refused : null
      const prove = 'prove' in state ? { domain: state.prove.domain, token: state.prove.token } : null
      return about(
        run.domain,
        answer(200, { started_at: startedAt.toISOString(), attempt, prove, active_refused: refused }),
      )
    }),

    bind('proveAgentRun', async ({ params, body, caller, request }) => {
      const run = await ownRun(services, request, params.id, caller)
      const state = held(await activeStanding(db, run))
      const settled = 'refused' in state ? state : held(await settleProof(db, run, state.prove, body.attempts))
      return about(run.domain, answer(200, { active_refused: settled.refused }))
    }),

    bind('readAssignment', async ({ params, caller, request }) => {
      const run = await ownRun(services, request, params.id, caller)
      const traffic_key = services.trafficKey?.(run.runId) ?? ''
      const out_of_band = run.tier === 'active' ? await listenerFor(services, run) : null
      const assignment = held(await assignmentOf(db, keys, run))
      return answer(200, { ...assignment, out_of_band, traffic_key } as never)
    }),

    bind('listAgentCalls', async ({ params, body, caller, request }) => {
      const run = await ownRun(services, request, params.id, caller)
      const { calls, listening, heardUntil, now } = await callsAfter(db, run, body.after)
      const times = { heard_until: heardUntil?.toISOString() ?? null, now: now.toISOString() }
      return about(null, answer(200, { calls: [...calls], listening, ...times }))
    }),

    bind('releaseAgentRun', async ({ params, caller, request }) => {
      const run = await ownRun(services, request, params.id, caller)
      held(await release(db, run))
      return about(run.domain, rawAnswer(204, null))
    }),

    bind('endAgentRun', async ({ params, body, request, caller }) => {
      const token = leaseOf(request)
      if (token === null) throw leaseLost()
      const domain = await handOver(db, caller.actor.id, { runId: params.id, token }, body.end)
      return about(held(domain).domain, rawAnswer(204, null))
    }),
  ]
}

/** What its scan says meanwhile. */
const tellingRoutes = (services: Services): readonly Route[] => {
  const { db, storage } = services
  return [
    bind('tellAgentRun', async ({ params, body: { seq, message }, caller, request }) => {
      const run = await ownRun(services, request, params.id, caller)
      const kept = await keepOnce(db, run, seq, (inside) => keep(services, inside, run, message)).catch(
        (error: unknown) => {
          if (!isUnstorable(error)) throw error
          throw new ProblemError('message_unstorable', 'The database refuses these data.', { cause: error })
        },
      )
      demandKept(kept)
      return about(null, rawAnswer(204, null))
    }),

    bind('putAgentEvidence', async ({ params, query, caller, request }) => {
      const run = await ownRun(services, request, params.id, caller)
      const at = await db.transaction((tx) => standing(tx, run, query.seq))
      if (at === 'next') {
        const { module, filename, content_type: contentType } = query
        const about = { id: params.evidence_id, module, filename, contentType }
        const objectKey = runFileKey(run.runId, about.id, filename)
        const { retention_days: retentionDays } = planOf(services, run)
        held(await reserveOnce(db, run, { ...about, kind: 'evidence', objectKey, retentionDays, watermarked: false }))
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        const { size, sha256 } = await keepFile(storage, objectKey, body, contentType)
        const stored = { id: about.id, sizeBytes: size, sha256, pageCount: null }
        demandKept(await keepOnce(db, run, query.seq, (inside) => confirmEvidence(inside, run, stored)))
      } else demandKept(at)
      return about(null, rawAnswer(204, null))
    }),
  ]
}

const shown = ({ runId, domain, attempts, token }: LeasedRun) => ({
  ...{ id: runId, domain, attempts, lease: token, lease_seconds: AGENT_LEASE },
})

const keep = async (
  { keys }: Services,
  db: Database,
  run: LeasedRun,
  message: AgentMessage,
): Promise<'ok' | 'lost'> => {
  switch (message.type) {
    case 'progress':
      return progress(db, run, message)
    case 'audit':
      return appendAudit(db, run, message.entries as never)
    case 'module': {
      const { type: _, ...record } = message
      return saveModule(db, run, record as never)
    }
    case 'found':
      return saveFound(db, run, message.module, message.findings as never)
    case 'token_replaced':
      if (run.domainId !== null) await keepToken(db, keys, run.domainId, message.lineage, message.token)
      return 'ok'
    case 'fault':
      await countFault(db, FAULTS_OF_AGENTS, message.id)
      return 'ok'
    case 'died':
      return db.transaction((tx) => addChildDeath(tx, run, run.attempts, message))
  }
}

/** Waits a moment for the worker that is to listen: addresses are given out only once it does. */
const listenerFor = async ({ db }: Services, run: LeasedRun): Promise<OobPlace | null> => {
  const deadline = performance.now() + LISTENER_PATIENCE
  for (;;) {
    const place = await listenFor(db, run)
    if (place !== 'pending') return place
    if (performance.now() > deadline) return null
    await sleep(LOOK_EVERY)
  }
}

/** Milliseconds. */
const LISTENER_PATIENCE = 3_000
const LOOK_EVERY = 50

const planOf = ({ plans }: Services, run: LeasedRun) => {
  const plan = plans.find(({ id }) => id === run.plan)
  if (plan === undefined) throw new Error(`The plan "${run.plan}" is not configured`)
  return plan
}

/** As of a worker: the database is there and refuses these very data. */
const isUnstorable = (error: unknown): boolean => error instanceof DatabaseError && /^(22|23|54)/.test(error.code)

const leaseLost = (): ProblemError =>
  new ProblemError('lease_lost', 'The run is not leased to this agent by that lease. Write nothing more of it.')

const held = <T>(given: T | 'lost'): T => {
  if (given === 'lost') throw leaseLost()
  return given
}

const demandKept = (kept: Kept): void => {
  if (kept === 'lost') throw leaseLost()
  if (kept === 'gap') throw new ProblemError('message_out_of_order', 'A message with a number before it is missing.')
}
