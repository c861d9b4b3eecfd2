/**
 * Debian's Chromium for one module: sandboxed and never root, with nothing of our environment, all of its traffic
 * through the module's egress, ended with the module whatever happens. Or for a page of our own, without any traffic.
 */
import { readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, BrowserType, Page } from 'playwright-core'
import type { BrowserProxy, Egress } from '../../egress/door/egress.ts'
import type { ContextOptions, ModuleBrowser } from '../../modules/browser.ts'
import { ModuleEnding } from '../../modules/endings.ts'
import { temporaryFolder } from '../../temporary/temporary.ts'
import { watchMemory } from './memory.ts'
import { findBrowser, NotInstalled } from './programs.ts'
import { whyRefused } from './sandbox.ts'

const START = fileURLToPath(new URL('./start.sh', import.meta.url))
const LAUNCH_TIMEOUT = 30_000
const CLOSE_TIMEOUT = 3_000
/** Milliseconds for a page or profile, which a busy machine may need; what is left then ends with its browser. */
const PAGE_CLOSE_TIMEOUT = 10_000
/** Bytes; a browser with four heavy pages stays below half of it. */
const MOST_MEMORY = 2 * 1024 ** 3

/** @throws {NotInstalled} */
const installed = async (signal: AbortSignal): Promise<string> => {
  signal.throwIfAborted()
  const program = await findBrowser(process.env)
  if (program !== null) return program
  throw new NotInstalled()
}

