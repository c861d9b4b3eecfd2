/** Everything that a working installation needs on this machine, each with how to fix it. */
import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { aptCommand } from '../cli/check-text.ts'
import type { DoctorCheck, Operator } from '../contract/operator.ts'
import { NO_NAMESPACES, tryBrowser } from '../engine/browser/sandbox.ts'
import { sandboxTier, tierText } from '../report/pdf/tiers.ts'
import type { Config } from './config.ts'
import { descriptorLimit, FEWEST_DESCRIPTORS, sharesOf } from './descriptors.ts'
import { BROWSER, LIMITER, PROGRAMS, type Program, SANDBOX } from './programs.ts'
import { guarded } from './self-check.ts'

const run = promisify(execFile)
/** Milliseconds for one program to answer. */
const PROGRAM_TIMEOUT = 10_000
const NODE_MAJOR = 24
const LOW_SPACE = 1024 ** 3

/** `operator` null says why the database cannot be reached. */
export const diagnose = async (
  config: Config,
  reach: () => Promise<Operator>,
  path: string = process.env.PATH ?? '',
): Promise<readonly DoctorCheck[]> => {
  const local = await Promise.all([
    guarded('node', '', checkNode),
    ...[...PROGRAMS, LIMITER].map((program) => guarded(program.name, '', () => checkProgram(program, path))),
    guarded('fonts', '', () => checkFonts(path)),
    guarded('sandbox', '', () => checkSandbox(path)),
    guarded('browser', '', checkBrowser),
    guarded('data folder', 'Make the folder, or point SONDE_DATA at one that is yours.', () => checkFolder(config)),
    guarded('descriptors', '', async () => checkDescriptors()),
    guarded('settings', '', async () => checkSettings(config)),
  ])
  return [...local, ...(await checkService(reach))]
}

export const checkNode = async (): Promise<DoctorCheck> => {
  const major = Number(process.versions.node.split('.')[0])
  const ok = major >= NODE_MAJOR
  return {
    name: 'node',
    state: ok ? 'ok' : 'bad',
    detail: process.versions.node,
    fix: ok ? null : `Start through ./run, which brings Node ${NODE_MAJOR}.`,
  }
}

/** The first executable file of that name on the path. */
export const which = (program: string, path: string): string | null => {
  for (const folder of path.split(delimiter)) {
    const file = join(folder, program)
    if (folder === '' || !existsSync(file)) continue
    try {
      accessSync(file, constants.X_OK)
      return file
    } catch {
      // Not executable: the search goes on, as a shell's does.
    }
  }
  return null
}

const checkProgram = async (program: Program, path: string): Promise<DoctorCheck> => {
  const file = which(program.name, path)
  if (file !== null) return { name: program.name, state: 'ok', detail: file, fix: null }
  return {
    name: program.name,
    state: 'missing',
    detail: `not installed: ${program.without}`,
    ...mendedBy(program.packages),
  }
}

const mendedBy = (packages: readonly string[]): Pick<DoctorCheck, 'fix' | 'packages'> => ({
  ...{ fix: aptCommand(packages), packages: [...packages] },
})

const FONTS = [
  { family: 'Noto Sans', package: 'fonts-noto-core' },
  { family: 'Noto Sans CJK SC', package: 'fonts-noto-cjk' },
  { family: 'Symbola', package: 'fonts-symbola' },
  { family: 'DejaVu Sans Mono', package: 'fonts-dejavu-core' },
]

const checkFonts = async (path: string): Promise<DoctorCheck> => {
  const program = which('fc-list', path)
  if (program === null) {
    return {
      name: 'fonts',
      state: 'missing',
      detail: 'fontconfig is not installed, which finds the fonts of PDF reports',
      ...mendedBy(['fontconfig', ...FONTS.map((font) => font.package)]),
    }
  }
  const { stdout } = await run(program, [':', 'family'], { timeout: PROGRAM_TIMEOUT, maxBuffer: 8 * 1024 * 1024 })
  const known = new Set(stdout.split(/[\n,]/).map((family) => family.trim()))
  const gone = FONTS.filter((font) => !known.has(font.family))
  if (gone.length === 0)
    return { name: 'fonts', state: 'ok', detail: FONTS.map((font) => font.family).join(', '), fix: null }
  return {
    name: 'fonts',
    state: 'missing',
    detail: `${gone.map((font) => font.family).join(', ')} not installed: reports lack these characters`,
    ...mendedBy(gone.map((font) => font.package)),
  }
}

