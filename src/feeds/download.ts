/**
 * One file of a feed, fetched over HTTP: asked for only where it changed (RFC 9110 section 13), continued where it broke off
 * (section 14), within its bounds, and compared with what its publisher says of it. It takes its name once it is whole.
 */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { z } from 'zod'
import { jsonOrNull } from '../knowledge/feeds/files.ts'
import { type Answered, ask as askAt } from './ask.ts'
import type { Source } from './sources.ts'

/** What the server gave to recognise this version of a file by. */
export const Validators = z.strictObject({ etag: z.string().nullable(), modified: z.string().nullable() })
export type Validators = z.infer<typeof Validators>

/** Milliseconds without a byte after which a server counts as silent, and for one file as a whole. */
export interface Patience {
  readonly silent: number
  readonly whole: number
}
export const PATIENCE: Patience = { silent: 30_000, whole: 30 * 60_000 }

/** The answer or the file is not as it has to be; the network itself fails with the errors of a connection. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError'
}

/**
 * Writes it to `path`. `known` are the validators of what lies there, or of what was imported from there, null for none.
 * What broke off stays beside it as `path.part` and is continued the next time.
 * @returns null where it has not changed
 * @throws DownloadError with address and reason
 */
export const download = async (
  source: Source,
  path: string,
  known: Validators | null,
  signal: AbortSignal,
  patience: Patience = PATIENCE,
): Promise<Validators | null> => {
  const limits = createDeadline(signal, patience)
  try {
    const begun = await partOf(source, path)
    const answer = await ask(source.url, { ...conditions(known), ...begun.headers }, limits.signal)
    if (answer.status === 304) {
      answer.body.destroy()
      return null
    }
    if (answer.status === 416) {
      answer.body.destroy()
      await forget(path)
      throw new DownloadError(`${source.url} cannot continue what broke off; the next time it begins anew`)
    }
    if (answer.status !== 200 && answer.status !== 206) {
      answer.body.destroy()
      throw new DownloadError(`${source.url} answered ${answer.status}`)
    }
    const from = answer.status === 206 ? begun.size : 0
    if (answer.status === 206) checkRange(source.url, answer.header('content-range'), from)
    const validators = { etag: answer.header('etag'), modified: answer.header('last-modified') }
    await writeFile(`${path}.part.json`, JSON.stringify({ url: source.url, validators }), { mode: 0o600 })
    await receive(answer, source, `${path}.part`, from, limits)
    await check(source, `${path}.part`, answer.header, limits.signal).catch(async (error: unknown) => {
      await forget(path)
      throw error
    })
    await rename(`${path}.part`, path)
    await rm(`${path}.part.json`, { force: true })
    return validators
  } finally {
    limits.end()
  }
}

interface Deadline {
  readonly signal: AbortSignal
  /** A byte came. */
  readonly alive: () => void
  readonly end: () => void
}

const createDeadline = (signal: AbortSignal, patience: Patience): Deadline => {
  const silence = new AbortController()
  const fall = (): void => silence.abort(new DownloadError(`nothing came for ${patience.silent / 1000} s`))
  const timer = setTimeout(fall, patience.silent)
  return {
    signal: AbortSignal.any([signal, silence.signal, AbortSignal.timeout(patience.whole)]),
    alive: () => timer.refresh(),
    end: () => clearTimeout(timer),
  }
}

const Part = z.strictObject({ url: z.string(), validators: Validators })

/** What is there of an earlier attempt. Without a validator that stands for the very bytes it is of no use (RFC 9110 section 13.1.5). */
const partOf = async (
  source: Source,
  path: string,
): Promise<{ readonly size: number; readonly headers: Readonly<Record<string, string>> }> => {
  const none = { size: 0, headers: {} }
  const size = (await stat(`${path}.part`).catch(() => null))?.size ?? 0
  const told = await readFile(`${path}.part.json`, 'utf8').catch(() => null)
  if (size === 0 || told === null) return none
  const { data } = Part.safeParse(jsonOrNull(told))
  const strong = data?.validators.etag?.startsWith('"') ? data.validators.etag : null
  if (data === undefined || data.url !== source.url || strong === null) return none
  return { size, headers: { range: `bytes=${size}-`, 'if-range': strong } }
}

