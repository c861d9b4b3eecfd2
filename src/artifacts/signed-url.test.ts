import { describe, expect, test } from 'vitest'
import { oneKey } from '../contract/secret-keys.ts'
import { attachment, FILES_PATH, signFilePath, verifyFile } from './signed-url.ts'

const secret = oneKey(Buffer.alloc(32, 1))
const grant = {
  key: 'runs/1/report.pdf',
  filename: 'report.pdf',
  contentType: 'application/pdf',
  expires: 1_800_000_000,
}
const before = new Date((grant.expires - 1) * 1000)
const queryOf = (path: string): Record<string, string> => Object.fromEntries(new URLSearchParams(path.split('?')[1]))
const query = queryOf(signFilePath(secret, grant))

describe('a signed path', () => {
  test('opens its own file until the second it ends', () => {
    expect(signFilePath(secret, grant).startsWith(`${FILES_PATH}runs/1/report.pdf?`)).toBe(true)
    expect(verifyFile(secret, grant.key, query, before)).toEqual({ ok: true, grant })
    const end = new Date(grant.expires * 1000)
    expect(verifyFile(secret, grant.key, query, end)).toEqual({ ok: false, why: 'expired' })
  })

  test.each([
    ['another key', 'runs/2/report.pdf', query],
    ['a later expiry', grant.key, { ...query, expires: '1900000000' }],
    ['an expiry that is no number', grant.key, { ...query, expires: '1e9' }],
    ['a negative expiry', grant.key, { ...query, expires: '-1' }],
    ['another name', grant.key, { ...query, filename: 'report.exe' }],
    ['another type', grant.key, { ...query, type: 'text/html' }],
    ['no signature', grant.key, { ...query, signature: undefined }],
    ['an empty signature', grant.key, { ...query, signature: '' }],
    ['a longer signature', grant.key, { ...query, signature: `${query.signature}A` }],
    ['a repeated parameter', grant.key, { ...query, expires: [query.expires, query.expires] }],
    ['a field moved into its neighbour', 'runs/1/report.pdfr', { ...query, filename: 'eport.pdf' }],
    ['nothing', grant.key, {}],
  ])('is altered with %s', (_trick, key, given) => {
    expect(verifyFile(secret, key, given, before)).toEqual({ ok: false, why: 'altered' })
  })

  test('of another service is altered', () => {
    expect(verifyFile(oneKey(Buffer.alloc(32, 2)), grant.key, query, before)).toEqual({ ok: false, why: 'altered' })
  })

  test('of a key that was replaced holds while that is accepted', () => {
    const current = Buffer.alloc(32, 2)
    const keys = { current, accepted: [current, ...secret.accepted] }
    expect(verifyFile(keys, grant.key, query, before)).toEqual({ ok: true, grant })
    const signed = queryOf(signFilePath(keys, grant))
    expect(verifyFile(oneKey(current), grant.key, signed, before)).toEqual({ ok: true, grant })
    expect(verifyFile(secret, grant.key, signed, before)).toEqual({ ok: false, why: 'altered' })
  })

  test('that was altered after its end is called altered, not expired', () => {
    const given = { ...query, expires: '1' }
    expect(verifyFile(secret, grant.key, given, before)).toEqual({ ok: false, why: 'altered' })
  })
})

describe('content disposition', () => {
  test.each([
    ['plain', 'report.pdf', `attachment; filename="report.pdf"; filename*=UTF-8''report.pdf`],
    ['quotes', 'a"b\\c.txt', `attachment; filename="a_b_c.txt"; filename*=UTF-8''a%22b%5Cc.txt`],
    ['line break', 'a\r\nX: y', `attachment; filename="a__X: y"; filename*=UTF-8''a%0D%0AX%3A%20y`],
    ['umlaut', 'ä.txt', `attachment; filename="_.txt"; filename*=UTF-8''%C3%A4.txt`],
    ['lone surrogate', '\ud800.txt', `attachment; filename="_.txt"; filename*=UTF-8''%EF%BF%BD.txt`],
    ['characters that RFC 8187 forbids', "a'(b)*", `attachment; filename="a'(b)*"; filename*=UTF-8''a%27%28b%29%2A`],
  ])('%s', (_trick, name, expected) => {
    expect(attachment(name)).toBe(expected)
  })
})
