/** Each probe against a small server that is true to its protocol, open and closed, and against strangers. */
import { afterAll, describe, expect, it } from 'vitest'
import { type FakeProtocol, serveFake } from '../../modules/network/services/testing/fakes.ts'
import { BUILD, hex, mongo, postgres, u32 } from '../../modules/network/services/testing/messages.ts'
import { caseAddress, collectContext } from '../../modules/testing/collecting.ts'
import { PROBES } from './all.ts'
import type { Probe, Proved } from './probe.ts'
import { openTalk } from './talk.ts'

const address = caseAddress(62)
const { ctx, close } = collectContext(address, { module: 'services', requests: 10_000 })
afterAll(() => close())

const probeOf = (service: string): Probe => {
  const probe = PROBES.find(({ services }) => services.includes(service))
  if (!probe) throw new Error(`no probe for ${service}`)
  return probe
}

const ask = async (probe: Probe, protocol: FakeProtocol, patience?: number): Promise<Proved | null> => {
  const fake = await serveFake(address, protocol)
  try {
    const talk = await openTalk(ctx.egress, {
      host: 'shop.test',
      port: fake.port,
      secure: false,
      ...(patience === undefined ? {} : { patience }),
    })
    try {
      return await probe.run(talk)
    } finally {
      talk.end()
    }
  } finally {
    await fake.close()
  }
}

const after = (text: string | RegExp, reply: string | Buffer) => (received: Buffer) =>
  (typeof text === 'string' ? received.toString('latin1').includes(text) : text.test(received.toString('latin1')))
    ? reply
    : null

const smb = (magic: string, dialect: number): Buffer =>
  Buffer.concat([
    hex('00000050'),
    Buffer.from(magic, 'latin1'),
    Buffer.alloc(29),
    Buffer.of(dialect & 0xff, dialect >> 8),
    Buffer.alloc(80 - 35),
  ])
const rpcReply = Buffer.concat([
  ...[0x5e0d0001, 1, 0, 0, 0, 0, 1, 100000, 2, 6, 111, 1, 100003, 3, 6, 2049, 0].map(u32),
])

type Row = readonly [
  name: string,
  service: string,
  fake: FakeProtocol,
  expected: Partial<Proved> & { readonly open?: string | null },
]

