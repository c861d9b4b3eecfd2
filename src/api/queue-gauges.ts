/** The queue's figures as Prometheus gauges. */
import type { FastifyBaseLogger } from 'fastify'
import { Counter, Gauge, type Registry } from 'prom-client'
import { within } from '../contract/within.ts'
import type { Database } from '../store/database.ts'
import { type QueueStats, queueStats } from '../store/queue-stats.ts'

/** Milliseconds that one answer serves: /metrics is public, and must not be a way to keep the database busy. */
const FRESH = 5_000
/** Milliseconds to wait for the database. */
const TIMEOUT = 2_000

/** Asks at most once in `FRESH`; null when the database did not answer. */
export const recentStats = (
  db: Database,
  logger: FastifyBaseLogger | null,
  now: () => number = () => performance.now(),
): (() => Promise<QueueStats | null>) => {
  let asked: { readonly at: number; readonly answer: Promise<QueueStats | null> } | null = null
  const ask = async (): Promise<QueueStats | null> => {
    try {
      return await within(TIMEOUT, queueStats(db))
    } catch (error) {
      logger?.error({ err: error }, 'the figures of the queue could not be read')
      return null
    }
  }
  return () => {
    if (asked === null || now() - asked.at > FRESH) asked = { at: now(), answer: ask() }
    return asked.answer
  }
}

type Line = readonly [labels: Readonly<Record<string, string>>, value: number]

/** Without an answer the gauges have no value, so that nobody takes an outage for an empty queue. */
export const addQueueGauges = (registry: Registry, queue: () => Promise<QueueStats | null>): void => {
  const add = (name: string, help: string, lines: (stats: QueueStats) => readonly Line[]): void => {
    const labelNames = LABELS[name] ?? []
    new Gauge({
      ...{ name, help, labelNames, registers: [registry] },
      async collect() {
        this.reset()
        const stats = await queue()
        if (stats !== null) for (const [labels, value] of lines(stats)) this.set(labels, value)
        // A reset gauge without labels says 0.
        else if (labelNames.length === 0) this.remove()
      },
    })
  }
  new Counter({
    name: 'sonde_scanner_faults_total',
    help: 'Faults of the scanner that were held, by the module or task they happened in; the log has their stacks',
    labelNames: ['module'],
    registers: [registry],
    async collect() {
      this.reset()
      const stats = await queue()
      for (const { module, faults } of stats?.faults ?? []) this.inc({ module }, faults)
    },
  })
  new Gauge({
    ...{ name: 'sonde_database_up', help: '1 when the database answered', registers: [registry] },
    async collect() {
      this.set((await queue()) === null ? 0 : 1)
    },
  })
  add('sonde_runs', 'Runs that have not ended, by state and phase', ({ live }) =>
    live.map(({ status, phase, runs }) => [{ status, phase }, runs]),
  )
  add(
    'sonde_queue_oldest_seconds',
    'How long the oldest queued run that may begin has waited',
    ({ oldestQueuedSeconds }) => [[{}, oldestQueuedSeconds]],
  )
  add('sonde_holds', 'Emergency stops that hold the queue: of one organisation, over all', ({ held }) => [
    [{ over: 'organisation' }, held.organisations],
    [{ over: 'all' }, held.all],
  ])
  add('sonde_runs_ended_last_hour', 'Runs that ended within the last hour', ({ ended }) =>
    ended.map(({ status, runs }) => [{ status }, runs]),
  )
  add('sonde_run_seconds_last_hour', 'Mean time from first lease to end, of those runs', ({ ended }) =>
    ended.map(({ status, runs, seconds }) => [{ status }, seconds / runs]),
  )
  add('sonde_run_slowest_seconds_last_hour', 'The longest of these times', ({ ended }) =>
    ended.map(({ status, slowestSeconds }) => [{ status }, slowestSeconds]),
  )
  add('sonde_runs_failed_last_hour', 'Runs that failed within the last hour, by why', ({ failed }) =>
    failed.map(({ kind, runs }) => [{ kind }, runs]),
  )
  add('sonde_findings_last_hour', 'Open findings of the runs that were done within the last hour', ({ found }) =>
    found.map(({ severity, findings }) => [{ severity }, findings]),
  )
  add('sonde_target_requests_last_hour', 'Requests that those runs sent to their targets', ({ ended }) =>
    ended.map(({ status, requests }) => [{ status }, requests]),
  )
}

const LABELS: Readonly<Record<string, readonly string[]>> = {
  sonde_runs: ['status', 'phase'],
  sonde_holds: ['over'],
  sonde_runs_ended_last_hour: ['status'],
  sonde_run_seconds_last_hour: ['status'],
  sonde_run_slowest_seconds_last_hour: ['status'],
  sonde_target_requests_last_hour: ['status'],
  sonde_runs_failed_last_hour: ['kind'],
  sonde_findings_last_hour: ['severity'],
}
