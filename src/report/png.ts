import { crc32, inflateSync } from 'node:zlib'

/** Samples a pixel by colour type (PNG specification, 11.2.1). */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
const BIT_DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
}
const MAX_SIDE = 4000
/** Columns and rows of the seven passes: start and step (PNG specification, 8.2). */
const ADAM7 = [
  [0, 8, 0, 8],
  [4, 8, 0, 8],
  [0, 4, 4, 8],
  [2, 4, 0, 4],
  [0, 2, 2, 4],
  [1, 2, 0, 2],
  [0, 1, 1, 2],
] as const

interface Header {
  readonly width: number
  readonly height: number
  readonly bitsPerPixel: number
  readonly interlaced: boolean
}

/**
 * Null for a PNG that any decoder can draw, else what is wrong with it, as the end of a sentence. Every chunk and its
 * checksum is read and the pixels are unpacked, so that a damaged logo is refused when it comes, not when a report is
 * made. Allocates at most the unpacked size of 4,000 by 4,000 pixels.
 */
export const checkPng = (file: Buffer): string | null => {
  const chunks = readChunks(file)
  if (typeof chunks === 'string') return chunks
  const header = readHeader(chunks[0])
  if (typeof header === 'string') return header
  const palette = chunks.some(({ type }) => type === 'PLTE')
  if (file[25] === 3 && !palette) return 'has no palette'
  const data = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ body }) => body))
  const expected = unpackedSize(header)
  try {
    const size = inflateSync(data, { maxOutputLength: expected + 1 }).length
    return size < expected ? 'has fewer pixels than it says' : size > expected ? 'has more pixels than it says' : null
  } catch {
    return 'has pixels that cannot be unpacked'
  }
}

interface Chunk {
  readonly type: string
  readonly body: Buffer
}

const readChunks = (file: Buffer): Chunk[] | string => {
  const chunks: Chunk[] = []
  let at = 8
  while (at + 12 <= file.length) {
    const length = file.readUInt32BE(at)
    const end = at + 12 + length
    if (end > file.length) return 'ends in the middle of a chunk'
    const typeAndBody = file.subarray(at + 4, end - 4)
    if (crc32(typeAndBody) !== file.readUInt32BE(end - 4)) return 'has a chunk with a wrong checksum'
    const type = typeAndBody.subarray(0, 4).toString('latin1')
    chunks.push({ type, body: typeAndBody.subarray(4) })
    at = end
    if (type === 'IEND') return chunks
  }
  return 'has no end'
}

const readHeader = (chunk: Chunk | undefined): Header | string => {
  if (chunk?.type !== 'IHDR' || chunk.body.length !== 13) return 'has no header'
  const width = chunk.body.readUInt32BE(0)
  const height = chunk.body.readUInt32BE(4)
  const [depth = 0, colour = -1, compression = -1, filter = -1, interlace = -1] = chunk.body.subarray(8)
  const samples = SAMPLES[colour]
  if (width < 1 || height < 1 || width > MAX_SIDE || height > MAX_SIDE)
    return `must be 1 to ${MAX_SIDE} pixels wide and high, not ${width} by ${height}`
  if (samples === undefined || !BIT_DEPTHS[colour]?.includes(depth)) return 'has an unknown colour type'
  if (compression !== 0 || filter !== 0 || interlace < 0 || interlace > 1) return 'uses an unknown method'
  return { width, height, bitsPerPixel: samples * depth, interlaced: interlace === 1 }
}

/** Each row is its pixels, rounded up to bytes, after one byte that names its filter. */
const unpackedSize = ({ width, height, bitsPerPixel, interlaced }: Header): number => {
  const size = (columns: number, rows: number) =>
    columns === 0 || rows === 0 ? 0 : rows * (1 + Math.ceil((columns * bitsPerPixel) / 8))
  if (!interlaced) return size(width, height)
  return ADAM7.reduce(
    (sum, [x, dx, y, dy]) =>
      sum + size(Math.max(0, Math.ceil((width - x) / dx)), Math.max(0, Math.ceil((height - y) / dy))),
    0,
  )
}