const ROWS: readonly Row[] = [
  [
    'redis',
    'redis',
    { answer: after('INFO', '$39\r\n# Server\r\nredis_version:7.2.4\r\nos:Linux\r\n\r\n') },
    { version: '7.2.4', open: 'datastore' },
  ],
  ['redis with a password', 'redis', { answer: after('INFO', '-NOAUTH Authentication required.\r\n') }, { open: null }],
  [
    'memcached',
    'memcached',
    { answer: after('stats\r\n', 'STAT pid 1\r\nSTAT version 1.6.22\r\nEND\r\n') },
    { version: '1.6.22', open: 'datastore' },
  ],
  [
    'mongodb without access control',
    'mongodb',
    { answer: (_r, turn) => mongo(turn === 0 ? BUILD : `\x04databases\0\x05\0\0\0\0${BUILD.slice(-12)}`) },
    { version: '6.0.5', open: 'datastore' },
  ],
  [
    'mongodb, error 13',
    'mongodb',
    { answer: (_r, turn) => mongo(turn === 0 ? BUILD : '\x10code\0\x0d\0\0\0') },
    { version: '6.0.5', open: null },
  ],
  [
    'cassandra ready',
    'cassandra',
    {
      answer: (_r, turn) =>
        turn === 0
          ? Buffer.concat([
              hex('840000000600000014'),
              Buffer.from('\0\x01\0\x0bCQL_VERSION\0\x01\0\x05', 'latin1').subarray(0, 15),
              Buffer.from('3.4.5'),
            ])
          : hex('840000000200000000'),
    },
    { open: 'datastore' },
  ],
  [
    'cassandra asks who',
    'cassandra',
    { answer: (_r, turn) => (turn === 0 ? hex('840000000600000000') : hex('840000000300000000')) },
    { open: null },
  ],
  [
    'zookeeper',
    'zookeeper',
    { answer: after('srvr', 'Zookeeper version: 3.8.0-abc, built on\nMode: standalone\n') },
    { version: '3.8.0', open: 'listing' },
  ],
  [
    'kafka',
    'kafka',
    {
      answer: (_r, turn) =>
        turn === 0
          ? Buffer.concat([u32(12), u32(7), Buffer.alloc(8)])
          : Buffer.concat([u32(24), u32(8), u32(1), Buffer.alloc(16)]),
    },
    { open: 'control' },
  ],
  [
    'nats for everyone',
    'nats',
    { greeting: 'INFO {"version":"2.10.1"}\r\n', answer: after('PING', 'PONG\r\n') },
    { version: '2.10.1', open: 'control' },
  ],
  [
    'nats with auth_required',
    'nats',
    { greeting: 'INFO {"version":"2.10.1","auth_required":true}\r\n' },
    { open: null },
  ],
  ['mqtt, return code 5', 'mqtt', { answer: after('MQTT', hex('20020005')) }, { open: null }],
  [
    'stomp',
    'stomp',
    { answer: after('CONNECT', 'CONNECTED\nserver:ActiveMQ/5.17.3\n\n\0') },
    { version: '5.17.3', open: 'control' },
  ],
  [
    'openwire',
    'openwire',
    {
      greeting: Buffer.concat([
        u32(300),
        Buffer.from('\x01ActiveMQ\0\0\0\x0cProviderVersion\x09\0\x065.17.3', 'latin1'),
      ]),
    },
    { version: '5.17.3', open: 'listener' },
  ],
  [
    'rdp without NLA',
    'rdp',
    { answer: after('\x0e\xe0', hex('030000130ed000001234000300080002000000').fill(0x02, 11, 12)) },
    { weakness: 'rdp-without-nla' },
  ],
  [
    'rdp with NLA',
    'rdp',
    { answer: after('\x0e\xe0', hex('030000130ed000001234000300080005000000')) },
    { info: 'network level authentication required' },
  ],
  [
    'vnc without a password',
    'vnc',
    { greeting: 'RFB 003.008\n', answer: after('RFB', hex('020102')) },
    { open: 'control' },
  ],
  ['vnc with a password', 'vnc', { greeting: 'RFB 003.008\n', answer: after('RFB', hex('0102')) }, { open: null }],
  ['smb 1', 'smb', { answer: after('NT LM 0.12', smb('\xffSMB', 0)) }, { weakness: 'smb1' }],
  ['smb 1 refused', 'smb', { answer: after('NT LM 0.12', smb('\xffSMB', 0xffff)) }, { info: 'SMB 1 refused' }],
  ['x11', 'x11', { answer: () => Buffer.concat([hex('0100 0b00 0000 0a00'), Buffer.alloc(60)]) }, { open: 'control' }],
  ['x11 with a cookie', 'x11', { answer: () => hex('0012 0b00 0000 0500') }, { open: null }],
  [
    'adb',
    'adb',
    {
      answer: after(
        'CNXN',
        Buffer.concat([Buffer.from('CNXN'), Buffer.alloc(20), Buffer.from('device::ro.product.model=Box;')]),
      ),
    },
    { open: 'takeover' },
  ],
  [
    'adb with keys',
    'adb',
    { answer: after('CNXN', Buffer.concat([Buffer.from('AUTH'), Buffer.alloc(20)])) },
    { open: null },
  ],
  [
    'jdwp',
    'jdwp',
    {
      answer: (_r, turn) =>
        turn === 0 ? 'JDWP-Handshake' : Buffer.concat([u32(40), Buffer.from('00000001800000JDK 17.0.9+9')]),
    },
    { open: 'takeover' },
  ],
  ['rmi', 'rmi', { answer: after('JRMI', hex('4e0009 3132372e302e302e31 00001234')) }, { open: 'listener' }],
  ['ajp', 'ajp', { answer: () => hex('4142000109') }, { open: 'listener' }],
  ['fastcgi', 'fastcgi', { answer: after('FCGI_MPXS_CONNS', hex('010a000000110700')) }, { open: 'takeover' }],
  [
    'epmd',
    'epmd',
    { answer: (_r, _t, port) => Buffer.concat([u32(port), Buffer.from('name rabbit at port 25672\n')]) },
    { open: 'listener' },
  ],
  [
    'rpcbind',
    'rpcbind',
    { answer: () => Buffer.concat([u32(0x80000000 + rpcReply.length), rpcReply]) },
    { info: 'portmapper, nfs', open: 'listing' },
  ],
  [
    'mssql',
    'mssql',
    {
      answer: (received) =>
        received.length === received.readUInt16BE(2)
          ? hex(
              '0401 0021 0000 0100 00 0010 0006 01 0016 0001 ff 00000000 0f0007d00000 02 00 00 00'.replaceAll(' ', ''),
            )
              .fill(0, 19, 24)
              .fill(Buffer.of(15, 0, 0x07, 0xd0), 24, 28)
          : null,
    },
    { product: 'Microsoft SQL Server', version: '15.0.2000' },
  ],
  [
    'oracle',
    'oracle',
    {
      answer: (received) =>
        received.length === received.readUInt16BE(0)
          ? Buffer.concat([
              hex('0065000004000000'),
              Buffer.from('"\0\0Y(DESCRIPTION=(TMP=)(VSNNUM=318767104)(ERR=1189))'),
            ])
          : null,
    },
    { version: '19.0.0.0.0' },
  ],
  [
    'sip',
    'sip',
    { answer: after('OPTIONS', 'SIP/2.0 200 OK\r\nServer: Asterisk PBX 18.10.0\r\n\r\n') },
    { product: 'Asterisk', version: '18.10.0' },
  ],
  [
    'rtsp',
    'rtsp',
    { answer: after('OPTIONS', 'RTSP/1.0 200 OK\r\nServer: GStreamer RTSP server/1.20\r\n\r\n') },
    { version: '1.20' },
  ],
  [
    'xmpp',
    'xmpp',
    {
      answer: after(
        '<stream:stream',
        "<stream:stream from='x' id='ejabberd-1'><stream:features><starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/></stream:features>",
      ),
    },
    { product: 'ejabberd', starttls: true },
  ],
  ['socks for everyone', 'socks', { answer: () => hex('0500') }, { open: 'control' }],
  ['socks with a login', 'socks', { answer: () => hex('05ff') }, { open: null }],
  [
    'beanstalkd',
    'beanstalkd',
    { answer: after('stats', 'OK 30\r\n---\nversion: "1.12"\n\r\n') },
    { version: '1.12', open: 'control' },
  ],
  ['gearman', 'gearman', { answer: after('version\n', 'OK 1.1.19\n') }, { version: '1.1.19', open: 'control' }],
  [
    'zabbix agent',
    'zabbix-agent',
    { answer: after('agent.version', 'ZBXD\x01\x06\0\0\0\0\0\0\x006.0.14') },
    { version: '6.0.14', open: 'observability' },
  ],
  ['bolt', 'bolt', { answer: () => hex('00000404') }, { info: 'protocol 4.4' }],
  [
    'mysql refuses the host',
    'mysql',
    {
      greeting: Buffer.concat([
        hex('46000000ff6a04'),
        Buffer.from("Host '10.0.0.1' is not allowed to connect to this MariaDB server"),
      ]).fill(67, 0, 1),
    },
    { product: 'MariaDB' },
  ],
  [
    'mysql 8',
    'mysql',
    { greeting: Buffer.concat([hex('4a0000000a'), Buffer.from('8.0.36\0'), Buffer.alloc(66 + 0)]).fill(0xff, 25, 27) },
    { product: 'MySQL', version: '8.0.36', starttls: true },
  ],
  [
    'sieve',
    'sieve',
    { greeting: '"IMPLEMENTATION" "Dovecot Pigeonhole"\r\n"STARTTLS"\r\nOK "ready"\r\n' },
    { starttls: true },
  ],
  [
    'irc that waits to be spoken to',
    'irc',
    { answer: after('PING', ':irc.test 451 * :Connection not registered\r\n') },
    { product: null, version: null },
  ],
  [
    'the protocol of PostgreSQL, by a pooler',
    'postgresql',
    { answer: postgres('SFATAL\0VFATAL\0C08P01\0Munsupported protocol\0\0') },
    { product: null, starttls: false },
  ],
  [
    'PostgreSQL itself',
    'postgresql',
    {
      answer: postgres('SFATAL\0C0A000\0Mserver supports 3.0 to 3.0\0Fpostmaster.c\0L2195\0RProcessStartupPacket\0\0'),
    },
    { product: 'PostgreSQL DB', info: 'server supports 3.0 to 3.0' },
  ],
  [
    'telnet',
    'telnet',
    { greeting: hex('fffd18fffd20'), answer: () => '\r\nBusyBox v1.30.1\r\nlogin: ' },
    { product: 'BusyBox', version: '1.30.1' },
  ],
  [
    'pop3 takes passwords in clear',
    'pop3',
    { greeting: '+OK ready\r\n', answer: after('CAPA', '+OK\r\nUSER\r\n.\r\n') },
    { weakness: 'plain-login', starttls: false },
  ],
  [
    'imap with LOGINDISABLED',
    'imap',
    {
      greeting: '* OK [CAPABILITY IMAP4rev1 STARTTLS LOGINDISABLED] ready\r\n',
      answer: after('CAPABILITY', 'a OK\r\nb OK\r\n'),
    },
    { starttls: true },
  ],
  [
    'ftp without anonymous',
    'ftp',
    {
      greeting: '220 (vsFTPd 3.0.5)\r\n',
      answer: (received) =>
        received.includes('FEAT')
          ? '211-Features:\r\n AUTH TLS\r\n211 End\r\n'
          : received.includes('USER')
            ? '530 Login incorrect.\r\n'
            : null,
    },
    { version: '3.0.5', starttls: true, open: null },
  ],
  [
    'smtp',
    'smtp',
    { greeting: '220 mx ESMTP Exim 4.97\r\n', answer: after('EHLO', '250-mx\r\n250-AUTH PLAIN\r\n250 STARTTLS\r\n') },
    { version: '4.97', starttls: true },
  ],
]

describe('probes', () => {
  it.each(ROWS)('%s', async (_name, service, fake, { open, ...expected }) => {
    const proved = await ask(probeOf(service), fake)
    expect(proved).toMatchObject({ service, ...expected })
    if (open !== undefined) expect(proved?.access?.kind ?? null).toBe(open)
  })

  it.each(PROBES.map((probe) => [probe.services.join(', '), probe] as const))(
    '%s: takes no stranger for its own',
    async (_name, probe) => {
      const strangers: readonly FakeProtocol[] = [
        { answer: () => 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n' },
        { greeting: 'hello, what do you want\r\n', answer: () => '???\r\n' },
        { answer: () => Buffer.alloc(300, 0xff) },
        { answer: () => Buffer.alloc(300) },
        { greeting: Buffer.alloc(200_000, 'A') },
      ]
      expect(await Promise.all(strangers.map((fake) => ask(probe, fake, 200)))).toEqual([null, null, null, null, null])
    },
  )
})
