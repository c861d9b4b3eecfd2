import { writeBytes } from '../../evidence/hex-dump.ts'
import type { Check, Finding, FindingDefinition } from '../../module.ts'
import type { PortsFacts, UdpPort } from './facts.ts'

const why =
  'The sender’s address of a datagram can be forged: an attacker writes the victim’s there, and this host sends the victim ' +
  'far more than the attacker had to send.'
const references = [
  'https://www.cisa.gov/news-events/alerts/2014/01/17/udp-based-amplification-attacks',
  'https://www.rfc-editor.org/rfc/rfc8085',
  'https://cwe.mitre.org/data/definitions/406.html',
] as const
const remediation =
  'Drop the port from outside (nftables: `udp dport { 19, 123, 161, 389, 1900, 11211 } drop`), or let the service listen on internal ' +
  'addresses only. ntpd: `disable monitor` and `restrict default kod nomodify notrap nopeer noquery`; memcached: `-U 0`; ' +
  'Windows domain controllers do not belong on the internet.'

const amplifier: FindingDefinition = {
  id: 'ports/amplification',
  title: 'DDoS amplification: a UDP service amplifies forged requests',
  severity: 'medium',
  cwe: 406,
  why,
  remediation,
  references,
}

const strong: FindingDefinition = {
  ...amplifier,
  id: 'ports/amplification-strong',
  title: 'DDoS amplification, strong: a UDP service multiplies forged requests many times over',
  severity: 'high',
}

const community: FindingDefinition = {
  id: 'ports/snmp-public',
  title: 'SNMP default community: it answers the one every device ships with',
  severity: 'medium',
  cwe: 1392,
  group: 'admin-port',
  why: 'With the community "public" anyone reads the device’s interfaces, routes, processes and often its software and users.',
  remediation:
    'Switch SNMPv1 and v2c off and use SNMPv3 with authPriv (net-snmp: remove `rocommunity public`, add `createUser`), and allow UDP 161 from the management network only.',
  references: ['https://www.rfc-editor.org/rfc/rfc3584', 'https://cwe.mitre.org/data/definitions/1392.html'],
}

/** Replies larger than this multiple of the request amplify; from the second on they are a weapon. */
const FACTOR = 5
const STRONG_FACTOR = 30
/** Known for far larger answers than one request shows: monlist and memcached fill up with use. */
const STRONG_IDS: readonly string[] = ['memcached-udp', 'ntp-monlist']

export const amplification: Check<'ports'> = {
  findings: [amplifier, strong, community],
  judge: (facts) => {
    const answered = facts.udp.filter(({ state }) => state === 'answered')
    return answered.flatMap((udp) => [
      ...(factorOf(udp) > FACTOR ? [amplified(facts, udp)] : []),
      ...(udp.openTo === null ? [] : [opened(facts, udp)]),
    ])
  },
}

/** UDP payload back for UDP payload sent. */
export const factorOf = ({ sent, received }: Pick<UdpPort, 'sent' | 'received'>): number => received / Math.max(1, sent)

const amplified = (facts: PortsFacts, udp: UdpPort): Finding => {
  const factor = factorOf(udp)
  return {
    ...base(facts, udp),
    definition: factor >= STRONG_FACTOR || STRONG_IDS.includes(udp.id) ? strong : amplifier,
    detail: `${udp.title} on UDP port ${udp.port} answered one datagram of ${udp.sent} bytes with ${udp.replies} of ${udp.received} bytes together: ${factor.toFixed(1)} times as much.`,
    subject: udp.id,
  }
}

const opened = (facts: PortsFacts, udp: UdpPort): Finding => ({
  ...base(facts, udp),
  definition: community,
  detail: `${facts.address} answered the community "${udp.openTo}" on UDP port ${udp.port}: ${udp.says}`.slice(0, 400),
})

const base = ({ host }: PortsFacts, udp: UdpPort): Pick<Finding, 'confidence' | 'at' | 'proof'> => ({
  confidence: 'confirmed',
  at: { host, port: udp.port },
  proof: {
    excerpt: `sent (${udp.sent} bytes)\n${writeBytes(udp.request, 160)}\nreceived (${udp.received} bytes in ${udp.replies})\n${writeBytes(udp.reply, 640)}`,
    mark: null,
    replay: `echo ${udp.request.slice(0, 400)} | base64 -d | nc -u -w 2 ${host} ${udp.port} | wc -c`,
  },
})