/** In what TeX is locked; bubblewrap may be there and still be forbidden to make namespaces. */
const checkSandbox = async (path: string): Promise<DoctorCheck> => {
  const tier = await sandboxTier(path)
  if (tier.kind === 'bubblewrap') return { name: 'sandbox', state: 'ok', detail: tierText(tier), fix: null }
  const installed = which('bwrap', path) !== null
  return {
    name: 'sandbox',
    state: 'missing',
    detail: `${tierText(tier)}; ${installed ? 'bubblewrap cannot make namespaces here' : 'bubblewrap is not installed'}`,
    ...(installed ? { fix: ALLOW_NAMESPACES } : mendedBy(SANDBOX.packages)),
  }
}

const ALLOW_NAMESPACES =
  'Allow user namespaces: sysctl kernel.unprivileged_userns_clone=1, or in a container a seccomp profile that lets them be made.'

/** A browser that is installed may still be unable to lock itself in; then it does not start at all. */
export const checkBrowser = async (): Promise<DoctorCheck> => {
  const name = 'browser'
  const tried = await tryBrowser(process.env)
  if (tried.state === 'ok')
    return { name, state: 'ok', detail: `${tried.program} starts with its sandbox on`, fix: null }
  const named = process.env.SONDE_CHROMIUM
  if (tried.state === 'absent' && named)
    return {
      ...{ name, state: 'missing', detail: `SONDE_CHROMIUM is ${named}, which is no program: ${BROWSER.without}` },
      fix: 'Name a Chromium, or leave the setting away: then Debian’s is used.',
    }
  if (tried.state === 'absent')
    return {
      name,
      state: 'missing',
      detail: `no Chromium is installed: ${BROWSER.without}`,
      ...mendedBy(BROWSER.packages),
    }
  return {
    name,
    state: 'missing',
    detail: `${tried.program} does not start with its sandbox on, so nothing is looked at in a browser: ${tried.said}`,
    ...(tried.said === NO_NAMESPACES ? { fix: ALLOW_NAMESPACES } : mendedBy(BROWSER.packages)),
  }
}

export const checkFolder = async ({ dataDir }: Config): Promise<DoctorCheck> => {
  const name = 'data folder'
  if (!existsSync(dataDir)) {
    return { name, state: 'ok', detail: `${dataDir} does not exist yet; the first start makes it`, fix: null }
  }
  const { mode, uid } = statSync(dataDir)
  const me = process.getuid?.() ?? uid
  if (uid !== me && me !== 0) {
    return { name, state: 'bad', detail: `${dataDir} belongs to user ${uid}`, fix: `chown -R ${me} ${dataDir}` }
  }
  accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  if ((mode & 0o077) !== 0) {
    return { name, state: 'bad', detail: `${dataDir} is open to other users`, fix: `chmod 700 ${dataDir}` }
  }
  const { bavail, bsize } = await statfs(dataDir)
  const free = bavail * bsize
  const detail = `${dataDir}, ${(free / 1024 ** 3).toFixed(1)} GiB free`
  return free < LOW_SPACE
    ? { name, state: 'bad', detail, fix: 'Free some space: runs and reports need at least 1 GiB.' }
    : { name, state: 'ok', detail, fix: null }
}

/** `limit` as it holds for this process; the service is most likely started the same way. */
export const checkDescriptors = (limit: number = descriptorLimit()): DoctorCheck => {
  const { connections } = sharesOf(limit)
  const detail = `${limit} files and sockets at once, ${connections} of them for connections`
  return limit < FEWEST_DESCRIPTORS
    ? {
        name: 'descriptors',
        state: 'bad',
        detail,
        fix: `ulimit -n ${WANTED}, or LimitNOFILE=${WANTED} in a systemd unit.`,
      }
    : { name: 'descriptors', state: 'ok', detail, fix: null }
}
const WANTED = 65_536

const checkSettings = (config: Config): DoctorCheck => {
  const name = 'settings'
  if (config.unknown.length > 0) {
    const detail = `${config.unknown.join(', ')} means nothing`
    return { name, state: 'bad', detail, fix: 'Correct or remove it: docs/operations.md lists all settings.' }
  }
  if (config.contact === '') {
    const detail = 'SONDE_CONTACT is not set: owners of scanned sites cannot see whom to write to'
    return { name, state: 'missing', detail, fix: 'SONDE_CONTACT="security@your.example"' }
  }
  return { name, state: 'ok', detail: `contact ${config.contact}`, fix: null }
}

const checkService = async (reach: () => Promise<Operator>): Promise<DoctorCheck[]> => {
  try {
    const operator = await reach()
    try {
      const state = await operator.call('service', {})
      const running = state.base_url !== null
      const detail = running ? `version ${state.version} at ${state.base_url}` : 'does not run'
      const service: DoctorCheck = { name: 'service', state: 'ok', detail, fix: null }
      return [service, ...(await operator.call('self_check', {}))]
    } finally {
      await operator.close()
    }
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    return [{ name: 'database', state: 'bad', detail, fix: 'Check SONDE_DATA or DATABASE_URL.' }]
  }
}
