/** Entry of the child process: one run, then the end. Spoken to over IPC only; see protocol.ts. */
import { createEgress } from '../egress/create-egress.ts'
import { MODULES } from '../modules/index.ts'
import { launchBrowser } from './browser/launch.ts'
import { createOobInbox, type OobInbox } from './out-of-band.ts'
import { product } from './product.ts'
import type { FromChild, RunSpec, ToChild } from './protocol.ts'
import { scan } from './scan.ts'
import { VOCABULARY } from './vocabulary.ts'

const cancel = new AbortController()
let inbox: OobInbox | null = null

/** Resolves when the pipe has taken the message, so a slow worker slows the scan and no buffer grows. */
const send = (message: FromChild): Promise<void> =>
  new Promise((resolve, reject) => {
    if (!process.send) throw new Error('run-scan.ts is started by the worker, with an IPC channel')
    process.send(message, undefined, {}, (error) => (error ? reject(error) : resolve()))
  })

const start = async (spec: RunSpec): Promise<void> => {
  const { outOfBand } = spec
  await scan(spec, {
    modules: MODULES,
    openEgress: (audit, signal) =>
      createEgress({
        settings: spec.egress,
        runId: spec.runId,
        version: product.version,
        target: spec.target,
        credentials: spec.credentials,
        vocabulary: VOCABULARY,
        exclude: spec.options.exclude ?? [],
        unvalidated: true,
        audit,
        signal,
      }),
    launchBrowser,
    ...(outOfBand
      ? {
          openOutOfBand: (heard) => {
            inbox = createOobInbox(outOfBand, heard)
            return inbox
          },
        }
      : {}),
    send,
    signal: cancel.signal,
    log: (line) => console.error(line),
  })
  // Whatever a module left open must not keep the process.
  process.exit(0)
}

// The worker is gone, or has had enough: nothing that is found now could be stored.
process.once('disconnect', () => process.exit(1))
// A promise that a module forgot is that module's fault and must not cost the run. Frames only: messages may hold secrets.
process.on('unhandledRejection', (reason) => {
  const stack = reason instanceof Error ? (reason.stack ?? '') : ''
  console.error(
    `unhandled rejection\n${stack
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .join('\n')}`,
  )
})
process.on('message', (message: ToChild) => {
  if (message.type === 'cancel') cancel.abort(new Error('the run was cancelled'))
  else if (message.type === 'called') inbox?.arrived(message.hit)
  else void start(message.spec).catch(() => process.exit(1)) // Rejects only when the worker is gone.
})
