/** Keeps the knowledge feeds of this data folder up to date while the service or a worker runs. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { sleep } from '../contract/sleep.ts'
import { FETCHED } from '../feeds/sources.ts'
import { dueFeeds, settleEnded, UNREACHED } from '../feeds/update.ts'
import { readActive } from '../knowledge/feeds/active.ts'
import type { FeedId } from '../knowledge/feeds/feed.ts'
import { jsonOrNull } from '../knowledge/feeds/files.ts'
import { repeat } from '../worker/repeat.ts'
import { SETPRIV } from '../worker/scan-processes.ts'
import { knowledgeFolder } from './knowledge-folder.ts'
import type { Runtime } from './runtime.ts'
import { keysFor } from './secret-key.ts'
import { inTurn, publishFeed, type Sharing, takeShared } from './share-feeds.ts'

/** Milliseconds between looks at what is due, while another worker fetches, and for one update of all feeds. */
const LOOK_EVERY = 20 * 60_000
const TURN_EVERY = 60_000
const DEADLINE = 3 * 3_600_000

/** What `feeds update --json` prints, as far as it is told here. */
const Changes = z.array(
  z.object({
    feed: z.string(),
    line: z.object({ version: z.string().nullable(), records: z.number().nullable() }).nullable(),
    error: z.string().nullable(),
  }),
)

/**
 * Nothing to do with SONDE_FEEDS=off. The first look is at once; a fresh installation fetches everything then. Workers of one
 * database share what one of them has fetched.
 */
export const keepFeeds = (runtime: Runtime): { stop: () => Promise<void> } => {
  const { config, logger } = runtime
  if (config.feeds === 'off') return { stop: () => Promise.resolve() }
  const stopped = new AbortController()
  const look = repeat({ every: LOOK_EVERY, signal: stopped.signal, logger, name: 'feeds' }, async () => {
    const sharing = config.databaseUrl === null ? null : sharingOf(runtime, stopped.signal)
    for (;;) {
      const taken = sharing === null ? [] : await takeShared(sharing)
      if (taken.length > 0) logger.info({ taken }, 'feeds: newer knowledge came from another worker')
      if (stopped.signal.aborted || dueFeeds(knowledgeFolder(config), new Date()).length === 0) return
      if (sharing === null) return fetchDue(null)
      if (await inTurn(sharing, () => fetchDue(sharing))) return
      await sleep(TURN_EVERY, stopped.signal)
    }
  })
  const fetchDue = async (sharing: Sharing | null): Promise<void> => {
    const folder = knowledgeFolder(config)
    const before = new Map(FETCHED.map((feed) => [feed, readActive(folder, feed)?.version ?? null]))
    const { changes: told, problem } = await update(config, stopped.signal)
    if (stopped.signal.aborted) return
    const ended = problem === null ? null : settleEnded(folder, 'the process that fetched it ended')
    if (problem !== null) logger.error({ problem, feed: ended }, 'feeds: the update ended badly')
    // One that ends says nothing of what it had brought until then.
    const changes = problem === null ? told : broughtSince(folder, before)
    const imported = changes.flatMap(({ feed, line }) => (line === null ? [] : [{ feed, records: line.records }]))
    if (imported.length > 0) logger.info({ imported }, 'feeds: newer knowledge is there')
    const failed = changes.flatMap(({ feed, error }) => (error === null ? [] : [{ feed, error }]))
    const why = failed[0]?.error
    if (failed.length === FETCHED.length && why?.startsWith(UNREACHED)) logger.warn({ why }, NONE)
    else if (failed.length > 0)
      logger.warn({ failed }, 'feeds: some were not updated; the next attempt is within hours')
    for (const { feed } of imported) {
      const known = FETCHED.find((one) => one === feed)
      if (sharing !== null && known !== undefined) await publishFeed(sharing, known)
    }
    // The others wait for no hour because of it; each turn settles one more.
    if (ended !== null && dueFeeds(folder, new Date()).length > 0) await fetchDue(sharing)
  }
  look.now()
  return {
    stop: async () => {
      stopped.abort()
      await look.ended()
    },
  }
}

const broughtSince = (folder: string, before: ReadonlyMap<FeedId, string | null>): Ended['changes'] =>
  FETCHED.flatMap((feed) => {
    const active = readActive(folder, feed)
    const { version, records } = active ?? { version: null, records: null }
    return version === before.get(feed) ? [] : [{ feed, line: { version, records }, error: null }]
  })

const NONE =
  'feeds: no publisher could be reached; scans go on with the knowledge that is there, and the next attempt is within hours (SONDE_FEEDS=off switches this off)'

const sharingOf = ({ config, storage, keys, logger }: Runtime, stop: AbortSignal): Sharing => ({
  ...{ folder: knowledgeFolder(config), storage, keys: keysFor(keys, 'feeds') },
  takeBundle: async (path, key) => {
    const { changes, problem } = await feedsProcess(config, ['import', path, '--key', key], stop)
    if (problem !== null && !stop.aborted) logger.warn({ problem }, 'feeds: what another worker shares was not taken')
    return changes.length > 0
  },
})

const update = (config: Runtime['config'], stop: AbortSignal): Promise<Ended> =>
  feedsProcess(config, ['update', '--due'], stop)

interface Ended {
  readonly changes: z.infer<typeof Changes>
  readonly problem: string | null
}

/**
 * In a process of its own, behind everything else: reading some hundred thousand records takes minutes of a processor. Not behind
 * all by far: of a machine that scans without a pause the lowest priority gets next to nothing, and no knowledge would come.
 */
const feedsProcess = async (
  { dataDir, feeds }: Runtime['config'],
  words: readonly string[],
  stop: AbortSignal,
): Promise<Ended> => {
  const entry = fileURLToPath(new URL('cli.ts', import.meta.url))
  const command = [process.execPath, '--disable-warning=ExperimentalWarning', entry, 'feeds', ...words, '--json']
  const [file = '', ...args] = existsSync(SETPRIV) ? [SETPRIV, '--pdeathsig', 'KILL', ...command] : command
  const child = spawn(file, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...fewVariables(), SONDE_DATA: dataDir, SONDE_FEEDS: String(feeds), NODE_USE_ENV_PROXY: '1' },
    timeout: DEADLINE,
    killSignal: 'SIGKILL',
  })
  stepBack(child)
  const kill = (): void => void child.kill('SIGKILL')
  stop.addEventListener('abort', kill)
  const ended = new Promise<string | null>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (_code, signal) => resolve(signal === null ? null : `ended by ${signal}`))
  })
  try {
    const [out, err, problem] = await Promise.all([text(child.stdout), text(child.stderr), ended])
    const changes = Changes.safeParse(jsonOrNull(out))
    return { changes: changes.data ?? [], problem: changes.success ? null : (problem ?? err.slice(-2_000)) }
  } finally {
    stop.removeEventListener('abort', kill)
  }
}

const stepBack = ({ pid }: ChildProcess): void => {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch (error) {
    // It has ended already.
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_SYSTEM_ERROR')) throw error
  }
}

/** Neither keys nor the address of the database: it needs the network, a folder, and the proxy. */
const fewVariables = (): Record<string, string> => {
  const names = ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR', 'NODE_COMPILE_CACHE', 'NODE_EXTRA_CA_CERTS']
  const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'].flatMap((name) => [name, name.toLowerCase()])
  return Object.fromEntries(
    [...names, ...proxies].flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}
