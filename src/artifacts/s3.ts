/** Files of runs in a bucket of any service that speaks S3 with Signature Version 4. */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { assertKey, type ByteRange, type ObjectStorage, StorageError, type StoredObject } from './artifacts.ts'
import { checkByDoing } from './check.ts'
import type { S3StorageOptions } from './s3-url.ts'
import { attachment } from './signed-url.ts'

/** S3's smallest part is 5 MiB; a stream never holds more than one part in memory. */
const PART_BYTES = 8 * 1024 * 1024
/** Milliseconds until a connection, and between two packets. */
const CONNECT_TIMEOUT = 5_000
const IDLE_TIMEOUT = 30_000

export const s3Storage = (options: S3StorageOptions): ObjectStorage & { readonly close: () => void } => {
  const client = new S3Client({
    region: options.region,
    forcePathStyle: options.pathStyle,
    maxAttempts: 3,
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT, socketTimeout: IDLE_TIMEOUT },
    ...(options.endpoint === null ? {} : { endpoint: options.endpoint }),
    ...(options.credentials === null ? {} : { credentials: options.credentials }),
  })
  const where = (key: string): { Bucket: string; Key: string } => {
    assertKey(key)
    return { Bucket: options.bucket, Key: `${options.prefix}${key}` }
  }

  const put: ObjectStorage['put'] = async (key, body, { contentType }) => {
    const at = where(key)
    const hash = createHash('sha256')
    const parts = partsOf(body)
    try {
      const first = await parts.next()
      const start = first.done === true ? Buffer.alloc(0) : first.value
      hash.update(start)
      if (start.length < PART_BYTES) {
        await client.send(new PutObjectCommand({ ...at, Body: start, ContentType: contentType }))
        return { size: start.length, sha256: hash.digest('hex') }
      }
      return await putInParts(client, at, contentType, start, parts, hash)
    } catch (cause) {
      throw failure('write', key, cause)
    }
  }

  const get = async (key: string, range?: ByteRange): Promise<{ stream: Readable; size: number }> => {
    const at = where(key)
    try {
      const asked = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` }
      const answer = await client.send(new GetObjectCommand({ ...at, ...asked }))
      if (!(answer.Body instanceof Readable)) throw new TypeError('the answer has no body')
      // "bytes 0-9/1234": the whole size is behind the slash.
      const whole = answer.ContentRange?.split('/')[1]
      return { stream: answer.Body, size: whole === undefined ? (answer.ContentLength ?? 0) : Number(whole) }
    } catch (cause) {
      throw failure('read', key, cause)
    }
  }

  const storage: ObjectStorage & { readonly close: () => void } = {
    kind: 's3',
    put,
    get,
    delete: async (key) => {
      const at = where(key)
      await client.send(new DeleteObjectCommand(at)).catch((cause) => {
        const error = failure('delete', key, cause)
        if (error.code !== 'missing') throw error
      })
    },
    signedUrl: async (key, { filename, contentType, expiresIn, now }) => {
      const command = new GetObjectCommand({
        ...where(key),
        ResponseContentDisposition: attachment(filename),
        ResponseContentType: contentType,
      })
      const url = await getSignedUrl(client, command, { expiresIn, signingDate: now }).catch((cause) => {
        throw failure('sign the address of', key, cause)
      })
      // The signature carries whole seconds.
      return { url, expiresAt: new Date((Math.floor(now.getTime() / 1000) + expiresIn) * 1000) }
    },
    check: () => checkByDoing(storage),
    close: () => client.destroy(),
  }
  return storage
}

const putInParts = async (
  client: S3Client,
  at: { Bucket: string; Key: string },
  contentType: string,
  start: Buffer,
  rest: AsyncGenerator<Buffer>,
  hash: ReturnType<typeof createHash>,
): Promise<StoredObject> => {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ ...at, ContentType: contentType }))
  if (UploadId === undefined) throw new TypeError('the answer names no upload')
  try {
    const done: { ETag: string | undefined; PartNumber: number }[] = []
    const upload = async (part: Buffer): Promise<void> => {
      const PartNumber = done.length + 1
      const { ETag } = await client.send(new UploadPartCommand({ ...at, UploadId, PartNumber, Body: part }))
      done.push({ ETag, PartNumber })
    }
    let size = start.length
    await upload(start)
    for await (const part of rest) {
      hash.update(part)
      size += part.length
      await upload(part)
    }
    await client.send(new CompleteMultipartUploadCommand({ ...at, UploadId, MultipartUpload: { Parts: done } }))
    // Some services answer before the object can be read; this waits for it, or fails.
    const head = await client.send(new HeadObjectCommand(at))
    if (head.ContentLength !== size) throw new TypeError(`stored ${head.ContentLength} of ${size} bytes`)
    return { size, sha256: hash.digest('hex') }
  } catch (cause) {
    await client.send(new AbortMultipartUploadCommand({ ...at, UploadId })).catch((second) => {
      throw new AggregateError([cause, second], 'the upload failed and could not be taken back')
    })
    throw cause
  }
}

/** Whole parts of PART_BYTES; only the last may be smaller. */
async function* partsOf(body: Buffer | Readable): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let size = 0
  for await (const chunk of Buffer.isBuffer(body) ? Readable.from([body]) : body) {
    let bytes: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk)
    while (size + bytes.length >= PART_BYTES) {
      const cut = PART_BYTES - size
      yield Buffer.concat([...held, bytes.subarray(0, cut)])
      bytes = bytes.subarray(cut)
      held = []
      size = 0
    }
    held.push(bytes)
    size += bytes.length
  }
  if (size > 0) yield Buffer.concat(held)
}

const failure = (verb: string, key: string, cause: unknown): StorageError => {
  if (cause instanceof StorageError) return cause
  const name = cause instanceof Error ? cause.name : ''
  if (name === 'NoSuchKey' || name === 'NotFound') return new StorageError('missing', `No object ${key}`, { cause })
  if (name === 'InvalidRange') return new StorageError('range', `Object ${key} ends before the range`, { cause })
  const why = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)
  return new StorageError('unavailable', `Could not ${verb} ${key}: ${why}`, { cause })
}
