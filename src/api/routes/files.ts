/** Files of the filesystem storage, by signed URL. What a target sent is never shown inside our origin. */
import { Readable } from 'node:stream'
import { type ByteRange, StorageError } from '../../artifacts/artifacts.ts'
import { attachment, verifyFile } from '../../artifacts/signed-url.ts'
import { ProblemError } from '../../contract/problem.ts'
import { parseRange } from '../byte-range.ts'
import { noPlace } from '../problems.ts'
import { bind, type Route, rawAnswer } from '../route.ts'
import type { Services } from '../services.ts'

export const fileRoutes = (services: Services): readonly Route[] => {
  /** Each holds a descriptor beside that of its connection. */
  const sending = new Set<Readable>()
  return [downloadRoute(services, sending)]
}

const downloadRoute = (services: Services, sending: Set<Readable>): Route =>
  bind('download', async ({ params, query, request }) => {
    if (services.fileKeys === null) throw new ProblemError('not_found', 'Files are served by the object storage.')
    const verdict = verifyFile(services.fileKeys, params.key, query, new Date())
    if (!verdict.ok) throw new ProblemError('signature_invalid', WHY[verdict.why])
    const asked = request.headers.range
    if (sending.size >= services.limits.downloads) throw noPlace()
    const { stream, size, range } = await open(services, params.key, asked)
    sending.add(stream)
    stream.once('close', () => sending.delete(stream))
    if (request.method === 'HEAD') stream.destroy()
    const length = range === null ? size : range.end - range.start + 1
    // An empty stream and not nothing: Fastify would set the length of nothing.
    const body = request.method === 'HEAD' ? Readable.from([]) : stream
    const headers = {
      'Content-Type': verdict.grant.contentType,
      'Content-Length': String(length),
      'Content-Disposition': attachment(verdict.grant.filename),
      'Content-Security-Policy': "sandbox; default-src 'none'",
      'Accept-Ranges': 'bytes',
      'Cache-Control': 'private, no-store',
      ...(range === null ? {} : { 'Content-Range': `bytes ${range.start}-${range.end}/${size}` }),
    }
    return range === null ? rawAnswer(200, body, headers) : rawAnswer(206, body, headers)
  })

const WHY = {
  altered: 'The address is not one that was signed here.',
  expired: 'The address has expired; ask for a new one.',
} as const

const open = async (services: Services, key: string, asked: string | undefined) => {
  try {
    const whole = await services.storage.get(key)
    const range = parseRange(asked, whole.size)
    if (range === null) return { ...whole, range: null }
    whole.stream.destroy()
    if (range === 'unsatisfiable') throw unsatisfiable(whole.size)
    const part: ByteRange = range
    return { ...(await services.storage.get(key, part)), range: part }
  } catch (error) {
    if (error instanceof StorageError && error.code === 'missing') {
      throw new ProblemError('artifact_expired', 'The file was deleted after its retention ended.', { cause: error })
    }
    throw error
  }
}

const unsatisfiable = (size: number): ProblemError =>
  new ProblemError('range_not_satisfiable', `The file has ${size} bytes.`, {
    headers: { 'Content-Range': `bytes */${size}` },
  })
