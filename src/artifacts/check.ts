import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { type ObjectStorage, StorageError } from './artifacts.ts'

/** Proves that a storage works by using it: write, read back, delete. */
export const checkByDoing = async (storage: ObjectStorage): Promise<void> => {
  const key = `check/${randomUUID()}`
  const body = Buffer.from(key)
  await storage.put(key, body, { contentType: 'text/plain' })
  try {
    const back = await buffer((await storage.get(key)).stream)
    if (!back.equals(body)) throw new StorageError('unavailable', 'The storage gave back other bytes than were written')
  } finally {
    await storage.delete(key)
  }
}
