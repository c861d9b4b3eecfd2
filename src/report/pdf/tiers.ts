/**
 * How a program that reads untrusted input is confined, by what the machine allows:
 *
 * - `bubblewrap`: namespaces of its own. No network, no other process, no file beyond programs and fonts, one folder.
 * - `own_user`: root without namespaces. A user of its own that owns nothing else, no way to more privileges, limits.
 * - `limits`: an ordinary user without namespaces. No way to more privileges, limits; what TeX reads and writes is held
 *   by its own paranoid settings alone (compile.ts).
 *
 * The last two have no network either where one can be taken away on its own.
 */
import { execFile } from 'node:child_process'
import { chown, lchown, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findProgram, requireProgram } from './programs.ts'

export type SandboxTier =
  | { readonly kind: 'bubblewrap' }
  | {
      readonly kind: 'own_user' | 'limits'
      /** What takes the network away, before the command; empty where the machine does not allow it. */
      readonly offline: readonly string[]
    }

const run = promisify(execFile)
/** Milliseconds for a program that does nothing. */
const PROBE_TIMEOUT = 10_000
/** Of `own_user`: in the range that Debian reserves, mapped in every container, and owner of nothing. */
const OWN_ID = 65_233
const known = new Map<string, Promise<SandboxTier>>()

/** The best tier here; found out once, since a machine seldom changes under a running service. */
export const sandboxTier = (path = process.env.PATH ?? ''): Promise<SandboxTier> => {
  const tier = known.get(path) ?? findTier(path)
  known.set(path, tier)
  return tier
}

const findTier = async (path: string): Promise<SandboxTier> => {
  const bwrap = findProgram('bwrap', path)
  if (bwrap !== null && (await works([bwrap, '--ro-bind', '/', '/', '--unshare-all', '--die-with-parent'])))
    return { kind: 'bubblewrap' }
  const offline = await offlineBy(path)
  const setpriv = findProgram('setpriv', path)
  const asOwn = setpriv !== null && process.getuid?.() === 0 && (await works([setpriv, ...OWN_USER]))
  return { kind: asOwn ? 'own_user' : 'limits', offline }
}

const offlineBy = async (path: string): Promise<readonly string[]> => {
  const unshare = findProgram('unshare', path)
  if (unshare === null) return []
  const asRoot = [unshare, '--net', '--']
  if (process.getuid?.() === 0) return (await works(asRoot)) ? asRoot : []
  const asUser = [unshare, '--user', '--map-current-user', '--net', '--']
  return (await works(asUser)) ? asUser : []
}

const works = async ([file = '', ...args]: readonly string[]): Promise<boolean> => {
  try {
    await run(file, [...args, 'true'], { timeout: PROBE_TIMEOUT, killSignal: 'SIGKILL' })
    return true
  } catch {
    // That it does not work here is the answer.
    return false
  }
}

/** It is lost with the process that started it, whoever that was. */
const NO_MORE = ['--no-new-privs', '--pdeathsig', 'KILL']
const OWN_USER = [`--reuid=${OWN_ID}`, `--regid=${OWN_ID}`, '--clear-groups', '--inh-caps=-all', ...NO_MORE]
/** Processes of that user, those of other reports included. */
const OWN_PROCESSES = 200

export interface Command {
  readonly file: string
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly folder: string
}

export interface Limits {
  readonly folder: string
  readonly seconds: number
  readonly memoryBytes: number
  readonly fileBytes: number
  readonly path?: string | undefined
}

/** @throws {PdfError} program_missing */
export const commandOf = (
  tier: SandboxTier,
  program: readonly string[],
  { folder, seconds, memoryBytes, fileBytes, path }: Limits,
  environment: Readonly<Record<string, string>>,
): Command => {
  const limited = [
    requireProgram('prlimit', path),
    `--as=${memoryBytes}`,
    `--fsize=${fileBytes}`,
    `--cpu=${Math.ceil(seconds) + 1}`,
    '--core=0',
    ...(tier.kind === 'own_user' ? [`--nproc=${OWN_PROCESSES}`] : []),
    '--',
  ]
  if (tier.kind === 'bubblewrap') {
    const inside = { HOME: '/tmp', ...environment }
    const args = [...wrapped(folder, inside), '--', ...limited, ...program]
    return { file: requireProgram('bwrap', path), args, environment: {}, folder }
  }
  const privileges = [requireProgram('setpriv', path), ...(tier.kind === 'own_user' ? OWN_USER : NO_MORE), '--']
  const [file = '', ...args] = [...tier.offline, ...limited, ...privileges, ...program]
  // Relative: another user may not walk down to the folder, but stands in it.
  return { file, args, environment: { HOME: '.', TMPDIR: '.', ...environment }, folder }
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
  // Sizes of paper by name, for the driver that writes the PDF (libpaper 2).
  '/etc/papersize',
  '/etc/paperspecs',
  '/etc/texmf',
  '/var/cache/fontconfig',
  '/var/lib/texmf',
]

const wrapped = (folder: string, environment: Readonly<Record<string, string>>): string[] => [
  ...['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--clearenv'],
  ...SHOWN.flatMap((shown) => ['--ro-bind-try', shown, shown]),
  ...['--dev', '/dev', '--tmpfs', '/tmp', '--bind', folder, '/work', '--chdir', '/work'],
  ...Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]),
]

/** Gives the folder and what lies in it to the user that works there; links are not followed into. */
export const handOver = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder, { recursive: true })) {
    await lchown(join(folder, name), OWN_ID, OWN_ID)
  }
  await chown(folder, OWN_ID, OWN_ID)
}

/** In words, for a person. */
export const tierText = (tier: SandboxTier): string => {
  if (tier.kind === 'bubblewrap') return 'TeX runs in namespaces of its own (bubblewrap)'
  const network = tier.offline.length > 0 ? 'no network' : 'the network of this machine, which TeX has no use for'
  return tier.kind === 'own_user'
    ? `TeX runs as a user of its own (${OWN_ID}), without new privileges, with limits and ${network}`
    : `TeX runs as this user, without new privileges, with limits, its own paranoid settings and ${network}`
}
