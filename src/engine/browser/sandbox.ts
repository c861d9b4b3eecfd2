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

/** Chromium says it on stderr, among other things; Playwright puts that behind its own first line. */
const reasonIn = (error: unknown): string => {
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : ''
  return whyRefused(said === '' ? (error instanceof Error ? error.message : String(error)) : said)
}

export const NO_NAMESPACES =
  'its sandbox needs user namespaces, which this machine or container does not allow; it is never told to do without'

/** One sentence from all that was said: what is known, else the line that matters. */
export const whyRefused = (said: string): string => {
  if (/Failed to move to new namespace|No usable sandbox/.test(said)) return NO_NAMESPACES
  const lines = said.split('\n').filter((line) => !/<launch(?:ing|ed)>/.test(line))
  const line = lines.find((one) => /sandbox|FATAL|error/i.test(one)) ?? lines[0] ?? ''
  return line
    .replace(/^.*?\[err\]\s*/, '')
    .trim()
    .slice(0, 300)
}
