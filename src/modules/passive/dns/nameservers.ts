import { networkOf } from '../../../knowledge/dns/addresses.ts'
import { NO_ROUTE, textsOf } from '../../../protocols/dns/ask.ts'
import { type LeftOut, sayLeftOut } from '../../../protocols/dns/left-out.ts'
import type { Check, Finding, FindingDefinition, Judgement } from '../../module.ts'
import type { DnsFacts, Nameserver, ServerAnswer } from './facts.ts'

const single: FindingDefinition = {
  id: 'dns/nameserver-single',
  title: 'Single name server: the zone has fewer than two',
  severity: 'medium',
  cwe: 1188,
  why: 'When that one server is down or cut off, site and mail of the domain vanish for everybody.',
  remediation: 'Add a second name server in another network, in the zone’s NS records and at the registrar.',
  references: [
    'https://www.rfc-editor.org/rfc/rfc2182#section-5',
    'https://www.rfc-editor.org/rfc/rfc1034#section-4.1',
  ],
}

const lame: FindingDefinition = {
  ...single,
  id: 'dns/nameserver-lame',
  title: 'Lame delegation: a name server of the zone does not serve it',
  why: 'Resolvers that pick this server wait and retry or fail; whoever gets hold of its name or address answers for the domain.',
  remediation:
    'Load the zone on the named server, or remove the server from the NS records and from the delegation at the registrar.',
  references: [
    'https://www.rfc-editor.org/rfc/rfc1912#section-2.8',
    'https://www.rfc-editor.org/rfc/rfc9499#section-7',
  ],
}

const network: FindingDefinition = {
  ...single,
  id: 'dns/nameserver-network',
  title: 'Name servers in one network: one outage takes the whole zone away',
  severity: 'low',
  why: 'One routing fault or one flooded line takes all of them away at once.',
  remediation: 'Move one of the name servers to another network, best to another provider.',
  references: ['https://www.rfc-editor.org/rfc/rfc2182#section-3.1'],
}

const delegation: FindingDefinition = {
  ...single,
  id: 'dns/nameserver-delegation-mismatch',
  title: 'Delegation mismatch: the parent zone and the zone name different name servers',
  severity: 'low',
  why: 'Half of the servers is not used, or servers that were given up still answer: a change reaches only some visitors.',
  remediation: 'Make the NS records of the zone and the list at the registrar the same.',
  references: ['https://www.rfc-editor.org/rfc/rfc1034#section-4.2.2'],
}

const serial: FindingDefinition = {
  ...single,
  id: 'dns/nameserver-serial-mismatch',
  title: 'SOA serial mismatch: the name servers serve different versions of the zone',
  severity: 'low',
  why: 'Visitors get old or new records depending on which server they meet; often a transfer has been broken for long.',
  remediation: 'Repair the zone transfer (NOTIFY, allow-transfer, TSIG key) to the servers with the lower serial.',
  references: ['https://www.rfc-editor.org/rfc/rfc1912#section-2.2'],
}

export const nameservers: Check<'dns'> = {
  findings: [single, lame, network, delegation, serial],
  judge: (facts): Judgement => {
    const names = textsOf(facts.ns)
    if (names.length === 0) {
      return {
        state: 'inconclusive',
        reason: `The NS records of ${facts.zone} were not answered (${facts.ns.rcode ?? facts.ns.error}).`,
      }
    }
    const findings = [...judgeNumber(facts, names), ...judgeNetwork(facts)]
    const answers = facts.nameservers.flatMap((server) => server.answers)
    if (!answers.some(({ rcode }) => rcode !== null)) {
      const only = [lame.id, delegation.id, serial.id]
      const reason = `No name server of ${facts.zone} could be asked directly${reasonOf(answers)}.`
      return { state: 'inconclusive', reason, only, findings }
    }
    const all = [...findings, ...judgeLame(facts), ...judgeDelegation(facts), ...judgeSerial(facts)]
    const left = leftOut(facts)
    const gaps = [
      ...(left === null ? [] : [{ reason: left, only: [lame.id, serial.id] }]),
      ...(facts.delegation === null ? [{ reason: NO_DELEGATION, only: [delegation.id] }] : []),
    ]
    if (gaps.length === 0) return all
    const reason = gaps.map((gap) => gap.reason).join(' ')
    return { state: 'inconclusive', reason, only: gaps.flatMap((gap) => gap.only), findings: all }
  },
}

const NO_DELEGATION = 'The servers of the parent zone gave no delegation of their own.'

/** Null where every address was asked. */
const leftOut = ({ nameservers: servers }: DnsFacts): string | null => {
  const answers = servers.flatMap((server) => server.answers)
  const left = answers.filter(isOurs).map(({ address, error }): LeftOut => {
    return { address, why: error?.code === 'refused_by_guard' ? 'refused' : 'no-route' }
  })
  return sayLeftOut(left, answers.length)
}