/** @throws ModuleEnding `skipped` where no browser is installed or none starts */
export const launchBrowser = async (
  egress: Pick<Egress, 'browserProxy'>,
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<ModuleBrowser> => {
  const proxies = openProxies(egress)
  const { started, close } = await startBehind(() => proxies(false), signal, log)
  return { ...profilesOf(started, egress, log, proxies), close }
}

/** A browser whose traffic goes to this proxy where a profile has none of its own. @throws as `launchBrowser` does */
export const startBehind = async (
  proxy: () => Promise<BrowserProxy>,
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<{ readonly started: Browser; readonly close: () => Promise<void> }> => {
  const program = await installed(signal)
  return startWatched(signal, log, async (folder) => start(program, folder, await proxy()))
}

/** Its profiles for whoever has this door. */
export const profilesOf = (
  browser: Browser,
  egress: Pick<Egress, 'browserProxy'>,
  log: (line: string) => void,
  proxies = openProxies(egress),
): Pick<ModuleBrowser, 'version' | 'newContext'> => {
  const version = browser.version()
  return {
    version,
    newContext: async ({ authenticated = true, watching, ...options }: ContextOptions = {}) => {
      const proxy = await (watching ? egress.browserProxy({ authenticated, ...watching }) : proxies(authenticated))
      const context = await browser.newContext({
        acceptDownloads: false,
        locale: 'en-US',
        serviceWorkers: 'block',
        userAgent: userAgentOf(version),
        ...options,
        proxy: playwrightProxy(proxy),
      })
      return closingInTime(context, log)
    },
  }
}

/**
 * The same for a process whose temporary files are nobody else's, such as the worker: one profile, signed out, in a folder of its own.
 * @throws as `launchBrowser` does
 */
export const launchAlone = async (
  egress: Pick<Egress, 'browserProxy'>,
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<ModuleBrowser> => {
  const program = await installed(signal)
  const profile = await temporaryFolder('profile', { shared: true })
  const withoutProfile = () => rm(profile, { recursive: true, force: true })
  try {
    const proxy = await egress.browserProxy({ authenticated: false })
    const { started, close } = await startWatched(signal, log, (folder) => startAlone(program, folder, profile, proxy))
    return {
      version: '',
      newContext: async () => closingInTime(started, log),
      close: () => close().finally(withoutProfile),
    }
  } catch (error) {
    await withoutProfile()
    throw error
  }
}

/**
 * A browser for pages of our own, that reaches nothing: no proxy, no name, no route, and where the system allows it a
 * network namespace with nothing in it. @throws as `launchBrowser` does
 */
export const launchOffline = async (
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<{ readonly newPage: () => Promise<Page>; readonly close: () => Promise<void> }> => {
  const program = await installed(signal)
  // Of its own: the driver would put it where only we may look, and Chromium is another user where we are root.
  const profile = await temporaryFolder('profile', { shared: true })
  const withoutProfile = () => rm(profile, { recursive: true, force: true })
  try {
    const { started, close } = await startWatched(signal, log, (folder) => startOffline(program, folder, profile))
    // Should a page name anything beside itself, it is not even asked for.
    await started.route('**/*', (route) => route.abort('blockedbyclient'))
    return { newPage: () => started.newPage(), close: () => close().finally(withoutProfile) }
  } catch (error) {
    await withoutProfile()
    throw error
  }
}

/** Ended with the signal, by too much memory, or by `close`: never left behind. */
const startWatched = async <Started extends { readonly close: () => Promise<void> }>(
  signal: AbortSignal,
  log: (line: string) => void,
  begin: (folder: string) => Promise<Started>,
): Promise<{ readonly started: Started; readonly close: () => Promise<void> }> => {
  const folder = await temporaryFolder('browser', { shared: true })
  let started: Started
  try {
    started = await begin(folder)
  } catch (cause) {
    await rm(folder, { recursive: true, force: true })
    signal.throwIfAborted()
    const said = whyRefused(cause instanceof Error ? cause.message : String(cause))
    log(`Chromium did not start: ${said}`)
    throw new ModuleEnding('skipped', `Chromium did not start (${said}); see "sonde doctor"`, { cause })
  }
  const pid = Number(await readFile(join(folder, 'pid'), 'utf8'))
  const kill = () => killGroup(pid)
  const unwatch = watchMemory(pid, MOST_MEMORY, (bytes) => {
    log(`Chromium used ${Math.round(bytes / 1024 ** 2)} MiB and was ended`)
    kill()
  })
  let closing: Promise<void> | null = null
  const close = (): Promise<void> => {
    closing ??= (async () => {
      unwatch()
      signal.removeEventListener('abort', onAbort)
      await within(started.close(), CLOSE_TIMEOUT)
      kill()
      await rm(folder, { recursive: true, force: true })
    })()
    return closing
  }
  const onAbort = () => void close()
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) await close()
  signal.throwIfAborted()
  return { started, close }
}

/** The driver waits without a limit for a page that is being closed, and some never say that they are. */
export const closingInTime = (
  context: BrowserContext,
  log: (line: string) => void,
  milliseconds = PAGE_CLOSE_TIMEOUT,
): BrowserContext => {
  const bounded = (one: Page | BrowserContext, what: string): void => {
    const close = one.close.bind(one)
    one.close = async (options?: Parameters<typeof close>[0]): Promise<void> => {
      const ended = await within(close(options), milliseconds)
      if (!ended) log(`Chromium did not close a ${what} in time; it is left to the end of the browser`)
    }
  }
  bounded(context, 'profile')
  context.on('page', (page) => bounded(page, 'page'))
  return context
}

/** One proxy for the profiles with credentials and one for those without, each opened when first needed. */
const openProxies = (egress: Pick<Egress, 'browserProxy'>): ((authenticated: boolean) => Promise<BrowserProxy>) => {
  const opened = new Map<boolean, Promise<BrowserProxy>>()
  return (authenticated) => {
    const proxy = opened.get(authenticated) ?? egress.browserProxy({ authenticated })
    opened.set(authenticated, proxy)
    return proxy
  }
}

/**
 * The driver, loaded when a browser is first needed: most processes never need one, and loading it is a fifth of a start. By `require`, as
 * an import of CommonJS first looks through its 4 MB for the names that it exports.
 */
const driver = (): BrowserType =>
  (createRequire(import.meta.url)('playwright-core') as typeof import('playwright-core')).chromium

const start = async (program: string, folder: string, proxy: BrowserProxy): Promise<Browser> =>
  driver().launch({
    ...settingsOf(program, folder),
    proxy: playwrightProxy(proxy),
    args: argumentsFor(proxy),
  })

const startAlone = async (
  program: string,
  folder: string,
  profile: string,
  proxy: BrowserProxy,
): Promise<BrowserContext> =>
  driver().launchPersistentContext(profile, {
    ...settingsOf(program, folder),
    ...{ acceptDownloads: false, locale: 'en-US', serviceWorkers: 'block' },
    proxy: playwrightProxy(proxy),
    args: argumentsFor(proxy),
  })

const argumentsFor = (proxy: BrowserProxy): string[] => [
  // Whatever does not ask the proxy finds no name and no way.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  `--ignore-certificate-errors-spki-list=${proxy.spki}`,
  ...ARGUMENTS,
]

const startOffline = async (program: string, folder: string, profile: string): Promise<BrowserContext> => {
  const settings = settingsOf(program, folder)
  return driver().launchPersistentContext(profile, {
    ...settings,
    acceptDownloads: false,
    javaScriptEnabled: false,
    locale: 'en-GB',
    offline: true,
    serviceWorkers: 'block',
    env: { ...settings.env, SONDE_BROWSER_OFFLINE: '1' },
    args: ['--host-resolver-rules=MAP * ~NOTFOUND', '--no-proxy-server', ...ARGUMENTS],
  })
}

const ARGUMENTS: readonly string[] = [
  '--disable-quic',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--renderer-process-limit=4',
  '--js-flags=--max-old-space-size=512',
]

const settingsOf = (program: string, folder: string) => ({
  executablePath: START,
  chromiumSandbox: true,
  timeout: LAUNCH_TIMEOUT,
  handleSIGINT: false,
  handleSIGTERM: false,
  handleSIGHUP: false,
  env: {
    PATH: '/usr/bin:/bin',
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    SONDE_CHROMIUM: program,
    SONDE_BROWSER_PID_FILE: join(folder, 'pid'),
  },
})

const playwrightProxy = ({ url }: BrowserProxy) => {
  const { protocol, host, username, password } = new URL(url)
  // Loopback too goes to the proxy: a page must not reach this machine past the guard.
  return { server: `${protocol}//${host}`, username, password, bypass: '<-loopback>' }
}

/** Chromium reduces its own in the same way; sites that turn headless browsers away would show us another page. */
const userAgentOf = (version: string): string =>
  `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version.split('.')[0]}.0.0.0 Safari/537.36`

const killGroup = (pid: number): void => {
  if (!Number.isInteger(pid) || pid < 2) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error // Gone already.
  }
}

/** Whether it came to an end, in whatever way: a browser that is gone cannot be closed, and its processes are ended in either case. */
const within = async (work: Promise<unknown>, milliseconds: number): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds)
  })
  const ended = await Promise.race([
    work.then(
      () => true,
      () => true,
    ),
    over,
  ])
  clearTimeout(timer)
  return ended
}
