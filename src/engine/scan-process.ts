/** The child process of one run: one scan, then the end. Spoken to over IPC only; see protocol.ts. */
import type { Slice } from '../contract/pace.ts'
import { createEgress } from '../egress/door/create-egress.ts'
import { EgressError } from '../egress/door/egress.ts'
import type { AnyModule } from '../modules/any-module.ts'
import { secretsOf } from '../sign-in/secrets.ts'
import { launchBrowser } from './browser/launch.ts'
import { faultOf } from './faults.ts'
import { keepCode } from './kept-code.ts'
import { raiseLastWall } from './last-wall.ts'
import { holdOptimising } from './optimising.ts'
import { createOobInbox, type OobInbox } from './out-of-band.ts'
import { product, VOCABULARY } from './product.ts'
import type { FromChild, RunSpec, ToChild } from './protocol.ts'
import { scan } from './scan.ts'

/** Milliseconds between two signs of life. */
const ALIVE = 2_000

/** Listens for the worker's word to start; ends the process when the scan has ended or the worker is gone. */
export const serveScan = (modules: readonly AnyModule[]): void => {
  loadLate()
  const cancel = new AbortController()
  const silence = new AbortController()
  let inbox: OobInbox | null = null
  const questions = createQuestions()
  /** The worker knows of all calls, or knows when it does. */
  const upToNow = (): Promise<void> => questions.ask<void>((n) => tell({ type: 'heard', n }))
  const lease = (address: string): Promise<Slice | null> =>
    questions.ask<Slice | null>((n) => tell({ type: 'pace', n, address }))

  const start = async (spec: RunSpec): Promise<void> => {
    const { outOfBand } = spec
    const light = isLight(spec)
    const optimise = light ? holdOptimising() : () => undefined
    let asked = 0
    // The first at once: a child may get stuck before the second.
    const live = (): void => tell({ type: 'alive' })
    live()
    setInterval(live, ALIVE)
    await scan(spec, {
      modules,
      openEgress: (audit, signal, answered) =>
        createEgress({
          settings: spec.egress,
          runId: spec.runId,
          version: product.version,
          target: spec.target,
          credentials: { ...spec.credentials, typed: typedIn(spec) },
          vocabulary: VOCABULARY,
          exclude: spec.options.exclude ?? [],
          unvalidated: true,
          ...(spec.paced ? { lease } : {}),
          silence: silence.signal,
          answered,
          audit,
          signal,
        }),
      launchBrowser,
      ...(outOfBand
        ? {
            openOutOfBand: (heard) => {
              inbox = createOobInbox(outOfBand, heard, upToNow)
              return inbox
            },
          }
        : {}),
      send: (message) => {
        if (message.type === 'module') asked += message.outcome.requests
        return send(message)
      },
      tell,
      signal: cancel.signal,
      log: (line) => console.error(line),
    })
    // Under the flags of the start: what is compiled under others is refused there.
    optimise()
    if (!spec.options.active && asked >= SHOWING) keepCode()
    // Whatever a module left open must not keep the process.
    process.exit(0)
  }

  // The worker is gone, or has had enough: nothing that is found now could be stored.
  process.once('disconnect', () => process.exit(1))
  // Frames only: no redaction stands here, and messages may hold secrets.
  raiseLastWall((module, error) =>
    tell({ type: 'fault', ...faultOf(module ?? OUTSIDE, 'outside of all walls', error) }),
  )
  process.on('message', (message: ToChild) => {
    if (message.type === 'cancel') cancel.abort(new Error('the run was cancelled'))
    else if (message.type === 'silence')
      silence.abort(new EgressError('budget', `nothing more is sent: ${message.why}`))
    else if (message.type === 'called') inbox?.arrived(message.hit)
    else if (message.type === 'heard') questions.answer(message.n, undefined)
    else if (message.type === 'paced') questions.answer(message.n, message.slice)
    else void start(message.spec).catch(() => process.exit(1)) // Rejects only when the worker is gone.
  })
}

/**
 * Of Node's own modules those that it loads when something is first timed, and when the first socket of UDP or a listener is bound: by then the flags of
 * V8 are others (`holdOptimising`), under which they are compiled from their texts.
 */
const loadLate = (): void => {
  performance.now()
  process.getBuiltinModule('node:cluster')
}

/** Requests of a run that has called most of what passive runs call: what was compiled of it serves the others. */
const SHOWING = 10

/** No probe and no browser: a few modules, which are loaded before it begins. */
const isLight = ({ options }: RunSpec): boolean => !options.active && !options.privacy

/** Questions to the worker, by number. One that is never answered is waited for until its module's deadline. */
const createQuestions = () => {
  const waiting = new Map<number, (answer: unknown) => void>()
  let last = 0
  return {
    ask: <T>(send: (n: number) => void): Promise<T> =>
      new Promise((resolve) => {
        last += 1
        waiting.set(last, resolve as (answer: unknown) => void)
        send(last)
      }),
    answer: (n: number, answer: unknown): void => {
      waiting.get(n)?.(answer)
      waiting.delete(n)
    },
  }
}

/** What a sign-in types and sends, so that nothing of it is told. */
const typedIn = ({ credentials, identities = [] }: RunSpec) =>
  [credentials, ...identities.map((one) => one.credentials)].flatMap((one) =>
    one?.signIn === undefined ? [] : secretsOf(one.signIn),
  )

/** What is thrown where no module is at work, under this name. */
const OUTSIDE = 'scan'

/** Resolves when the pipe has taken the message, so a slow worker slows the scan and no buffer grows. */
const send = (message: FromChild): Promise<void> =>
  new Promise((resolve, reject) => {
    if (!process.send) throw new Error('a scan is started by the worker, with an IPC channel')
    process.send(message, undefined, {}, (error) => (error ? reject(error) : resolve()))
  })

/** A worker that is gone cannot be told; the end of the channel says so. */
const tell = (message: FromChild): void => {
  if (process.connected) process.send?.(message, undefined, {}, () => undefined)
}
