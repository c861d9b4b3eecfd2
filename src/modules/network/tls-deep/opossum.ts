/** Opossum (CVE-2025-49812): TLS on request on the clear-text port lets somebody on the path put two answers out of step. */

import { targetFailure } from '../../../egress/door/target-failure.ts'
import { createChannel, isEnded } from '../../../protocols/tls/wire/channel.ts'
import type { CollectContext } from '../../module.ts'
import type { TlsDeepFacts } from './facts.ts'

const WAIT = 3_000

export const probeOpossum = async (ctx: CollectContext, address: string): Promise<TlsDeepFacts['opossum']> => {
  try {
    const channel = createChannel(await ctx.egress.connect({ host: address, port: 80, timeout: WAIT }))
    try {
      const { host } = ctx.target
      channel.write(
        Buffer.from(`OPTIONS / HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: TLS/1.0\r\n\r\n`, 'latin1'),
      )
      const got = await channel.take((input) => {
        const end = input.indexOf('\n')
        return end < 0 ? (input.length > 1024 ? 1024 : null) : end + 1
      }, performance.now() + WAIT)
      if (isEnded(got)) return { verdict: 'inconclusive', notes: [`port 80: ${got.kind}`] }
      const line = got.toString('latin1').trim().slice(0, 200)
      const switched = /^HTTP\/1\.[01] 101\b/.test(line)
      return { verdict: switched ? 'vulnerable' : 'safe', notes: ['sent: Upgrade: TLS/1.0', `answered: ${line}`] }
    } finally {
      channel.close()
    }
  } catch (error) {
    const failure = targetFailure(error)
    if (failure === null) throw error
    return { verdict: 'not_applicable', notes: [`port 80: ${failure.message}`] }
  }
}
