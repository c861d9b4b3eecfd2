/** Bare Debian systems in folders, by tests/roots/root.sh: for ./test --long alone, as root. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT_SH = fileURLToPath(new URL('../roots/root.sh', import.meta.url))
export const PRODUCT = fileURLToPath(new URL('../..', import.meta.url))
/** What was fetched once; the user's. */
export const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'sonde-roots')
/** Milliseconds for one command in there on a busy machine: TeX alone has 300 MB to unpack. */
export const DEADLINE = 30 * 60_000

/** Why no system can be made here; null where it can. */
const obstacle = (): string | null => {
  if (process.getuid?.() !== 0) return 'it needs root'
  if (spawnSync('debootstrap', ['--version']).status !== 0) return 'debootstrap is not installed'
  if (spawnSync('unshare', ['--mount', '--pid', '--fork', 'true']).status !== 0) return 'no namespaces can be made'
  return null
}
const why = process.env.SONDE_LONG ? obstacle() : null
/** Whether tests on bare systems run; `NOTE` ends their names otherwise. */
export const IS_POSSIBLE = process.env.SONDE_LONG !== undefined && why === null
export const NOTE = why === null ? '' : ` (not on this machine: ${why})`

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs a verb of root.sh to its end, whatever that is. */
export const rootSh = async (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> => {
  const child = spawn(ROOT_SH, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: DEADLINE,
  })
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, out, err }
}
