/**
 * Kills at random over a whole installation, while runs are started without a pause: of scan processes, workers, the agent and the
 * interface, through outages of database and bucket and cuts of the agent. A few in `./test --all`; with SONDE_LONG three hundred,
 * and the second agent is cut off for ten minutes. SONDE_CHAOS_SEED and SONDE_CHAOS_KILLS repeat or shorten one.
 */
import { randomUUID } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hasEnded } from '../../src/contract/run.ts'
import { getAnyRun } from '../../src/store/runs.ts'
import { until } from '../support/until.ts'
import { type Bed, type Customer, openChaosBed } from './bed.ts'
import { type Member, scansOf } from './fleet.ts'
import { storyOf, wrongWith } from './whole.ts'

const LONG = Boolean(process.env.SONDE_LONG)
const KILLS = Number(process.env.SONDE_CHAOS_KILLS ?? (LONG ? 300 : 10))
const SEED = Number(process.env.SONDE_CHAOS_SEED ?? 18)
/** Milliseconds: the cut of the second agent, the whole campaign, the end of what was started. */
const CUT = LONG ? 600_000 : 3_000
const TIME = 300_000 + KILLS * 8_000 + CUT
const ENDS = 180_000
/** Runs on their way at once, of workers' customers and of the agent's. */
const AT_ONCE = { workers: 9, near: 3 }
/** Milliseconds of an outage; every fifth of the database is longer than a lease. */
const AWAY = 2_000
const LONGER = 6_000
/** Kills from one outage to the next. */
const OUTAGE_EVERY = LONG ? 12 : 3

let bed: Bed
beforeAll(async () => {
  bed = await openChaosBed()
}, 300_000)
afterAll(() => bed?.close())

/** Numbers from 0 to 1 that come again with the seed (mulberry32). */
const numbers = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}
const random = numbers(SEED)

/** Sent again with the same key until it is acknowledged: whatever dies meanwhile, that is one run. */
const startRun = async ({ client, domainId }: Customer, acknowledged: string[], makePdf: boolean): Promise<void> => {
  const headers = { 'idempotency-key': randomUUID() }
  const body = { domain_id: domainId, privacy: false, make_pdf: makePdf }
  const deadline = Date.now() + TIME
  for (;;) {
    try {
      acknowledged.push((await client.startScan({ body, headers })).id)
      return
    } catch (error) {
      if (Date.now() > deadline) throw error
      await delay(300)
    }
  }
}

interface Starting {
  readonly acknowledged: string[]
  readonly stop: () => Promise<void>
}

/** As many runs of a customer on their way as there may be. */
const keepStarting = (customers: readonly Customer[], most: number): Starting => {
  const acknowledged: string[] = []
  let going = true
  const go = async (): Promise<void> => {
    for (let n = 0; going; n += 1) {
      const [row] = await bed.db.query<{ n: number }>(
        `select count(*)::int as n from runs where status in ('queued', 'leased', 'running') and organisation_id = any ($1)`,
        [customers.map(({ organisationId }) => organisationId)],
      )
      const customer = customers[n % customers.length]
      if ((row?.n ?? most) >= most || customer === undefined) await delay(150)
      else await startRun(customer, acknowledged, n % 3 === 0)
    }
  }
  const ended = go()
  return {
    acknowledged,
    stop: async () => {
      going = false
      await ended
    },
  }
}

/** What was done to whom, and when: printed where a run is not whole. */
const history: string[] = []
const note = (what: string): void => void history.push(`${new Date().toISOString()} ${what}`)

/** False: it has ended by itself a moment ago. */
const sendTo = (pid: number, signal: NodeJS.Signals): boolean => {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false
    throw error
  }
}

/** By what was killed. */
const killed: Record<string, number> = { scan: 0, worker: 0, agent: 0, interface: 0 }
/** Runs whose scan was killed once: twice in a row would be the run's own fault, by the product's rule. */
const struck = new Set<string>()

/**
 * Stopped first, so that nothing moves while it is asked whether a run would lose its last attempt: the product ends such a one as
 * failed, by its rule. False: it was let go on.
 */
const killHolder = async (member: Member): Promise<boolean> => {
  const pid = member.pid()
  if (pid === null || !sendTo(pid, 'SIGSTOP')) return false
  await delay(50)
  const holder = member.role.kind === 'agent' ? `agent ${await agentId()} ` : `${member.role.name}-${pid}`
  const last = await bed.db.query(
    `select 1 from runs
      where status in ('leased', 'running') and case when scan_end is null then attempts else finishes end >= 2 and starts_with(leased_by, $1)`,
    [holder],
  )
  if (last.length > 0) {
    sendTo(pid, 'SIGCONT')
    return false
  }
  note(`killed ${member.role.name} ${pid}`)
  await member.kill()
  return true
}
let near = ''
const agentId = async (): Promise<string> => {
  if (near === '') {
    const { domainId } = bed.customers.near
    const [row] = await bed.db.query<{ agent_id: string }>('select agent_id from domains where id = $1', [domainId])
    near = row?.agent_id ?? ''
  }
  return near
}

const killScan = (): boolean => {
  const scans = [...bed.members.workers, bed.members.near].flatMap(scansOf).filter(({ runId }) => !struck.has(runId))
  const scan = scans[Math.floor(random() * scans.length)]
  if (scan === undefined) return false
  if (!sendTo(scan.pid, 'SIGKILL')) return false
  struck.add(scan.runId)
  note(`killed the scan of ${scan.runId}`)
  return true
}

