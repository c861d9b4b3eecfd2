/** Hosts of a domain that runs have seen, proposed for registration in one list. */
import { z } from 'zod'
import { Cursor, pageSize } from './query.ts'
import { Uuid } from './run.ts'

/** What is read of the facts of the module `names`, which are stored with the run. */
export interface StoredNames {
  readonly domain: string
  readonly own: readonly {
    readonly name: string
    readonly sources: readonly Exclude<HostSource, LookedFor>[]
    readonly seenAt: string
    readonly lookup: { readonly aliases: readonly string[]; readonly records: readonly { readonly data: unknown }[] }
  }[]
}

type LookedFor = 'guess' | 'nsec' | 'transfer'

/** What is read of the facts of the module `nameservers`. */
export interface StoredHosts {
  readonly hosts?: {
    readonly found: readonly {
      readonly name: string
      readonly source: LookedFor
      readonly answer: readonly string[]
    }[]
    readonly left: readonly string[]
  }
}

export const HostSource = z
  .enum(['host', 'certificate', 'page', 'policy', 'script', 'link', 'mx', 'ns', 'srv', 'guess', 'nsec', 'transfer'])
  .describe(
    'host: the scanned one and what it stands below; certificate: named in one; page, script, link: of pages; policy: of a ' +
      'Content-Security-Policy; mx, ns, srv: of DNS records; guess: a usual name that the DNS knows; nsec: the zone’s own chain of names; ' +
      'transfer: a zone transfer that is open to everybody',
  )
export type HostSource = z.infer<typeof HostSource>

export const DomainHost = z.strictObject({
  host: z.string().describe('In ASCII form'),
  sources: z.array(HostSource).min(1).describe('Where it was seen'),
  seen_at: z.string().nullable().describe('The page or record that names it first; null where it was looked for'),
  answer: z.array(z.string()).describe('Aliases and addresses that the DNS gave'),
  domain_id: Uuid.nullable().describe('As which domain it is registered; null: it is proposed'),
  run_id: Uuid.describe('The newest run that saw it'),
})
export type DomainHost = z.infer<typeof DomainHost>

export const DomainHostPage = z.strictObject({
  proposed: z.int().min(0).describe('Hosts that are not registered, whatever the filter'),
  registered: z.int().min(0),
  looked_for: z.boolean().describe('Whether an active run looked for hosts that nothing shows'),
  left: z.array(z.string()).describe('What it did not look for to the end, and why'),
  items: z.array(DomainHost).describe('By name'),
  next_cursor: z.string().nullable(),
})
export type DomainHostPage = z.infer<typeof DomainHostPage>

export const ListDomainHosts = z.strictObject({
  state: z.enum(['proposed', 'registered']).optional().describe('Only those that are not, or are, registered'),
  limit: pageSize(100, 500),
  cursor: Cursor,
})
export type ListDomainHosts = z.output<typeof ListDomainHosts>

/** One list of both modules, by name. Names without an answer of the DNS are nothing that could be scanned. Pure. */
export const hostsOf = (
  names: { readonly runId: string; readonly facts: StoredNames } | null,
  hosts: { readonly runId: string; readonly facts: StoredHosts } | null,
): Omit<DomainHost, 'domain_id'>[] => {
  const seen: Omit<DomainHost, 'domain_id'>[] = (names?.facts.own ?? []).map(({ name, sources, seenAt, lookup }) => ({
    ...{ host: name, sources: [...sources], seen_at: seenAt },
    answer: [...lookup.aliases, ...lookup.records.map(({ data }) => String(data))].slice(0, 10),
    run_id: names?.runId ?? '',
  }))
  const found: Omit<DomainHost, 'domain_id'>[] = (hosts?.facts.hosts?.found ?? []).map(({ name, source, answer }) => ({
    ...{ host: name, sources: [source], seen_at: null, answer: [...answer], run_id: hosts?.runId ?? '' },
  }))
  const groups = Map.groupBy([...seen, ...found], ({ host }) => host)
  return [...groups.values()]
    .flatMap(([first, ...more]) =>
      first === undefined ? [] : [{ ...first, sources: [...new Set([first, ...more].flatMap((one) => one.sources))] }],
    )
    .filter(({ answer }) => answer.length > 0)
    .toSorted((a, b) => (a.host < b.host ? -1 : 1))
}
