/** What every program of these commands does around them: signals, a reader that goes away, the exit code. */
import type { CliDeps } from './deps.ts'
import { runCli } from './program.ts'
import { processScreen, type Screen } from './screen.ts'

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly screen: Screen
  /** Aborted when the person interrupts. */
  readonly signal: AbortSignal
}

/** From the first signal to the last resort, in milliseconds; a stop promises to take less than ten seconds. */
const STOP_DEADLINE = 9_500

/** Runs the words of this process, and ends it. */
export const runProgram = async (depsIn: (surroundings: Surroundings) => CliDeps): Promise<never> => {
  const stop = new AbortController()
  const interrupt = (signal: NodeJS.Signals): void => {
    // A second Ctrl-C is a person who does not want to wait.
    if (stop.signal.aborted && signal === 'SIGINT') process.exit(2)
    if (stop.signal.aborted) return
    stop.abort(new Error('Interrupted'))
    setTimeout(() => {
      console.error('sonde: could not stop in time, so it was cut off')
      process.exit(2)
    }, STOP_DEADLINE).unref()
  }
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', interrupt)
  // `sonde runs | head` is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 2))

  const deps = depsIn({ env: process.env, screen: processScreen(), signal: stop.signal })
  const code = await runCli(process.argv.slice(2), deps)
  await Promise.all([flushed(process.stdout), flushed(process.stderr)])
  process.exit(code)
}

/** Leaving drops what a slow reader has not taken yet, unless it is waited for. */
const flushed = (stream: NodeJS.WriteStream): Promise<void> => new Promise((done) => stream.write('', () => done()))
