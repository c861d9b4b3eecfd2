/** Hosts of the domain that nobody showed: usual names that the DNS knows, and what a zone tells of itself by NSEC (RFC 4034, 4). */
import { HOST_LABELS } from '../../../knowledge/dns/host-names.ts'
import { type Ask, textsOf } from '../../../protocols/dns/ask.ts'
import { recordsOf } from '../../../protocols/dns/sets.ts'
import { bare, isWithin, labelsOf, readNsec, TYPE_NUMBERS } from '../../../protocols/dns/wire.ts'
import type { DnsFacts } from '../../passive/dns/facts.ts'
import type { FoundHost, HostsFacts } from './facts.ts'

/** Links of the chain that are followed; a larger zone is told as far as that. */
const MOST_LINKS = 300
const MOST_HOSTS = 500
/** Questions that are under way at once. */
const AT_ONCE = 8
const ADDRESSES: readonly number[] = [TYPE_NUMBERS.A, TYPE_NUMBERS.AAAA, TYPE_NUMBERS.CNAME]
const NAME = /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9])?\.)+[a-z0-9-]+$/

/** @param transferred names of address records that a zone transfer gave */
export const findHosts = async (ask: Ask, dns: DnsFacts, transferred: readonly string[]): Promise<HostsFacts> => {
  const server = dns.nameservers.flatMap(({ addresses }) => addresses)[0]
  const [guesses, chain] = await Promise.all([
    guess(ask, dns),
    dns.dnssec.denial?.kind === 'NSEC' && server !== undefined ? walk(ask, dns.zone, server) : NO_CHAIN,
  ])
  const told = await inTurn(unique([...chain.names, ...transferred]).slice(0, MOST_HOSTS), async (name) => {
    const found = await answerOf(ask, name)
    const source = chain.names.includes(name) ? ('nsec' as const) : ('transfer' as const)
    return found === null ? [] : [{ name, source, answer: found }]
  })
  const names = new Set(told.map(({ name }) => name))
  return {
    found: [...told, ...guesses.found.filter(({ name }) => !names.has(name))].slice(0, MOST_HOSTS),
    guessed: guesses.asked,
    links: chain.links,
    left: [guesses.left, chain.left].filter((one) => one !== null),
  }
}

interface Guesses {
  readonly found: readonly FoundHost[]
  readonly asked: number
  readonly left: string | null
}

/** A name that answers as any name does (a wildcard) is no host of its own. */
const guess = async (ask: Ask, { domain, wildcard }: DnsFacts): Promise<Guesses> => {
  const nothing = { found: [], asked: 0 }
  if (wildcard.length === 0 || wildcard.some(({ rcode }) => rcode !== 'NOERROR' && rcode !== 'NXDOMAIN'))
    return { ...nothing, left: `No name below ${domain} was guessed: a random name was not answered.` }
  const any = new Set(wildcard.map((lookup) => textsOf(lookup).toSorted().join(' ')))
  if (any.size > 1)
    return { ...nothing, left: `No name below ${domain} was guessed: every name there has other addresses.` }
  const [everywhere = ''] = any
  const found = await inTurn(HOST_LABELS, async (label): Promise<readonly FoundHost[]> => {
    const name = `${label}.${domain}`
    const answer = await answerOf(ask, name)
    const isWildcard = everywhere !== '' && answer !== null && answer.toSorted().join(' ').endsWith(everywhere)
    return answer === null || isWildcard ? [] : [{ name, source: 'guess', answer }]
  })
  return { found, asked: HOST_LABELS.length, left: null }
}

/** Aliases and addresses; null where the DNS has neither. A dangling alias counts: somebody put it there. */
const answerOf = async (ask: Ask, name: string): Promise<readonly string[] | null> => {
  const four = await ask.lookup(name, 'A')
  if (four.records.length === 0 && four.rcode === 'NOERROR') {
    const six = await ask.lookup(name, 'AAAA')
    const answer = [...six.aliases, ...textsOf(six)]
    return answer.length === 0 ? null : answer.slice(0, 10)
  }
  const answer = [...four.aliases, ...textsOf(four)]
  return answer.length === 0 ? null : answer.slice(0, 10)
}

interface Chain {
  readonly names: readonly string[]
  readonly links: number
  readonly left: string | null
}
const NO_CHAIN: Chain = { names: [], links: 0, left: null }

/** From the apex to the name that leads back to it. Servers that invent the next name (RFC 4470) end it at once. */
const walk = async (ask: Ask, zone: string, server: string): Promise<Chain> => {
  const names: string[] = []
  const seen = new Set<string>()
  let name = bare(zone)
  for (let links = 0; links < MOST_LINKS; links += 1) {
    const reply = await ask.reply({ name, type: 'NSEC', server, dnssec: true, checkingDisabled: true })
    const [record] = reply.ok ? recordsOf(reply.answer.answers, name, 'NSEC') : []
    const nsec = record === undefined ? null : readNsec(record)
    if (!nsec) return { names, links, left: links === 0 ? null : `The chain of ${zone} ended at ${name}.` }
    if (nsec.types.some((type) => ADDRESSES.includes(type)) && NAME.test(name)) names.push(name)
    seen.add(name)
    const next = bare(nsec.next)
    if (seen.has(next) || !isWithin(next, zone)) return { names, links: links + 1, left: null }
    if (isInvented(next)) return NO_CHAIN
    name = next
  }
  return { names, links: MOST_LINKS, left: `Of ${zone} the first ${MOST_LINKS} names of the chain were read.` }
}

/** The least name after another begins with an octet of nought. */
const isInvented = (name: string): boolean => {
  const [first = ''] = labelsOf(name)
  return first.startsWith('\u0000') || first.startsWith('\\000')
}

const unique = (names: readonly string[]): readonly string[] => [...new Set(names)]

const inTurn = async <Item, Found>(
  items: readonly Item[],
  ask: (item: Item) => Promise<readonly Found[]>,
): Promise<readonly Found[]> => {
  const found: Found[] = []
  for (let from = 0; from < items.length; from += AT_ONCE)
    found.push(...(await Promise.all(items.slice(from, from + AT_ONCE).map(ask))).flat())
  return found
}
