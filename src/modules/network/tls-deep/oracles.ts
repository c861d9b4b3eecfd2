/** Flaws that a probe proves: the reaction of the server to one wrong record decides. */
import type { FindingDefinition } from '../../module.ts'
import { oracleCheck, UPDATE } from './report.ts'

const nvd = (id: string): `https://${string}` => `https://nvd.nist.gov/vuln/detail/${id}`

const heartbleedFound: FindingDefinition = {
  id: 'tls-deep/heartbleed',
  title: 'Heartbleed: the server gives away its memory (CVE-2014-0160)',
  severity: 'critical',
  cwe: 125,
  why: 'A heartbeat that claims to be longer than it is is answered with up to 64 KiB of what lies behind it: keys, passwords, cookies (CVE-2014-0160).',
  remediation: `${UPDATE} (OpenSSL 1.0.1g or later); then make a new key, have a new certificate issued, revoke the old one, and end all sessions.`,
  references: [nvd('CVE-2014-0160'), 'https://www.rfc-editor.org/rfc/rfc6520'],
}

export const heartbleed = oracleCheck(
  [
    {
      definition: heartbleedFound,
      verdict: 'vulnerable',
      detail: 'a heartbeat of 4 octets came back longer than it was sent, twice.',
    },
  ],
  (endpoint) => endpoint.heartbleed,
)

const ccsFound: FindingDefinition = {
  ...heartbleedFound,
  id: 'tls-deep/ccs-injection',
  title: 'OpenSSL CCS injection: change_cipher_spec is taken before there are keys (CVE-2014-0224)',
  severity: 'high',
  cwe: 310,
  why: 'Somebody on the path makes both sides use a key that everybody knows, reads the connection and changes it (CVE-2014-0224).',
  remediation: `${UPDATE} (OpenSSL 0.9.8za, 1.0.0m, 1.0.1h or later).`,
  references: [nvd('CVE-2014-0224')],
}

export const ccsInjection = oracleCheck(
  [
    {
      definition: ccsFound,
      verdict: 'proven',
      detail: 'after an early change_cipher_spec it finished a handshake under keys that everybody knows.',
    },
    {
      definition: ccsFound,
      verdict: 'vulnerable',
      detail: 'after an early change_cipher_spec it tried to decrypt the next record, twice.',
      confidence: 'firm',
    },
  ],
  (endpoint) => endpoint.ccs,
)

const robotStrong: FindingDefinition = {
  ...heartbleedFound,
  id: 'tls-deep/robot',
  title: 'ROBOT: the server tells how an RSA padding was wrong',
  cwe: 203,
  why: 'With some hundred thousand questions a recorded connection without forward secrecy is decrypted, or something is signed in the name of the server.',
  remediation:
    'Switch RSA key exchange off (`!kRSA` in the list of suites), which is enough by itself, and update the TLS library or appliance.',
  references: ['https://robotattack.org/', 'https://www.rfc-editor.org/rfc/rfc5246#section-7.4.7.1'],
}

const robotWeak: FindingDefinition = {
  ...robotStrong,
  id: 'tls-deep/robot-weak',
  title: 'ROBOT, weak oracle: the server tells a right RSA padding from a wrong one',
  severity: 'medium',
  why: 'The answers differ, yet so little that an attack takes many millions of questions.',
}

export const robot = oracleCheck(
  [
    {
      definition: robotStrong,
      verdict: 'strong',
      detail: 'different wrong paddings get different answers, the same ones each time.',
      confidence: 'firm',
    },
    {
      definition: robotWeak,
      verdict: 'weak',
      detail: 'a right padding gets another answer than all wrong ones, the same each time.',
      confidence: 'firm',
    },
  ],
  (endpoint) => endpoint.robot,
)

const ticketbleedFound: FindingDefinition = {
  ...heartbleedFound,
  id: 'tls-deep/ticketbleed',
  title: 'Ticketbleed: the server pads session ids with its memory (CVE-2016-9244)',
  cwe: 200,
  why: 'Each connection with a short session id brings up to 31 octets of memory, which may belong to others (CVE-2016-9244).',
  remediation: 'Update the F5 BIG-IP (K05121675); until then switch session tickets off in the client SSL profile.',
  references: [nvd('CVE-2016-9244'), 'https://filippo.io/Ticketbleed/'],
}

export const ticketbleed = oracleCheck(
  [
    {
      definition: ticketbleedFound,
      verdict: 'vulnerable',
      detail: 'a session id of 6 octets came back with more behind it, different three times.',
    },
  ],
  (endpoint) => endpoint.ticketbleed,
)

const poodleTls: FindingDefinition = {
  ...heartbleedFound,
  id: 'tls-deep/poodle-tls',
  title: 'POODLE over TLS: the server does not look at the padding of records',
  severity: 'high',
  cwe: 310,
  why: 'What makes SSL 3.0 unsafe works here in TLS as well: cookies can be read octet by octet (CVE-2014-8730).',
  remediation: 'Update the TLS library or appliance; until then offer suites with authenticated encryption alone.',
  references: [nvd('CVE-2014-8730')],
}

const paddingOracle: FindingDefinition = {
  ...poodleTls,
  id: 'tls-deep/padding-oracle',
  title: 'Padding oracle: the server tells how a CBC record was wrong',
  cwe: 203,
  why: 'Answers that differ between a wrong padding and a wrong MAC let somebody on the path read what is sent (Zombie POODLE, GOLDENDOODLE, CVE-2019-1559).',
  references: [nvd('CVE-2019-1559'), 'https://www.usenix.org/conference/usenixsecurity19/presentation/merget'],
}

export const padding = oracleCheck(
  [
    { definition: poodleTls, verdict: 'poodle', detail: 'a request with wrong padding was answered, three times.' },
    {
      definition: paddingOracle,
      verdict: 'oracle',
      detail: 'records that are wrong in different ways get different answers, the same ones three times.',
      confidence: 'firm',
    },
  ],
  (endpoint) => endpoint.padding,
)

const injection: FindingDefinition = {
  ...heartbleedFound,
  id: 'tls-deep/starttls-injection',
  title: 'STARTTLS command injection: commands sent in clear are obeyed inside TLS',
  severity: 'high',
  cwe: 74,
  why: 'Somebody on the path puts commands in front of the client’s own, and steals the mail or the login (CVE-2011-0411 and its kin).',
  remediation: 'Update the mail server: it has to throw away what it received before the handshake.',
  references: [nvd('CVE-2011-0411'), 'https://nostarttls.secvuln.info/'],
}

export const starttlsInjection = oracleCheck(
  [{ definition: injection, verdict: 'vulnerable', detail: 'a NOOP sent in clear was answered inside TLS, twice.' }],
  (endpoint) => endpoint.starttlsInjection,
)
