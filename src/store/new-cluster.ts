/**
 * The cluster of a new data folder. A process of its own makes it: that takes half a gigabyte, which the service would keep for good, as
 * memory of WebAssembly does not shrink. It stands under its name only once it is whole.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('./embedded-cluster.ts', import.meta.url))
/** Characters of what it says last. */
const SAID = 2_000

/** Nothing where the folder has a cluster. `timeout`: milliseconds. @throws Error why it could not be made, in words */
export const ensureCluster = async (folder: string, timeout: number): Promise<void> => {
  if (existsSync(join(folder, 'PG_VERSION'))) return
  const making = `${folder}.making-`
  // Of a start that was ended: whoever still writes there fails.
  for (const name of await readdir(dirname(folder))) {
    if (name.startsWith(basename(making))) await rm(join(dirname(folder), name), { recursive: true, force: true })
  }
  const own = `${making}${process.pid}`
  try {
    await make(own, timeout)
    await rename(own, folder).catch((cause: unknown) => {
      throw new Error(`The embedded database cannot lie in ${folder}: something else is there`, { cause })
    })
  } finally {
    await rm(own, { recursive: true, force: true })
  }
}

const make = async (folder: string, timeout: number): Promise<void> => {
  // MiB: what is thrown away is given back at once.
  const options = [
    '--disable-warning=ExperimentalWarning',
    '--max-semi-space-size=1',
    ...process.execArgv.filter((one) => one === PAGES),
  ]
  const program = spawn(process.execPath, [...options, PROGRAM, folder], {
    // It ends with this process: its input does.
    stdio: ['pipe', 'ignore', 'pipe'],
    env: harmless(),
    timeout,
    killSignal: 'SIGKILL',
  })
  let said = ''
  program.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-SAID)
  })
  const { promise: ended, resolve, reject } = Promise.withResolvers<NodeJS.Signals | number | null>()
  program.on('error', reject).on('close', (code, signal) => resolve(code ?? signal))
  const end = await ended
  if (end === 0) return
  const why = said.trim().split('\n').at(-1) ?? ''
  // The system ends what takes more memory than there is by the same signal as a deadline does here.
  const cut = `it was ended by ${end}, for want of memory or after ${timeout / 1_000} seconds`
  throw new Error(`The embedded database stopped: ${typeof end === 'string' ? cut : why}`)
}

/** See scripts/start-node.sh. */
const PAGES = '--no-memory-protection-keys'

/** No key and no address of ours. */
const harmless = (): NodeJS.ProcessEnv => {
  const names = ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR', 'NODE_COMPILE_CACHE']
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => names.includes(name) || name.startsWith('MALLOC_')),
  )
}
