/** Servers and workers run as processes of their own, so that their memory and their turn of the CPU are theirs alone. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface Child {
  /** What it said when it was ready. */
  readonly ready: unknown
  /** Sends a word and gives the answer. */
  readonly ask: (word: string) => Promise<unknown>
  readonly end: () => Promise<void>
}

/** Milliseconds to get ready, to answer, to end. */
const DEADLINE = 60_000

/** Starts `script` with its settings as one JSON argument; resolves at its first message. */
export const startChild = async (script: string, settings: object): Promise<Child> => {
  const file = fileURLToPath(new URL(script, import.meta.url))
  const child = fork(file, [JSON.stringify(settings)], {
    execArgv: ['--expose-gc', '--disable-warning=ExperimentalWarning'],
  })
  const ready = await answer(child)
  return {
    ready,
    ask: (word) => {
      child.send(word)
      return answer(child)
    },
    end: async () => {
      const gone = once(child, 'exit', { signal: AbortSignal.timeout(DEADLINE) })
      child.disconnect()
      await gone
    },
  }
}

const answer = async (child: ChildProcess): Promise<unknown> => {
  const over = new AbortController()
  const signal = AbortSignal.any([over.signal, AbortSignal.timeout(DEADLINE)])
  const gone = once(child, 'exit', { signal }).then(([code]) => Promise.reject(new Error(`A process ended: ${code}`)))
  try {
    const [message] = await Promise.race([once(child, 'message', { signal }), gone])
    return message
  } finally {
    gone.catch(() => undefined)
    over.abort()
  }
}

/** For the child's side: settings in, answers out, an end when the parent lets go. */
export const serveParent = (
  words: Readonly<Record<string, () => Promise<unknown>>>,
  end: () => Promise<void>,
): { readonly ready: (what: unknown) => void } => {
  process.on('message', (word: string) => {
    const work = words[word]
    if (work === undefined) throw new Error(`There is no word ${word}`)
    void work().then((result) => process.send?.(result ?? null))
  })
  process.once('disconnect', () => {
    void end().finally(() => process.exit(0))
  })
  return { ready: (what) => void process.send?.(what) }
}

export const settingsOf = <Settings>(): Settings => JSON.parse(process.argv[2] ?? '{}') as Settings

/** Since the process began. */
export interface Spent {
  /** Milliseconds of processor time. */
  readonly cpu: number
  /** Sent to the database. */
  readonly statements: number
}

export const processorTime = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** Bytes in use after a full collection. */
export const memory = async (): Promise<{ readonly rss: number; readonly heap: number }> => {
  for (let turn = 0; turn < 3; turn += 1) {
    globalThis.gc?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  const { rss, heapUsed, external } = process.memoryUsage()
  return { rss, heap: heapUsed + external }
}
