import { type Ask, createAsk, NO_ROUTE } from '../../../protocols/dns/ask.ts'
import type { LeftOut } from '../../../protocols/dns/left-out.ts'
import { isWithin } from '../../../protocols/dns/wire.ts'
import { nonce } from '../../dns-asking.ts'
import type { CollectContext } from '../../module.ts'
import type { DnsFacts } from '../../passive/dns/facts.ts'
import type { NameserversFacts, RecursionFacts } from './facts.ts'
import { findHosts } from './hosts.ts'
import { askTransfer } from './transfer.ts'

const MOST_ADDRESSES = 12
const TIMEOUT = 3_000
/** Exists for certain, and is served by none but the root's own operators. */
const FALLBACK = 'a.root-servers.net'

export const collectNameservers = async (ctx: CollectContext, dns: DnsFacts): Promise<NameserversFacts> => {
  const ask = createAsk(ctx.egress)
  const servers = dns.nameservers
    .flatMap(({ name, addresses }) => addresses.map((address) => ({ name, address })))
    .slice(0, MOST_ADDRESSES)
  ctx.progress(`zone transfer and recursion at ${servers.length} addresses`, 0.2)
  const foreign = dns.delegation?.server ?? FALLBACK
  const [transfers, recursion] = await Promise.all([
    Promise.all(servers.map(({ name, address }) => askTransfer(ctx.egress, dns.zone, name, address))),
    Promise.all(servers.map(({ name, address }) => askRecursion(ask, name, address, foreign))),
  ])
  ctx.progress(`hosts of ${dns.domain}`, 0.5)
  const hosts = await findHosts(
    ask,
    dns,
    transfers.flatMap((one) => one.hosts).filter((name) => isWithin(name, dns.domain)),
  )
  return { zone: dns.zone, transfers, recursion, hosts }
}

/**
 * A name of another zone first, and where it is answered a name that exists nowhere in that zone: only a server that
 * really goes and asks can deny it; one that answers everything alike (a parked zone) does not.
 */
const askRecursion = async (ask: Ask, server: string, address: string, foreign: string): Promise<RecursionFacts> => {
  const question = { type: 'A', server: address, recursive: true, timeout: TIMEOUT } as const
  const first = await ask.reply({ ...question, name: foreign })
  const about = { server, address, asked: foreign }
  if (!first.ok) {
    const left = leftFor(first.code)
    const nothing = { rcode: null, error: first.message, open: false, answer: [] }
    return { ...about, ...nothing, ...(left === null ? {} : { left }) }
  }
  const { rcode, answers, authoritative } = first.answer
  const answer = answers.filter(({ type }) => type === 'A').map(({ data }) => String(data))
  const answered = rcode === 'NOERROR' && answer.length > 0 && !authoritative
  const control = answered ? await ask.reply({ ...question, name: `${nonce()}.${foreign}` }) : null
  const denied = control?.ok === true && control.answer.rcode === 'NXDOMAIN' && !control.answer.authoritative
  return { ...about, rcode, error: null, open: answered && denied, answer }
}

const leftFor = (code: string): LeftOut['why'] | null => {
  if (code === 'refused_by_guard') return 'refused'
  return code === NO_ROUTE ? 'no-route' : null
}
