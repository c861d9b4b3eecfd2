/** Functions that write a text in another form, or read it back. */
import { deflateRawSync, deflateSync, gunzipSync, gzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import { parseFragment } from 'parse5'
import { bufferOf, bytesOfText, textOfBytes } from '../bytes.ts'
import { formatAddress } from './address.ts'
import { on, onText, onTexts } from './define.ts'
import type { DslFunction } from './functions.ts'
import { DslError, numberOf, textOf, type Value } from './value.ts'
import { zipOf } from './zip.ts'

const LARGEST = 16 * 1024 * 1024

const coded = (work: () => Buffer, what: string): string => {
  try {
    return work().toString('latin1')
  } catch (error) {
    throw new DslError(`${what}: ${error instanceof Error ? error.message : error}`)
  }
}

export const CODING: Readonly<Record<string, DslFunction>> = {
  base64: onText((text) => bufferOf(text).toString('base64')),
  /** As Python's base64.encodebytes: a line break after every 76 characters and at the end. */
  base64_py: onText((text) =>
    bufferOf(text)
      .toString('base64')
      .replace(/.{1,76}/g, '$&\n'),
  ),
  base64_decode: onText((text) => bufferOf(text).toString('latin1') && Buffer.from(text, 'base64').toString('latin1')),
  hex_encode: onText((text) => bufferOf(text).toString('hex')),
  hex_decode: onText((text) => {
    if (text.length % 2 === 1 || /[^\da-f]/i.test(text)) throw new DslError('hex_decode needs pairs of hex digits')
    return Buffer.from(text, 'hex').toString('latin1')
  }),
  url_encode: onText(urlEncode),
  url_decode: onText(urlDecode),
  html_escape: onText(htmlEscape),
  html_unescape: onText((text) => bytesOfText(htmlUnescape(textOfBytes(text)))),
  hex_to_dec: onText((text) => parsed(text, /^(?:0x)?([\da-f]+)$/i, 16)),
  oct_to_dec: onText((text) => parsed(text, /^(?:0o)?([0-7]+)$/i, 8)),
  bin_to_dec: onText((text) => parsed(text, /^(?:0b)?([01]+)$/i, 2)),
  dec_to_hex: on(1, 1, ([value = 0]) => Math.trunc(numberOf(value, 'the argument of dec_to_hex')).toString(16)),
  gzip: onText((text) => gzipSync(bufferOf(text)).toString('latin1')),
  gzip_decode: onText((text) => coded(() => gunzipSync(bufferOf(text), { maxOutputLength: LARGEST }), 'gzip_decode')),
  /** Modification time in the header of a gzip stream (RFC 1952), seconds since the epoch. */
  gzip_mtime: onText((text) => {
    if (text.length < 10 || !text.startsWith('\x1f\x8b')) throw new DslError('gzip_mtime needs a gzip stream')
    return bufferOf(text).readUInt32LE(4)
  }),
  zlib: onText((text) => deflateSync(bufferOf(text)).toString('latin1')),
  zlib_decode: onText((text) => coded(() => inflateSync(bufferOf(text), { maxOutputLength: LARGEST }), 'zlib_decode')),
  deflate: onText((text) => deflateRawSync(bufferOf(text)).toString('latin1')),
  inflate: onText((text) => coded(() => inflateRawSync(bufferOf(text), { maxOutputLength: LARGEST }), 'inflate')),
  zip: on(2, 200, (args) => zipOf(args.map(textOf))),
  json_minify: onText((text) => bytesOfText(JSON.stringify(jsonOf(text)))),
  json_prettify: onText((text) => bytesOfText(JSON.stringify(jsonOf(text), null, 4))),
  ip_format: on(2, 2, ([address = '', form = '']) => formatAddress(textOf(address), textOf(form))),
  unpack: onTexts(2, (format = '', bytes = '') => unpacked(format, bytes)),
  xor: on(2, 20, (args) => xored(args.map(textOf))),
}

/** As a form field is written: a space becomes "+". */
function urlEncode(text: string): string {
  return [...bufferOf(text)]
    .map((byte) => {
      const char = String.fromCharCode(byte)
      if (/[\w.~-]/.test(char)) return char
      return char === ' ' ? '+' : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
    })
    .join('')
}

function urlDecode(text: string): string {
  if (/%(?![\da-f]{2})/i.test(text)) throw new DslError('url_decode: "%" without two hex digits')
  return text
    .replaceAll('+', ' ')
    .replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

const parsed = (text: string, pattern: RegExp, base: number): Value => {
  const digits = pattern.exec(text.trim())?.[1]
  if (digits === undefined) throw new DslError(`"${text.slice(0, 40)}" is no number of base ${base}`)
  return Number.parseInt(digits, base)
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(textOfBytes(text))
  } catch (error) {
    throw new DslError(`not JSON: ${error instanceof Error ? error.message : error}`)
  }
}

/** Python's struct format for one number: byte order, then one of b B h H i I l L q Q. */
const unpacked = (format: string, bytes: string): Value => {
  const match = /^([<>@=!]?)([bBhHiIlLqQ])$/.exec(format)
  const size = { b: 1, h: 2, i: 4, l: 4, q: 8 }[match?.[2]?.toLowerCase() ?? '']
  if (!match?.[2] || size === undefined) throw new DslError(`unpack does not know the format "${format}"`)
  const buffer = bufferOf(bytes)
  if (buffer.length < size) throw new DslError(`unpack needs ${size} bytes`)
  const little = match[1] !== '>' && match[1] !== '!'
  const signed = match[2] === match[2].toLowerCase()
  if (size === 8) {
    const big = little
      ? signed
        ? buffer.readBigInt64LE()
        : buffer.readBigUInt64LE()
      : signed
        ? buffer.readBigInt64BE()
        : buffer.readBigUInt64BE()
    return Number(big)
  }
  if (little) return signed ? buffer.readIntLE(0, size) : buffer.readUIntLE(0, size)
  return signed ? buffer.readIntBE(0, size) : buffer.readUIntBE(0, size)
}

const xored = (all: readonly string[]): string => {
  const [first = '', ...others] = all.map(bufferOf)
  const result = Buffer.from(first)
  for (const other of others) {
    if (other.length !== result.length) throw new DslError('xor needs texts of equal length')
    for (let at = 0; at < result.length; at += 1) result[at] = (result[at] ?? 0) ^ (other[at] ?? 0)
  }
  return result.toString('latin1')
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', "'": '&#39;', '"': '&#34;' }

function htmlEscape(text: string): string {
  return text.replace(/[&<>'"]/g, (char) => ESCAPES[char] ?? char)
}

/** Named and numbered references, by the table of the HTML standard. Tags stay as they are. */
function htmlUnescape(text: string): string {
  return text.replace(/&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][\da-z]{1,31});/gi, (reference) => {
    const [node] = parseFragment(reference).childNodes
    return node && 'value' in node ? node.value : reference
  })
}
