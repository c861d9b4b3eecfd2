/** SMB of a real Samba, as three administrators set it up: what it gives to nobody. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { judgeModule } from '../src/engine/judge.ts'
import { casePorts } from '../src/modules/network/ports/testing/ports-facts.ts'
import { collectServices } from '../src/modules/network/services/collect.ts'
import { services } from '../src/modules/network/services/module.ts'
import { caseAddress, collectContext } from '../src/modules/testing/collecting.ts'
import { caseContext } from '../src/modules/testing/judge-cases.ts'
import { readShares } from '../src/protocols/services/smb-anonymous.ts'
import { isInstalled, type RealService, type RunningServices, startServices, write } from './support/services.ts'

/** Programs that smbd has started leave its group, and stay when it has ended. */
const endThoseOf = (config: string): void => {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(config)) process.kill(Number(pid), 'SIGKILL')
    } catch (error) {
      // It has ended in between.
      if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
  }
}

const configs = new Map<string, string>()

const samba = (id: string, address: string, lines: readonly string[]): RealService => ({
  id,
  needs: 'samba',
  program: '/usr/sbin/smbd',
  ports: [445],
  // smbd listens only on addresses that an interface has, and 127.0.0.0/8 has but one.
  prepare: ({ folder }) => {
    execFileSync('ip', ['address', 'replace', `${address}/32`, 'dev', 'lo'])
    const own = (name: string): string => {
      const path = join(folder, name)
      mkdirSync(path, { recursive: true })
      return path
    }
    const config = write(folder, 'smb.conf', [
      '[global]',
      ...['server role = standalone server', 'disable spoolss = yes', 'load printers = no', 'smb ports = 445'],
      ...[`interfaces = ${address}/32`, 'bind interfaces only = yes', `pid directory = ${own('pid')}`],
      ...[`private dir = ${own('private')}`, `lock directory = ${own('lock')}`, `state directory = ${own('state')}`],
      ...[`cache directory = ${own('cache')}`, `ncalrpc dir = ${own('rpc')}`, `log file = ${folder}/log`],
      ...lines.map((line) => line.replace('FOLDER', own('shared'))),
    ])
    configs.set(id, config)
    return { command: '/usr/sbin/smbd', args: ['-F', '--no-process-group', '--debug-stdout', '-s', config] }
  },
  cleanup: () => {
    endThoseOf(configs.get(id) ?? '\0none')
    execFileSync('ip', ['address', 'delete', `${address}/32`, 'dev', 'lo'])
  },
  truth: [],
})

const SHARE = ['[papers]', 'path = FOLDER', 'comment = Of the office']
const open = { address: caseAddress(96), lines: ['map to guest = Bad User', ...SHARE, 'guest ok = yes'] }
const usual = { address: caseAddress(97), lines: ['map to guest = Never', ...SHARE, 'guest ok = no'] }
const strict = {
  address: caseAddress(98),
  lines: ['restrict anonymous = 2', 'map to guest = Never', ...SHARE, 'guest ok = no'],
}

const running: RunningServices[] = []
beforeAll(async () => {
  for (const [id, { address, lines }] of Object.entries({ open, usual, strict })) {
    const service = samba(id, address, lines)
    if (!isInstalled(service)) throw new Error('not installed: samba; ./test installs it')
    running.push(await startServices(address, [service]))
  }
}, 120_000)
afterAll(async () => {
  for (const one of running) await one.close()
})

const found = async ({ address }: { readonly address: string }) => {
  const { ctx, close } = collectContext(address, { module: 'services', requests: 500 })
  const ports = casePorts({ open: [445] })
  try {
    const facts = await collectServices(ctx, ports)
    const about = { ...caseContext(), target: { ...caseContext().target, tier: 'active' as const } }
    const { findings } = judgeModule(services, facts, { ports }, about)
    return { service: facts.services[0], findings, ids: findings.map(({ check_id }) => check_id) }
  } finally {
    await close()
  }
}

describe('a real Samba', () => {
  it('with a folder for everybody', async () => {
    const { service, findings, ids } = await found(open)
    expect(ids).toEqual(['services/smb-share-open'])
    expect(findings[0]?.detail).toContain('opens the shared folders papers (Of the office)')
    expect([service?.by, service?.replay]).toEqual(['protocol', expect.stringMatching(/^smbclient -N -p 445 -L \/\//)])
  })
  it('as it comes: shares are listed, none opens', async () => {
    const { findings, ids } = await found(usual)
    expect(ids).toEqual(['services/smb-null-session'])
    expect(findings[0]?.detail).toContain('lists the shares papers (Of the office), IPC$')
  })
  it('that tells nobody anything is exposed and no more', async () => {
    const { service, ids } = await found(strict)
    expect([service?.access, ids]).toEqual([null, ['services/admin-exposed']])
  })
})

describe('a list of shares', () => {
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a fault', Buffer.concat([Buffer.from([5, 0, 3, 3]), Buffer.alloc(60)])],
    [
      'more entries than the answer has',
      Buffer.concat([Buffer.from([5, 0, 2, 3]), Buffer.alloc(20), words(1, 1, 4, 900, 4, 900, 1, 0, 1)]),
    ],
    [
      'a count of four thousand million',
      Buffer.concat([Buffer.from([5, 0, 2, 3]), Buffer.alloc(20), words(1, 1, 4, 9, 4, 0xffff_ffff, 1)]),
    ],
  ])('%s is none', (_name, answer) => expect(readShares(answer)).toBeNull())
  it('none at all', () => {
    expect(
      readShares(Buffer.concat([Buffer.from([5, 0, 2, 3]), Buffer.alloc(20), words(1, 1, 4, 0, 0, 0, 0)])),
    ).toEqual([])
  })
})

function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, index * 4)
  return bytes
}
