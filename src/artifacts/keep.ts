/** Keeping a file for certain: written, read back, and compared. */
import { createHash } from 'node:crypto'
import { pipeline, type Readable, Transform } from 'node:stream'
import { StorageError } from './artifacts.ts'

/** What it takes of a storage. */
export interface KeepingStorage {
  readonly put: (
    key: string,
    body: Buffer | Readable,
    about: { readonly contentType: string },
  ) => Promise<{ readonly size: number; readonly sha256: string }>
  readonly get: (key: string) => Promise<{ readonly stream: Readable; readonly size: number }>
}

/** A stream is opened only when somebody reads it, so that its errors have a listener from the start. */
export type FileBody = Buffer | (() => Readable)

/** Where the file of a run lies. */
export const runFileKey = (runId: string, id: string, filename: string): string =>
  `runs/${runId}/${id}/${safeSegment(filename)}`

/** Bytes and SHA-256 (lower case hex) of what lies there now. Rejects where that is not exactly what was sent. */
export const keepFile = async (
  storage: KeepingStorage,
  key: string,
  body: FileBody,
  contentType: string,
): Promise<{ size: number; sha256: string }> => {
  const sent = createMeasure()
  await storage.put(key, sent.pass(body), { contentType })
  const back = createMeasure()
  const { stream } = await storage.get(key)
  try {
    for await (const chunk of stream) back.add(chunk as Buffer)
  } catch (cause) {
    throw new StorageError('unavailable', `Could not read ${key} to its end`, { cause })
  }
  const [wanted, kept] = [sent.result(), back.result()]
  if (kept.size !== wanted.size || kept.sha256 !== wanted.sha256) {
    throw new Error(`sent ${wanted.size} bytes of SHA-256 ${wanted.sha256}, got back ${kept.size} of ${kept.sha256}`)
  }
  return kept
}

interface Measure {
  readonly add: (chunk: Buffer) => void
  /** The same bytes, measured on their way. */
  readonly pass: (body: FileBody) => Buffer | Readable
  readonly result: () => { size: number; sha256: string }
}

const createMeasure = (): Measure => {
  const hash = createHash('sha256')
  let size = 0
  const add = (chunk: Buffer): void => {
    hash.update(chunk)
    size += chunk.length
  }
  return {
    add,
    pass: (body) => {
      if (Buffer.isBuffer(body)) {
        add(body)
        return body
      }
      const through = new Transform({
        transform: (chunk: Buffer, _encoding, done) => {
          add(chunk)
          done(null, chunk)
        },
      })
      // An error of the source destroys `through` with it, and so reaches whoever reads.
      return pipeline(body(), through, () => undefined)
    },
    result: () => ({ size, sha256: hash.digest('hex') }),
  }
}

/** One segment of an object key: letters, digits, dot, dash, underscore; no dot in front. */
const safeSegment = (name: string): string =>
  name
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(-100) || 'file'
