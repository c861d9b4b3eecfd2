/** The built web application: a folder named by the hash of its sources, so that a build is never stale nor half there. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HOME } from './version.ts'

const ROOT = fileURLToPath(HOME)
export const WEB_SOURCES = join(ROOT, 'web')
const BUILDS = join(WEB_SOURCES, 'dist')
/** Milliseconds for a build on a slow machine. */
const BUILD_TIMEOUT = 120_000

/** Where the build of the present sources lies, or will. */
export const webFolder = (): string => join(BUILDS, sourcesHash())
export const oldBuilds = (): readonly string[] =>
  existsSync(BUILDS) ? readdirSync(BUILDS).map((name) => join(BUILDS, name)) : []

/** Builds when the present sources have no build; null, with the reason told, where that cannot be done. */
export const ensureWebApp = async (tell: (reason: string) => void): Promise<string | null> => {
  const folder = webFolder()
  if (existsSync(join(folder, 'index.html'))) return folder
  if (!isInstalled('vite')) {
    tell('the web application is not built, and vite, which builds it, is not installed')
    return null
  }
  const problem = await build()
  if (problem === null && existsSync(join(folder, 'index.html'))) return folder
  tell(`the web application could not be built: ${problem ?? 'its sources changed meanwhile'}`)
  return null
}

/** In a process of its own: a bundler takes hundreds of megabytes that the service has no further use for. */
const build = async (): Promise<string | null> => {
  const script = fileURLToPath(new URL('src/main/build-web.ts', HOME))
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script], {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: BUILD_TIMEOUT,
    killSignal: 'SIGKILL',
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = `${said}${text}`.slice(-2_000)
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code === 0 ? null : said.trim() || `the build ended with ${code}`
}

const isInstalled = (name: string): boolean => {
  try {
    createRequire(import.meta.url).resolve(name)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return false
    throw error
  }
}

/** Everything that the bundle is made of. */
const sourcesHash = (): string => {
  const hash = createHash('sha256')
  const folders = [
    [WEB_SOURCES, /\.(?:tsx?|css|html|svg|png|json)$/],
    [join(ROOT, 'src', 'contract'), /(?<!\.test)\.ts$/],
  ] as const
  for (const [folder, wanted] of folders) {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => wanted.test(file) && !/^(?:dist|node_modules)\b/.test(file))
      .sort()
    for (const file of files) hash.update(`${file}\n`).update(readFileSync(join(folder, file)))
  }
  hash.update(readFileSync(join(ROOT, 'package-lock.json')))
  return hash.digest('hex').slice(0, 16)
}
