import { describe, expect, it } from 'vitest'
import type { HeaderPairs } from '../egress/door/egress.ts'
import { isHtml, mediaTypeOf, textOf } from './text.ts'

const answer = (body: Buffer | string, ...types: readonly string[]) => ({
  headers: types.map((type) => ['Content-Type', type] as const) as HeaderPairs,
  body: Buffer.from(body),
})
const latin = Buffer.from('<p>sch\u00f6n</p>', 'latin1')

describe('text', () => {
  it.each([
    ['charset of the header', answer(latin, 'text/html; charset=ISO-8859-1'), '<p>schön</p>'],
    ['charset quoted', answer(latin, 'text/html; charset="windows-1252"'), '<p>schön</p>'],
    [
      'charset of a meta tag',
      answer(Buffer.concat([Buffer.from('<meta charset=latin1>'), latin]), 'text/html'),
      '<meta charset=latin1><p>schön</p>',
    ],
    ['byte order mark beats the header', answer('\ufeff<p>ö</p>', 'text/html; charset=latin1'), '<p>ö</p>'],
    ['unknown charset falls back to UTF-8', answer('<p>ö</p>', 'text/html; charset=klingon'), '<p>ö</p>'],
    ['bytes that are no UTF-8', answer(Buffer.from([0x61, 0xff]), 'text/plain'), 'a\ufffd'],
    ['json', answer('{}', 'application/ld+json'), '{}'],
    ['picture', answer('<svg', 'image/png'), ''],
    ['no type, looks like markup', answer('  <html>'), '  <html>'],
    ['no type, anything else', answer('GIF89a'), ''],
  ])('%s', (_name, exchange, expected) => {
    expect(textOf(exchange)).toBe(expected)
  })

  it('is cut at its bound', () => {
    expect(textOf(answer('a'.repeat(300_000), 'text/plain'))).toHaveLength(262_144)
  })
})

it.each([
  ['capitals and parameters', ['Text/HTML; charset=x'], 'text/html'],
  ['sent twice, the last holds', ['text/plain', 'text/html'], 'text/html'],
  ['the last is broken', ['text/plain', 'html'], 'text/plain'],
  ['absent', [], ''],
])('media type: %s', (_name, types, expected) => {
  expect(mediaTypeOf(answer('', ...types))).toBe(expected)
})

it.each([
  ['by type', 'text/html', '', true],
  ['xhtml', 'application/xhtml+xml', '', true],
  ['plain text stays text', 'text/plain', '<html>', false],
  ['no type, doctype', '', '<!DOCTYPE html>', true],
  ['no type, xml', '', '<?xml version="1.0"?>', false],
])('html: %s', (_name, type, body, expected) => {
  expect(isHtml(type, body)).toBe(expected)
})
