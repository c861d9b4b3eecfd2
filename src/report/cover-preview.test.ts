import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { coverPicture } from './cover-preview.ts'
import { prepareLogo } from './logo.ts'

const DATE = new Date('2026-11-20T09:00:00Z')
const ABOUT = { organisation: 'Muster & Söhne', watermark: null, scanner: 'Sonde 0.1.0', date: DATE }
const SQUARE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="100"><rect width="300" height="100" fill="#ff00aa"/></svg>'

/** Size and colours of a PNG of eight bits a channel without transparency, as pdftoppm writes it. */
const read = (png: Buffer) => {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const parts: Buffer[] = []
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  }
  const line = 1 + width * 3
  const raw = inflateSync(Buffer.concat(parts))
  for (let y = 0; y < height; y += 1) unfilter(raw, y * line, line, y === 0 ? null : (y - 1) * line)
  const colours = new Map<string, number>()
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const colour = raw.toString('hex', y * line + 1 + x * 3, y * line + 4 + x * 3)
      colours.set(colour, (colours.get(colour) ?? 0) + 1)
    }
  }
  return { width, height, colours }
}

/** PNG, 9.2: each byte is the difference to what stands left, above, or between the two. */
const unfilter = (raw: Buffer, at: number, length: number, above: number | null): void => {
  const filter = raw[at]
  for (let i = 1; i < length; i += 1) {
    const left = i > 3 ? (raw[at + i - 3] ?? 0) : 0
    const up = above === null ? 0 : (raw[above + i] ?? 0)
    const corner = above === null || i <= 3 ? 0 : (raw[above + i - 3] ?? 0)
    const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter ?? 0] ?? 0
    raw[at + i] = ((raw[at + i] ?? 0) + guess) & 255
  }
}
const paeth = (left: number, up: number, corner: number): number => {
  const to = (of: number): number => Math.abs(left + up - corner - of)
  return to(left) <= to(up) && to(left) <= to(corner) ? left : to(up) <= to(corner) ? up : corner
}

/** Pixels of nearly that colour: what scales a picture rounds. */
const near = (colours: ReadonlyMap<string, number>, wanted: readonly number[]): number =>
  [...colours]
    .filter(([colour]) => [...Buffer.from(colour, 'hex')].every((value, i) => Math.abs(value - (wanted[i] ?? 0)) < 8))
    .reduce((sum, [, count]) => sum + count, 0)

test('is a whole page of paper with the logo on it', { timeout: 60_000 }, async () => {
  const { width, height, colours } = read(
    await coverPicture({ ...ABOUT, logo: await prepareLogo(Buffer.from(SQUARE)) }),
  )
  expect([width, height]).toEqual([910, 1287])
  // The logo is drawn whole: 72 by 24 mm at 110 dots an inch.
  expect(near(colours, [255, 0, 170])).toBeGreaterThan(30_000)
})

test('a picture that is no longer wanted ends at once', async () => {
  await expect(coverPicture({ ...ABOUT, logo: null }, AbortSignal.abort())).rejects.toThrow(/cancelled/)
})
