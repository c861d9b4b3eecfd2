/**
 * Starts programs for pages that hand values to them, from a process of its own that is small: each start copies the memory map of
 * who starts, which takes a test with a scanner in it five times as long.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export interface Limits {
  /** Milliseconds. */
  readonly timeout: number
  /** Bytes of each output. */
  readonly maxBuffer: number
  readonly cwd: string
}
export interface Start {
  readonly id: number
  readonly file: string
  readonly args: readonly string[]
  readonly options: Limits
}
export interface Ended {
  readonly id: number
  /** Ended with 0, within its limits. */
  readonly ok: boolean
  readonly stdout: string
  readonly stderr: string
}

let starter: ChildProcess | null = null
let next = 0
const waiting = new Map<number, (ended: Ended) => void>()

const open = (): ChildProcess => {
  const child = fork(fileURLToPath(new URL('starter-process.ts', import.meta.url)), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  child.on('message', (ended: Ended) => {
    waiting.get(ended.id)?.(ended)
    waiting.delete(ended.id)
  })
  child.once('exit', () => {
    starter = null
    for (const [id, answer] of waiting) answer({ id, ok: false, stdout: '', stderr: 'the starter of programs ended' })
    waiting.clear()
  })
  // Whoever uses the pages decides how long they are there.
  child.unref()
  child.channel?.unref()
  return child
}

/** The outputs of a program, whose end is no error of ours however it comes. */
export const startProgram = (file: string, args: readonly string[], options: Limits): Promise<Ended> => {
  starter ??= open()
  const id = next++
  const { promise, resolve } = Promise.withResolvers<Ended>()
  waiting.set(id, resolve)
  starter.send({ id, file, args, options } satisfies Start)
  return promise
}
