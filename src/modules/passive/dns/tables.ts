import type { FactTable } from '../../../contract/findings-file.ts'
import { algorithmName } from '../../../knowledge/dns/algorithms.ts'
import type { DnsFacts } from './facts.ts'

export const dnsTables = (facts: DnsFacts): readonly FactTable[] => [nameservers(facts), chain(facts)]

const nameservers = (facts: DnsFacts): FactTable => ({
  id: 'dns-nameservers',
  module: 'dns',
  title: `Name servers of ${facts.zone}`,
  columns: ['Name', 'Address', 'Answer', 'Serial'],
  rows: facts.nameservers.flatMap(({ name, error, answers }) =>
    answers.length === 0
      ? [[name, '', error ?? '', '']]
      : answers.map((answer) => [
          name,
          answer.address,
          answer.error?.message.slice(0, 200) ??
            (answer.authoritative ? 'authoritative' : `${answer.rcode}, without authority`),
          String(answer.serial ?? ''),
        ]),
  ),
})

const chain = (facts: DnsFacts): FactTable => ({
  id: 'dns-dnssec',
  module: 'dns',
  title: 'DNSSEC chain of trust',
  columns: ['Zone', 'State', 'DS', 'Keys', 'Reason'],
  rows: facts.dnssec.links.map((link) => [
    link.zone || '.',
    link.state,
    link.ds.map(({ tag, digestType }) => `${tag} (digest ${digestType})`).join(', '),
    link.keys.map(({ tag, algorithm }) => `${tag} ${algorithmName(algorithm)}`).join(', '),
    link.reason,
  ]),
})
