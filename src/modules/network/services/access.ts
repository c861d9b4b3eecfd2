import type { AccessKind } from '../../../protocols/services/probe.ts'
import type { Check, FindingDefinition } from '../../module.ts'
import { at, nameOf, proofOf } from './report.ts'

const references = [
  'https://cwe.mitre.org/data/definitions/306.html',
  'https://cheatsheetseries.owasp.org/cheatsheets/Database_Security_Cheat_Sheet.html',
] as const
const LISTEN =
  'Let it listen on 127.0.0.1 or an internal address only, and drop the port in the firewall (nftables: `tcp dport { … } drop`). Then switch its login on: '

const datastore: FindingDefinition = {
  id: 'services/datastore-open',
  title: 'Database without authentication: a data store answers without a login',
  severity: 'critical',
  cwe: 306,
  why: 'Anyone on the internet reads, changes and deletes what is stored. Programs search for such hosts all the time and leave a ransom note.',
  remediation: `${LISTEN}Redis \`requirepass\` or ACLs with \`protected-mode yes\`; MongoDB \`security.authorization: enabled\`; Elasticsearch \`xpack.security.enabled: true\`; memcached \`-l 127.0.0.1 -U 0\`; Cassandra \`authenticator: PasswordAuthenticator\`; etcd \`etcdctl auth enable\`.`,
  references,
}

const listing: FindingDefinition = {
  id: 'services/listing-open',
  title: 'Missing authentication: a service lists what it holds',
  severity: 'high',
  cwe: 306,
  why: 'The names of shares, modules, repositories or nodes show what is worth attacking, and are often followed by access to the content.',
  remediation: `${LISTEN}rsync \`auth users\` and \`secrets file\` in every module with \`list = no\`; ZooKeeper \`4lw.commands.whitelist=\`; rpcbind and NFS behind the firewall with \`sec=krb5p\`; a registry behind a login.`,
  references,
}

const directory: FindingDefinition = {
  id: 'services/anonymous-directory',
  title: 'Anonymous access: files or entries are open without a login',
  severity: 'medium',
  cwe: 306,
  why: 'Anonymous access is sometimes meant. Where it is not, strangers browse the directory or the files, and may leave their own.',
  remediation:
    'Where it is not meant: vsftpd `anonymous_enable=NO`; ProFTPD without an `<Anonymous>` section; OpenLDAP `disallow bind_anon` and `require authc`.',
  references: ['https://cwe.mitre.org/data/definitions/306.html', 'https://www.rfc-editor.org/rfc/rfc4513'],
}

const takeover: FindingDefinition = {
  id: 'services/takeover-open',
  title: 'Remote code execution interface without authentication: programs can be run by everyone',
  severity: 'critical',
  cwe: 306,
  why: 'The interface is made to run code: whoever reaches it takes the machine over, mostly with the rights of an administrator.',
  remediation: `${LISTEN}Docker with \`--tlsverify\` or over SSH only; kubelet \`authentication.anonymous.enabled: false\` and \`authorization.mode: Webhook\`; Jupyter with a token; Jenkins “Enable security”; no \`-agentlib:jdwp\` and no \`--inspect\` in production; PHP-FPM on a socket file; \`adb\` over USB only.`,
  references: [
    'https://cwe.mitre.org/data/definitions/306.html',
    'https://docs.docker.com/engine/security/protect-access/',
  ],
}

const control: FindingDefinition = {
  id: 'services/control-open',
  title: 'Control interface without authentication',
  severity: 'high',
  cwe: 306,
  why: 'Strangers read the state of queues, jobs, screens or clusters, and most such interfaces let them change it as well.',
  remediation: `${LISTEN}Mosquitto \`allow_anonymous false\`; NATS \`authorization\`; Kafka with SASL; Consul and Nomad ACLs with \`default_policy = "deny"\`; VNC with a password over SSH; X11 with \`-nolisten tcp\`.`,
  references,
}

