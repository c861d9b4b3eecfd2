/** Entry of the program `sonde`. Each command loads only what it needs: most of them never touch the database. */
import { fileURLToPath } from 'node:url'
import type { CliDeps } from '../cli/deps.ts'
import { runCli } from '../cli/program.ts'
import { processScreen } from '../cli/screen.ts'
import { type Config, readConfig } from './config.ts'
import { HOME, VERSION } from './version.ts'

/** From the first signal to the last resort, in milliseconds; a stop promises to take less than ten seconds. */
const STOP_DEADLINE = 9_500

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

const config = (data?: string): Config => {
  const env = data === undefined ? process.env : { ...process.env, SONDE_DATA: data }
  // What a person types is relative to where they are; the default and the variable are relative to the product.
  return readConfig(env, data === undefined ? fileURLToPath(HOME) : process.cwd())
}

const deps: CliDeps = {
  version: VERSION,
  env: process.env,
  screen: processScreen(),
  signal: stop.signal,
  operator: async () => (await import('./reach-operator.ts')).reachOperator(config()),
  localService: async () => (await import('./local-service.ts')).localService(config()),
  // What is wrong with the settings is said before anything is loaded.
  serve: async (options) => {
    const settings = config(options.data)
    return (await import('./serve.ts')).serve(settings, options, deps)
  },
  work: async () => {
    const settings = config()
    return (await import('./work.ts')).work(settings, deps.signal)
  },
  demo: async (options) => {
    const settings = config(options.data)
    return (await import('./demo.ts')).demo(settings, options, deps)
  },
  migrate: async (to) => {
    const settings = config()
    return (await import('./migrate.ts')).migrateCommand(settings, to)
  },
  feeds: async () => (await import('./feeds.ts')).feedsOf(config()),
  templates: async () => (await import('./templates.ts')).templateTool(config()),
  doctor: async () => {
    const settings = config()
    const { reachOperator } = await import('./reach-operator.ts')
    return (await import('./doctor.ts')).diagnose(settings, () => reachOperator(settings))
  },
}

/** Leaving drops what a slow reader has not taken yet, unless it is waited for. */
const flushed = (stream: NodeJS.WriteStream): Promise<void> => new Promise((done) => stream.write('', () => done()))

const code = await runCli(process.argv.slice(2), deps)
await Promise.all([flushed(process.stdout), flushed(process.stderr)])
process.exit(code)
