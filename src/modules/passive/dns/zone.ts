/** Which zone holds a name, who serves it, and to whom the parent delegates it. */
import type { DnsRecord } from '../../../egress/door/egress.ts'
import type { Ask, Lookup } from '../../../protocols/dns/ask.ts'
import { isEmpty, textsOf } from '../../../protocols/dns/ask.ts'
import { bare, isWithin, parentOf } from '../../../protocols/dns/wire.ts'
import type { DnsFacts, Nameserver, ServerAnswer } from './facts.ts'

const MOST_SERVERS = 10
const MOST_ADDRESSES = 4
/** Milliseconds for one server; what answers later is not of use to visitors either. */
const SERVER_TIMEOUT = 2_000

/** Apex of the zone that holds the name; null when no SOA record was seen on the way up. */
export const findZone = async (ask: Ask, name: string): Promise<string | null> => {
  for (let at = bare(name); at !== ''; at = parentOf(at)) {
    const reply = await ask.signed(at, 'SOA')
    if (!reply.ok) return null
    const { answers, authorities } = reply.answer
    // Behind an alias the authority section is that of another zone.
    if (answers.some((record) => record.type === 'CNAME' && bare(record.name) === at)) continue
    const soa = [...answers, ...authorities].find((record) => record.type === 'SOA' && isWithin(at, record.name))
    if (soa) return bare(soa.name)
  }
  return null
}

/** Every server at every address, asked at once for SOA and NS without recursion. */
export const askNameservers = (ask: Ask, zone: string, names: readonly string[]): Promise<Nameserver[]> =>
  Promise.all(
    names.slice(0, MOST_SERVERS).map(async (name) => {
      const lookups = await Promise.all([ask.lookup(name, 'A'), ask.lookup(name, 'AAAA')])
      const addresses = lookups.flatMap(textsOf).slice(0, MOST_ADDRESSES)
      const error = addresses.length > 0 ? null : addressless(lookups)
      const absent = addresses.length === 0 && lookups.every(isEmpty)
      return {
        name,
        addresses,
        error,
        absent,
        answers: await Promise.all(addresses.map((one) => askServer(ask, zone, one))),
      }
    }),
  )

/** What one server of the parent zone hands out; null where none could be asked. */
export const findDelegation = async (ask: Ask, zone: string): Promise<DnsFacts['delegation']> => {
  if (zone === '') return null
  const parent = (await findZone(ask, parentOf(zone))) ?? ''
  const servers = textsOf(await ask.lookup(parent || '.', 'NS')).toSorted()
  for (const name of servers.slice(0, 2)) {
    const [address] = textsOf(await ask.lookup(name, 'A'))
    if (address === undefined) continue
    const question = { name: zone, type: 'NS', server: address, recursive: false, timeout: SERVER_TIMEOUT } as const
    const reply = await ask.reply(question)
    if (!reply.ok || reply.answer.rcode !== 'NOERROR') continue
    const { answers, authorities, authoritative } = reply.answer
    // A server that holds both zones answers from the child: that is no view of the parent.
    if (authoritative && authorities.every(({ type }) => type !== 'NS')) continue
    const ns = namesOf([...answers, ...authorities], zone)
    if (ns.length > 0) return { parent, server: name, ns }
  }
  return null
}

const askServer = async (ask: Ask, zone: string, address: string): Promise<ServerAnswer> => {
  const question = { name: zone, server: address, recursive: false, timeout: SERVER_TIMEOUT }
  const [soa, ns] = await Promise.all([ask.reply({ ...question, type: 'SOA' }), ask.reply({ ...question, type: 'NS' })])
  const silent = { address, rcode: null, authoritative: false, serial: null, ns: null }
  if (!soa.ok) return { ...silent, error: { code: soa.code, message: soa.message } }
  const { rcode, authoritative, answers } = soa.answer
  const serial = answers.find(({ type }) => type === 'SOA')?.data
  return {
    address,
    rcode,
    authoritative,
    serial: isSoa(serial) ? serial.serial : null,
    ns: ns.ok && ns.answer.authoritative ? namesOf(ns.answer.answers, zone) : null,
    error: null,
  }
}

const isSoa = (data: unknown): data is { readonly serial: number } =>
  typeof data === 'object' && data !== null && 'serial' in data && typeof data.serial === 'number'

const namesOf = (records: readonly DnsRecord[], zone: string): readonly string[] =>
  [
    ...new Set(
      records.filter(({ type, name }) => type === 'NS' && bare(name) === zone).map(({ data }) => bare(String(data))),
    ),
  ].toSorted()

const addressless = (lookups: readonly Lookup[]): string =>
  lookups.some(({ rcode }) => rcode === 'NXDOMAIN')
    ? 'the name does not exist (NXDOMAIN)'
    : (lookups.find(({ error }) => error !== null)?.error ??
      `it has no address (${lookups.map(({ rcode }) => rcode).join(', ')})`)
