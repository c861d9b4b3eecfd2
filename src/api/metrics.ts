import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { QueueStats } from '../store/queue-stats.ts'
import { addQueueGauges } from './queue-gauges.ts'

export interface Metrics {
  readonly registry: Registry
  readonly observe: (endpoint: string, method: string, status: number, seconds: number) => void
}

/** `streams` and `queue` are asked at a scrape; null of `queue` means that the database did not answer. */
export const createMetrics = (
  given: Registry | undefined,
  streams: () => number,
  queue: () => Promise<QueueStats | null>,
): Metrics => {
  const registry = given ?? new Registry()
  if (given === undefined) collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const requests = new Counter({
    name: 'sonde_http_requests_total',
    help: 'Requests answered',
    labelNames: ['endpoint', 'method', 'status'],
    registers,
  })
  const seconds = new Histogram({
    name: 'sonde_http_request_seconds',
    help: 'Time to answer; event streams are left out',
    labelNames: ['endpoint'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  new Gauge({
    name: 'sonde_event_streams',
    help: 'Open event streams',
    registers,
    collect() {
      this.set(streams())
    },
  })
  addQueueGauges(registry, queue)
  return {
    registry,
    observe: (endpoint, method, status, elapsed) => {
      requests.inc({ endpoint, method, status })
      if (!endpoint.endsWith('/stream')) seconds.observe({ endpoint }, elapsed)
    },
  }
}
