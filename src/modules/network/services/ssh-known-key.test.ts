/** The host key of a real sshd against a list that has it, and one that has not. */
import { execFileSync } from 'node:child_process'
import { createHash, createPublicKey } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RunningServices, startServices, write } from '../../../../tests/support/services.ts'
import { importFeed } from '../../../knowledge/feeds/import.ts'
import { caseAddress, collectContext } from '../../testing/collecting.ts'
import { caseContext } from '../../testing/judge-cases.ts'
import { casePorts } from '../ports/testing/ports-facts.ts'
import { collectServices } from './collect.ts'
import { sshKnownKey } from './ssh-known-key.ts'

const address = caseAddress(57)
const folder = mkdtempSync(join(tmpdir(), 'sonde-known-ssh-'))
let running: RunningServices

beforeAll(async () => {
  running = await startServices(address, [
    {
      ...{ id: 'openssh', needs: 'openssh-server', program: '/usr/sbin/sshd', ports: [22], truth: [] },
      prepare: (place) => {
        mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
        execFileSync('ssh-keygen', ['-q', '-t', 'rsa', '-b', '2048', '-N', '', '-f', join(folder, 'key')])
        execFileSync('cp', [join(folder, 'key'), place.folder])
        const lines = [`ListenAddress ${address}:22`, `HostKey ${place.folder}/key`, 'PidFile none', 'UsePAM no']
        return { command: '/usr/sbin/sshd', args: ['-D', '-e', '-f', write(place.folder, 'sshd_config', lines)] }
      },
    },
  ])
})
afterAll(async () => {
  await running.close()
  rmSync(folder, { recursive: true, force: true })
})

const judgedWith = async (knowledge?: string) => {
  const { ctx, close } = collectContext(address, { module: 'services', ...(knowledge ? { knowledge } : {}) })
  try {
    const facts = await collectServices(ctx, casePorts({ host: 'shop.test', address, open: [22], openCount: 1 }))
    return sshKnownKey.judge(facts, { ports: casePorts() }, caseContext())
  } finally {
    await close()
  }
}

const listed = (name: string, fingerprint: string): string => {
  const knowledge = join(folder, name)
  mkdirSync(knowledge)
  const file = join(folder, `${name}.txt`)
  writeFileSync(file, `# name: keys of images\n${fingerprint}\n`)
  importFeed(knowledge, 'known-keys', file, new Date('2026-11-26T12:00:00Z'))
  return knowledge
}

it('a key of the list is found, another is not, and without a list nobody was asked', async () => {
  const pem = execFileSync('ssh-keygen', ['-e', '-m', 'PKCS8', '-f', join(folder, 'key.pub')], { encoding: 'utf8' })
  const spki = createPublicKey(pem).export({ type: 'spki', format: 'der' })
  const own = createHash('sha256').update(spki).digest('hex')
  expect(await judgedWith(listed('own', own))).toMatchObject([
    {
      definition: { id: 'services/ssh-host-key-known' },
      confidence: 'firm',
      detail: expect.stringContaining('keys of images'),
    },
  ])
  expect(await judgedWith(listed('other', 'ab'.repeat(32)))).toEqual([])
  expect(await judgedWith()).toMatchObject({ state: 'not_tested', reason: expect.stringContaining('known-keys') })
})

it('hosts without SSH are no matter of it', () => {
  const facts = { ...{ host: 'shop.test', address, everythingOpen: false, services: [], leftOut: 0, recog: null } }
  expect(sshKnownKey.judge(facts, { ports: casePorts() }, caseContext())).toMatchObject({ state: 'not_applicable' })
})
