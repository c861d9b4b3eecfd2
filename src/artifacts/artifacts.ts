/** Where files of runs are kept. Two drivers, one behaviour: a directory, or a bucket that speaks S3. */
import type { Readable } from 'node:stream'

export interface StoredObject {
  readonly size: number
  /** Lower case hex of the bytes as they were handed over. */
  readonly sha256: string
}

/** Both ends inclusive, as in RFC 9110 part 14.1.2. `end` beyond the object means its last byte. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

export interface SignedObjectUrl {
  readonly url: string
  readonly expiresAt: Date
}

export interface SignRequest {
  /** The name that the person's browser saves it under. */
  readonly filename: string
  readonly contentType: string
  /** Seconds. */
  readonly expiresIn: number
  readonly now: Date
}

/** Keys look like `runs/<id>/report.pdf`; see `assertKey`. Every call rejects with `StorageError`. */
export interface ObjectStorage {
  readonly kind: 'fs' | 's3'
  /** All or nothing: a reader sees the old object or the new one, never half of one. */
  readonly put: (key: string, body: Buffer | Readable, about: { readonly contentType: string }) => Promise<StoredObject>
  /** `size` is the size of the whole object, whatever the range. Code `missing` when there is none. */
  readonly get: (key: string, range?: ByteRange) => Promise<{ readonly stream: Readable; readonly size: number }>
  /** Deleting what is not there is no error. */
  readonly delete: (key: string) => Promise<void>
  readonly signedUrl: (key: string, request: SignRequest) => Promise<SignedObjectUrl>
  /** Writes, reads and deletes a small object: what `doctor` and readiness ask. */
  readonly check: () => Promise<void>
}

export type StorageErrorCode =
  | 'bad_key' // the key is not one that we would make
  | 'missing' // there is no such object
  | 'range' // the object ends before the range begins
  | 'unavailable' // the directory or the bucket did not do it; `cause` says why
  | 'full' // there is no space left for it

export class StorageError extends Error {
  readonly code: StorageErrorCode
  constructor(code: StorageErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'StorageError'
    this.code = code
  }
}

/** True where the same call may succeed later: the storage was away or full, and did not refuse what was asked. */
export const isAway = (error: unknown): boolean =>
  error instanceof StorageError && (error.code === 'unavailable' || error.code === 'full')

/** Longest key; S3 allows 1,024 bytes, and a prefix has to fit before it. */
const MAX_KEY = 512
/** A file name's bound on common file systems is 255 bytes; temporary names need some of it. */
const MAX_SEGMENT = 200
const SEGMENT = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/

/**
 * Segments of letters, digits, `.`, `_`, `-`, joined by single slashes; none begins with a dot. So a key is at once
 * a safe relative path, a safe S3 key and a safe URL path.
 */
export const assertKey = (key: string): void => {
  const segments = key.split('/')
  const ok =
    key.length <= MAX_KEY && segments.every((segment) => segment.length <= MAX_SEGMENT && SEGMENT.test(segment))
  if (!ok) throw new StorageError('bad_key', `Not an object key: ${JSON.stringify(key.slice(0, 80))}`)
}
