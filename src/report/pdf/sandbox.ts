/**
 * Runs a program on untrusted input as confined as this machine allows (tiers.ts), always with limits on time, memory
 * and file size, without our environment, and with an end together with this process.
 */
import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { PdfError } from './errors.ts'
import { type Program, requireProgram } from './programs.ts'
import { type Command, commandOf, handOver, type SandboxTier, sandboxTier } from './tiers.ts'

export interface Confinement {
  /** The program starts there and writes there; where it can be kept from it, nowhere else. */
  readonly folder: string
  /** Wall clock. */
  readonly seconds: number
  readonly memoryBytes: number
  readonly fileBytes: number
  readonly environment?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  /** Where programs are looked for; the process's own PATH by default. */
  readonly path?: string | undefined
  /** By default the best that the machine allows. */
  readonly tier?: SandboxTier | undefined
}

export interface Ended {
  /** Null when a limit killed it. */
  readonly code: number | null
  /** The last 64 KiB of standard output and standard error, as they came. */
  readonly output: string
}

const MAX_OUTPUT = 64 * 1024

/** For programs that follow one another: each start of one costs the service a copy of its own tables of pages. */
export const SHELL = '/bin/sh'

/** @throws {PdfError} program_missing, deadline_exceeded, canceled. */
export const runConfined = async (
  program: Program | typeof SHELL,
  args: readonly string[],
  confinement: Confinement,
): Promise<Ended> => {
  const { folder, seconds, signal, path } = confinement
  const file = program === SHELL ? SHELL : requireProgram(program, path)
  const tier = confinement.tier ?? (await sandboxTier(path))
  const command = commandOf(tier, [file, ...args], confinement, {
    PATH: `${dirname(file)}:/usr/local/bin:/usr/bin:/bin`,
    LANG: 'C.UTF-8',
    ...confinement.environment,
  })
  if (tier.kind === 'own_user') await handOver(folder)
  return run(command, seconds, signal)
}

const run = (
  { file, args, environment, folder }: Command,
  seconds: number,
  signal: AbortSignal | undefined,
): Promise<Ended> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(new PdfError('canceled', 'The report was cancelled', { cause: signal.reason }))
      return
    }
    const child = spawn(file, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      cwd: folder,
      env: { ...environment },
    })
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

/** The program and all below it: the group is its own, since it was started detached. */
const killGroup = (pid: number | undefined): void => {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
