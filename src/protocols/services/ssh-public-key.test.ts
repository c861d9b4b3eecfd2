import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { sshPublicKey } from './ssh-public-key.ts'

const folder = mkdtempSync(join(tmpdir(), 'sonde-ssh-key-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it.each([
  ['rsa', '2048'],
  ['ecdsa', '256'],
  ['ecdsa', '384'],
  ['ecdsa', '521'],
])('what OpenSSH makes of %s %s, as OpenSSH itself writes it for others', (type, bits) => {
  const file = join(folder, `${type}-${bits}`)
  execFileSync('ssh-keygen', ['-q', '-t', type, '-b', bits, '-N', '', '-f', file])
  const blob = Buffer.from(readFileSync(`${file}.pub`, 'utf8').split(' ')[1] ?? '', 'base64')
  const exported = execFileSync('ssh-keygen', ['-e', '-m', 'PKCS8', '-f', `${file}.pub`], { encoding: 'utf8' })
  expect(sshPublicKey(blob)?.export({ type: 'spki', format: 'pem' })).toBe(exported)
})

it('Ed25519, which ssh-keygen writes in no other form', () => {
  const file = join(folder, 'ed25519')
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file])
  const blob = Buffer.from(readFileSync(`${file}.pub`, 'utf8').split(' ')[1] ?? '', 'base64')
  const { x } = sshPublicKey(blob)?.export({ format: 'jwk' }) ?? {}
  expect(Buffer.from(x ?? '', 'base64url')).toEqual(blob.subarray(-32))
})

it.each([
  ['nothing', ''],
  ['a kind alone', '000000077373682d727361'],
  ['a length that lies', '000000077373682d727361ffffffff03'],
  ['DSA', '000000077373682d64737300000001050000000103'],
  ['a point of another length', '0000001365636473612d736861322d6e69737470323536000000086e69737470323536000000020400'],
  ['Ed25519 of three octets', '0000000b7373682d6564323535313900000003010203'],
])('%s is no key', (_name, hex) => {
  expect(sshPublicKey(Buffer.from(hex, 'hex'))).toBeNull()
})
