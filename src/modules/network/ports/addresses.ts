import { commonPorts } from '../../../knowledge/ports/common.ts'
import type { Check, FindingDefinition } from '../../module.ts'
import type { OtherAddress, PortsFacts } from './facts.ts'

const differ: FindingDefinition = {
  id: 'ports/addresses-differ',
  title: 'Open ports differ between the addresses of the name',
  severity: 'info',
  cwe: null,
  why: 'Machines behind one name are meant to be alike. One that is not was often forgotten, and is the one without updates.',
  remediation: 'Look at what listens on the named ports of that address, and close what the others do without.',
  references: ['https://cheatsheetseries.owasp.org/cheatsheets/Attack_Surface_Analysis_Cheat_Sheet.html'],
}

export const addressesDiffer: Check<'ports'> = {
  findings: [differ],
  judge: (facts) => {
    const { others = [], host } = facts
    const all = [{ address: facts.address, open: comparable(facts, others) }, ...others.filter(isTelling)]
    const note = unsweptText(facts)
    if (all.length < 2)
      return { state: 'not_applicable', reason: 'Only one address was swept.', ...(note === null ? {} : { note }) }
    const lines = all.flatMap(({ address, open }) => {
      const alone = open.filter((port) => !all.every((one) => one.open.includes(port)))
      return alone.length === 0 ? [] : [`${address}: ${alone.slice(0, 40).join(', ')}`]
    })
    if (lines.length === 0) return note === null ? [] : { state: 'judged', note, findings: [] }
    return [
      {
        definition: differ,
        confidence: 'confirmed',
        at: { host },
        detail: `Open at some addresses alone: ${lines.join('; ').slice(0, 1_800)}.`,
        proof: {
          excerpt: all
            .map(({ address, open }) => `${address} open: ${open.slice(0, 100).join(', ') || 'none'}`)
            .join('\n'),
          mark: null,
          replay: `nmap -Pn -sT ${all.map(({ address }) => address).join(' ')}`,
        },
      },
    ]
  },
}

/** Those without a way from here, and more than one run sweeps. */
const unsweptText = ({ address, addresses, others = [] }: PortsFacts): string | null => {
  const swept = new Set([address, ...others.map((one) => one.address)])
  const left = addresses.filter((one) => !swept.has(one))
  return left.length === 0
    ? null
    : `Judged on ${addresses.length - left.length} of ${addresses.length} addresses: ${left.slice(0, 6).join(', ')} not swept.`
}

/** The first address may have been swept whole, the others for the common ports alone. */
const comparable = ({ open, triedCount }: PortsFacts, others: readonly OtherAddress[]): readonly number[] => {
  if (others.every(({ tried }) => tried === triedCount)) return open
  const common = new Set(commonPorts())
  return open.filter((port) => common.has(port))
}

/** One that answers on no port at all may have no way from here. */
const isTelling = ({ everything, open, filtered, tried }: OtherAddress): boolean =>
  !everything && (open.length > 0 || filtered < tried)
