import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { ConnectionError } from '../contract/client.ts'
import { EXIT, exitOf, explain } from './exit.ts'

const folder = mkdtempSync(join(tmpdir(), 'sonde-exit-'))
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

const thrownBy = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    return error
  }
}

test('a file that cannot be had is named with its whole path, and why', () => {
  const missing = thrownBy(() => readFileSync(join(folder, 'none/report.pdf')))
  expect(explain(missing)).toBe(`${folder}/none/report.pdf: there is no such file or folder (ENOENT)`)
  const isFolder = thrownBy(() => writeFileSync(tmpdir(), 'x'))
  expect(explain(isFolder)).toBe(`${tmpdir()}: that is a folder (EISDIR)`)
  expect([missing, isFolder].map(exitOf)).toEqual([EXIT.failed, EXIT.failed])
})

test('where rights are missing, whose they are is said to who has left those of root', () => {
  const refused = Object.assign(new Error('EACCES: permission denied'), {
    code: 'EACCES',
    path: '/root/findings.json.part',
  })
  expect(explain(refused)).toBe('/root/findings.json.part: this user may not read or write there (EACCES)')
  vi.stubEnv('HOME', '/var/lib/sonde')
  vi.spyOn(process, 'getuid').mockReturnValue(998)
  expect(explain(refused)).toMatch(/\(EACCES\)\nRoot's commands run as the user sonde: /)
  vi.restoreAllMocks()
})

test.each([
  ['no file', Object.assign(new Error('refused'), { code: 'ECONNREFUSED', path: '/run/x.sock' }), 'refused'],
  ['no path', Object.assign(new Error('no rights'), { code: 'EACCES' }), 'no rights'],
  ['no error', 'text', 'text'],
])('%s: as it is', (_, error, said) => expect(explain(error)).toBe(said))

test('a certificate that nobody here vouches for: how one of an own authority is made known', () => {
  const refused = new ConnectionError('No answer from https://sonde.corp: self-signed certificate')
  expect(explain(refused)).toMatch(/self-signed certificate\n.*NODE_EXTRA_CA_CERTS=/)
  expect(explain(new ConnectionError('No answer from https://sonde.corp: refused'))).not.toContain('NODE_EXTRA')
})
