import type { Check, Finding, FindingDefinition } from '../../module.ts'
import type { ServiceFacts } from './facts.ts'
import { at, nameOf, proofOf } from './report.ts'

const references = [
  'https://cwe.mitre.org/data/definitions/284.html',
  'https://www.cisa.gov/news-events/directives/binding-operational-directive-23-02',
] as const

const exposed: FindingDefinition = {
  id: 'services/admin-exposed',
  title: 'Administrative service exposed: it is reachable from everywhere',
  severity: 'medium',
  cwe: 284,
  group: 'admin-port',
  why: 'Passwords are guessed there around the clock, and a flaw in the service is reachable the day it becomes known.',
  remediation:
    'Allow the port from your own addresses or a VPN only (nftables: `ip saddr 198.51.100.0/24 tcp dport 22 accept`, then drop), and sign in with keys or certificates instead of passwords. A database listens on 127.0.0.1.',
  references,
}

const telnet: FindingDefinition = {
  ...exposed,
  id: 'services/telnet-exposed',
  title: 'Telnet exposed: sign-ins travel in clear text',
  severity: 'high',
  cwe: 319,
  why: 'Everyone on the way reads name, password and session, and devices with telnet are searched for by worms without pause.',
  remediation: 'Switch telnet off and use SSH (Debian: `apt remove telnetd`; Cisco: `transport input ssh`).',
  references: ['https://cwe.mitre.org/data/definitions/319.html', 'https://www.rfc-editor.org/rfc/rfc4251'],
}

const smb1: FindingDefinition = {
  ...exposed,
  id: 'services/smb1',
  title: 'SMBv1: version 1 of SMB is spoken',
  severity: 'high',
  cwe: 477,
  why: 'Version 1 has no protection against tampering and was the way of WannaCry and NotPetya; Microsoft removed it.',
  remediation:
    'Switch it off: Windows `Set-SmbServerConfiguration -EnableSMB1Protocol $false`; Samba `server min protocol = SMB3`. SMB does not belong on the internet at all.',
  references: [
    'https://learn.microsoft.com/en-us/windows-server/storage/file-server/troubleshoot/detect-enable-and-disable-smbv1-v2-v3',
  ],
}

const rdp: FindingDefinition = {
  ...exposed,
  id: 'services/rdp-without-nla',
  title: 'RDP without Network Level Authentication: it does not ask for a sign-in first',
  severity: 'high',
  cwe: 287,
  why: 'Without network level authentication strangers reach the sign-in screen and the code behind it, as BlueKeep (CVE-2019-0708) used.',
  remediation:
    'Require network level authentication (System, Remote Desktop, or `UserAuthentication = 1` under RDP-Tcp) and put the port behind a VPN or a gateway.',
  references: [
    'https://learn.microsoft.com/en-us/windows-server/remote/remote-desktop-services/clients/remote-desktop-allow-access',
  ],
}

const plainLogin: FindingDefinition = {
  id: 'services/plain-login',
  title: 'Cleartext sign-in: mail sign-ins are possible without encryption only',
  severity: 'medium',
  cwe: 319,
  why: 'The server takes passwords on this port and offers no STARTTLS: everyone on the way reads them.',
  remediation:
    'Offer STARTTLS and refuse sign-ins before it: Dovecot `ssl = required`, `disable_plaintext_auth = yes`; Postfix `smtpd_tls_security_level = may`, `smtpd_tls_auth_only = yes`.',
  references: ['https://www.rfc-editor.org/rfc/rfc8314', 'https://cwe.mitre.org/data/definitions/319.html'],
}

/** For administrators and programs, never for visitors. */
const ADMIN: ReadonlySet<string> = new Set(
  (
    'ssh rdp vnc winrm ftp smb netbios-ssn nfs rpcbind rlogin rsh rexec radmin adb x11 msrpc mysql mysqlx postgresql mssql oracle db2 firebird ' +
    'redis memcached mongodb cassandra elasticsearch couchdb clickhouse influxdb neo4j etcd zookeeper kafka docker kubelet routeros winbox ipmi'
  ).split(' '),
)

/** Said only where the protocol was spoken: a port number alone proves nothing. */
export const exposedServices: Check<'services', 'ports'> = {
  findings: [exposed, telnet, smb1, rdp, plainLogin],
  judge: (facts) =>
    facts.services.flatMap((service) => {
      const definition = service.by === 'protocol' ? definitionFor(service) : null
      return definition === null
        ? []
        : [
            {
              definition,
              confidence: 'confirmed' as const,
              ...at(facts, service),
              detail: detailOf(service),
              proof: proofOf(service),
              subject: service.service ?? '',
            } satisfies Finding,
          ]
    }),
}

const definitionFor = ({ service, weakness, access }: ServiceFacts): FindingDefinition | null => {
  if (weakness === 'smb1') return smb1
  if (weakness === 'rdp-without-nla') return rdp
  if (weakness === 'plain-login') return plainLogin
  if (service === 'telnet') return telnet
  // What is open without a login has a graver finding of its own.
  return service !== null && ADMIN.has(service) && access === null ? exposed : null
}

const detailOf = (service: ServiceFacts): string =>
  `${nameOf(service)} spoke ${service.title ?? 'its protocol'} to the scanner${service.info ? `: ${service.info}` : ''}.`
