/**
 * The runs that a worker has at once, by what each takes: one with probes or a browser needs a core and much memory, one without mostly
 * waits for answers and has places of its own. No further one is taken while the machine has less free memory than it needs beside what
 * those at work have not taken yet.
 */
import { availableParallelism } from 'node:os'
import type { HeldRun, RunSource } from './held-run.ts'
import type { ScanOptions, Timing } from './options.ts'
import { type Repeated, repeat } from './repeat.ts'
import { type ActiveRun, carryOut } from './run.ts'
import { createScanProcesses } from './scan-processes.ts'
import { createWakes } from './wakes.ts'

export interface Places {
  /** Ids of the runs at work. */
  readonly active: () => readonly string[]
  /** Looks for runs now, and does so by itself now and then. */
  readonly look: Repeated
  /** Something may have come into the queue, or a place of an organisation have become free. */
  readonly wake: () => void
  /** A cancel of this run, or of any, may have been asked for. */
  readonly lookAt: (runId: string | null) => void
  /** Every run is stopped and handed back. Resolves when none is left; `signal` has aborted before. */
  readonly drain: () => Promise<void>
}

type Size = Pick<ScanOptions, 'concurrency' | 'lightConcurrency'>

/** How many runs a worker takes at once, whatever they need. */
export const placesOf = ({ concurrency }: Size): number => concurrency ?? availableParallelism()
/** How many light ones it takes beside them. */
const lightPlacesOf = ({ concurrency, lightConcurrency }: Size): number =>
  lightConcurrency ?? (concurrency === undefined ? 2 * availableParallelism() : 0)

/** Bytes that have to be free for one more: a scan and its browser as they usually grow, and a scan alone. */
const MEBIBYTE = 1024 * 1024
const NEEDS = { any: 768 * MEBIBYTE, light: 256 * MEBIBYTE } as const

/** `leave` gets a run whose lease nobody could keep, as its home was silent: to be handed back once that answers. */
export const fillPlaces = (
  options: ScanOptions,
  timing: Timing,
  source: RunSource,
  signal: AbortSignal,
  leave: (run: HeldRun) => void,
): Places => {
  const { logger } = options
  const processes = createScanProcesses(options)
  const scanner = { ...options, processes }
  const active = new Map<string, ActiveRun & { readonly light: boolean }>()
  const wakes = createWakes()
  const places = { any: placesOf(options), light: lightPlacesOf(options) }
  const freeMemory = options.freeMemory ?? (() => process.availableMemory())
  /** Bytes that runs at work will still take, as far as one tells by their kind: several begin within a moment, and grow for minutes. */
  const promised = (): number =>
    [...active.values()].reduce((sum, run) => sum + Math.max(0, NEEDS[run.light ? 'light' : 'any'] - run.memory()), 0)
  /** What there is room for. Light runs sit on the places of others only where their own are taken. */
  const room = (): 'any' | 'light' | null => {
    const light = [...active.values()].filter((run) => run.light).length
    const others = active.size - Math.min(light, places.light)
    // Whatever it has, a machine takes one.
    const fits = (kind: keyof typeof NEEDS): boolean => active.size === 0 || freeMemory() - promised() >= NEEDS[kind]
    if (others < places.any && fits('any')) return 'any'
    return (light < places.light || others < places.any) && fits('light') ? 'light' : null
  }
  const take = async (): Promise<void> => {
    for (let kind = room(); !signal.aborted && kind !== null; kind = room()) {
      const run = await source.lease({ light: kind === 'light' })
      if (!run) return
      wakes.found()
      logger.info({ run: run.runId, domain: run.domain, attempt: run.attempts + 1 }, 'run leased')
      const started = { ...carryOut(scanner, timing, run, () => leave(run)), light: run.light }
      active.set(run.runId, started)
      // Leased while the worker was asked to stop: straight back.
      if (signal.aborted) started.drain()
      void started.ended.then(() => {
        active.delete(run.runId)
        look.now()
      })
    }
  }
  const look = repeat({ every: timing.poll, signal, logger, name: 'queue' }, async () => {
    await take()
    await processes.keep(active.size > 0)
  })
  return {
    active: () => [...active.keys()],
    look,
    wake: () => {
      // Who has no place does not look.
      if (room() !== null && wakes.follow()) look.now()
    },
    lookAt: (runId) => {
      if (runId) active.get(runId)?.look()
      else for (const run of active.values()) run.look()
    },
    drain: async () => {
      for (const run of active.values()) run.drain()
      await look.ended()
      // The queue is not looked at any more, so no run can join now.
      await Promise.all([...active.values()].map(({ ended }) => ended))
      await processes.close()
    },
  }
}
