import { targetFailure } from '../../../egress/door/target-failure.ts'
import { commonPorts } from '../../../knowledge/ports/common.ts'
import type { DatagramService } from '../../../knowledge/ports/datagram.ts'
import { DATAGRAM_SERVICES } from '../../../knowledge/ports/datagrams.ts'
import { parsePorts, writePorts } from '../../../knowledge/ports/range.ts'
import { ModuleEnding } from '../../endings.ts'
import type { CollectContext } from '../../module.ts'
import { decoyPorts } from './decoys.ts'
import type { OtherAddress, PortsFacts, UdpPort } from './facts.ts'

/** Of the module's seconds: after that no new part of the sweep begins, so that what was found is reported. */
export const SWEEP_SECONDS = 480
const PART = 8_192
const KEPT_OPEN = 1_024
/** Addresses beside the first, and ports of each. */
const MOST_OTHERS = 3
const MOST_OTHER_PORTS = 2_000

/** Two sweeps: all ports, then once more those that were open. Datagrams meanwhile. */
export const collectPorts = async (ctx: CollectContext): Promise<PortsFacts> => {
  const { host } = ctx.target
  const ports = wantedPorts(ctx.settings?.ports ?? 'top')
  const addresses = await addressesOf(ctx)
  const until = performance.now() + SWEEP_SECONDS * 1000
  const [swept, udp] = await Promise.all([sweepAll(ctx, ports, until), askDatagrams(ctx)])
  const again = swept.open.length > 0 ? await ctx.egress.sweep({ host, ports: swept.open }) : null
  const steady = new Set(again?.open ?? [])
  const open = swept.open.filter((port) => steady.has(port))
  return {
    host,
    address: swept.address,
    addresses,
    others: await sweepOthers(ctx, addresses, swept.address, ports, until),
    tried: writePorts(swept.tried),
    triedCount: swept.tried.length,
    left: writePorts(ports.slice(swept.tried.length)),
    open: open.slice(0, KEPT_OPEN),
    openCount: open.length,
    unsteady: swept.open.filter((port) => !steady.has(port)).slice(0, KEPT_OPEN),
    closedCount: swept.closed,
    filteredCount: swept.filtered,
    decoys: swept.decoys,
    recovered: swept.recovered,
    slowedTo: swept.slowedTo,
    udp,
  }
}

/** @throws ModuleEnding where the name has none: a domain for mail alone, for example */
const addressesOf = async (ctx: CollectContext): Promise<readonly string[]> => {
  try {
    return (await ctx.egress.resolve(ctx.target.host)).addresses
  } catch (error) {
    if (targetFailure(error)?.code !== 'unresolvable') throw error
    throw new ModuleEnding('skipped', (error as Error).message, { cause: error })
  }
}

/** A forgotten machine behind the name shows by its open ports; the usual thousand of a few addresses tell. */
const sweepOthers = async (
  ctx: CollectContext,
  addresses: readonly string[],
  swept: string,
  wanted: readonly number[],
  until: number,
): Promise<readonly OtherAddress[]> => {
  const ports = wanted.length > MOST_OTHER_PORTS ? wantedPorts('top') : wanted
  const found: OtherAddress[] = []
  for (const address of addresses.filter((one) => one !== swept).slice(0, MOST_OTHERS)) {
    if (performance.now() > until) break
    ctx.progress(`${ports.length} TCP ports of ${address}`, 0.95)
    try {
      const first = await ctx.egress.sweep({ host: address, ports })
      const again = first.open.length > 0 ? await ctx.egress.sweep({ host: address, ports: first.open }) : null
      const open = again?.open ?? []
      const everything = open.length > ports.length / 2 && ports.length > 20
      found.push({
        address,
        tried: ports.length,
        open: open.slice(0, 256),
        filtered: first.filtered.length,
        everything,
      })
    } catch (error) {
      // An address without a route from here, or one that the guard refuses, says nothing about the others.
      if (!isRefusal(error) && targetFailure(error) === null) throw error
    }
  }
  return found
}

const isRefusal = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'refused_by_guard'

