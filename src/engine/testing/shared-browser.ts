/**
 * One Chromium for the tests of a process that ask what pages do, and not how a browser starts and ends: a start costs half a second
 * of a processor. Each test has profiles of its own, behind its own door, over http alone: the browser was told of no other door's key.
 */
import type { BrowserContext } from 'playwright-core'
import type { BrowserProxy } from '../../egress/door/egress.ts'
import { profilesOf, startBehind } from '../browser/launch.ts'
import type { LaunchBrowser } from '../run.ts'

/** Where nothing listens: what has no profile reaches nothing. */
const NOWHERE: BrowserProxy = {
  url: 'http://nobody:nothing@127.0.0.1:9',
  spki: Buffer.alloc(32).toString('base64'),
  close: async () => undefined,
}

type Running = Awaited<ReturnType<typeof startBehind>>
let shared: Promise<Running> | null = null

/** One that ended in a test before is started anew. It ends with the process. */
const running = async (): Promise<Running> => {
  const start = (): Promise<Running> => startBehind(async () => NOWHERE, new AbortController().signal, console.error)
  shared ??= start()
  const asked = shared
  if ((await asked).started.isConnected()) return asked
  // Of several that find it gone the first starts another.
  if (shared === asked) shared = start()
  return shared
}

/** In place of `launchBrowser`; what it has opened ends with `close` and with the signal. */
export const sharedBrowser: LaunchBrowser = async (egress, signal, log) => {
  const { started } = await running()
  const opened = new Set<BrowserContext>()
  const close = async (): Promise<void> => {
    signal.removeEventListener('abort', onAbort)
    await Promise.all([...opened].map((profile) => profile.close()))
  }
  const onAbort = (): void => void close()
  signal.addEventListener('abort', onAbort, { once: true })
  const { version, newContext } = profilesOf(started, egress, log)
  return {
    version,
    newContext: async (options) => {
      const profile = await newContext(options)
      opened.add(profile)
      profile.once('close', () => opened.delete(profile))
      return profile
    },
    close,
  }
}
