import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { opensslName } from './openssl-names.ts'

it('suites have the names that this OpenSSL gives them', () => {
  const said = execFileSync('openssl', ['ciphers', '-stdname', 'ALL:COMPLEMENTOFALL:@SECLEVEL=0'], {
    encoding: 'utf8',
    timeout: 10_000,
  })
  const pairs = [...said.matchAll(/^(TLS_\S+_WITH_\S+)\s+-\s+(\S+)/gm)].map(([, iana = '', openssl = '']) => [
    iana,
    openssl,
  ])
  expect(pairs.length).toBeGreaterThan(40)
  expect(
    pairs.flatMap(([iana = '', openssl]) =>
      /SRP|PSK/.test(iana) || opensslName(iana) === openssl ? [] : [[iana, opensslName(iana), openssl]],
    ),
  ).toEqual([])
})

it.each([
  ['export', 'TLS_RSA_EXPORT_WITH_RC4_40_MD5', 'EXP-RC4-40-MD5'],
  ['Kerberos', 'TLS_KRB5_WITH_DES_CBC_SHA', null],
  ['TLS 1.3', 'TLS_AES_128_GCM_SHA256', null],
  ['nothing at all', 'TLS_NULL_WITH_NULL_NULL', null],
])('%s', (_trick, iana, expected) => {
  expect(opensslName(iana)).toBe(expected)
})
