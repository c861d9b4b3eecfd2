/** Modules of scripts that read what a service says of itself, against servers that speak as much of the protocol. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Fake, type FakeProtocol, serveFake } from '../../../modules/network/services/testing/fakes.ts'
import { readChallenge } from '../../../protocols/services/ntlm.ts'
import { caseAddress, runCase, templateOf } from '../testing/template-case.ts'

const ADDRESS = caseAddress(78)
const fakes = new Map<string, Fake>()

const hex = (text: string): Buffer => Buffer.from(text.replace(/\s+/g, ''), 'hex')
const framed = (body: Buffer): Buffer => Buffer.concat([Buffer.of(0, 0, body.length >> 8, body.length & 0xff), body])

/** CHALLENGE_MESSAGE with a version and the names of a server. */
const challenge = (): Buffer => {
  const names = ['SHOP', 'CORP', 'shop.corp.test', 'corp.test', 'forest.test'].map((name, index) => {
    const text = Buffer.from(name, 'utf16le')
    return Buffer.concat([Buffer.of(index === 0 ? 1 : index + 1, 0, text.length, 0), text])
  })
  const info = Buffer.concat([...names, Buffer.alloc(4)])
  const head = Buffer.alloc(56)
  head.write('NTLMSSP\0\x02', 0, 'latin1')
  head.writeUInt32LE(0x02800001, 20)
  head.writeUInt16LE(info.length, 40)
  head.writeUInt32LE(56, 44)
  head.set([10, 0, 0x63, 0x45], 48)
  return Buffer.concat([head, info])
}

const smb2 = (command: number, body: Buffer): Buffer => {
  const head = Buffer.alloc(64)
  head.write('\xfeSMB', 0, 'latin1')
  head.writeUInt16LE(command, 12)
  return framed(Buffer.concat([head, body]))
}
const negotiated = (): Buffer => {
  const body = Buffer.alloc(64)
  body.writeUInt16LE(1, 2)
  body.writeUInt16LE(0x0302, 4)
  body.writeUInt32LE(0x41, 24)
  body.writeBigUInt64LE(BigInt(1_700_000_000 + 11_644_473_600) * 10_000_000n, 40)
  return body
}
const SMB: FakeProtocol = {
  answer: (received) => {
    const kind = received.toString('latin1', 4, 8)
    if (kind === '\xffSMB')
      return framed(Buffer.concat([hex('ff534d4272'), Buffer.alloc(27), Buffer.of(1, 0xff, 0xff)]))
    return received[16] === 0 ? smb2(0, negotiated()) : smb2(1, challenge())
  },
}
/** A server of version 1 alone: it hangs up on the other. */
const OLD_SMB: FakeProtocol = {
  answer: (received) =>
    received.toString('latin1', 4, 8) === '\xffSMB'
      ? framed(Buffer.concat([hex('ff534d4272'), Buffer.alloc(27), Buffer.of(17, 0, 0), Buffer.alloc(34)]))
      : framed(Buffer.from('\xffSMB no', 'latin1')),
}

const SERVERS: Readonly<Record<string, FakeProtocol>> = {
  smb: SMB,
  'old smb': OLD_SMB,
  mssql: {
    answer: () =>
      hex('0401002b00000100 00001a0006 0100200001 0200210001 0300220000 0400220001 ff 0f0007d00000 00 00 00'),
  },
  vnc: { greeting: 'RFB 003.008\n', answer: () => Buffer.of(1, 2) },
  pop3: { greeting: '+OK Dovecot ready.\r\n' },
  smtp: { greeting: '220 mail.shop.test ESMTP Postfix\r\n' },
  telnet: { greeting: Buffer.concat([hex('fffd18'), Buffer.from('router login: ')]) },
  'locked redis': { answer: () => '-NOAUTH Authentication required.\r\n' },
  'open redis': { answer: () => '+PONG\r\n' },
  silent: {},
  garbage: { answer: () => Buffer.alloc(70_000, 0xfe) },
}

beforeAll(async () => {
  for (const [name, protocol] of Object.entries(SERVERS)) fakes.set(name, await serveFake(ADDRESS, protocol))
})
afterAll(() => Promise.all([...fakes.values()].map((fake) => fake.close())))

const run = (to: string, code: string, operators: string) =>
  runCase(
    templateOf(
      `javascript:\n  - code: |\n      ${code.replaceAll('\n', '\n      ')}\n    args: {Host: "{{Host}}", Port: "{{Port}}"}\n    ${operators}`,
    ),
    { address: ADDRESS, port: fakes.get(to)?.port ?? 0 },
  )
const found = (...words: string[]): string =>
  `matchers: [{type: word, condition: and, words: [${words.map((word) => `'${word}'`).join(', ')}]}]`
const HOLDS = 'matchers: [{type: dsl, dsl: ["success == true"]}]'
const INFO = `Export(require('nuclei/smb').SMBClient().ConnectSMBInfoMode(Host, Port))`
const METADATA = `Export(new (require('nuclei/smb').SMBClient)().ListSMBv2Metadata(Host, Port))`

