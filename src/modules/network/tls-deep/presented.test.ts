/** What comes with the certificate: timestamps in the handshake, and another certificate for who sends no name. */
import { type ChildProcess, spawn } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecureContext, createServer } from 'node:tls'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { CLIENTS } from '../../../knowledge/tls/clients.ts'
import { checkTimestamps, readTimestampList } from '../../../protocols/tls/certificate/timestamps.ts'
import { caseLog, logsOf, timestampList, wholeEntry } from '../../passive/tls/testing/log.ts'
import { CASE_ADDRESS, casePair, surveyCase } from './testing/survey-case.ts'

const folder = mkdtempSync(join(tmpdir(), 'sonde-presented-'))
afterAll(() => rmSync(folder, { recursive: true }))
const cleanups: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const freePort = async (): Promise<number> => {
  const server = createTcpServer().listen(0, CASE_ADDRESS)
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

/** OpenSSL's server with an extension of our choice. */
const openssl = async (version: string, serverInfo: string): Promise<number> => {
  const port = await freePort()
  const { keyPem, certPem } = casePair('ec')
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const pair = ['-key', file('key.pem', keyPem), '-cert', file('cert.pem', certPem)]
  const more = ['-serverinfo', file('info.pem', serverInfo), version, '-quiet']
  const child: ChildProcess = spawn('openssl', ['s_server', '-accept', `${CASE_ADDRESS}:${port}`, ...pair, ...more], {
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  cleanups.push(async () => {
    child.kill('SIGKILL')
    await once(child, 'close')
  })
  return port
}

describe('timestamps in the handshake', () => {
  const log = caseLog()
  const certificate = new X509Certificate(casePair('ec').certPem)
  const list = timestampList(log.stamp(wholeEntry(certificate.raw), Date.UTC(2026, 9, 1)))
  // Version 2 of the format begins with where it may stand: client and server hello, and TLS 1.3's certificate.
  const info = Buffer.concat([Buffer.from([0, 0, 0x11, 0x80, 0, 18, list.length >> 8, list.length & 255]), list])
  const pem = `-----BEGIN SERVERINFOV2 FOR EXTENSION 18-----\n${info.toString('base64')}\n-----END SERVERINFOV2 FOR EXTENSION 18-----\n`

  it.each(['-tls1_2', '-tls1_3'])('of %s are read and signed by the log', async (version) => {
    const facts = await surveyCase(await openssl(version, pem))
    const found = Buffer.from(facts?.timestampList ?? '', 'base64')
    const leaf = new X509Certificate(Buffer.from(facts?.certificates[0]?.der ?? '', 'base64'))
    expect(leaf.raw.equals(certificate.raw)).toBe(true)
    const checked = checkTimestamps(readTimestampList(found), { source: 'handshake', leaf, issuer: null }, logsOf(log))
    expect(checked).toMatchObject([{ state: 'valid', operator: 'Operator' }])
  })
})

describe('a server of TLS 1.3 alone', () => {
  const serve = async (refuses: boolean): Promise<number> => {
    const [own, other] = [casePair('ec'), casePair('rsa')]
    const context = createSecureContext({ key: own.keyPem, cert: own.certPem, minVersion: 'TLSv1.3' })
    const server = createServer({
      ...(refuses ? {} : { key: other.keyPem, cert: other.certPem }),
      minVersion: 'TLSv1.3',
      SNICallback: (_name, done) => done(null, context),
    })
    server.on('tlsClientError', () => undefined).listen(0, CASE_ADDRESS)
    await once(server, 'listening')
    cleanups.push(() => new Promise((resolve) => server.close(resolve)))
    const address = server.address()
    return typeof address === 'object' && address ? address.port : 0
  }

  it('gives its certificates for the name and for none', async () => {
    const facts = await surveyCase(await serve(false))
    expect(facts?.withoutName).toBe('other')
    expect(facts?.certificates.map(({ key, servername }) => [key, servername])).toEqual([
      ['ec prime256v1', 'shop.test'],
      ['rsa', null],
    ])
  })

  it('agrees with the clients that know it, and with no others', async () => {
    const facts = await surveyCase(await serve(false))
    const agreed = facts?.clients.filter(({ protocol }) => protocol !== null)
    expect(agreed?.map(({ client }) => client)).toEqual(
      CLIENTS.filter(({ versions }) => versions.includes(0x0304)).map(({ name }) => name),
    )
    expect(agreed?.every(({ protocol, reason }) => protocol === 'TLS 1.3' && reason === null)).toBe(true)
    expect(facts?.clients).toHaveLength(45)
  })

  it('refuses who sends no name', async () => {
    expect((await surveyCase(await serve(true)))?.withoutName).toBe('refused')
  })
})
