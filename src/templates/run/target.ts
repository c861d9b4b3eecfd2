/** The target with what its name resolves to: takeover templates compare the host with its aliases. */
import { type Egress, EgressError } from '../../egress/door/egress.ts'
import { bytesOfText } from '../language/bytes.ts'
import type { TemplateTarget } from './executor.ts'
import { isFinal } from './http/client.ts'
import { targetOf } from './values.ts'

export const targetFor = async (address: string, egress: Egress): Promise<TemplateTarget> => {
  const target = targetOf(address)
  const quietly = async <Value>(work: Promise<Value>): Promise<Value | null> => {
    try {
      return await work
    } catch (error) {
      if (!(error instanceof EgressError) || isFinal(error)) throw error
      return null
    }
  }
  const resolution = await quietly(egress.resolve(target.host))
  const alias = await quietly(egress.dns({ name: target.host, type: 'CNAME', timeout: 3_000 }))
  const cname = alias?.answers.find(({ type }) => type === 'CNAME')?.data
  const variables = new Map(target.variables)
  const [ip] = resolution?.addresses ?? []
  if (ip !== undefined) variables.set('ip', ip)
  if (typeof cname === 'string') variables.set('cname', bytesOfText(cname.replace(/\.$/, '')))
  return { ...target, variables }
}
