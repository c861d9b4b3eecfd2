import type { ChildProcess } from 'node:child_process'
import type { Slice } from '../contract/pace.ts'
import type { OobHit, OobRun } from '../egress/oob/out-of-band.ts'
import type { FromChild, RunSpec, ToChild } from '../engine/protocol.ts'
import type { Stop } from './heartbeat.ts'
import { hasEnded, killGroup, type ScanProcess } from './scan-processes.ts'

/** Everything that the child says before its last word and that is to be stored. */
export type ChildMessage = Exclude<FromChild, { type: 'ended' | 'working' | 'alive' | 'heard' | 'pace' | 'offered' }>

/** Hands over the calls that the run's target makes. */
export type Calls = (onHit: (hit: OobHit) => void) => {
  readonly run: OobRun
  readonly stop: () => void
  /** Resolves once those that came until now are handed over. Absent: they are handed over as they come. */
  readonly upToNow?: () => Promise<void>
}

export interface ChildOptions {
  /** Milliseconds between asking it to stop and killing it. */
  readonly grace: number
  /** Milliseconds beyond its own deadline after which it is not waited for. */
  readonly overrun: number
  /** Milliseconds without any word, of a child that speaks by itself, after which it is taken for stuck. */
  readonly silence: number
  readonly stop: Stop
  /** Aborts when the child may send nothing more to anybody, with a sentence why; it goes on to its end. */
  readonly muted?: AbortSignal
  readonly calls?: Calls
  /** A part of the pace of an address for this run; null where nobody can tell now. Never rejects. Absent: nobody ever can. */
  readonly slice?: (address: string) => Promise<Slice | null>
  readonly onMessage: (message: ChildMessage) => void
  /** Modules that are at work now. */
  readonly onWorking?: (modules: readonly string[]) => void
  /** Facts of a module that still goes on. */
  readonly onOffered?: (module: string, facts: unknown) => void
  /** Lines that the child wrote to its outputs. */
  readonly onLine: (line: string) => void
}

export type ChildEnd =
  | Extract<FromChild, { type: 'ended' }>
  /** It died, or was stuck and killed. `detail` is a sentence; `modules` were at work then; `heard`: it had begun. */
  | { readonly type: 'crashed'; readonly detail: string; readonly modules: readonly string[]; readonly heard: boolean }
  | { readonly type: 'overran' }
  /** Killed because the run has to stop. */
  | { readonly type: 'killed' }

/** Milliseconds to leave after its last message. */
const EXIT_GRACE = 3_000
const OUTPUT_LIMIT = 64 * 1024

/**
 * Runs one scan in a process that was told nothing yet, in a process group of its own. Resolves when the child is gone and all
 * its messages were handed over; the group is dead then, programs it started included.
 */
export const superviseChild = async (
  spec: RunSpec,
  started: Pick<ScanProcess, 'child' | 'failure'>,
  options: ChildOptions,
): Promise<ChildEnd> => {
  const { child } = started
  const output = collectLines(child, options.onLine)
  let ended: Extract<FromChild, { type: 'ended' }> | null = null
  let overran = false
  let killed = false
  let spoken = false
  const timers = new Set<NodeJS.Timeout>()
  const later = (milliseconds: number, work: () => void): void => {
    timers.add(setTimeout(work, milliseconds))
  }
  const kill = (): void => {
    killed = true
    killGroup(child)
  }

  let working: readonly string[] = []
  let stuck = false
  let watch: NodeJS.Timeout | undefined
  const heard = (): void => {
    clearTimeout(watch)
    watch = setTimeout(() => {
      stuck = true
      killGroup(child)
    }, options.silence)
  }

  child.on('message', (message: FromChild) => {
    if (ended) return
    spoken = true
    // Only a child that promises to speak is missed when it is silent.
    if (message.type === 'alive' || watch !== undefined) heard()
    if (message.type === 'ended') {
      ended = message
      clearTimeout(watch)
      later(EXIT_GRACE, kill)
    } else if (message.type === 'working') {
      working = message.modules
      options.onWorking?.(working)
    } else if (message.type === 'offered') options.onOffered?.(message.module, message.facts)
    else if (message.type === 'heard' || message.type === 'pace') void answer(message)
    else if (message.type !== 'alive') options.onMessage(message)
  })
  const answer = async (question: Question): Promise<void> =>
    tell(child, question.type === 'heard' ? await heardOf(question, calls) : await pacedOf(question, options))
  const onStop = (): void => {
    if (options.stop.why() === 'cancel') {
      tell(child, { type: 'cancel' })
      later(options.grace, kill)
    } else kill()
  }
  options.stop.signal.addEventListener('abort', onStop)
  if (options.stop.signal.aborted) kill()
  // A lost lease after a cancel must not wait for the grace.
  options.stop.lost.addEventListener('abort', kill)
  later(spec.deadline * 1000 + options.overrun, () => {
    overran = true
    kill()
  })
  const calls = options.calls?.((hit) => tell(child, { type: 'called', hit }))
  const heardOfCalls = calls ? { outOfBand: calls.run } : {}
  const paced = options.slice ? ({ paced: true } as const) : {}
  tell(child, { type: 'start', spec: { ...spec, ...heardOfCalls, ...paced } })

  const onMuted = (): void => tell(child, { type: 'silence', why: String(options.muted?.reason) })
  options.muted?.addEventListener('abort', onMuted)
  if (options.muted?.aborted) onMuted()

  const { code, signal, error } = await gone(started)
  for (const timer of timers) clearTimeout(timer)
  clearTimeout(watch)
  calls?.stop()
  options.stop.signal.removeEventListener('abort', onStop)
  options.stop.lost.removeEventListener('abort', kill)
  options.muted?.removeEventListener('abort', onMuted)
  if (ended) return ended
  if (overran) return { type: 'overran' }
  if (killed || options.stop.signal.aborted) return { type: 'killed' }
  const detail = stuck ? STUCK : crashSentence(code, signal, error, output())
  return { type: 'crashed', detail, modules: working, heard: spoken }
}

