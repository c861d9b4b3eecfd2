/**
 * Reads what a stranger has sent in a thread of its own, with bounds on time and memory: a document that costs too much costs
 * its sender an answer, and the service nothing.
 */
import { Worker } from 'node:worker_threads'
import { type Description, type ReadOptions, Unreadable } from './operation.ts'

export interface Upload {
  readonly bytes: Uint8Array
  /** Content-Type as it was sent. */
  readonly type: string
  /** Of the document, where it is a single one. */
  readonly name: string
  readonly options: ReadOptions
}

export type Answer = { readonly read: Description; readonly files: readonly string[] } | { readonly unreadable: string }

const BODY = new URL('./reading-thread.ts', import.meta.url)
const MEMORY_MB = 768
const SECONDS = 25

/** @throws Unreadable, with a sentence for the sender */
export const readInThread = async (
  upload: Upload,
  { seconds = SECONDS, memoryMb = MEMORY_MB } = {},
): Promise<Exclude<Answer, { unreadable: string }>> => {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const thread = new Worker(BODY, { workerData: upload, resourceLimits: { maxOldGenerationSizeMb: memoryMb } })
  const timer = setTimeout(
    () => reject(new Unreadable(`It could not be read within ${seconds} seconds.`)),
    seconds * 1000,
  )
  thread.on('message', resolve)
  thread.on('error', (error: Error & { code?: string }) =>
    reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new Unreadable('It needs too much memory to be read.') : error),
  )
  thread.on('exit', (code) => reject(new Error(`The thread that read a description ended early (${code})`)))
  try {
    const answer = await promise
    if ('unreadable' in answer) throw new Unreadable(answer.unreadable)
    return answer
  } finally {
    clearTimeout(timer)
    await thread.terminate()
  }
}