describe('what a service says of itself', () => {
  it.each([
    [
      'smb: dialect and capabilities',
      'smb',
      INFO,
      found('"VerString": "SMB 3.0.2"', '"Encryption": true', '"Leasing": false', '"SupportV1": false'),
      1,
    ],
    ['smb: its clock', 'smb', `${INFO.slice(7, -1)}.NegotiationLog.SystemTime`, found('1700000000'), 1],
    [
      'smb: names and version from the challenge',
      'smb',
      METADATA,
      found('"OSVersion": "10.0.17763"', '"DNSComputerName": "shop.corp.test"', '"ForestName": "forest.test"'),
      1,
    ],
    ['smb: signing', 'smb', METADATA, found('"SigningEnabled": true', '"SigningRequired": false'), 1],
    ['smb 1 alone', 'old smb', INFO, found('"SupportV1": true', 'SMB 1.0'), 1],
    ['smb 1 has no metadata', 'old smb', METADATA, HOLDS, 0],
    [
      'mssql',
      'mssql',
      `require('nuclei/mssql').MSSQLClient().IsMssql(Host, Port)`,
      'matchers: [{type: dsl, dsl: ["response == true"]}]',
      1,
    ],
    ['vnc', 'vnc', `Export(require('nuclei/vnc').IsVNC(Host, Port))`, found('"IsVNC": true', 'protocol 3.8'), 1],
    ['pop3', 'pop3', `Export(require('nuclei/pop3').IsPOP3(Host, Port))`, found('"IsPOP3": true', 'Dovecot'), 1],
    [
      'smtp',
      'smtp',
      `Export(new (require('nuclei/smtp').Client)(Host, Port).IsSMTP())`,
      found('"IsSMTP": true', 'Postfix'),
      1,
    ],
    [
      'telnet',
      'telnet',
      `Export(require('nuclei/telnet').IsTelnet(Host, Port))`,
      found('"IsTelnet": true', 'router login:'),
      1,
    ],
    [
      'redis that wants a password',
      'locked redis',
      `Export(require('nuclei/redis').IsAuthenticated(Host, Port))`,
      HOLDS,
      1,
    ],
    ['redis that wants none', 'open redis', `Export(require('nuclei/redis').IsAuthenticated(Host, Port))`, HOLDS, 0],
  ])('%s', async (_trick, to, code, operators, hits) => {
    const ran = await run(to, code, operators)
    expect(ran).toMatchObject({ skipped: null, failed: null })
    expect(ran.hits).toHaveLength(hits)
  })

  it.each(['garbage', 'pop3'])('%s is none of them', async (to) => {
    const names = [
      ['smb', INFO],
      ['smb', METADATA],
      ['mssql', `Export(require('nuclei/mssql').MSSQLClient().IsMssql(Host, Port) || exit())`],
      ['ssh', `Export(require('nuclei/ssh').SSHClient().ConnectSSHInfoMode(Host, Port))`],
    ] as const
    const ran = await Promise.all(names.map(([, code]) => run(to, code, HOLDS)))
    expect(ran.map(({ hits, skipped }) => [hits.length, skipped])).toEqual(names.map(() => [0, null]))
  })

  it.each([
    ['cut off', challenge().subarray(0, 50), null],
    [
      'names beyond its end',
      Buffer.concat([challenge().subarray(0, 44), hex('ffffff7f'), challenge().subarray(48)]),
      '',
    ],
  ])('a challenge %s', (_trick, bytes, name) => {
    expect(readChallenge(bytes)?.names.get(1) ?? (name === null ? null : '')).toBe(name)
  })
})

describe('a real OpenSSH', () => {
  let folder = ''
  let end = async (): Promise<void> => undefined
  let port = 0

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sonde-sshd-'))
    execFileSync('ssh-keygen', ['-q', '-t', 'ecdsa', '-b', '384', '-N', '', '-f', join(folder, 'key')], {
      timeout: 10_000,
    })
    port = 20_000 + (process.pid % 20_000)
    const settings = [
      `HostKey ${join(folder, 'key')}`,
      `ListenAddress ${ADDRESS}:${port}`,
      'PidFile none',
      'UsePAM no',
      'StrictModes no',
      'PasswordAuthentication yes',
      'KbdInteractiveAuthentication no',
    ]
    writeFileSync(join(folder, 'config'), `${settings.join('\n')}\n`)
    execFileSync('mkdir', ['-p', '/run/sshd'])
    const child = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', join(folder, 'config')], { stdio: 'ignore' })
    end = async () => {
      child.kill()
      await once(child, 'exit')
    }
    const until = performance.now() + 10_000
    while (!(await listens(port))) {
      if (performance.now() > until || child.exitCode !== null) throw new Error('sshd does not listen')
      await new Promise((resume) => setTimeout(resume, 20))
    }
  })
  afterAll(async () => {
    await end()
    rmSync(folder, { recursive: true, force: true })
  })

  it('names its key and the ways to sign in, and nobody does', async () => {
    const code = `const i = require('nuclei/ssh').SSHClient().ConnectSSHInfoMode(Host, Port)
const strict = i.ServerKex.KexAlgos.some(name => name.startsWith('kex-strict'))
Export(to_json(i) + ' strict ' + strict)`
    const yaml = templateOf(
      `javascript:\n  - code: |\n      ${code.replaceAll('\n', '\n      ')}\n    args: {Host: "{{Host}}", Port: "{{Port}}"}\n    ${found('"UserAuth": [', '"publickey"', '"password"', '"length": 384', 'chacha20-poly1305@openssh.com')}`,
    )
    const ran = await runCase(yaml, { address: ADDRESS, port })
    expect(ran).toMatchObject({ skipped: null, failed: null })
    expect(ran.hits).toHaveLength(1)
  })
})

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: ADDRESS, port })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
