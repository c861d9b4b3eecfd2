import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as example from '../contract/examples.ts'
import { type FileSet, newSigner, RUN, sampleSet } from '../signature/testing/sample-set.ts'
import { type FakeService, fakeService } from './testing/fake-service.ts'
import { type Result, runWords } from './testing/run-words.ts'

const signer = newSigner()
const set = sampleSet(signer)

let folder = ''
let service: FakeService | null = null
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-verify-'))
  keep(set)
})
afterEach(async () => {
  await service?.close()
  service = null
  rmSync(folder, { recursive: true })
})

const keep = (files: FileSet): void => {
  for (const [name, bytes] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), bytes)
  }
}
/** As a program that came by itself, on a machine without a service. */
const verify = (...words: readonly string[]): Promise<Result> =>
  runWords(['verify', ...words], { remote: true, env: {} })

describe('sonde verify', () => {
  test('a folder, with the expected key', async () => {
    const { code, out, err } = await verify(folder, '--key', signer.fingerprint)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('Intact, signed by the expected key.')
    expect(out).toContain(`run ${RUN}  version 1`)
    expect(out).toMatch(/audit-log\.jsonl {2}12 lines, each follows from the one before/)
  })

  test('without a key: intact, signer unknown, with an exit code of its own', async () => {
    const { code, out } = await verify(folder)
    expect(code).toBe(4)
    expect(out).toContain('Intact, signer unknown')
    expect(out).toContain(signer.fingerprint)
  })

  test('the key in the form in which people copy it, and several of them', async () => {
    const grouped = signer.fingerprint.toUpperCase().replace(/(.{4})(?=.)/g, '$1 ')
    expect((await verify(folder, '--key', grouped)).code).toBe(0)
    expect((await verify(folder, '--key', 'ab'.repeat(32), '--key', signer.fingerprint)).code).toBe(0)
  })

  test('another key', async () => {
    const { code, out } = await verify(folder, '--key', 'ab'.repeat(32))
    expect(code).toBe(5)
    expect(out).toContain('which is not the expected key')
  })

  test('what the service shows of its keys names those that are expected, and tells a revoked one', async () => {
    const list = join(folder, '..', `keys-${process.pid}.json`)
    const known = (former: object[], fingerprint = 'ab'.repeat(32)) =>
      writeFileSync(list, JSON.stringify({ ...example.signingKeys, fingerprint, former }))
    const [before] = example.signingKeys.former
    const old = { ...before, fingerprint: signer.fingerprint }
    try {
      known([], signer.fingerprint)
      expect((await verify(folder, '--keys', list)).code).toBe(0)
      known([old])
      expect((await verify(folder, '--keys', list)).code).toBe(0)
      known([])
      expect((await verify(folder, '--keys', list)).code).toBe(5)
      known([{ ...old, revoked: { at: '2026-11-21T00:00:00.000Z', because: 'stolen \u001b[31mbackup' } }])
      const told = await verify(folder, '--keys', list)
      expect(told.code).toBe(7)
      expect(told.out).toContain('signed by a key that was revoked')
      expect(told.out).toMatch(/revoked 2026-11-21T00:00:00.000Z: stolen .*backup/)
      expect(told.out).not.toContain('\u001b[31m')
      // Whoever trusts the fingerprint all the same is told nevertheless, and an altered file stays the first news.
      expect((await verify(folder, '--keys', list, '--key', signer.fingerprint)).code).toBe(7)
      writeFileSync(join(folder, 'report.pdf'), 'x')
      expect((await verify(folder, '--keys', list)).code).toBe(1)
      writeFileSync(list, '{"fingerprint": 1}')
      expect(await verify(folder, '--keys', list)).toMatchObject({
        code: 3,
        err: expect.stringContaining('no list of keys'),
      })
    } finally {
      rmSync(list, { force: true })
    }
  })

  test('an altered file is named, and the line of the log', async () => {
    writeFileSync(join(folder, 'report.pdf'), '%PDF-1.7 better')
    const log = String(set.get('audit-log.jsonl')).split('\n')
    writeFileSync(join(folder, 'audit-log.jsonl'), log.with(3, log[3]?.replace('site', 'sate') ?? '').join('\n'))
    const { code, out } = await verify(folder, '--key', signer.fingerprint)
    expect(code).toBe(1)
    expect(out).toMatch(/ALTERED\s+\S*report\.pdf/)
    expect(out).toMatch(/ALTERED\s+\S*audit-log\.jsonl .*chain breaks at line 5/)
    expect(out).toMatch(/ok\s+\S*findings\.json/)
  })

  test('files by name: what is not among them is named; it is a reason to fail unless it is said that it is none', async () => {
    const some = ['report.pdf', 'signature.json'].map((name) => join(folder, name))
    const less = await verify(...some, '--key', signer.fingerprint)
    expect(less.code).toBe(6)
    expect(less.out).toContain('MISSING   audit-log.jsonl')
    expect((await verify(...some, '--key', signer.fingerprint, '--partial')).code).toBe(0)
    expect((await verify(...some)).code).toBe(4)
  })

  test('no signature, and what cannot be read', async () => {
    expect(await verify(join(folder, 'report.pdf'))).toMatchObject({
      code: 2,
      out: expect.stringContaining('no signature'),
    })
    expect(await verify(join(folder, 'absent.pdf'))).toMatchObject({
      code: 3,
      err: expect.stringMatching(/absent\.pdf: there is no such file or folder/),
    })
    expect(await verify(folder, '--keys', folder)).toMatchObject({ code: 3, err: expect.stringContaining('a folder') })
    expect((await verify(folder, '--key', 'short')).code).toBe(3)
    symlinkSync(folder, join(folder, 'again'))
    expect(await verify(folder)).toMatchObject({ code: 3, err: expect.stringContaining('without end') })
  })

  test('as JSON; names that would write on the terminal do not', async () => {
    writeFileSync(join(folder, 'a\u001b[31m.txt'), 'x')
    const { code, out } = await verify(folder, '--json')
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({ outcome: 'altered', sets: [{ run_id: RUN, missing: [] }] })
    expect((await verify(folder)).out).not.toContain('\u001b[31m')
  })

  test('hidden files of the system are left alone', async () => {
    writeFileSync(join(folder, '.DS_Store'), 'x')
    expect((await verify(folder, '--key', signer.fingerprint)).code).toBe(0)
  })
})

test('sonde signing-key shows by whom a service signs, and by whom it signed', async () => {
  service = await fakeService(() => ({ 'GET /.well-known/sonde-signing-key': { json: example.signingKeys } }))
  const { code, out } = await runWords(['signing-key'], { env: { SONDE_URL: service.url, SONDE_API_KEY: 'sonde_key' } })
  expect(code).toBe(0)
  expect(out).toContain(`${example.signingKeys.fingerprint}  signs since`)
  expect(out).toContain(`${example.signingKeys.former[0]?.fingerprint}  signed from`)
})
