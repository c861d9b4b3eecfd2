import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { readStaple } from './staple.ts'
import { issue } from './testing/authority.ts'

const run = promisify(execFile)
const folder = await mkdtemp(join(tmpdir(), 'sonde-staple-'))
const file = (name: string) => join(folder, name)
const authority = await issue({ subject: 'CN=Authority', issuer: null, authority: true })
const leaf = await issue({ subject: 'CN=shop.test', issuer: authority })
await writeFile(file('ca.pem'), authority.pem)
await writeFile(file('ca.key'), await authority.keyPem())
await writeFile(file('leaf.pem'), leaf.pem)

afterAll(() => rm(folder, { recursive: true }))

/** OpenSSL's own responder, asked from files. */
const answerFor = async (line: string): Promise<Buffer> => {
  await writeFile(file('index.txt'), line)
  await run('openssl', ['ocsp', '-issuer', file('ca.pem'), '-cert', file('leaf.pem'), '-reqout', file('ask.der')])
  const signer = ['-CA', file('ca.pem'), '-rsigner', file('ca.pem'), '-rkey', file('ca.key')]
  await run('openssl', [
    ...['ocsp', '-index', file('index.txt'), ...signer, '-reqin', file('ask.der')],
    ...['-respout', file('answer.der'), '-ndays', '1'],
  ])
  return readFile(file('answer.der'))
}

const serial = leaf.certificate.serialNumber.toUpperCase()

describe('readStaple', () => {
  it('good', async () => {
    const answer = await answerFor(`V\t351231235959Z\t\t${serial}\tunknown\t/CN=shop.test\n`)
    expect(readStaple(answer)).toEqual({ status: 'good', revokedAt: null })
  })

  it('revoked, with its time', async () => {
    const answer = await answerFor(`R\t351231235959Z\t260131120000Z,keyCompromise\t${serial}\tunknown\t/CN=shop.test\n`)
    expect(readStaple(answer)).toEqual({ status: 'revoked', revokedAt: Date.UTC(2026, 0, 31, 12) })
  })

  it('unknown to its authority', async () => {
    expect(readStaple(await answerFor(''))).toEqual({ status: 'unknown', revokedAt: null })
  })

  it.each([
    ['try later', '30030a0103'],
    ['cut', '30820010'],
    ['empty', ''],
  ])('unreadable: %s', (_name, hex) => {
    expect(readStaple(Buffer.from(hex, 'hex')).status).toBe('unreadable')
  })
})
