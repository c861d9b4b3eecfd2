import { type JudgeCase, judgeCases } from '../../testing/judge-cases.ts'
import { casePorts } from '../ports/testing/ports-facts.ts'
import { access } from './access.ts'
import { exposedServices } from './exposed.ts'
import { sshAlgorithms } from './ssh-algorithms.ts'
import { caseAccess, caseKex, caseSaid, type caseService, caseServices } from './testing/services-facts.ts'
import { versions } from './version.ts'

const known = { ports: casePorts() }
type Case = JudgeCase<'services', 'ports'>
const one = (name: string, change: Parameters<typeof caseService>[0], ...expect: readonly string[]): Case => ({
  name,
  known,
  facts: caseServices(change ?? {}),
  expect,
})

judgeCases(access, [
  one(
    'redis without a password',
    {
      port: 6379,
      service: 'redis',
      access: caseAccess('datastore', 'redis_version:7'),
      exchange: caseSaid('INFO', 'redis_version:7'),
    },
    'services/datastore-open',
  ),
  one(
    'rsync lists its modules',
    { port: 873, service: 'rsync', access: caseAccess('listing') },
    'services/listing-open',
  ),
  one('anonymous FTP', { port: 21, service: 'ftp', access: caseAccess('directory') }, 'services/anonymous-directory'),
  one('docker', { port: 2375, service: 'docker', access: caseAccess('takeover') }, 'services/takeover-open'),
  one(
    'mqtt for everyone',
    { port: 1883, service: 'mqtt', access: caseAccess('control', '20 02 00 00') },
    'services/control-open',
  ),
  one('ajp answers', { port: 8009, service: 'ajp', access: caseAccess('listener') }, 'services/internal-listener'),
  one(
    'smb lists its shares',
    { port: 445, service: 'smb', access: caseAccess('null-session') },
    'services/smb-null-session',
  ),
  one('smb opens one', { port: 445, service: 'smb', access: caseAccess('share') }, 'services/smb-share-open'),
  one('metrics', { port: 9090, access: caseAccess('observability') }, 'services/observability-open'),
  one(
    'a mark that is not in the excerpt',
    { port: 5984, service: 'couchdb', access: caseAccess('datastore', '[') },
    'services/datastore-open',
  ),
  {
    name: 'two stores are two findings',
    known,
    facts: caseServices(
      { port: 6379, service: 'redis', access: caseAccess('datastore') },
      { port: 11211, service: 'memcached', access: caseAccess('datastore') },
    ),
    expect: ['services/datastore-open', 'services/datastore-open'],
  },
  one('redis keeps strangers out', { port: 6379, service: 'redis', info: 'NOAUTH' }),
  one('a website', {}),
])

judgeCases(exposedServices, [
  one('ssh', { port: 22, service: 'ssh', title: 'SSH' }, 'services/admin-exposed'),
  one('postgresql', { port: 5432, service: 'postgresql' }, 'services/admin-exposed'),
  one('telnet', { port: 23, service: 'telnet' }, 'services/telnet-exposed'),
  one('smb 1', { port: 445, service: 'smb', weakness: 'smb1' }, 'services/smb1'),
  one(
    'rdp without sign-in first',
    { port: 3389, service: 'rdp', weakness: 'rdp-without-nla' },
    'services/rdp-without-nla',
  ),
  one('imap without STARTTLS', { port: 143, service: 'imap', weakness: 'plain-login' }, 'services/plain-login'),
  one('guessed by port alone', { port: 3389, service: 'rdp', by: 'port' }),
  one('open redis has a graver finding', { port: 6379, service: 'redis', access: caseAccess('datastore') }),
  one('smtp with STARTTLS', { port: 25, service: 'smtp', starttls: true }),
])

const ssh = (name: string, change: Parameters<typeof caseKex>[0], ...expect: readonly string[]): Case =>
  one(name, { port: 22, service: 'ssh', kex: caseKex(change) }, ...expect)

const key = (type: string, bits: number) => ({ type, bits, sha256: 'AAAA' })

judgeCases(sshAlgorithms, [
  ssh(
    'group 1 with SHA-1',
    { kex: ['curve25519-sha256', 'diffie-hellman-group1-sha1', 'kex-strict-s-v00@openssh.com'] },
    'services/ssh-weak-key-exchange',
  ),
  ssh('group 14 with SHA-256 is fine', { kex: ['diffie-hellman-group14-sha256', 'kex-strict-s-v00@openssh.com'] }),
  ssh('3des-cbc', { ciphers: ['aes128-ctr', '3des-cbc'] }, 'services/ssh-weak-cipher'),
  ssh('hmac-md5', { macs: ['hmac-sha2-256', 'hmac-md5'] }, 'services/ssh-weak-mac'),
  ssh('ssh-dss', { hostKeys: ['ssh-ed25519', 'ssh-dss'] }, 'services/ssh-weak-host-key'),
  ssh('rsa with SHA-2 only', { hostKeys: ['rsa-sha2-512', 'rsa-sha2-256'] }),
  ssh('chacha20 without strict exchange', { kex: ['curve25519-sha256'] }, 'services/ssh-terrapin'),
  ssh(
    'cbc with etm without strict exchange',
    { kex: ['curve25519-sha256'], ciphers: ['aes256-cbc'], macs: ['hmac-sha2-256-etm@openssh.com'] },
    'services/ssh-terrapin',
    'services/ssh-weak-cipher',
  ),
  ssh(
    'cbc without etm',
    { kex: ['curve25519-sha256'], ciphers: ['aes256-cbc'], macs: ['hmac-sha2-256'] },
    'services/ssh-weak-cipher',
  ),
  ssh(
    'the client’s marker in the server’s list does not count',
    { kex: ['curve25519-sha256', 'kex-strict-c-v00@openssh.com'] },
    'services/ssh-terrapin',
  ),
  ssh('gcm alone is not cuttable', { kex: ['curve25519-sha256'], ciphers: ['aes256-gcm@openssh.com'] }),
  ssh('protocol 1.99', { protocol: '1.99' }, 'services/ssh-version-1'),
  ssh('a host key of 1,024 bits', { hostKey: key('ssh-rsa', 1_024) }, 'services/ssh-host-key-short'),
  ssh('a host key of 2,048 bits', { hostKey: key('ssh-rsa', 2_048) }),
  ssh('256 bits of a curve', { hostKey: key('ssh-ed25519', 256) }),
  ssh('no exchange came about', { hostKey: null }),
  ssh('current OpenSSH', {}),
])

judgeCases(versions, [
  one(
    'ftp names its version',
    { port: 21, service: 'ftp', product: 'vsftpd', version: '3.0.3' },
    'services/version-shown',
  ),
  one('the web server is the disclosure module’s', { version: '1.22.1' }),
  one('no version', { port: 25, service: 'smtp', product: 'Postfix smtpd' }),
])
