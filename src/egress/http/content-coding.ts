/** Content codings (RFC 9110, 8.4), undone within a cap, so that a small answer cannot fill the memory. */
import zlib from 'node:zlib'

export interface Decoded {
  readonly body: Buffer
  /** The cap cut it, or the coded bytes ended early or were damaged. */
  readonly truncated: boolean
}

const MAX_LAYERS = 3

/** `coding` is the Content-Encoding as received. An unknown coding leaves the bytes as they are. */
export const decodeContent = async (coding: string, coded: Buffer, max: number): Promise<Decoded> => {
  const layers = coding
    .toLowerCase()
    .split(',')
    .map((layer) => layer.trim())
    .filter((layer) => layer !== '' && layer !== 'identity')
  if (layers.length === 0 || coded.length === 0) return { body: coded.subarray(0, max), truncated: coded.length > max }
  if (layers.length > MAX_LAYERS) return { body: coded.subarray(0, max), truncated: true }
  let body = coded
  let truncated = false
  for (const layer of layers.reverse()) {
    const decoder = decoderOf(layer, body)
    if (!decoder) return { body: body.subarray(0, max), truncated }
    const result = await run(decoder, body, max)
    // Labelled as coded but plain: some servers do, and the bytes are worth more than nothing.
    if (result.body.length === 0 && result.truncated) return { body: body.subarray(0, max), truncated: true }
    body = result.body
    truncated ||= result.truncated
  }
  return { body, truncated }
}

type Decoder = zlib.Gunzip | zlib.Inflate | zlib.InflateRaw | zlib.BrotliDecompress | zlib.ZstdDecompress

const decoderOf = (coding: string, bytes: Buffer): Decoder | null => {
  const lenient = { finishFlush: zlib.constants.Z_SYNC_FLUSH }
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip(lenient)
    case 'deflate':
      return hasZlibHeader(bytes) ? zlib.createInflate(lenient) : zlib.createInflateRaw(lenient)
    case 'br':
      return zlib.createBrotliDecompress({ finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH })
    case 'zstd':
      // RFC 9659: windows over 8 MiB are not for the web.
      return zlib.createZstdDecompress({
        finishFlush: zlib.constants.ZSTD_e_flush,
        params: { [zlib.constants.ZSTD_d_windowLogMax]: 23 },
      })
    default:
      return null
  }
}

/** RFC 1950: method 8, and the first two bytes divide by 31. Servers send both forms as "deflate". */
const hasZlibHeader = (bytes: Buffer): boolean =>
  bytes.length >= 2 && ((bytes[0] ?? 0) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0

const run = (decoder: Decoder, coded: Buffer, max: number): Promise<Decoded> =>
  new Promise((resolve) => {
    const parts: Buffer[] = []
    let size = 0
    const finish = (truncated: boolean) => {
      decoder.off('data', collect)
      decoder.destroy()
      resolve({ body: Buffer.concat(parts, size), truncated })
    }
    const collect = (part: Buffer) => {
      const kept = part.subarray(0, max - size)
      parts.push(kept)
      size += kept.length
      if (kept.length < part.length) finish(true)
    }
    decoder.on('data', collect)
    decoder.once('end', () => finish(false))
    // Damaged content is the target's, not ours: what could be read is the result.
    decoder.on('error', () => finish(true))
    decoder.end(coded)
  })
