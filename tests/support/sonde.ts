/** The real program as a process of its own: `serve`, `worker`, and commands that end by themselves. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { runCli } from '../../src/cli/program.ts'
import { commandsIn } from '../../src/main/commands.ts'
import { V8_OPTIONS } from './v8-options.ts'

const ENTRY = fileURLToPath(new URL('../../src/main/cli.ts', import.meta.url))
/** The one that `run` uses: the second start of the program is the usual one. */
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/compile', import.meta.url))
/** Those of the processes of tests: compiled code is kept for each set of V8's options apart. */
const NODE_OPTIONS = ['--disable-warning=ExperimentalWarning', ...V8_OPTIONS]
/** What is before the words: for tests that start it through another program. */
export const PROGRAM: readonly string[] = [process.execPath, ...NODE_OPTIONS, ENTRY]
/** Milliseconds for a start, a command, an end, on a machine that does much else. */
const DEADLINE = 120_000

export type Env = Readonly<Record<string, string>>

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Nothing is fetched from anywhere but where a test says so. */
const NO_FEEDS: Env = { SONDE_FEEDS: 'off' }

/** Runs a command to its end. Only what `env` says is set beside PATH. */
export const sonde = async (
  words: readonly string[],
  env: Env,
  { deadline = DEADLINE }: { readonly deadline?: number } = {},
): Promise<Ended> => {
  const child = start(words, env)
  const limit = AbortSignal.timeout(deadline)
  const kill = (): void => void child.kill('SIGKILL')
  limit.addEventListener('abort', kill)
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), ended(child)])
  limit.removeEventListener('abort', kill)
  return { code: child.exitCode, out, err }
}

/** As `sonde`, in this process: for what a command says and does, where a start of the program shows nothing more. */
export const command = async (words: readonly string[], env: Env): Promise<Ended> => {
  const said: { readonly out: string[]; readonly err: string[] } = { out: [], err: [] }
  const screen = {
    out: (text: string) => void said.out.push(text),
    err: (text: string) => void said.err.push(text),
    ...{ isTTY: false, columns: () => 80, colour: false },
  }
  const code = await runCli(
    words,
    commandsIn({ env: { ...NO_FEEDS, ...env }, screen, signal: new AbortController().signal }),
  )
  return { code, out: said.out.join(''), err: said.err.join('') }
}

const Ready = z.strictObject({ base_url: z.url(), api_key: z.string().nullable(), organisation_id: z.uuid() })

export interface Serving {
  readonly ready: z.infer<typeof Ready>
  /** Every line of standard output so far. */
  readonly lines: readonly string[]
  readonly log: () => string
  readonly child: ChildProcess
  /** Exit code and milliseconds until the end. */
  readonly end: (signal: NodeJS.Signals) => Promise<{ code: number | null; milliseconds: number }>
}

/** `sonde serve --json` on a free port. Throws with its log when it ends instead of getting ready. */
export const serve = async (words: readonly string[], env: Env): Promise<Serving> => {
  const child = start(['serve', '--port', '0', '--json', ...words], env)
  const log: string[] = []
  const lines: string[] = []
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => log.push(chunk))
  const reader = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  const timer = setTimeout(() => child.kill('SIGKILL'), DEADLINE)
  const gone = ended(child).then(() => Promise.reject(new Error(`serve ended: ${log.join('')}`)))
  const [line] = (await Promise.race([once(reader, 'line'), gone])) as [string]
  clearTimeout(timer)
  gone.catch(() => undefined)
  return {
    ready: Ready.parse(JSON.parse(line)),
    lines,
    log: () => log.join(''),
    child,
    end: async (signal) => {
      const asked = Date.now()
      child.kill(signal)
      await ended(child)
      return { code: child.exitCode, milliseconds: Date.now() - asked }
    },
  }
}

/** `sonde worker` that is left running; `end` stops it. */
export const startWorkerProcess = (
  env: Env,
): { child: ChildProcess; log: () => string; end: () => Promise<number | null> } => {
  const child = start(['worker'], env)
  const log: string[] = []
  child.stdout.resume()
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => log.push(chunk))
  return {
    child,
    log: () => log.join(''),
    end: async () => {
      child.kill('SIGTERM')
      await ended(child)
      return child.exitCode
    },
  }
}

/** The bare process, for tests that read its streams themselves. */
export const start = (words: readonly string[], env: Env) =>
  spawn(process.execPath, [...PROGRAM.slice(1), ...words], {
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '/',
      NODE_COMPILE_CACHE: CACHE,
      ...NO_FEEDS,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}
