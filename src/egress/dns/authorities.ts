/**
 * Asks the servers of a zone themselves where the resolver will not tell: a validating one answers SERVFAIL for a zone
 * whose signatures are wrong (RFC 4035, 5.5), and not every forwarder passes on that checking is to be left to us.
 * Goes down from the nearest zone above that the resolver still knows. What comes back is not validated.
 */
import { isIP } from 'node:net'
import { type DnsAnswer, type DnsQuestion, type DnsRecord, EgressError } from '../door/egress.ts'

export interface AuthorityOptions {
  /** One question to the operator's resolvers. */
  readonly resolver: (question: DnsQuestion) => Promise<DnsAnswer>
  /** One question, without recursion, to a server at an address that comes out of the DNS: judge it first. */
  readonly server: (question: DnsQuestion, address: string) => Promise<DnsAnswer>
}

export type AskAuthorities = (question: DnsQuestion) => Promise<DnsAnswer>

const MOST_REFERRALS = 6
const MOST_SERVERS = 4
/** Milliseconds for one server. */
const TIMEOUT = 2_000

/** @throws EgressError as `server` does, and unresolvable where no server of any zone above the name is known */
export const createAskAuthorities = ({ resolver, server }: AuthorityOptions): AskAuthorities => {
  const known = new Map<string, Promise<readonly string[]>>()

  /** Addresses of a zone's servers, from the resolver; empty where it does not say. */
  const serversOf = (zone: string): Promise<readonly string[]> => {
    const found =
      known.get(zone) ??
      (async () => {
        const ns = await plainly(resolver({ name: zone, type: 'NS', checkingDisabled: true }))
        const names = (ns?.answers ?? []).filter(({ type, name }) => type === 'NS' && bare(name) === zone)
        return addressesOf(names.map(({ data }) => bare(String(data))).slice(0, MOST_SERVERS))
      })()
    known.set(zone, found)
    return found
  }

  const addressesOf = async (names: readonly string[]): Promise<readonly string[]> => {
    const answers = await Promise.all(
      names.flatMap((name) => (['A', 'AAAA'] as const).map((type) => plainly(resolver({ name, type })))),
    )
    return recordsOf(answers.flatMap((answer) => answer?.answers ?? []))
  }

  const walk: AskAuthorities = async (question) => {
    const name = bare(question.name)
    // A DS record stands on the parent's side of the cut (RFC 4035, 2.4).
    let zone = question.type === 'DS' ? parentOf(name) : name
    let servers: readonly string[] = await serversOf(zone)
    while (servers.length === 0 && zone !== '') {
      zone = parentOf(zone)
      servers = await serversOf(zone)
    }
    for (let step = 0; step < MOST_REFERRALS; step += 1) {
      const answer = await firstOf(servers, { ...question, recursive: false, timeout: TIMEOUT }, server)
      const cut = referralOf(answer, zone, name)
      if (cut === null) return answer
      zone = cut
      const names = answer.authorities
        .filter((record) => record.type === 'NS' && bare(record.name) === cut)
        .map(({ data }) => bare(String(data)))
      const glue = recordsOf(answer.additionals.filter((record) => names.includes(bare(record.name))))
      servers = glue.length > 0 ? glue : await addressesOf(names.slice(0, MOST_SERVERS))
      if (servers.length > 0) known.set(zone, Promise.resolve(servers))
    }
    throw new EgressError('unresolvable', `${name}: its zones refer to one another without end`)
  }

  const answers = new Map<string, Promise<DnsAnswer>>()
  return ({ name, type, dnssec = false }) => {
    // Several modules ask the same, and the pace of one server is soon used up.
    const key = `${bare(name)} ${type} ${dnssec}`
    const asked = answers.get(key) ?? walk({ name, type, dnssec, checkingDisabled: true })
    answers.set(key, asked)
    asked.catch(() => answers.delete(key))
    return asked
  }
}

/** The first server that answers at all. */
const firstOf = async (
  servers: readonly string[],
  question: DnsQuestion,
  ask: AuthorityOptions['server'],
): Promise<DnsAnswer> => {
  let failure: unknown = new EgressError('unresolvable', `${question.name}: no server of its zone is known`)
  let refusal: DnsAnswer | null = null
  for (const address of servers.slice(0, MOST_SERVERS)) {
    try {
      const answer = await ask(question, address)
      if (answer.rcode === 'NOERROR' || answer.rcode === 'NXDOMAIN') return answer
      refusal = answer
    } catch (error) {
      if (!isPassing(error)) throw error
      failure = error
    }
  }
  if (refusal) return refusal
  throw failure
}

/** The zone that an answer refers to: below the one that was asked, and at or above the name. */
const referralOf = ({ rcode, authoritative, answers, authorities }: DnsAnswer, zone: string, name: string) => {
  if (rcode !== 'NOERROR' || authoritative || answers.length > 0) return null
  const cut = authorities.find(
    (record) =>
      record.type === 'NS' && bare(record.name).length > zone.length && `.${name}`.endsWith(`.${bare(record.name)}`),
  )
  return cut ? bare(cut.name) : null
}

const recordsOf = (records: readonly DnsRecord[]): readonly string[] =>
  records
    .filter(({ type, data }) => (type === 'A' || type === 'AAAA') && isIP(String(data)) !== 0)
    .map(({ data }) => String(data))

/** Null where the far end failed, which leaves the next way; what ends the module is thrown on. */
const plainly = async (answer: Promise<DnsAnswer>): Promise<DnsAnswer | null> => {
  try {
    return await answer
  } catch (error) {
    if (isPassing(error)) return null
    throw error
  }
}

const isPassing = (error: unknown): boolean =>
  error instanceof EgressError &&
  ['timeout', 'unreachable', 'protocol', 'unresolvable', 'refused_by_guard'].includes(error.code)

const bare = (name: string): string => name.toLowerCase().replace(/\.$/, '')
const parentOf = (name: string): string => name.split('.').slice(1).join('.')
