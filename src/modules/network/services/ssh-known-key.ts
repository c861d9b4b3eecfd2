import { openKnownKeys } from '../../../knowledge/feeds/known-keys.ts'
import { sshPublicKey } from '../../../protocols/services/ssh-public-key.ts'
import type { Check, Finding, FindingDefinition } from '../../module.ts'
import type { ServiceFacts, ServicesFacts } from './facts.ts'
import { at, nameOf } from './report.ts'

const known: FindingDefinition = {
  id: 'services/ssh-host-key-known',
  title: 'SSH host key known: its private half is public',
  severity: 'high',
  cwe: 321,
  why: 'The private key stands in a list of published ones: it comes with a device, an image or a library, or a faulty generator made it (CVE-2008-0166). Whoever has it passes for the server, and reads the passwords that are typed.',
  remediation:
    'Make new keys: `rm /etc/ssh/ssh_host_* && ssh-keygen -A`, restart sshd, and let images make theirs at the first start. Then change the passwords that were typed there.',
  references: ['https://nvd.nist.gov/vuln/detail/CVE-2008-0166', 'https://cwe.mitre.org/data/definitions/321.html'],
}

/** Whether the key that a server shows is one that everybody can have. */
export const sshKnownKey: Check<'services', 'ports'> = {
  findings: [known],
  judge: (facts) => {
    const shown = facts.services.filter(({ kex }) => kex?.hostKey?.octets !== undefined)
    if (shown.length === 0) return { state: 'not_applicable', reason: 'no SSH server showed its host key' }
    if (!facts.knownKeys) return { state: 'not_tested', reason: UNLISTED }
    return shown.flatMap((service) => judged(facts, service))
  },
}

const UNLISTED = 'No list of keys whose private half is known is imported (feed “known-keys”).'

const judged = (facts: ServicesFacts, service: ServiceFacts): readonly Finding[] => {
  const key = service.kex?.hostKey
  const list = key ? facts.knownKeys?.[key.sha256] : undefined
  if (!key || list === undefined) return []
  const line = `${key.type} SHA256:${key.sha256}`
  return [
    {
      definition: known,
      confidence: 'firm',
      ...at(facts, service),
      detail: `${nameOf(service)} shows a host key (${key.type}) that the list “${list}” has.`,
      proof: {
        excerpt: `${line}\nList: ${list}`,
        mark: line,
        replay: `ssh-keyscan -p ${service.port} ${facts.host} | ssh-keygen -lf -`,
      },
    },
  ]
}

/** Null where no list is imported. */
export const knownHostKeys = (
  knowledge: string | undefined,
  services: readonly ServiceFacts[],
): Readonly<Record<string, string>> | null => {
  const lists = openKnownKeys(knowledge)
  if (lists === null) return null
  try {
    return Object.fromEntries(
      services.flatMap(({ kex }) => {
        const shown = kex?.hostKey
        const key = shown?.octets === undefined ? null : sshPublicKey(Buffer.from(shown.octets, 'base64'))
        const list = key === null ? null : lists.nameOf(key)
        return shown && list !== null ? [[shown.sha256, list]] : []
      }),
    )
  } finally {
    lists.close()
  }
}
