/** What ssl steps ask with hellos of our own, and fingerprints of servers. */
import type { TlsOptions } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import { certificate, peersAt } from './testing/peers.ts'
import { caseAddress } from './testing/template-case.ts'

const address = caseAddress(84)
const { serve, ran, close } = peersAt(address)
afterEach(close)

describe('ssl by hand', () => {
  const look = async (operators: string, options: TlsOptions = {}, more = '') =>
    ran(
      `ssl:\n  - address: "{{Host}}:{{Port}}"\n${more}${operators}`,
      await serve(() => undefined, { ...certificate(), ...options }),
    )
  const matcher = (text: string): string => `    matchers: [${text}]`

  const SSL3 = '    min_version: ssl30\n    max_version: ssl30\n'
  const VERSION_FOUND = `    extractors: [{type: dsl, dsl: ["tls_version", "cipher"]}]`

  it('SSL 3.0 where it is taken', async () => {
    // A hello of SSL 3.0 with RC4-SHA, and the end of the flight.
    const hello = `020000260300${'aa'.repeat(32)}00000500`
    const flight = Buffer.from(`160300002e${hello}0e000000`, 'hex')
    const port = await serve((socket) => socket.once('data', () => socket.write(flight)))
    const found = await ran(`ssl:\n  - address: "{{Host}}:{{Port}}"\n${SSL3}${VERSION_FOUND}`, port)
    expect(found).toMatchObject({ extracted: ['ssl30', 'TLS_RSA_WITH_RC4_128_SHA'], skipped: null })
  })

  it('SSL 3.0 where it is refused', async () =>
    expect(await look(VERSION_FOUND, {}, SSL3)).toMatchObject({ count: 0, skipped: null, failed: null }))

  it('suites that nobody knows are a mistake of the template', async () => {
    const more = '    cipher_suites: [TLS_BREAD_WITH_BUTTER]\n'
    expect((await look(matcher('{type: dsl, dsl: ["true"]}'), {}, more)).skipped).toMatch(/no cipher suites TLS_BREAD/)
  })

  it('a suite of TLS 1.3 alone', async () => {
    const more = '    cipher_suites: [TLS_CHACHA20_POLY1305_SHA256]\n'
    expect((await look(VERSION_FOUND, {}, more)).extracted).toEqual(['tls13', 'TLS_CHACHA20_POLY1305_SHA256'])
  })

  it.each([
    ['its fingerprint', 'jarm(Hostname) != ""', 1],
    ['another fingerprint', `jarm(Hostname) == '${'0'.repeat(62)}'`, 0],
    ['of another host', 'jarm("other.test:443") != ""', 0],
  ])('%s', async (_trick, expression, count) =>
    expect(await look(matcher(`{type: dsl, dsl: ['${expression.replaceAll("'", "''")}']}`))).toMatchObject({
      count,
      skipped: null,
    }),
  )
})
