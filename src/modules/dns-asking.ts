/** How modules ask the DNS: a validator by the clock of the run, and names that nobody has. */
import { randomBytes } from 'node:crypto'
import { parseAnchor, ROOT_ANCHORS } from '../knowledge/dns/anchors.ts'
import type { Ask } from '../protocols/dns/ask.ts'
import type { Validator } from '../protocols/dns/validator.ts'
import { createValidator } from '../protocols/dns/validator.ts'
import { ModuleEnding } from './endings.ts'
import type { CollectContext } from './module.ts'

export const validatorFor = (ctx: CollectContext, ask: Ask): Validator => {
  const { trustAnchors } = ctx.egress
  return createValidator(ask, trustAnchors ? trustAnchors.map(parseAnchor) : ROOT_ANCHORS, ctx.now)
}

/** A label that nobody has chosen: what answers to it answers to everything. */
export const nonce = (): string => `x${randomBytes(8).toString('hex')}`

/** @throws ModuleEnding where the name lives in the static table alone, or no resolver answers */
export const assertInDns = async (ask: Ask, host: string): Promise<void> => {
  const first = await ask.signed(host, 'SOA')
  if (!first.ok) throw new ModuleEnding('skipped', `the resolver does not answer: ${first.message}`)
  if (first.answer.server === 'hosts') {
    throw new ModuleEnding('skipped', `${host} is in the static name table, and no resolver is set that may know it`)
  }
}
