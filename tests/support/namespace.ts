/** Network namespaces: a machine with exactly the network that a test wants. Linux, as root or with user namespaces. */
import { spawn, spawnSync } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { V8_OPTIONS } from './v8-options.ts'

const UNSHARE = process.getuid?.() === 0 ? ['unshare', '--net'] : ['unshare', '--user', '--map-root-user', '--net']
const [PROGRAM = '', ...OWN] = UNSHARE

/** True where this machine lets us make one, with a loopback device that can be switched on. */
export const hasNamespaces = (): boolean =>
  spawnSync(PROGRAM, [...OWN, 'ip', 'link', 'set', 'lo', 'up'], { timeout: 10_000 }).status === 0

/** For names of tests: count-tests.ts tells what a test needs that did not run. */
export const NEEDS = '(needs network namespaces)'

export interface Inside {
  /** Lines of the shell that make the network, after loopback is up. */
  readonly network?: readonly string[]
  /** Soft and hard limit of open files. */
  readonly files?: number
  /** Milliseconds, then it is killed. */
  readonly deadline: number
  readonly env?: Readonly<Record<string, string>>
}

export interface EndedInside {
  readonly code: number | null
  readonly signal: string | null
  readonly out: string
  readonly err: string
}

/** Runs a script of tests/network/bed in a namespace of its own, to its end. */
export const inNamespace = async (script: string, args: readonly string[], inside: Inside): Promise<EndedInside> => {
  const file = fileURLToPath(new URL(`../network/bed/${script}`, import.meta.url))
  const limit = inside.files === undefined ? [] : [`ulimit -n ${inside.files}`]
  const lines = ['set -e', 'ip link set lo up', ...(inside.network ?? []), ...limit, 'exec "$@"']
  const child = spawn(
    PROGRAM,
    [
      ...OWN,
      'sh',
      '-c',
      lines.join('\n'),
      'sh',
      process.execPath,
      '--disable-warning=ExperimentalWarning',
      ...V8_OPTIONS,
      file,
      ...args,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...inside.env } },
  )
  const timer = setTimeout(() => child.kill('SIGKILL'), inside.deadline)
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
  try {
    const [end, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
    return { ...end, out, err }
  } finally {
    clearTimeout(timer)
  }
}
