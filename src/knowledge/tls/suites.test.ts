import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { CLASSIC_SUITES, MODERN_SUITES, SUITES, suiteOf } from './suites.ts'

describe('cipher suites', () => {
  it('have codes and names of their own', () => {
    expect(new Set(SUITES.map((suite) => suite.code)).size).toBe(SUITES.length)
    expect(new Set(SUITES.map((suite) => suite.code)).size).toBeGreaterThan(360)
    expect(CLASSIC_SUITES.length + MODERN_SUITES.length).toBe(SUITES.length)
  })

  it('say of strength and key exchange what OpenSSL says of them', () => {
    const text = execFileSync('openssl', ['ciphers', '-V', '-stdname', 'ALL:COMPLEMENTOFALL:@SECLEVEL=0'], {
      encoding: 'utf8',
      timeout: 10_000,
    })
    const lines = [...text.matchAll(/0x([0-9A-F]{2}),0x([0-9A-F]{2}) - (\S+)\s.*Enc=[\w/]+(?:\((\d+)\))?/g)]
    expect(lines.length).toBeGreaterThan(100)
    for (const [, high, low, name, bits] of lines) {
      const suite = suiteOf(Number.parseInt(`${high}${low}`, 16))
      expect(suite.name).toBe(name)
      expect(suite.bits, suite.name).toBe(Number(bits ?? 0))
    }
  })

  const PARTS: readonly (readonly [number, object])[] = [
    [0x0003, { exchange: 'RSA', authentication: 'RSA', cipher: 'RC4', bits: 40, isExport: true, forwardSecret: false }],
    [0x000a, { cipher: '3DES', mode: 'cbc', bits: 112, mac: 'SHA' }],
    [0x0034, { exchange: 'DH', authentication: 'anon', forwardSecret: true }],
    [0xc02b, { exchange: 'ECDHE', authentication: 'ECDSA', mode: 'aead', mac: null, forwardSecret: true }],
    [0xc031, { exchange: 'ECDH', authentication: 'RSA', forwardSecret: false }],
    [0xccac, { exchange: 'ECDHE_PSK', authentication: 'PSK', forwardSecret: true }],
    [0x1303, { exchange: 'any', cipher: 'CHACHA20', bits: 256, modern: true }],
    [0xfafa, { name: '0xfafa' }],
  ]
  it.each(PARTS)('0x%s', (code, parts) => {
    expect(suiteOf(code)).toMatchObject(parts)
  })
})
