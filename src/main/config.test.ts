import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { BUILT_IN_PLANS } from '../contract/organisation.ts'
import { ConfigError, readConfig } from './config.ts'

const folder = mkdtempSync(join(tmpdir(), 'sonde-config-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}
const read = (env: Record<string, string>) => readConfig(env, '/srv/sonde')
const PLAN = { id: 'one', runs_per_month: null, concurrent_runs: 1, retention_days: 1, watermark: false }

describe('settings', () => {
  test('nothing set: embedded, closed to every inner address', () => {
    expect(read({})).toMatchObject({
      dataDir: '/srv/sonde/data',
      databaseUrl: null,
      storageUrl: null,
      secretKey: null,
      secretKeysOld: [],
      hosts: {},
      allowNetworks: [],
      allowTargetPorts: false,
      plans: BUILT_IN_PLANS,
      concurrency: null,
      unknown: [],
    })
  })

  test.each([
    ['an absolute folder', { SONDE_DATA: '/var/lib/sonde' }, { dataDir: '/var/lib/sonde' }],
    ['a relative folder', { SONDE_DATA: '../x' }, { dataDir: '/srv/x' }],
    ['an empty variable', { SONDE_HOSTS: '' }, { hosts: {} }],
    [
      'several names, one with two addresses',
      { SONDE_HOSTS: ' shop.test=127.0.0.9  Other.test=127.0.0.10,::1 ' },
      { hosts: { 'shop.test': ['127.0.0.9'], 'other.test': ['127.0.0.10', '::1'] } },
    ],
    [
      'a name given twice',
      { SONDE_HOSTS: 'a.test=127.0.0.1 a.test=::1' },
      { hosts: { 'a.test': ['127.0.0.1', '::1'] } },
    ],
    [
      'a host table with commas between its names',
      { SONDE_HOSTS: 'a.test=127.0.0.1,::1,b.test=127.0.0.2, c.test=::1' },
      { hosts: { 'a.test': ['127.0.0.1', '::1'], 'b.test': ['127.0.0.2'], 'c.test': ['::1'] } },
    ],
    [
      'networks by comma and space, one a plain address',
      { SONDE_ALLOW_NETWORKS: '127.0.0.0/8, fd00::/8 10.1.2.3' },
      { allowNetworks: ['127.0.0.0/8', 'fd00::/8', '10.1.2.3/32'] },
    ],
    ['any port', { SONDE_ALLOW_TARGET_PORTS: 'any' }, { allowTargetPorts: true }],
    [
      'resolvers with ports',
      { SONDE_RESOLVERS: '127.0.0.1:5353 [::1]:53 192.0.2.1' },
      { resolvers: ['127.0.0.1:5353', '[::1]:53', '192.0.2.1'] },
    ],
    [
      'two trust anchors',
      { SONDE_TRUST_ANCHORS: '. 20326 8 2 ABCD; corp.test. 1 13 2 EF01;' },
      { trustAnchors: ['. 20326 8 2 ABCD', 'corp.test. 1 13 2 EF01'] },
    ],
    ['a list of ports', { SONDE_PORTS: '22,8000-8100' }, { ports: '22,8000-8100' }],
    ['no ports named', {}, { ports: 'top', recogFolder: null }],
    ['a hex key', { SONDE_SECRET_KEY: 'ab'.repeat(32) }, { secretKey: Buffer.alloc(32, 0xab) }],
    [
      'two old keys',
      { SONDE_SECRET_KEY_OLD: `${'ab'.repeat(32)}  ${Buffer.alloc(32, 1).toString('base64')}` },
      { secretKeysOld: [Buffer.alloc(32, 0xab), Buffer.alloc(32, 1)] },
    ],
    ['a base64 key', { SONDE_SECRET_KEY: Buffer.alloc(32, 1).toString('base64') }, { secretKey: Buffer.alloc(32, 1) }],
    [
      'a public address with a slash',
      { SONDE_PUBLIC_URL: 'https://scan.example/' },
      { publicUrl: 'https://scan.example' },
    ],
    ['plans as YAML', { SONDE_PLANS: file('p.yaml', JSON.stringify([PLAN])) }, { plans: [PLAN] }],
    [
      'a mistyped name',
      { SONDE_HOST: 'x', SONDE_URL: 'http://x', SONDE_CHROMIUM: '/opt/chromium' },
      { unknown: ['SONDE_HOST'] },
    ],
  ])('%s', (_trick, env, expected) => {
    expect(read(env as Record<string, string>)).toMatchObject(expected)
  })

  test.each([
    ['DATABASE_URL', 'mysql://x', /must begin with postgres/],
    ['SONDE_PORTS', '22,x', /neither "top" nor "all".*"x" is no port/],
    ['SONDE_STORAGE', 's3://b?regoin=x', /unknown part/],
    ['SONDE_SECRET_KEY', 'too short', /must be 32 bytes/],
    ['SONDE_SECRET_KEY', Buffer.alloc(31).toString('base64'), /must be 32 bytes/],
    ['SONDE_PUBLIC_URL', 'ftp://x', /http or https/],
    ['SONDE_HOSTS', 'shop.test', /looks like/],
    ['SONDE_HOSTS', 'shop.test=localhost', /no IP address/],
    ['SONDE_HOSTS', '127.0.0.1=127.0.0.2', /looks like/],
    ['SONDE_HOSTS', 'shop.test=2130706433', /no IP address/],
    ['SONDE_ALLOW_NETWORKS', '127.0.0.0/33', /a network looks like/],
    ['SONDE_ALLOW_TARGET_PORTS', '8080', /may only be "any"/],
    ['SONDE_RESOLVERS', 'dns.example', /no IP address/],
    ['SONDE_RESOLVERS', '127.0.0.1:70000', /a port is/],
    ['SONDE_TRUST_ANCHORS', '. IN DNSKEY 257 3 8 AwEA', /not a DS record/],
    ['SONDE_CONTACT', 'a\r\nb', /printable ASCII/],
    ['SONDE_PLANS', join(folder, 'none.yaml'), /cannot be read/],
    ['SONDE_PLANS', file('bad.yaml', '[{"id": "x"}]'), /bad plan/],
    ['SONDE_PLANS', file('twice.yaml', JSON.stringify([PLAN, PLAN])), /twice/],
    ['SONDE_CONCURRENCY', '0', /at least 1/],
    ['SONDE_RUN_MINUTES', 'ten', /whole number/],
    ['SONDE_LOG_LEVEL', 'loud', /Invalid option/],
  ])('%s = %s is refused', (name, value, message) => {
    expect(() => read({ [name]: value })).toThrow(message)
    expect(() => read({ [name]: value })).toThrow(name)
  })

  test('every bad one is named at once, and the secret is not', () => {
    const bad = { SONDE_HOSTS: 'x', SONDE_SECRET_KEY: 'hunter2', SONDE_RUN_MINUTES: '-1' }
    const error = (() => {
      try {
        return read(bad)
      } catch (caught) {
        return caught
      }
    })()
    expect(error).toBeInstanceOf(ConfigError)
    const message = String(error)
    for (const name of Object.keys(bad)) expect(message).toContain(name)
    expect(message).not.toContain('hunter2')
  })
})