/** The ports of websites first, so that the path is known early; then the common ones, then the rest. */
const wantedPorts = (setting: string): number[] => {
  const chosen = setting === 'top' ? commonPorts() : parsePorts(setting === 'all' ? '1-65535' : setting)
  const wanted = new Set(chosen)
  return [...new Set([443, 80, ...commonPorts(), ...chosen])].filter((port) => wanted.has(port))
}

interface SweptAll {
  readonly address: string
  readonly tried: readonly number[]
  readonly open: readonly number[]
  readonly closed: number
  readonly filtered: number
  readonly decoys: { readonly tried: number; readonly open: number }
  readonly recovered: number
  readonly slowedTo: number | null
}

const sweepAll = async (ctx: CollectContext, ports: readonly number[], until: number): Promise<SweptAll> => {
  const { host } = ctx.target
  const decoys = decoyPorts(new Set([...commonPorts(), ...(ports.length < 10_000 ? ports : [])]))
  const decoySet = new Set(decoys)
  const wanted = new Set(ports)
  const open: number[] = []
  let address = ''
  let tried = 0
  let closed = 0
  let filtered = 0
  let recovered = 0
  let decoysOpen = 0
  let slowedTo: number | null = null
  while (tried < ports.length && (tried === 0 || performance.now() < until)) {
    const part = ports.slice(tried, tried + PART)
    const before = tried
    const extra = tried === 0 ? decoys.filter((port) => !wanted.has(port)) : []
    const swept = await ctx.egress.sweep({
      host,
      ports: [...part, ...extra],
      progress: (settled) => {
        ctx.progress(`${before + settled} of ${ports.length} TCP ports`, ((before + settled) / ports.length) * 0.9)
      },
    })
    const ours = new Set(part)
    address = swept.address
    open.push(...swept.open.filter((port) => ours.has(port)))
    closed += swept.closed.filter((port) => ours.has(port)).length
    filtered += swept.filtered.filter((port) => ours.has(port)).length
    recovered += swept.recovered
    // A decoy may also stand in a later part, where all ports are swept.
    decoysOpen += swept.open.filter((port) => decoySet.has(port)).length
    if (swept.slowedTo !== null) slowedTo = Math.min(slowedTo ?? swept.slowedTo, swept.slowedTo)
    tried += part.length
  }
  return {
    address,
    tried: ports.slice(0, tried),
    open: open.toSorted((a, b) => a - b),
    closed,
    filtered,
    decoys: { tried: decoys.length, open: decoysOpen },
    recovered,
    slowedTo,
  }
}

/** Milliseconds to gather replies: an amplifier sends many. */
const WAIT = 1_200
const KEPT = 1_024

export const askDatagrams = (ctx: CollectContext): Promise<UdpPort[]> =>
  Promise.all(DATAGRAM_SERVICES.map((service) => ask(ctx, service)))

const ask = async (ctx: CollectContext, service: DatagramService): Promise<UdpPort> => {
  const { port, payload, anyPort = false } = service
  try {
    const replies = await ctx.egress.datagram({ host: ctx.target.host, port, payload, wait: WAIT, anyPort })
    return udpPort(service, replies, replies.length === 0 ? 'silent' : null)
  } catch (error) {
    if (targetFailure(error) === null) throw error
    return udpPort(service, [], 'closed')
  }
}

/** State null leaves it to the service's grammar. */
export const udpPort = (
  service: DatagramService,
  replies: readonly Buffer[],
  state: 'silent' | 'closed' | null,
): UdpPort => {
  const [first] = replies
  const answer = first ? service.read(first) : null
  return {
    id: service.id,
    title: service.title,
    port: service.port,
    state: state ?? (answer ? 'answered' : 'other'),
    sent: service.payload.length,
    received: replies.reduce((sum, reply) => sum + reply.length, 0),
    replies: replies.length,
    says: (answer?.says ?? '').slice(0, 500),
    product: answer?.product ?? null,
    version: answer?.version ?? null,
    openTo: answer?.openTo ?? null,
    request: service.payload.subarray(0, KEPT).toString('base64'),
    reply: (first ?? Buffer.alloc(0)).subarray(0, KEPT).toString('base64'),
  }
}
