import { describe, expect, it } from 'vitest'
import { commonPorts } from '../ports/common.ts'
import { cpeOf, identify } from './service.ts'
import { greeted, habitOf, SERVICES, serviceOf } from './services.ts'
import { identifyWeb } from './web.ts'

describe('services', () => {
  it('are more than the eighty of the catalogue, each once', () => {
    const ids = SERVICES.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBeGreaterThanOrEqual(120)
  })

  it('are found by the default sweep at every port of theirs', () => {
    const common = new Set(commonPorts())
    const missed = SERVICES.flatMap(({ ports, tlsPorts = [] }) => [...ports, ...tlsPorts]).filter(
      (port) => !common.has(port),
    )
    expect(missed).toEqual([])
  })

  it.each([
    [22, 'ssh', false],
    [993, 'imap', true],
    [5432, 'postgresql', false],
    [443, 'http', true],
  ] as const)('port %i is %s by habit', (port, id, tls) =>
    expect(habitOf(port)).toMatchObject({ service: { id }, tls }),
  )

  it('an unknown id is a mistake of ours', () => expect(() => serviceOf('nothing')).toThrow('no service nothing'))
})

describe('greetings', () => {
  it.each([
    ['SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u10\r\n', 4000, 'ssh', 'OpenSSH', '9.2p1'],
    ['SSH-2.0-dropbear_2022.83\r\n', 22, 'ssh', 'Dropbear sshd', '2022.83'],
    ['220 (vsFTPd 3.0.3)\r\n', 21, 'ftp', 'vsftpd', '3.0.3'],
    ['220 ProFTPD 1.3.8 Server (Debian) [::ffff:127.0.0.1]\r\n', 9999, 'ftp', 'ProFTPD', '1.3.8'],
    ['220 mail.shop.test ESMTP Postfix (Debian/GNU)\r\n', 9999, 'smtp', 'Postfix smtpd', null],
    ['220 mail.shop.test ESMTP Exim 4.96 Sat, 21 Nov 2026 04:00:00 +0000\r\n', 25, 'smtp', 'Exim smtpd', '4.96'],
    ['+OK Dovecot (Debian) ready.\r\n', 110, 'pop3', 'Dovecot pop3d', null],
    ['* OK [CAPABILITY IMAP4rev1] Dovecot (Debian) ready.\r\n', 143, 'imap', 'Dovecot imapd', null],
    ['RFB 003.889\n', 5900, 'vnc', 'Apple Remote Desktop', null],
    ['@RSYNCD: 31.0\n', 873, 'rsync', 'rsync', null],
    ['INFO {"server_id":"N","version":"2.10.1","auth_required":true}\r\n', 4222, 'nats', 'NATS server', '2.10.1'],
    ['Tarantool 2.11.1 (Binary) 0-0\n', 3301, 'tarantool', 'Tarantool', '2.11.1'],
    ['OK MPD 0.23.5\n', 6600, 'mpd', 'Music Player Daemon', '0.23.5'],
    ['Asterisk Call Manager/7.0.3\r\n', 5038, 'asterisk-manager', 'Asterisk', null],
    ['"IMPLEMENTATION" "Dovecot Pigeonhole"\r\n', 4190, 'sieve', 'Dovecot Pigeonhole', null],
    ['# munin node at shop.test\n', 4949, 'munin', 'Munin node', null],
    ['( success ( 2 2 ( ) ( edit-pipeline ) ) ) ', 3690, 'svn', 'Subversion svnserve', null],
    ['\xff\xfd\x18\xff\xfd\x20', 23, 'telnet', null, null],
  ])('%j', (text, port, id, product, version) => {
    const service = greeted(text, port)
    expect(service?.id).toBe(id)
    expect(identify(service?.products, text)).toMatchObject({ product, version })
  })

  it.each(['hello\r\n', 'HTTP/1.1 400 Bad Request\r\n', '', '\x00\x01\x02', 'x'.repeat(5_000)])(
    '%j is nobody’s',
    (text) => {
      expect(greeted(text, 9999)).toBeNull()
    },
  )
})

it.each([
  ['openbsd:openssh', '9.2p1', 'cpe:2.3:a:openbsd:openssh:9.2:p1:*:*:*:*:*:*'],
  ['f5:nginx', null, 'cpe:2.3:a:f5:nginx:*:*:*:*:*:*:*:*'],
  ['x:y', '1.0+deb', 'cpe:2.3:a:x:y:1.0\\+deb:*:*:*:*:*:*:*'],
])('cpeOf(%s, %s)', (name, version, cpe) => expect(cpeOf(name, version)).toBe(cpe))

describe('identifyWeb', () => {
  const answer = (headers: Readonly<Record<string, string>>, body = '') => ({
    status: 200,
    header: (name: string) => headers[name] ?? '',
    body,
  })
  it.each([
    [answer({ server: 'nginx/1.22.1' }), 'nginx', '1.22.1'],
    [answer({ server: 'Apache/2.4.62 (Debian)' }), 'Apache httpd', '2.4.62'],
    [
      answer({}, '{"version":{"number":"8.11.1"},"tagline" : "You Know, for Search"}'),
      'Elasticsearch REST API',
      '8.11.1',
    ],
    [answer({ server: 'CouchDB/3.3.3' }, '{"couchdb":"Welcome","version":"3.3.3"}'), 'CouchDB httpd', '3.3.3'],
    [answer({ 'x-jenkins': '2.440', server: 'Jetty(10.0.18)' }), 'Jenkins', '2.440'],
    [answer({ server: 'MyServer/2.0 (x)' }), 'MyServer', '2.0'],
    [answer({}), null, null],
  ])('%#: %s', (said, product, version) => expect(identifyWeb(said)).toMatchObject({ product, version }))
})
