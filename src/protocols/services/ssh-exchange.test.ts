import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { caseKex } from '../../modules/network/services/testing/services-facts.ts'
import { caseAddress, collectContext } from '../../modules/testing/collecting.ts'
import type { HostKeyFacts } from './offers.ts'
import { ssh } from './ssh.ts'
import { exchangeFor, payloadsOf, readHostKey } from './ssh-exchange.ts'
import { openTalk } from './talk.ts'

const address = caseAddress(47)
const folder = mkdtempSync(join(tmpdir(), 'sonde-ssh-'))
const running: { kill: () => Promise<void> }[] = []
afterAll(async () => {
  for (const one of running) await one.kill()
  rmSync(folder, { recursive: true, force: true })
})

const KEYS = [
  ['rsa', '2048'],
  ['ecdsa', '384'],
  ['ed25519', '256'],
] as const

beforeAll(() => {
  mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
  for (const [type, bits] of KEYS) {
    execFileSync('ssh-keygen', ['-q', '-t', type, '-b', bits, '-N', '', '-f', join(folder, type)])
  }
})

/** Debian's sshd with one kind of key and one method of exchange. */
const serve = async (key: string, method: string): Promise<number> => {
  const spare = createServer().listen(0, address)
  await once(spare, 'listening')
  const at = spare.address()
  const port = typeof at === 'object' && at ? at.port : 0
  spare.close()
  await once(spare, 'close')
  const config = join(folder, `${key}-${method}`)
  writeFileSync(
    config,
    `ListenAddress ${address}:${port}\nHostKey ${folder}/${key}\nPidFile none\nUsePAM no\nKexAlgorithms ${method}\n`,
  )
  const child = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', config], { stdio: 'ignore' })
  running.push({
    kill: async () => {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
    },
  })
  const until = Date.now() + 10_000
  for (;;) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, address, () => resolve(true)).on('error', () => resolve(false))
      socket.on('connect', () => socket.destroy())
    })
    if (open) return port
    if (Date.now() > until) throw new Error('sshd does not listen')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const hostKeyAt = async (port: number): Promise<HostKeyFacts | null | undefined> => {
  const { ctx, close } = collectContext(address, { module: 'services' })
  const talk = await openTalk(ctx.egress, { host: 'shop.test', port, secure: false })
  const proved = await ssh.run(talk)
  talk.end()
  await close()
  return proved?.kex?.hostKey
}

describe('the host key of a real sshd', () => {
  it.each([
    ['rsa', 'curve25519-sha256', 'ssh-rsa', 2_048],
    ['rsa', 'diffie-hellman-group14-sha256', 'ssh-rsa', 2_048],
    ['ecdsa', 'ecdh-sha2-nistp521', 'ecdsa-sha2-nistp384', 384],
    ['ed25519', 'diffie-hellman-group16-sha512', 'ssh-ed25519', 256],
    ['ed25519', 'ecdh-sha2-nistp256', 'ssh-ed25519', 256],
  ])('%s by %s', async (key, method, type, bits) => {
    const found = await hostKeyAt(await serve(key, method))
    const printed = execFileSync('ssh-keygen', ['-lf', join(folder, `${key}.pub`)], { encoding: 'utf8' })
    expect(found).toMatchObject({ type, bits })
    expect(printed).toContain(`SHA256:${found?.sha256}`)
  })

  it('by a method that we do not know is not shown', async () => {
    expect(await hostKeyAt(await serve('ed25519', 'sntrup761x25519-sha512@openssh.com'))).toBeNull()
  })
})

describe('octets of strangers', () => {
  it.each([
    ['nothing', ''],
    ['a length that lies', 'ffffffff04'],
    ['padding longer than the packet', '00000005ff1f000000'],
    ['a reply without a key', '0000000c0a1f00000000000000000000'],
    ['a reply whose string is cut', '0000000c041f0000ffff000000000000'],
  ])('%s', (_name, hex) => {
    expect(readHostKey(Buffer.from(hex, 'hex'))).toBeNull()
  })

  it('packets are whole and padded to eight octets', () => {
    const octets = exchangeFor(caseKex())
    expect((octets?.length ?? 0) % 8).toBe(0)
    expect(payloadsOf(octets ?? Buffer.alloc(0)).map((payload) => payload[0])).toEqual([20, 30])
  })

  it('lists without anything in common begin no exchange', () => {
    expect(exchangeFor(caseKex({ kex: ['sntrup761x25519-sha512@openssh.com'] }))).toBeNull()
  })
})