type Question = Extract<FromChild, { type: 'heard' | 'pace' }>

/** One that is never told goes on waiting, until its module's deadline. */
const heardOf = async ({ n }: Question, calls: ReturnType<Calls> | undefined): Promise<ToChild> => {
  await calls?.upToNow?.()
  return { type: 'heard', n }
}

const pacedOf = async (
  { n, address }: Extract<FromChild, { type: 'pace' }>,
  { slice }: ChildOptions,
): Promise<ToChild> => ({ type: 'paced', n, slice: IP.test(address) ? ((await slice?.(address)) ?? null) : null })

/** The child reads what hostile sites send: whatever it says is an address goes no further where it is none. */
const IP = /^[0-9a-f.:]{2,45}$/

const STUCK = 'The scanner process did not answer any more and was ended.'

/** A child that is gone already cannot be told; its end says so. */
const tell = (child: ChildProcess, message: ToChild): void => {
  if (child.connected) child.send(message, () => undefined)
}

interface Gone {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly error: Error | null
}

/**
 * The process, its channel and its outputs: messages and the last lines may still arrive after the exit. The group is
 * killed at the exit, so that no grandchild keeps an output open.
 */
const gone = ({ child, failure }: Pick<ScanProcess, 'child' | 'failure'>): Promise<Gone> =>
  new Promise((resolve) => {
    let end: Gone | null = null
    let closed = false
    const settle = (): void => {
      if (end && closed && !child.connected) resolve(end)
    }
    // It has died while it waited, or could not be started: what it was told nobody has heard.
    if (hasEnded(child)) resolve({ code: child.exitCode, signal: child.signalCode, error: failure() })
    child.on('error', (error) => {
      // The process could not be started; there is no exit then.
      if (child.pid === undefined) resolve({ code: null, signal: null, error })
    })
    child.on('disconnect', settle)
    child.on('exit', (code, signal) => {
      const settled: Gone = { code, signal, error: null }
      end = settled
      killGroup(child)
      setTimeout(() => resolve(settled), EXIT_GRACE).unref()
    })
    child.on('close', () => {
      closed = true
      settle()
    })
  })

const collectLines = (child: ChildProcess, onLine: (line: string) => void): (() => string) => {
  let size = 0
  let tail = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      tail = `${tail}${chunk}`.slice(-4096)
      size += chunk.length
      if (size > OUTPUT_LIMIT) return
      for (const line of chunk.split('\n')) if (line !== '') onLine(line)
    })
  }
  return () => tail
}

const crashSentence = (code: number | null, signal: string | null, error: Error | null, output: string): string => {
  if (error) return `The scanner process could not be started: ${error.message}.`
  if (/heap out of memory/i.test(output)) return 'The scanner process ran out of memory.'
  return `The scanner process ended unexpectedly (${signal ?? `exit code ${code}`}).`
}