const judgeNumber = ({ zone }: DnsFacts, names: readonly string[]): Finding[] =>
  names.length >= 2
    ? []
    : [
        {
          definition: single,
          confidence: 'confirmed',
          at: { host: zone },
          detail: `${zone} has one name server: ${names[0]}.`,
          proof: { excerpt: `${zone} NS ${names[0]}`, mark: names[0] ?? null, replay: `dig NS ${zone}` },
        },
      ]

const judgeNetwork = ({ zone, nameservers: servers }: DnsFacts): Finding[] => {
  const addresses = servers.flatMap((server) => server.addresses)
  const networks = new Set(addresses.map(networkOf))
  const [first] = networks
  if (servers.length < 2 || new Set(addresses).size < 2 || networks.size !== 1 || first === undefined) return []
  const excerpt = servers.map(({ name, addresses: own }) => `${name} ${own.join(' ')}`).join('\n')
  return [
    {
      definition: network,
      confidence: 'firm',
      at: { host: zone },
      detail: `All ${servers.length} name servers of ${zone} have addresses in ${first}.`,
      proof: { excerpt, mark: null, replay: `dig +short NS ${zone} | xargs dig +short` },
    },
  ]
}

const judgeLame = (facts: DnsFacts): Finding[] =>
  facts.nameservers.flatMap((server) => {
    const faults = faultsOf(server)
    if (faults.length === 0) return []
    const excerpt = faults.join('\n')
    const address = server.addresses[0]
    return [
      {
        definition: lame,
        confidence: 'confirmed',
        at: { host: server.name },
        detail: `${server.name}, named for ${facts.zone}: ${faults.join('; ')}.`,
        proof: { excerpt, mark: null, replay: `dig +norecurse SOA ${facts.zone} @${address ?? server.name}` },
      } as const,
    ]
  })

const faultsOf = ({ addresses, error, absent, answers }: Nameserver): readonly string[] => {
  if (addresses.length === 0) return absent ? [error ?? 'it has no address'] : []
  return answers.flatMap((answer) => {
    if (isOurs(answer)) return []
    if (answer.error) return [`${answer.address}: ${answer.error.message}`]
    if (answer.rcode !== 'NOERROR') return [`${answer.address} answers ${answer.rcode}`]
    return answer.authoritative ? [] : [`${answer.address} answers without authority`]
  })
}

/** A refusal of the operator's guard, or a network that this scanner has no way to, says nothing about the server. */
const isOurs = ({ error }: ServerAnswer): boolean =>
  error !== null &&
  (error.code === 'refused_by_guard' ||
    error.code === NO_ROUTE ||
    // Facts of earlier versions have the reason in words alone.
    (error.code === 'unreachable' && /network unreachable|no route to host|address family/.test(error.message)))

const reasonOf = (answers: readonly ServerAnswer[]): string => {
  const message = answers.find(({ error }) => error !== null)?.error?.message
  return message === undefined ? '' : ` (${message.slice(0, 200)})`
}

const judgeDelegation = ({ zone, delegation: parent, nameservers: servers, ns }: DnsFacts): Finding[] => {
  const served =
    servers.flatMap(({ answers }) => answers).find((answer) => answer.ns !== null)?.ns ?? textsOf(ns).toSorted()
  if (parent === null || sameList(parent.ns, served)) return []
  const excerpt = `${parent.server} (${parent.parent || 'root'}): ${parent.ns.join(' ')}\n${zone}: ${served.join(' ')}`
  return [
    {
      definition: delegation,
      confidence: 'confirmed',
      at: { host: zone },
      detail: `The parent delegates ${zone} to ${parent.ns.join(', ')}; the zone itself names ${served.join(', ')}.`,
      proof: { excerpt, mark: null, replay: `dig +norecurse NS ${zone} @${parent.server}; dig NS ${zone}` },
    },
  ]
}

const judgeSerial = ({ zone, nameservers: servers }: DnsFacts): Finding[] => {
  const seen = servers.flatMap(({ name, answers }) =>
    answers.flatMap(({ address, serial: number, authoritative }) =>
      number === null || !authoritative ? [] : [{ name, address, number }],
    ),
  )
  const numbers = [...new Set(seen.map(({ number }) => number))].toSorted((a, b) => a - b)
  if (numbers.length < 2) return []
  return [
    {
      definition: serial,
      // A transfer may be under way while we look.
      confidence: 'firm',
      at: { host: zone },
      detail: `The servers of ${zone} give the serial numbers ${numbers.join(', ')}.`,
      proof: {
        excerpt: seen.map(({ name, address, number }) => `${name} (${address}) SOA serial ${number}`).join('\n'),
        mark: null,
        replay: `dig +nssearch ${zone}`,
      },
    },
  ]
}

const sameList = (a: readonly string[], b: readonly string[]): boolean =>
  JSON.stringify(a.toSorted()) === JSON.stringify(b.toSorted())