const killOne = async (): Promise<boolean> => {
  const { workers, near: agent, interface: service } = bed.members
  const which = random()
  const count = (kind: string, done: boolean): boolean => {
    if (done) killed[kind] = (killed[kind] ?? 0) + 1
    return done
  }
  if (which < 0.35) return count('scan', killScan())
  if (which < 0.65) {
    const worker = workers[Math.floor(random() * workers.length)]
    return count('worker', worker !== undefined && (await killHolder(worker)))
  }
  if (which < 0.85) return count('agent', await killHolder(agent))
  const lives = service.pid() !== null
  await service.kill()
  return count('interface', lives)
}

const OUTAGES = [
  'postgres refuses',
  's3 refuses',
  'agent is cut off',
  's3 falls silent',
  'postgres falls silent',
] as const
const outages: Record<string, number> = {}

/** Goes on beside the kills; resolves when it is over. */
const outage = async (number: number): Promise<void> => {
  const what = OUTAGES[number % OUTAGES.length] ?? 'postgres refuses'
  const { postgres, s3, near: line } = bed.relays
  const relay = what.startsWith('postgres') ? postgres : what.startsWith('s3') ? s3 : line
  if (what.includes('silent')) relay.silence()
  else await relay.refuse()
  outages[what] = (outages[what] ?? 0) + 1
  note(what)
  await delay(what.startsWith('postgres') && number % 5 === 4 ? LONGER : AWAY)
  await relay.restore()
  note(`no more: ${what}`)
}

/** The second agent loses its line in the middle of a scan, which ends meanwhile. */
const cutOff = async (): Promise<{ readonly id: string; readonly over: Promise<number> }> => {
  const [id = ''] = await startOne(bed.customers.far)
  const { role } = bed.members.far
  await until(() => scansOf(bed.members.far).some(({ runId }) => runId === id), 120_000)
  await bed.relays.far.refuse()
  const at = Date.now()
  writeFileSync(join(role.folder, 'go'), '')
  const over = (async () => {
    await until(() => !scansOf(bed.members.far).some(({ runId }) => runId === id), 60_000)
    await delay(Math.max(0, at + CUT - Date.now()))
    await bed.relays.far.restore()
    return Date.now() - at
  })()
  return { id, over }
}
const startOne = async (customer: Customer): Promise<string[]> => {
  const ids: string[] = []
  await startRun(customer, ids, false)
  return ids
}

/** For whoever looks for the cause. */
const tellOf = async (id: string): Promise<void> => {
  const { interface: service, workers, near: agent, far } = bed.members
  const logs = [service, ...workers, agent, far].flatMap(({ role, log }) =>
    log()
      .split('\n')
      .filter((line) => line.includes(id))
      .map((line) => `${role.name}: ${line}`),
  )
  process.stdout.write(`${[...(await storyOf(bed, id)), ...logs].join('\n')}\n`)
}

const allEnded = async (ids: readonly string[]): Promise<boolean> => {
  const runs = await Promise.all(ids.map((id) => getAnyRun(bed.db, id)))
  return runs.every((run) => run !== null && hasEnded(run.status) && run.report.state !== 'pending')
}

test(`${KILLS} kills: every run that was acknowledged ends once, whole`, { timeout: TIME }, async () => {
  const { db, customers, members } = bed
  const began = Date.now()
  const far = await cutOff()
  const starting = [keepStarting(customers.workers, AT_ONCE.workers), keepStarting([customers.near], AT_ONCE.near)]
  await until(() => [...members.workers, members.near].flatMap(scansOf).length > 2, 120_000)
  let kills = 0
  let away: Promise<void> | null = null
  while (kills < KILLS) {
    await delay(100 + random() * 1_400)
    if (!(await killOne())) continue
    kills += 1
    if (kills % OUTAGE_EVERY !== 0) continue
    await away
    away = outage(kills / OUTAGE_EVERY - 1)
  }
  await away
  for (const one of starting) await one.stop()
  const cut = await far.over
  const ids = [far.id, ...starting.flatMap(({ acknowledged }) => acknowledged)]
  await until(() => allEnded(ids), ENDS)

  const wrong = (await Promise.all(ids.map((id) => wrongWith(bed, id)))).flat()
  for (const id of ids.filter((one) => wrong.some((text) => text.startsWith(one)))) await tellOf(id)
  if (wrong.length > 0) process.stdout.write(`${history.join('\n')}\n`)
  const [sum] = await db.query<{ runs: number; again: number; told: number; twice: number }>(
    `select count(*)::int as runs, coalesce(sum(attempts - 1), 0)::int as again,
            (select count(*)::int from deliveries where event = 'scan.finished') as told,
            (select count(*)::int from (select 1 from deliveries group by payload -> 'data' ->> 'id' having count(*) > 1) d) as twice
       from runs`,
    [],
  )
  const fallen = [members.interface, ...members.workers, members.near, members.far].filter((one) => one.fell() > 0)
  process.stdout.write(
    `chaos, seed ${SEED}: ${JSON.stringify({ kills: killed, outages, runs: ids.length, ...sum, cut_seconds: Math.round(cut / 1_000), seconds: Math.round((Date.now() - began) / 1_000), wrong: wrong.length })}\n`,
  )
  expect(wrong).toEqual([])
  // No start came to two runs, and the end of each was told once.
  expect(sum).toMatchObject({ runs: ids.length, told: ids.length - 1, twice: 0 })
  expect(fallen.map(({ role, log }) => `${role.name}: ${log()}`)).toEqual([])
  const [row] = await db.query<{ attempts: number }>('select attempts from runs where id = $1', [far.id])
  expect(row?.attempts, 'what was cut off was not begun anew').toBe(1)
  expect(existsSync(join(members.far.role.folder, 'go'))).toBe(true)
})
