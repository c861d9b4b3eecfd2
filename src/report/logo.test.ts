import { crc32, deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { LogoError, prepareLogo } from './logo.ts'
import { compilePdf } from './pdf/compile.ts'
import { checkPng } from './png.ts'

const chunk = (type: string, body: Buffer): Buffer => {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(body.length, 0)
  frame.writeUInt32BE(crc32(content), 4)
  return Buffer.concat([frame.subarray(0, 4), content, frame.subarray(4)])
}

interface PngOptions {
  readonly width?: number
  readonly height?: number
  readonly colour?: number
  readonly interlace?: number
  readonly pixels?: Buffer
}

const png = ({ width = 8, height = 5, colour = 2, interlace = 0, pixels }: PngOptions = {}): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, colour, 0, 0, interlace], 8)
  const data = pixels ?? Buffer.alloc(height * (1 + width * 3), 0)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(data)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** 8 by 5 pixels in seven passes: 1x1, 1x1, 2x1, 2x2, 4x1, 4x3 and 8x2 pixels. */
const INTERLACED = Buffer.alloc(1 * 4 + 1 * 4 + 1 * 7 + 2 * 7 + 1 * 13 + 3 * 13 + 2 * 25)

describe('PNG', () => {
  test.each([
    ['whole', png(), null],
    ['interlaced', png({ interlace: 1, pixels: INTERLACED }), null],
    ['cut off', png().subarray(0, 50), 'ends in the middle of a chunk'],
    ['without its end', png().subarray(0, -12), 'has no end'],
    ['one bit turned', turned(png(), 50), 'has a chunk with a wrong checksum'],
    ['too wide', png({ width: 5000 }), 'must be 1 to 4000 pixels wide and high, not 5000 by 5'],
    ['no pixels at all', png({ width: 0 }), 'must be 1 to 4000 pixels wide and high, not 0 by 5'],
    ['unknown colours', png({ colour: 5 }), 'has an unknown colour type'],
    ['no palette', png({ colour: 3, pixels: Buffer.alloc(45) }), 'has no palette'],
    ['too few pixels', png({ pixels: Buffer.alloc(10) }), 'has fewer pixels than it says'],
    ['a bomb', png({ pixels: Buffer.alloc(50 * 1024 ** 2) }), 'has pixels that cannot be unpacked'],
  ])('%s', (_, file, answer) => {
    expect(checkPng(file)).toBe(answer)
  })
})

describe('prepareLogo', () => {
  test('a PNG is kept as it is', async () => {
    const file = png()
    expect(await prepareLogo(file)).toEqual({ extension: 'png', contentType: 'image/png', body: file })
  })

  test('an SVG becomes a PNG that is whole', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 20"><rect width="60" height="20" fill="#264"/></svg>'
    const logo = await prepareLogo(Buffer.from(svg))
    expect(logo.extension).toBe('png')
    expect(logo.body.readUInt32BE(16)).toBe(1200)
    expect(checkPng(logo.body)).toBeNull()
  })

  test.each([
    ['reads a file', '<image href="/etc/passwd"/>'],
    ['reads a file by xlink', "<image xlink:href='file:///etc/passwd'/>"],
    ['loads from the network', '<image href="http://127.0.0.1/x.png"/>'],
    ['embedded SVG', '<image href="data:image/svg+xml;base64,AAAA"/>'],
    ['style with an address', '<rect style="fill:url(http://127.0.0.1/#a)"/>'],
    ['style sheet', '<style>@import "x.css"</style>'],
  ])('an SVG that %s is refused', async (_, content) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${content}</svg>`
    await expect(prepareLogo(Buffer.from(svg))).rejects.toThrow(/^The SVG (?:refers|loads)/)
  })

  test('an SVG with entities is refused', async () => {
    const svg = '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg"/>'
    await expect(prepareLogo(Buffer.from(svg))).rejects.toThrow('has a DOCTYPE')
  })

  test.each([
    ['an SVG that is no drawing', '<svg', 'The SVG cannot be drawn'],
    ['text', 'hello', 'must be a PNG, a PDF of one page, or an SVG'],
    ['nothing', '', 'must be a PNG'],
    ['a PDF in name only', '%PDF-1.7\nhello', 'The PDF cannot be opened'],
    ['too large', 'x'.repeat(1024 ** 2 + 1), 'larger than 1 MiB'],
  ])('%s is refused', async (_, text, sentence) => {
    const answer = prepareLogo(Buffer.from(text))
    await expect(answer).rejects.toThrow(LogoError)
    await expect(answer).rejects.toThrow(sentence)
  })

  test('a PDF of one page is kept, one of two is refused', { timeout: 60_000 }, async () => {
    const document = (body: string) => `\\documentclass{article}\\begin{document}${body}\\end{document}`
    const { pdf } = await compilePdf(document('one'))
    expect(await prepareLogo(pdf)).toMatchObject({ extension: 'pdf', body: pdf })
    const two = await compilePdf(document('one\\newpage two'))
    await expect(prepareLogo(two.pdf)).rejects.toThrow('has 2 pages')
  })
})

function turned(file: Buffer, index: number): Buffer {
  const copy = Buffer.from(file)
  copy[index] = (copy[index] ?? 0) ^ 1
  return copy
}
