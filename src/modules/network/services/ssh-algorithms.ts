import type { KexFacts } from '../../../protocols/services/offers.ts'
import type { Check, Finding, FindingDefinition } from '../../module.ts'
import type { ServiceFacts, ServicesFacts } from './facts.ts'
import { at, nameOf } from './report.ts'

const references = [
  'https://www.rfc-editor.org/rfc/rfc9142',
  'https://www.ssh-audit.com/hardening_guides.html',
] as const

const kex: FindingDefinition = {
  id: 'services/ssh-weak-key-exchange',
  title: 'SSH weak key exchange: SHA-1 or short groups are offered',
  severity: 'medium',
  cwe: 327,
  why: 'RFC 9142 forbids or advises against them: 1,024-bit groups can be broken by precomputation and SHA-1 by collisions.',
  remediation:
    'In sshd_config: `KexAlgorithms mlkem768x25519-sha256,sntrup761x25519-sha512@openssh.com,curve25519-sha256,curve25519-sha256@libssh.org` (the first from OpenSSH 9.9 on; leave it out where `ssh -Q kex` does not name it), then restart sshd.',
  references,
}

const cipher: FindingDefinition = {
  ...kex,
  id: 'services/ssh-weak-cipher',
  title: 'SSH weak ciphers: CBC, RC4, 3DES or no encryption are offered',
  why: 'CBC in SSH leaks plain text (CVE-2008-5161), 64-bit blocks and RC4 are broken.',
  remediation:
    'In sshd_config: `Ciphers aes256-gcm@openssh.com,aes128-gcm@openssh.com,aes256-ctr,aes128-ctr`, then restart sshd.',
  references: ['https://www.rfc-editor.org/rfc/rfc8758', ...references],
}

const mac: FindingDefinition = {
  ...kex,
  id: 'services/ssh-weak-mac',
  title: 'SSH weak MAC: MD5, truncated or SHA-1 message authentication is offered',
  severity: 'low',
  why: 'MD5 and 96-bit tags give little margin; modern servers need neither.',
  remediation: 'In sshd_config: `MACs hmac-sha2-512-etm@openssh.com,hmac-sha2-256-etm@openssh.com`, then restart sshd.',
}

const hostKey: FindingDefinition = {
  ...kex,
  id: 'services/ssh-weak-host-key',
  title: 'SSH weak host key: identity is proven with DSA or SHA-1',
  why: 'ssh-dss is limited to 1,024 bits, and ssh-rsa signs with SHA-1: both can be forged with effort, and OpenSSH refuses them since 8.8.',
  remediation:
    'In sshd_config: `HostKey /etc/ssh/ssh_host_ed25519_key` and `HostKeyAlgorithms ssh-ed25519,rsa-sha2-512,rsa-sha2-256`, then restart sshd.',
}

const shortKey: FindingDefinition = {
  ...kex,
  id: 'services/ssh-host-key-short',
  title: 'SSH short host key: identity is proven with too few bits',
  cwe: 326,
  why: 'RSA keys under 2,048 bits can be factored with means that exist; whoever has the key passes for the server and reads what is typed.',
  remediation:
    'Make a new key: `rm /etc/ssh/ssh_host_rsa_key* && ssh-keygen -t rsa -b 3072 -N "" -f /etc/ssh/ssh_host_rsa_key`, or serve `ssh_host_ed25519_key` alone; then restart sshd.',
  references: ['https://www.rfc-editor.org/rfc/rfc8332', 'https://csrc.nist.gov/pubs/sp/800/131/a/r2/final'],
}

const terrapin: FindingDefinition = {
  ...kex,
  id: 'services/ssh-terrapin',
  title: 'Terrapin: SSH messages can be cut off unnoticed (CVE-2023-48795)',
  severity: 'medium',
  cwe: 354,
  why: 'CVE-2023-48795: someone on the way drops messages at the beginning of the session and so switches off protections, where both sides use ChaCha20-Poly1305 or CBC with encrypt-then-MAC and no strict key exchange.',
  remediation:
    'Update the SSH server (OpenSSH 9.6 or a distribution’s fixed package), or take `chacha20-poly1305@openssh.com` and the `-etm` MACs with CBC out of sshd_config.',
  references: ['https://terrapin-attack.com/', 'https://nvd.nist.gov/vuln/detail/CVE-2023-48795'],
}

const version1: FindingDefinition = {
  ...kex,
  id: 'services/ssh-version-1',
  title: 'SSH version 1 is spoken',
  severity: 'high',
  why: 'Version 1 has no sound integrity protection: sessions can be read and changed on the way.',
  remediation: 'Replace the server; OpenSSH dropped version 1 in 7.6. Until then `Protocol 2` in sshd_config.',
}

