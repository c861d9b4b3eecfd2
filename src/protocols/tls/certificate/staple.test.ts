import { execFile } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { extendedUsage, type Issued, issue } from '../../../modules/passive/tls/testing/authority.ts'
import { readStaple, stapledTimestamps } from './staple.ts'

const run = promisify(execFile)
const folder = await mkdtemp(join(tmpdir(), 'sonde-staple-'))
const file = (name: string) => join(folder, name)
const authority = await issue({ subject: 'CN=Authority', issuer: null, authority: true })
const leaf = await issue({ subject: 'CN=shop.test', issuer: authority })
await writeFile(file('ca.pem'), authority.pem)
await writeFile(file('ca.key'), await authority.keyPem())
await writeFile(file('leaf.pem'), leaf.pem)

afterAll(() => rm(folder, { recursive: true }))

const OWN = ['-CA', file('ca.pem'), '-rsigner', file('ca.pem'), '-rkey', file('ca.key')]

/** OpenSSL's own responder, asked from files. */
const answerFor = async (line: string, signer = OWN, days = '1'): Promise<Buffer> => {
  await writeFile(file('index.txt'), line)
  await run('openssl', ['ocsp', '-issuer', file('ca.pem'), '-cert', file('leaf.pem'), '-reqout', file('ask.der')])
  await run('openssl', [
    ...['ocsp', '-index', file('index.txt'), ...signer, '-reqin', file('ask.der')],
    ...['-respout', file('answer.der'), '-ndays', days],
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

describe('what an answer is worth', () => {
  const good = `V\t351231235959Z\t\t${serial}\tunknown\t/CN=shop.test\n`
  const about = { leaf: new X509Certificate(leaf.der), issuer: new X509Certificate(authority.der), now: Date.now() }
  const DAY = 86_400_000

  /** A responder with a key of its own, as authorities delegate it. */
  const responder = async (name: string, from: Issued, usage: string | null, notAfter?: number): Promise<string[]> => {
    const made = await issue({
      subject: `CN=${name}`,
      issuer: from,
      ...(notAfter === undefined ? {} : { notBefore: notAfter - DAY, notAfter }),
      extensions: usage === null ? [] : [extendedUsage(usage)],
    })
    await writeFile(file(`${name}.pem`), made.pem)
    await writeFile(file(`${name}.key`), await made.keyPem())
    return ['-CA', file('ca.pem'), '-rsigner', file(`${name}.pem`), '-rkey', file(`${name}.key`)]
  }
  const OCSP_SIGNING = '1.3.6.1.5.5.7.3.9'
  const SERVER = '1.3.6.1.5.5.7.3.1'

  it('signed by the issuer', async () => {
    expect(readStaple(await answerFor(good), about)).toMatchObject({ status: 'good', checked: { state: 'valid' } })
  })

  it('signed by a responder that the issuer delegated', async () => {
    const signer = await responder('delegate', authority, OCSP_SIGNING)
    expect(readStaple(await answerFor(good, signer), about).checked).toEqual({
      state: 'valid',
      why: 'signed by a responder that the issuer delegated',
    })
  })

  it.each([
    ['may serve and not answer', authority, SERVER, undefined],
    ['has no extended key usage', authority, null, undefined],
    ['is no longer valid', authority, OCSP_SIGNING, Date.now() - DAY],
    ['is of another authority of that name', null, OCSP_SIGNING, undefined],
  ])('signed by a responder that %s', async (name, from, usage, notAfter) => {
    const impostor = await issue({ subject: 'CN=Authority', issuer: null, authority: true })
    const signer = await responder(name.replaceAll(' ', '-'), from ?? impostor, usage, notAfter)
    expect(readStaple(await answerFor(good, signer), about).checked?.state).toBe('forged')
  })

  it('changed on the way', async () => {
    const answer = await answerFor(good)
    const at = answer.indexOf(Buffer.from('8000', 'hex')) // [0] good, of no length
    answer[at] = 0x82 // unknown
    expect(readStaple(answer, about)).toMatchObject({ status: 'unknown', checked: { state: 'forged' } })
  })

  it('about another certificate', async () => {
    const sibling = await issue({ subject: 'CN=shop.test', issuer: authority })
    const answer = readStaple(await answerFor(good), { ...about, leaf: new X509Certificate(sibling.der) })
    expect(answer.checked?.state).toBe('other')
  })

  it.each([
    ['of last week', 8 * DAY],
    ['of next week', -8 * DAY],
  ])('%s', async (_name, ago) => {
    const answer = readStaple(await answerFor(good), { ...about, now: Date.now() + ago })
    expect(answer.checked?.state).toBe('stale')
  })

  it('without the certificate of the issuer', async () => {
    expect(readStaple(await answerFor(good), { ...about, issuer: null }).checked?.state).toBe('unchecked')
  })

  it('holds no timestamps of logs', async () => {
    expect(stapledTimestamps(await answerFor(good))).toEqual([])
    expect(stapledTimestamps(Buffer.from('30030a0103', 'hex'))).toEqual([])
  })
})
