import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Storage } from '../../src/worker/options.ts'

/** Objects as files, so that several processes share them and a killed one leaves what it had. */
export const folderStorage = (folder: string): Storage => ({
  put: async (key, body) => {
    const bytes = Buffer.isBuffer(body) ? body : await buffer(body)
    const path = join(folder, key)
    await mkdir(dirname(path), { recursive: true })
    const temporary = `${path}.${randomUUID()}`
    await writeFile(temporary, bytes)
    await rename(temporary, path)
    return { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
  },
  get: async (key) => {
    const path = join(folder, key)
    return { size: (await stat(path)).size, stream: createReadStream(path) }
  },
  delete: (key) => rm(join(folder, key), { force: true }),
})

export const readObject = (folder: string, key: string): Promise<Buffer> => readFile(join(folder, key))
