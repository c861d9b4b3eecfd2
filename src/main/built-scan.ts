/**
 * What each run starts anew, the scan child and the thread that judges it, in a few built files instead of a thousand sources: a
 * start costs three fifths of the processor.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureBuild, hashOf, ROOT } from './builds.ts'

/** Name of the built file → source that it starts. */
export const PROGRAMS = { scan: 'src/engine/run-scan.ts', judge: 'src/worker/judge-thread.ts' } as const
/** Name of the file that is started → its source, which the build has without its types. */
export const START = { 'start-scan.cjs': 'src/main/start-scan.cts' } as const
const STARTED = { scan: 'start-scan.cjs', judge: 'judge.cjs' } as const satisfies Record<keyof typeof PROGRAMS, string>

/** Where the build of the present sources lies, or will. It depends on the Node that runs it, as its code cache does. */
export const scanFolder = (): string =>
  join(
    ROOT,
    'dist/scan',
    `${hashOf([['src', /(?<!\.test)\.c?ts$|\.json$/]], ['package.json', 'package-lock.json'])}-${process.version}`,
  )

/** Seconds after a run for which a started child waits for the next: people who look at one run start another soon, or not at all. */
export const SPARE_SECONDS = 120

export interface BuiltScan {
  /** Null where there is no build: then the sources are started. Waits for a build under way; never rejects. */
  readonly scan: () => Promise<URL | null>
  readonly judge: () => Promise<URL | null>
}

/** Builds now, beside all else, where the present sources have no build; `tell` is told once why there is none. */
export const builtScan = (tell: (reason: string) => void): BuiltScan => {
  const made = ensureBuild({ folder: scanFolder(), entry: STARTED.scan, builder: 'build-scan.ts' }, tell).catch(
    (error: unknown) => {
      tell(String(error))
      return null
    },
  )
  const program = (name: keyof typeof PROGRAMS) => async (): Promise<URL | null> => {
    const folder = await made
    if (folder === null) return null
    const file = join(folder, STARTED[name])
    // Builds of sources that have changed since may have removed it.
    return existsSync(file) ? pathToFileURL(file) : null
  }
  return { scan: program('scan'), judge: program('judge') }
}