const forget = async (path: string): Promise<void> => {
  await Promise.all([rm(`${path}.part`, { force: true }), rm(`${path}.part.json`, { force: true })])
}

const conditions = (known: Validators | null): Readonly<Record<string, string>> => ({
  ...(known?.etag ? { 'if-none-match': known.etag } : {}),
  ...(known?.modified ? { 'if-modified-since': known.modified } : {}),
})

/** As it lies there: a coding of the transport would make sizes and ranges mean something else. */
const ask = async (url: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Answered> => {
  const answer = await askAt(url, { 'accept-encoding': 'identity', ...headers }, signal)
  if (url.startsWith('https:') && !answer.url.startsWith('https:')) {
    answer.body.destroy()
    throw new DownloadError(`${url} leads to an address without TLS: ${answer.url}`)
  }
  return answer
}

const checkRange = (url: string, range: string | null, from: number): void => {
  if (range === null || !range.startsWith(`bytes ${from}-`))
    throw new DownloadError(`${url} continues at another place than it was asked for`)
}

const receive = async (
  answer: Answered,
  { url, largest }: Source,
  part: string,
  from: number,
  { signal, alive }: Deadline,
): Promise<void> => {
  let size = from
  const bounded = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      alive()
      size += chunk.length
      if (size > largest) done(new DownloadError(`${url} sends more than ${largest} bytes`))
      else done(null, chunk)
    },
  })
  const file = createWriteStream(part, { flags: from > 0 ? 'a' : 'w', mode: 0o600 })
  await pipeline(answer.body, bounded, file, { signal }).catch((error: unknown) => {
    throw signal.reason instanceof DownloadError ? signal.reason : error
  })
  const told = answer.header('content-length')
  if (told !== null && answer.header('content-encoding') === null && size - from !== Number(told))
    throw new DownloadError(`${url} broke off after ${size - from} of ${told} bytes`)
}

/** What headers and a file beside it say of the bytes: Repr-Digest (RFC 9530), Google's x-goog-hash, the publisher's own checksum. */
const check = async (source: Source, part: string, header: Answered['header'], signal: AbortSignal): Promise<void> => {
  const said = (name: string, form: RegExp): string | null => form.exec(header(name) ?? '')?.[1] ?? null
  const digest = said('repr-digest', /\bsha-256=:([\w+/=]+):/)
  if (digest !== null) compare(source.url, 'Repr-Digest', digest, await hashOf(part, 'sha256', 'base64'))
  const md5 = said('x-goog-hash', /\bmd5=([\w+/=]+)/)
  if (md5 !== null) compare(source.url, 'x-goog-hash', md5, await hashOf(part, 'md5', 'base64'))
  if (source.checksum === undefined) return
  const { url, unpackedSha256 } = source.checksum
  const answer = await ask(url, {}, signal)
  const text = answer.status === 200 ? await beginningOf(answer) : ''
  answer.body.destroy()
  const told = unpackedSha256.exec(text)?.[1]
  if (told === undefined) throw new DownloadError(`${url} names no checksum (answer ${answer.status})`)
  compare(source.url, url, told.toLowerCase(), await hashOf(part, 'sha256', 'hex', true))
}

/** Bytes of a file that holds one checksum and a few lines. */
const LARGEST_CHECKSUM = 10_000

const beginningOf = async ({ body }: Answered): Promise<string> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk as Buffer)
    size += (chunk as Buffer).length
    if (size > LARGEST_CHECKSUM) break
  }
  return Buffer.concat(chunks).toString('utf8', 0, LARGEST_CHECKSUM)
}

const compare = (url: string, by: string, told: string, found: string): void => {
  if (told !== found) throw new DownloadError(`${url} is not what ${by} says it is`)
}

const hashOf = async (
  path: string,
  algorithm: 'sha256' | 'md5',
  encoding: 'hex' | 'base64',
  packed = false,
): Promise<string> => {
  const hash = createHash(algorithm)
  if (packed) await pipeline(createReadStream(path), createGunzip(), hash)
  else await pipeline(createReadStream(path), hash)
  return hash.digest(encoding)
}
