/** Whether the end of a name can be claimed by a stranger: one look at one suspect. */

import { targetFailure } from '../../../egress/door/target-failure.ts'
import { type Provider, providerOf } from '../../../knowledge/dns/providers.ts'
import type { Ask, Lookup } from '../../../protocols/dns/ask.ts'
import { showLookup } from '../../../protocols/dns/ask.ts'
import { publicSuffix, registeredName } from '../../../protocols/dns/domain.ts'
import { nonce } from '../../dns-asking.ts'
import type { CollectContext } from '../../module.ts'
import type { Candidate, Look, SeenName } from './facts.ts'

export type Suspect = Omit<Candidate, 'looks'>

const MAX_BODY = 64 * 1024
const TIMEOUT = 8_000

/** Null for a name whose end is held, or at which nothing can be told. */
export const suspectOf = async (ask: Ask, one: SeenName & { readonly lookup?: Lookup }): Promise<Suspect | null> => {
  const { name, sources, seenAt } = one
  const lookup = one.lookup ?? (await ask.lookup(name, 'A'))
  const { aliases, rcode } = lookup
  const about = { name, sources, seenAt, aliases }
  const provider = providerOf(aliases)
  if (rcode === 'NXDOMAIN') {
    if (provider?.provider.vanishes) return { ...about, ...claimAt(provider), kind: 'vanished' }
    const target = registeredName(aliases.at(-1) ?? name)
    if (target === null) return null
    const held = await ask.lookup(target, 'NS')
    return held.rcode === 'NXDOMAIN' ? { ...about, kind: 'registrable', target, service: null, guarded: false } : null
  }
  return provider?.provider.unclaimed ? { ...about, ...claimAt(provider), kind: 'page' } : null
}

/** Asks anew and beside it asks a counter-question, so that a resolver in trouble is not taken for a free name. */
export const lookAt = (ctx: CollectContext, ask: Ask, suspect: Suspect): Promise<Omit<Look, 'after'>> =>
  suspect.kind === 'page' ? lookAtPage(ctx, suspect) : lookAtName(ask, suspect)

const claimAt = ({ provider, name }: { readonly provider: Provider; readonly name: string }) => ({
  target: name,
  service: provider.service,
  guarded: provider.guarded,
})

const lookAtName = async (ask: Ask, { kind, target, name }: Suspect): Promise<Omit<Look, 'after'>> => {
  const above = kind === 'registrable' ? publicSuffix(target) : registeredName(target)
  const [asked, control, again] = await Promise.all([
    ask.lookup(target, kind === 'registrable' ? 'NS' : 'A'),
    ask.lookup(above ?? '.', 'SOA'),
    ask.lookup(name, 'AAAA'),
  ])
  return {
    unclaimed: asked.rcode === 'NXDOMAIN' && again.rcode === 'NXDOMAIN',
    control: control.rcode === 'NOERROR',
    evidence: [asked, again, control].map(showLookup).join('\n').slice(0, 2_000),
  }
}

/** A page is asked under an address that no cache has seen. */
const lookAtPage = async (ctx: CollectContext, { name, aliases }: Suspect): Promise<Omit<Look, 'after'>> => {
  const text = providerOf(aliases)?.provider.unclaimed ?? ''
  const url = `http://${name}/?${nonce()}`
  try {
    const exchange = await ctx.egress.http({ url, authenticated: false, maxBody: MAX_BODY, timeout: TIMEOUT })
    const body = exchange.body.toString('utf8')
    const found = body.indexOf(text)
    const excerpt = body.slice(Math.max(0, found - 200), Math.max(0, found) + text.length + 200)
    return {
      unclaimed: found >= 0 && exchange.status >= 400,
      control: true,
      evidence: `GET ${url}\n${exchange.status} ${exchange.statusText} from ${exchange.address}\n${excerpt}`.slice(
        0,
        2_000,
      ),
    }
  } catch (error) {
    const failure = targetFailure(error)
    const refused = error instanceof Error && 'code' in error && error.code === 'refused_by_guard'
    if (failure === null && !refused) throw error
    return { unclaimed: false, control: false, evidence: `GET ${url}\n${(error as Error).message}`.slice(0, 2_000) }
  }
}
