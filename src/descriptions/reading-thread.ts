/** Reads one upload and ends. See read-in-thread.ts. */
import { parentPort, workerData } from 'node:worker_threads'
import { Unreadable } from './operation.ts'
import { readDescriptions } from './read.ts'
import type { Answer, Upload } from './read-in-thread.ts'
import { together } from './together.ts'
import { filesOf } from './upload.ts'

const { bytes, type, name, options } = workerData as Upload

const answer = async (): Promise<Answer> => {
  try {
    const files = await filesOf(Buffer.from(bytes), type, name)
    return { read: together(readDescriptions(files, options)), files: files.map((file) => file.name) }
  } catch (error) {
    if (error instanceof Unreadable) return { unreadable: error.message }
    throw error
  }
}
parentPort?.postMessage(await answer())
