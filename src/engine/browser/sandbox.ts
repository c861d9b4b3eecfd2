/** Whether Chromium starts here with its own sandbox on. It refuses to start without one, and is never told to. */
import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { temporaryFolder } from '../../temporary/temporary.ts'
import { findBrowser } from './programs.ts'

const run = promisify(execFile)
const START = fileURLToPath(new URL('./start.sh', import.meta.url))
const TIMEOUT = 20_000

export type BrowserStart =
  | { readonly state: 'ok'; readonly program: string }
  | { readonly state: 'absent' }
  | { readonly state: 'refused'; readonly program: string; readonly said: string }

/** Starts it as a scan does, under the same user, on an empty page, and waits for it to end. */
export const tryBrowser = async (env: Readonly<Record<string, string | undefined>>): Promise<BrowserStart> => {
  const program = await findBrowser(env)
  if (program === null) return { state: 'absent' }
  const folder = await temporaryFolder('browser', { shared: true })
  try {
    const profile = await temporaryFolder('profile', { shared: true })
    try {
      const { stdout } = await run(
        START,
        [
          '--headless',
          '--disable-gpu',
          '--disable-dev-shm-usage',
          `--user-data-dir=${profile}`,
          '--dump-dom',
          'about:blank',
        ],
        {
          timeout: TIMEOUT,
          killSignal: 'SIGKILL',
          env: {
            PATH: '/usr/bin:/bin',
            LANG: 'C.UTF-8',
            SONDE_CHROMIUM: program,
            SONDE_BROWSER_PID_FILE: join(folder, 'pid'),
          },
        },
      )
      return /<html/i.test(stdout) ? { state: 'ok', program } : { state: 'refused', program, said: 'it showed no page' }
    } finally {
      await rm(profile, { recursive: true, force: true })
    }
  } catch (error) {
    return { state: 'refused', program, said: reasonIn(error) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Chromium says it on stderr, among other things. */
const reasonIn = (error: unknown): string => {
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : ''
  const line = said.split('\n').find((one) => /sandbox|FATAL|error/i.test(one))
  return (line ?? (error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error))).trim().slice(0, 300)
}
