/** One datagram to each UDP service, all at the same time, never a second one. */

import { targetFailure } from '../../../egress/door/target-failure.ts'
import type { DatagramService } from '../../../knowledge/ports/datagram.ts'
import { DATAGRAM_SERVICES } from '../../../knowledge/ports/datagrams.ts'
import type { CollectContext } from '../../module.ts'
import type { UdpPort } from './facts.ts'

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