/** By RFC 9142 (key exchange), RFC 8758 (RC4) and NIST SP 800-131A (SHA-1, DSA). Offered is not used, and says so. */
const WEAK_KEX =
  /^(?:diffie-hellman-group1-sha1|diffie-hellman-group14-sha1|diffie-hellman-group-exchange-sha1|rsa1024-sha1|gss-(?:group1|group14|gex)-sha1-.*)$/
const WEAK_CIPHER = /^(?:none|arcfour.*|.*-cbc(?:@.*)?|3des.*|des.*|blowfish.*|cast128.*|idea.*|rc4.*)$/
const WEAK_MAC = /^(?:none|hmac-md5.*|hmac-sha1-96.*|hmac-ripemd160.*|hmac-sha1(?:-etm@openssh\.com)?|umac-64.*)$/
const WEAK_KEY = /^(?:ssh-dss.*|ssh-rsa(?:-cert-v01@openssh\.com)?)$/
const STRICT = /^kex-strict-s-v00@openssh\.com$/

export const sshAlgorithms: Check<'services', 'ports'> = {
  findings: [kex, cipher, mac, hostKey, shortKey, terrapin, version1],
  judge: (facts) =>
    facts.services.flatMap((service) => (service.kex === null ? [] : judged(facts, service, service.kex))),
}

const judged = (facts: ServicesFacts, service: ServiceFacts, lists: KexFacts): Finding[] => [
  ...weak(facts, service, kex, 'key exchanges', lists.kex, WEAK_KEX),
  ...weak(facts, service, cipher, 'ciphers', lists.ciphers, WEAK_CIPHER),
  ...weak(facts, service, mac, 'MACs', lists.macs, WEAK_MAC),
  ...weak(facts, service, hostKey, 'host key algorithms', lists.hostKeys, WEAK_KEY),
  ...shortKeyOf(facts, service, lists),
  ...(cuttable(lists)
    ? [
        found(
          facts,
          service,
          terrapin,
          `offers ${cuttable(lists)} without strict key exchange`,
          cuttable(lists) ?? '',
          lists.ciphers.concat(lists.macs),
        ),
      ]
    : []),
  ...(/^1\.(?!99)/.test(lists.protocol) || lists.protocol === '1.99'
    ? [
        found(facts, service, version1, `announces protocol ${lists.protocol}`, lists.protocol, [
          `SSH-${lists.protocol}`,
        ]),
      ]
    : []),
]

const LEAST_BITS = 2_048

const shortKeyOf = (facts: ServicesFacts, service: ServiceFacts, { hostKey: key }: KexFacts): Finding[] => {
  if (!key || key.bits === null || key.bits >= LEAST_BITS || (key.type !== 'ssh-rsa' && key.type !== 'ssh-dss'))
    return []
  const line = `${key.type} ${key.bits} bits SHA256:${key.sha256}`
  return [
    {
      definition: shortKey,
      confidence: 'confirmed',
      ...at(facts, service),
      detail: `${nameOf(service)} shows a host key of ${key.bits} bits (${key.type}).`,
      proof: {
        excerpt: line,
        mark: line,
        replay: `ssh-keyscan -t rsa,dsa -p ${service.port} ${facts.host} | ssh-keygen -lf -`,
      },
    },
  ]
}

/** The cipher by which messages can be cut off, null where strict key exchange is offered or none is. */
const cuttable = ({ kex: exchanges, ciphers, macs }: KexFacts): string | null => {
  if (exchanges.some((name) => STRICT.test(name))) return null
  const chacha = ciphers.find((name) => name === 'chacha20-poly1305@openssh.com')
  const cbc = macs.some((name) => name.includes('-etm@')) ? ciphers.find((name) => /-cbc(?:@|$)/.test(name)) : undefined
  return chacha ?? cbc ?? null
}

const weak = (
  facts: ServicesFacts,
  service: ServiceFacts,
  definition: FindingDefinition,
  what: string,
  offered: readonly string[],
  pattern: RegExp,
): Finding[] => {
  const names = offered.filter((name) => pattern.test(name))
  const [first] = names
  return first === undefined
    ? []
    : [found(facts, service, definition, `offers the ${what} ${names.join(', ')}`, first, offered)]
}

const found = (
  facts: ServicesFacts,
  service: ServiceFacts,
  definition: FindingDefinition,
  says: string,
  mark: string,
  lines: readonly string[],
): Finding => ({
  definition,
  confidence: 'confirmed',
  ...at(facts, service),
  detail: `${nameOf(service)} ${says}. What a session uses depends on the client too.`,
  proof: {
    excerpt: lines.join('\n'),
    mark,
    replay: `ssh -vv -o BatchMode=yes -p ${service.port} ${facts.host} 2>&1 | grep -A 10 'peer server KEXINIT'`,
  },
})
