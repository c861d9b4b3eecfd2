/**
 * Runs a program on untrusted input: no network, no other processes, no file of the machine beyond the programs and
 * fonts, one writable folder, limits on time, memory and file size, and an end together with this process.
 */
import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { PdfError } from './errors.ts'
import { type Program, requireProgram } from './programs.ts'

export interface Confinement {
  /** The only writable folder; the program sees it as `/work` and starts there. */
  readonly folder: string
  /** Wall clock. */
  readonly seconds: number
  readonly memoryBytes: number
  readonly fileBytes: number
  readonly environment?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  /** Where programs are looked for; the process's own PATH by default. */
  readonly path?: string | undefined
}

export interface Ended {
  /** Null when a limit killed it. */
  readonly code: number | null
  /** The last 64 KiB of standard output and standard error, as they came. */
  readonly output: string
}

/** Read-only; what does not exist on this system is left out. */
const SHOWN = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/opt',
  '/etc/alternatives',
  '/etc/fonts',
  '/etc/ld.so.cache',
  '/etc/texmf',
  '/var/cache/fontconfig',
  '/var/lib/texmf',
]
const MAX_OUTPUT = 64 * 1024

/** @throws {PdfError} program_missing, sandbox_refused, deadline_exceeded, canceled. */
export const runConfined = async (
  program: Program,
  args: readonly string[],
  confinement: Confinement,
): Promise<Ended> => {
  const { folder, seconds, memoryBytes, fileBytes, signal, path } = confinement
  const file = requireProgram(program, path)
  const command = [
    '--unshare-all',
    '--die-with-parent',
    '--new-session',
    '--cap-drop',
    'ALL',
    '--clearenv',
    ...SHOWN.flatMap((shown) => ['--ro-bind-try', shown, shown]),
    ...['--dev', '/dev', '--tmpfs', '/tmp', '--bind', folder, '/work', '--chdir', '/work'],
    ...Object.entries({
      PATH: `${dirname(file)}:/usr/local/bin:/usr/bin:/bin`,
      HOME: '/tmp',
      LANG: 'C.UTF-8',
      ...confinement.environment,
    }).flatMap(([name, value]) => ['--setenv', name, value]),
    '--',
    requireProgram('prlimit', path),
    `--as=${memoryBytes}`,
    `--fsize=${fileBytes}`,
    `--cpu=${Math.ceil(seconds) + 1}`,
    '--core=0',
    '--',
    file,
    ...args,
  ]
  const ended = await run(requireProgram('bwrap', path), command, seconds, signal)
  if (/^bwrap: /m.test(ended.output) && ended.code !== 0)
    throw new PdfError(
      'sandbox_refused',
      `bubblewrap cannot confine ${program} on this system (${firstLine(ended.output)}). Allow user namespaces: sysctl -w kernel.unprivileged_userns_clone=1; in a container, also allow the unshare and mount system calls.`,
    )
  return ended
}

const run = (file: string, args: readonly string[], seconds: number, signal: AbortSignal | undefined): Promise<Ended> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(new PdfError('canceled', 'The report was cancelled', { cause: signal.reason }))
      return
    }
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true, env: {} })
    let output = ''
    let failure: PdfError | null = null
    const kill = (error: PdfError) => {
      failure ??= error
      killGroup(child.pid)
    }
    const timer = setTimeout(
      () => kill(new PdfError('deadline_exceeded', `The report took longer than ${Math.round(seconds)} s`)),
      seconds * 1000,
    )
    const onAbort = () => kill(new PdfError('canceled', 'The report was cancelled', { cause: signal?.reason }))
    signal?.addEventListener('abort', onAbort, { once: true })
    const settle = (act: () => void) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      act()
    }
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-MAX_OUTPUT)
      })
    child.once('error', (cause) =>
      settle(() => reject(new PdfError('program_missing', `${file} cannot be started`, { cause }))),
    )
    child.once('close', (code) => settle(() => (failure ? reject(failure) : resolve({ code, output }))))
  })

/** bubblewrap and all below it: the group is its own, since it was started detached. */
const killGroup = (pid: number | undefined): void => {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

const firstLine = (text: string): string => /^bwrap: .*$/m.exec(text)?.[0].slice(0, 200) ?? ''
