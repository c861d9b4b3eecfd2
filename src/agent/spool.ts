/** What an agent has not sent yet, on its disk: nothing in it is secret, and nobody else may read it. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import type { Spool, Spooled } from '../worker/inbox.ts'
import type { ChildMessage } from '../worker/supervise.ts'

/** Bytes of all runs of one process together. */
const CAPACITY = 4 * 1024 ** 3

/** In a folder of mode 0700 that is this process's own. What a dead process left is of no use to another: its runs begin anew. */
export const openSpool = (folder: string, capacity = CAPACITY): Spool => {
  let used = 0
  let count = 0
  return {
    put: (message) => {
      const bytes = serialize(message)
      if (used + bytes.length > capacity) return null
      count += 1
      const file = join(folder, `${count}.message`)
      writeFileSync(file, bytes, { mode: 0o600, flag: 'wx' })
      used += bytes.length
      return spooled(file, () => {
        used -= bytes.length
      })
    },
  }
}

const spooled = (file: string, gone: () => void): Spooled => ({
  take: () => {
    const message = deserialize(readFileSync(file)) as ChildMessage
    rmSync(file)
    gone()
    return message
  },
})
