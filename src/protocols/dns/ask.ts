/** Questions to the operator's resolver and to single servers, each asked once, failures of the far end kept as facts. */
import { type DnsAnswer, type DnsQuestion, type DnsType, type Egress, EgressError } from '../../egress/door/egress.ts'
import { targetFailure } from '../../egress/door/target-failure.ts'
import { bare } from './wire.ts'

export type Reply =
  | { readonly ok: true; readonly answer: DnsAnswer }
  | { readonly ok: false; readonly code: string; readonly message: string }

/** What the resolver says of one name and type. Plain JSON. */
export interface Lookup {
  readonly name: string
  readonly type: DnsType
  /** Null when there was no answer at all. */
  readonly rcode: string | null
  readonly error: string | null
  /** Aliases (CNAME) on the way, in order, without the first name. */
  readonly aliases: readonly string[]
  /** Records of the type at the end of the aliases. */
  readonly records: readonly { readonly ttl: number; readonly data: unknown }[]
  /** Answered from the operator's static name table, so no statement about the DNS. */
  readonly listed: boolean
  /** The resolver's AD bit. */
  readonly authenticated: boolean
}

/** `code` of a reply that failed because this machine has no way to the server: it was not asked. */
export const NO_ROUTE = 'no_route'

export interface Ask {
  readonly reply: (question: DnsQuestion) => Promise<Reply>
  /** The resolver's answer; where it fails (SERVFAIL), that without its validation. */
  readonly lookup: (name: string, type: DnsType) => Promise<Lookup>
  /** The answer as it is, signatures included, whatever the resolver thinks of them. */
  readonly signed: (name: string, type: DnsType) => Promise<Reply>
}

/** Milliseconds for one question, its second try at the resolver included. */
const TIMEOUT = 4_500
const LONGEST_CHAIN = 16
const MOST_RECORDS = 100

export const createAsk = (egress: Egress): Ask => {
  const asked = new Map<string, Promise<Reply>>()
  const reply = (question: DnsQuestion): Promise<Reply> => {
    const key = JSON.stringify(question)
    const known = asked.get(key) ?? askOnce(egress, question)
    asked.set(key, known)
    return known
  }
  const signed: Ask['signed'] = (name, type) =>
    reply({ name: bare(name) || '.', type, dnssec: true, checkingDisabled: true })
  return {
    reply,
    lookup: async (name, type) => {
      const plain = await reply({ name: bare(name), type })
      if (!plain.ok || plain.answer.rcode !== 'SERVFAIL') return describe(bare(name), type, plain)
      // Behind a validating resolver a zone with broken DNSSEC would have no records, and its mail no policy.
      const unchecked = await signed(name, type)
      return describe(bare(name), type, unchecked.ok && isAnswer(unchecked.answer) ? unchecked : plain)
    },
    signed,
  }
}

const isAnswer = ({ rcode }: DnsAnswer): boolean => rcode === 'NOERROR' || rcode === 'NXDOMAIN'

/** True when the name or the type is said not to be there, by an answer. */
export const isEmpty = ({ rcode, records }: Lookup): boolean =>
  rcode === 'NXDOMAIN' || (rcode === 'NOERROR' && records.length === 0)

/** Neither records nor a denial: timeout, SERVFAIL, REFUSED. */
export const isFailure = ({ rcode }: Lookup): boolean => rcode !== 'NOERROR' && rcode !== 'NXDOMAIN'

/** Data of the records as text. */
export const textsOf = ({ records }: Lookup): readonly string[] =>
  records.map(({ data }) => (Array.isArray(data) ? data.map(String).join('') : String(data)))

/** For a proof: the question, the code and the records, as dig would print them in short. */
export const showLookup = (lookup: Lookup): string => {
  const head = `${lookup.name} ${lookup.type}: ${lookup.rcode ?? lookup.error ?? 'no answer'}`
  const aliases = lookup.aliases.map((alias) => `  CNAME ${alias}`)
  const records = lookup.records.map(({ ttl, data }) => `  ${ttl} ${lookup.type} ${showData(data)}`)
  return [head, ...aliases, ...records].join('\n').slice(0, 4_000)
}

const showData = (data: unknown): string => {
  if (Array.isArray(data)) return data.map((part) => `"${String(part)}"`).join(' ')
  if (data === null || typeof data !== 'object') return String(data)
  return Object.values(data).map(String).join(' ')
}

export const dig = (name: string, type: string, ...more: readonly string[]): string =>
  ['dig', ...more, type, name].join(' ')

const askOnce = async (egress: Egress, question: DnsQuestion): Promise<Reply> => {
  try {
    return { ok: true, answer: await egress.dns({ timeout: TIMEOUT, ...question }) }
  } catch (error) {
    const failure = targetFailure(error) ?? guardRefusal(error)
    if (failure === null) throw error
    const noRoute = error instanceof EgressError && error.noRoute
    return { ok: false, code: noRoute ? NO_ROUTE : failure.code, message: failure.message }
  }
}

/** A name server at an address that may not be asked says nothing about the zone; the module goes on without it. */
const guardRefusal = (error: unknown): { readonly code: string; readonly message: string } | null =>
  error instanceof Error && 'code' in error && error.code === 'refused_by_guard'
    ? { code: 'refused_by_guard', message: error.message }
    : null

const describe = (name: string, type: DnsType, reply: Reply): Lookup => {
  if (!reply.ok) {
    return {
      name,
      type,
      rcode: null,
      error: reply.message,
      aliases: [],
      records: [],
      listed: false,
      authenticated: false,
    }
  }
  const { answer } = reply
  const aliases: string[] = []
  let at = name
  while (type !== 'CNAME' && aliases.length < LONGEST_CHAIN) {
    const alias = answer.answers.find((record) => record.type === 'CNAME' && bare(record.name) === at)
    if (!alias) break
    at = bare(String(alias.data))
    aliases.push(at)
  }
  const records = answer.answers
    .filter((record) => record.type === type && bare(record.name) === at)
    .slice(0, MOST_RECORDS)
    .map(({ ttl, data }) => ({ ttl, data }))
  return {
    name,
    type,
    rcode: answer.rcode,
    error: null,
    aliases,
    records,
    listed: answer.server === 'hosts',
    authenticated: answer.authenticated,
  }
}
