/** A picture as a browser takes it, for tests: a window with a bar on top. */
import { crc32, deflateSync } from 'node:zlib'
import type { Finding } from '../../contract/finding.ts'
import type { Picture } from '../pictures.ts'

/** A PNG of 8 bits a sample in RGB (PNG specification, 11.2.2). */
export const samplePng = (width = 1280, height = 720): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const rows = Array.from({ length: height }, (_, y) => {
    const row = Buffer.alloc(1 + width * 3, y < height / 8 ? 0x40 : 0xe8)
    row[0] = 0
    return row
  })
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const chunk = (type: string, body: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** One for each evidence of the findings, at most so many. */
export const samplePictures = (findings: readonly Finding[], most: number): readonly Picture[] => {
  const body = samplePng()
  return findings
    .flatMap(({ evidence }) => evidence)
    .slice(0, most)
    .map((id, index) => ({ id, name: `xss-executed-${index}.png`, body }))
}