const listener: FindingDefinition = {
  id: 'services/internal-listener',
  title: 'Internal protocol exposed: one made for trusted networks answers strangers',
  severity: 'medium',
  cwe: 306,
  why: 'AJP, Java RMI, OpenWire and Erlang’s port mapper trust whoever speaks to them; flaws in them were and will be used to run code.',
  remediation: `${LISTEN}Tomcat: remove the AJP connector or set \`address="127.0.0.1"\` and \`secret\`; Erlang: \`ERL_EPMD_ADDRESS=127.0.0.1\`; ActiveMQ: update and bind the connector to an internal address.`,
  references: [
    'https://cwe.mitre.org/data/definitions/306.html',
    'https://tomcat.apache.org/tomcat-10.1-doc/config/ajp.html',
  ],
}

const observability: FindingDefinition = {
  id: 'services/observability-open',
  title: 'Monitoring exposed: its data are open to everyone',
  severity: 'medium',
  cwe: 200,
  why: 'Metrics and dashboards name hosts, versions, paths, users and load: a map for an attack, and often secrets in labels.',
  remediation: `${LISTEN}Prometheus and exporters with \`--web.config.file\` (basic_auth_users); Grafana \`[auth.anonymous] enabled = false\`; Spring \`management.endpoints.web.exposure.include=health\`; Kibana with security on.`,
  references: [
    'https://cwe.mitre.org/data/definitions/200.html',
    'https://prometheus.io/docs/prometheus/latest/configuration/https/',
  ],
}

const nullSession: FindingDefinition = {
  id: 'services/smb-null-session',
  title: 'SMB null session: shares are listed to nobody',
  severity: 'medium',
  cwe: 306,
  why: 'Names and comments of shares show what is worth attacking, and the same session often tells users and groups, whose passwords are tried next.',
  remediation:
    'Samba: `restrict anonymous = 2` and `map to guest = Never`; Windows: “Restrict anonymous access to Named Pipes and Shares” on, `RestrictAnonymous = 1`. SMB does not belong on the internet: drop port 445 in the firewall.',
  references: [
    'https://cwe.mitre.org/data/definitions/306.html',
    'https://learn.microsoft.com/en-us/previous-versions/windows/it-pro/windows-10/security/threat-protection/security-policy-settings/network-access-do-not-allow-anonymous-enumeration-of-sam-accounts-and-shares',
  ],
}

const share: FindingDefinition = {
  id: 'services/smb-share-open',
  title: 'SMB share without authentication: a shared folder opens to nobody',
  severity: 'high',
  cwe: 306,
  why: 'Strangers read what lies in it, and where it may be written to, they leave programs that others start.',
  remediation:
    'Samba: `guest ok = no` in the share and `map to guest = Never`; Windows: take Everyone, Guests and ANONYMOUS LOGON out of share and folder permissions. SMB does not belong on the internet: drop port 445 in the firewall.',
  references: [
    'https://cwe.mitre.org/data/definitions/306.html',
    'https://www.samba.org/samba/docs/current/man-html/smb.conf.5.html',
  ],
}

const BY_KIND: Readonly<Record<AccessKind, FindingDefinition>> = {
  datastore,
  listing,
  directory,
  takeover,
  control,
  listener,
  observability,
  'null-session': nullSession,
  share,
}

/** What answers without a login, proven by the exchange. */
export const access: Check<'services', 'ports'> = {
  findings: Object.values(BY_KIND),
  judge: (facts) =>
    facts.services.flatMap((service) => {
      if (service.access === null) return []
      const { kind, says, mark } = service.access
      return [
        {
          definition: BY_KIND[kind],
          confidence: 'confirmed' as const,
          ...at(facts, service),
          detail: `${nameOf(service)}: ${says}.`,
          proof: proofOf(service, mark),
          subject: service.service ?? '',
        },
      ]
    }),
}
