import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseCertificate } from '../../../protocols/tls/certificate/certificate.ts'
import { readList } from '../../../protocols/tls/certificate/revocation-list.ts'
import type { TlsFacts } from '../../passive/tls/facts.ts'
import { caseTls } from '../../passive/tls/testing/tls-facts.ts'
import { caseAddress, collectContext } from '../../testing/collecting.ts'
import { askAuthority } from './revocation.ts'

/** An authority of OpenSSL's own: requests are read and answers signed by it, not by code of ours. */
const folder = mkdtempSync(join(tmpdir(), 'sonde-ca-'))
const openssl = (...options: string[]): Buffer =>
  execFileSync('openssl', options, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'], timeout: 30_000 })
const address = caseAddress(44)
let port = 0
let ask = (_body: Buffer): Buffer => Buffer.alloc(0)

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    if (request.url === '/crl') response.end(readFileSync(join(folder, 'list.der')))
    else response.end(ask(Buffer.concat(chunks)))
  })
})

const issue = (name: string): void => {
  openssl(
    'req',
    '-new',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    `${name}.key`,
    '-out',
    `${name}.csr`,
    '-subj',
    `/CN=${name}.test`,
  )
  openssl(
    'ca',
    '-batch',
    '-config',
    'ca.cnf',
    '-in',
    `${name}.csr`,
    '-out',
    `${name}.pem`,
    '-extensions',
    'leaf',
    '-notext',
  )
}

beforeAll(async () => {
  server.listen(0, address)
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
  writeFileSync(
    join(folder, 'ca.cnf'),
    `[ca]\ndefault_ca=d\n[d]\ndir=.\ndatabase=./index.txt\nserial=./serial\nnew_certs_dir=.\ncertificate=ca.pem\nprivate_key=ca.key\ndefault_md=sha256\ndefault_days=30\ndefault_crl_days=7\npolicy=p\n[p]\ncommonName=supplied\n[leaf]\nauthorityInfoAccess=OCSP;URI:http://shop.test:${port}/ocsp\ncrlDistributionPoints=URI:http://shop.test:${port}/crl\n`,
  )
  writeFileSync(join(folder, 'index.txt'), '')
  writeFileSync(join(folder, 'serial'), '00c0ffee01')
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-days',
    '60',
    '-subj',
    '/CN=Authority',
  )
  issue('good')
  issue('bad')
  openssl('ca', '-config', 'ca.cnf', '-revoke', 'bad.pem')
  openssl('ca', '-config', 'ca.cnf', '-gencrl', '-out', 'list.pem')
  openssl('crl', '-in', 'list.pem', '-outform', 'DER', '-out', 'list.der')
  ask = (body) => respond(body, 'ca')
})

/** The answer of OpenSSL's responder, signed by the certificate of that name. */
const respond = (body: Buffer, signer: string): Buffer => {
  writeFileSync(join(folder, 'request.der'), body)
  const by = ['-CA', 'ca.pem', '-rsigner', `${signer}.pem`, '-rkey', `${signer}.key`]
  openssl('ocsp', '-index', 'index.txt', ...by, '-reqin', 'request.der', '-respout', 'answer.der')
  return readFileSync(join(folder, 'answer.der'))
}

afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
  rmSync(folder, { recursive: true, force: true })
})

const factsOf = (name: string): TlsFacts => {
  const der = (file: string) => openssl('x509', '-in', file, '-outform', 'DER')
  return caseTls({ certificates: [parseCertificate(der(`${name}.pem`)), parseCertificate(der('ca.pem'))] })
}

const certificateIn = (file: string) => new X509Certificate(readFileSync(join(folder, file)))

const asked = async (name: string) => {
  const { ctx, close } = collectContext(address, { module: 'tls-deep' })
  try {
    return await askAuthority(ctx, factsOf(name))
  } finally {
    await close()
  }
}

describe('the word of the authority', () => {
  it('good by both', async () => {
    expect(await asked('good')).toMatchObject([
      { source: 'ocsp', status: 'good', checked: { state: 'valid' } },
      { source: 'crl', status: 'good', checked: { state: 'valid' } },
    ])
  })

  it('by somebody else who calls himself the authority', async () => {
    const before = ask
    const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', 'evil.key']
    openssl('req', '-x509', ...key, '-out', 'evil.pem', '-subj', '/CN=Authority')
    ask = (body) => respond(body, 'evil')
    expect(await asked('good')).toMatchObject([
      { source: 'ocsp', status: 'unusable', checked: { state: 'forged' } },
      { source: 'crl', status: 'good' },
    ])
    ask = before
  })

  it('of a list that is not renewed any more', () => {
    const [leaf, issuer] = [certificateIn('bad.pem'), certificateIn('ca.pem')]
    const list = readFileSync(join(folder, 'list.der'))
    const later = Date.now() + 8 * 86_400_000
    expect(readList(list, leaf, issuer, Date.now())).toMatchObject({ listed: true, checked: { state: 'valid' } })
    expect(readList(list, leaf, issuer, later)).toMatchObject({ listed: true, checked: { state: 'stale' } })
    expect(readList(list, leaf, null, later).checked.state).toBe('unchecked')
    const changed = Buffer.from(list)
    changed[changed.length - 1] = (changed[changed.length - 1] ?? 0) ^ 1
    expect(readList(changed, leaf, issuer, Date.now()).checked.state).toBe('forged')
  })

  it('revoked by both', async () => {
    expect(await asked('bad')).toMatchObject([
      { source: 'ocsp', status: 'revoked', checked: { state: 'valid' } },
      { source: 'crl', status: 'revoked', checked: { state: 'valid' } },
    ])
  })

  it('an answer that is none', async () => {
    const before = ask
    ask = () => Buffer.from('not DER')
    expect(await asked('good')).toMatchObject([
      { source: 'ocsp', status: 'unreadable' },
      { source: 'crl', status: 'good' },
    ])
    ask = before
  })

  it('a certificate that names nobody', async () => {
    const { ctx, close } = collectContext(address, { module: 'tls-deep' })
    const der = openssl('x509', '-in', 'ca.pem', '-outform', 'DER')
    expect(await askAuthority(ctx, caseTls({ certificates: [parseCertificate(der)] }))).toEqual([])
    await close()
  })
})
