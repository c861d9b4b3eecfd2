import { setTimeout as pause } from 'node:timers/promises'
import { SRV_SERVICES } from '../../../knowledge/dns/host-names.ts'
import { type HtmlPage, readHtml } from '../../../page/html.ts'
import type { Page } from '../../../page/page.ts'
import { type Ask, createAsk } from '../../../protocols/dns/ask.ts'
import { registeredName } from '../../../protocols/dns/domain.ts'
import { mxOf } from '../../../protocols/dns/mx.ts'
import { bare, isWithin } from '../../../protocols/dns/wire.ts'
import { validatorFor } from '../../dns-asking.ts'
import type { CollectContext } from '../../module.ts'
import type { DnsFacts } from '../dns/facts.ts'
import type { SiteFacts } from '../site/facts.ts'
import type { TlsFacts } from '../tls/facts.ts'
import { lookAt, type Suspect, suspectOf } from './candidates.ts'
import type { Candidate, NameSource, NamesFacts, SeenName } from './facts.ts'

/** Milliseconds between the two looks: a change that is under way has then mostly arrived. */
const RETEST_AFTER = 60_000
const MOST_OWN = 60
const MOST_OTHERS = 60
const MOST_SUSPECTS = 24

export const collectNames = async (
  ctx: CollectContext,
  known: { readonly site: SiteFacts; readonly tls: TlsFacts; readonly dns: DnsFacts },
  retestAfter = RETEST_AFTER,
): Promise<NamesFacts> => {
  const { host } = ctx.target
  const { domain } = known.dns
  const ask = createAsk(ctx.egress)
  const seen = seenNames(host, known.site, known.tls)
  const mx = mxOf(await ask.lookup(domain, 'MX'))
  const names = merged([
    ...seen,
    ...[domain, `www.${domain}`].map((name): SeenName => ({ name, sources: ['host'], seenAt: domain })),
    ...mx
      .filter(({ exchange }) => exchange !== '')
      .map(({ exchange }): SeenName => ({ name: exchange, sources: ['mx'], seenAt: `MX of ${domain}` })),
    ...(await announced(ask, domain)),
    ...known.dns.nameservers.map(
      ({ name }): SeenName => ({ name, sources: ['ns'], seenAt: `NS of ${known.dns.zone}` }),
    ),
  ])
  const own = await Promise.all(
    names
      .filter(({ name }) => isWithin(name, domain))
      .slice(0, MOST_OWN)
      .map(async (one) => ({ ...one, lookup: await ask.lookup(one.name, 'A') })),
  )
  const others = otherDomains(names, domain)
  const asked = others.slice(0, MOST_OTHERS)
  ctx.progress(`who holds the ends of ${own.length + asked.length} names`, 0.3)
  const suspects = (await Promise.all([...own, ...asked].map((one) => suspectOf(ask, one)))).flatMap((one) => one ?? [])
  const port = known.tls.port
  const tlsaName = `_${port}._tcp.${host}`
  const validator = validatorFor(ctx, ask)
  const [candidates, tlsa, tlsaSecurity] = await Promise.all([
    confirm(ctx, ask, suspects.toSorted(byWeight).slice(0, MOST_SUSPECTS), retestAfter),
    ask.lookup(tlsaName, 'TLSA'),
    validator.check(tlsaName, 'TLSA'),
  ])
  return {
    host,
    domain,
    own,
    others: { seen: others.length, asked: asked.length },
    passedOver: Math.max(0, suspects.length - MOST_SUSPECTS),
    candidates,
    tlsa,
    tlsaSecurity,
  }
}

/** Targets of SRV records; "." says that there is no such service. */
const announced = async (ask: Ask, domain: string): Promise<readonly SeenName[]> => {
  const lookups = await Promise.all(SRV_SERVICES.map((service) => ask.lookup(`${service}.${domain}`, 'SRV')))
  return lookups.flatMap(({ name, records }) =>
    records.flatMap(({ data }): readonly SeenName[] => {
      const target = srvTarget(data)
      return target === null ? [] : [{ name: target, sources: ['srv'], seenAt: `SRV of ${name}` }]
    }),
  )
}

const srvTarget = (data: unknown): string | null => {
  const target = data !== null && typeof data === 'object' && 'target' in data ? bare(String(data.target)) : ''
  return HOST.test(target) && target.length <= 253 ? target : null
}

/** Looks once, and where that shows anything a second time, later and with questions that no cache has seen. */
const confirm = async (
  ctx: CollectContext,
  ask: Ask,
  suspects: readonly Suspect[],
  retestAfter: number,
): Promise<readonly Candidate[]> => {
  const began = performance.now()
  const look = async (with_: Ask, suspect: Suspect) => ({
    ...(await lookAt(ctx, with_, suspect)),
    after: Math.round(performance.now() - began),
  })
  const first = await Promise.all(suspects.map(async (suspect) => ({ suspect, look: await look(ask, suspect) })))
  const free = first.filter((one) => one.look.unclaimed)
  // Where the counter-question failed a second look would prove nothing either; the first is kept and said.
  const open = free.filter((one) => one.look.control)
  const unsure = free.filter((one) => !one.look.control).map((one) => ({ ...one.suspect, looks: [one.look] }))
  if (open.length === 0) return unsure
  ctx.progress(`a second look at ${open.length} names that seem to be free`, 0.6)
  await pause(retestAfter, undefined, { signal: ctx.signal })
  const fresh = createAsk(ctx.egress)
  const twice = open.map(async (one) => ({ ...one.suspect, looks: [one.look, await look(fresh, one.suspect)] }))
  return [...(await Promise.all(twice)), ...unsure]
}

/** What would cost the owner most comes first: name servers, mail, then what runs in the page. */
const byWeight = (a: Suspect, b: Suspect): number => weightOf(a) - weightOf(b)
const weightOf = ({ sources }: Suspect): number =>
  Math.min(...sources.map((source) => WEIGHTS.indexOf(source)).map((place) => (place < 0 ? WEIGHTS.length : place)))
const WEIGHTS: readonly NameSource[] = ['ns', 'mx', 'host', 'script', 'policy', 'certificate']

const merged = (names: readonly SeenName[]): readonly SeenName[] => {
  const groups = Map.groupBy(names, ({ name }) => name)
  return [...groups].map(([name, group]) => ({
    name,
    sources: [...new Set(group.flatMap(({ sources }) => sources))],
    seenAt: group[0]?.seenAt ?? '',
  }))
}

/** One name for each registrable domain of others; of a certificate’s strangers (shared hosting) nothing depends here. */
const otherDomains = (names: readonly SeenName[], domain: string): readonly SeenName[] => {
  const others = names.filter(
    ({ name, sources }) => !isWithin(name, domain) && sources.some((source) => source !== 'certificate'),
  )
  const groups = Map.groupBy(others, ({ name }) => registeredName(name))
  return [...groups]
    .flatMap(([registered, group]) => {
      if (registered === null) return []
      const sources = [...new Set(group.flatMap((one) => one.sources))]
      // What runs in the page or takes the mail comes before what is merely linked.
      const weightiest = group.find((one) => one.sources.some((source) => source !== 'link')) ?? group[0]
      return weightiest ? [{ ...weightiest, sources }] : []
    })
    .toSorted((a, b) => Number(onlyLinked(a)) - Number(onlyLinked(b)))
}

const onlyLinked = ({ sources }: SeenName): boolean => sources.every((source) => source === 'link')

const MOST_NAMES = 500

/** Names in order of first sight, sources of the same name together. */
export const seenNames = (host: string, site: SiteFacts, tls: TlsFacts): readonly SeenName[] => {
  const seen = new Map<string, { sources: Set<NameSource>; seenAt: string }>()
  const add = (name: string, source: NameSource, seenAt: string) => {
    const key = bare(name)
    if (!HOST.test(key) || key.length > 253 || (!seen.has(key) && seen.size >= MOST_NAMES)) return
    const entry = seen.get(key) ?? { sources: new Set(), seenAt }
    entry.sources.add(source)
    seen.set(key, entry)
  }
  add(host, 'host', host)
  for (const certificate of tls.certificates.filter(({ isAuthority }) => !isAuthority)) {
    for (const name of certificate.dnsNames ?? [])
      add(name.replace(/^\*\./, ''), 'certificate', `certificate ${certificate.sha256.slice(0, 16)}`)
  }
  for (const page of site.pages) {
    for (const name of policyHosts(page)) add(name, 'policy', page.url)
    for (const [name, source] of markupHosts(readHtml(page.body, page.url))) add(name, source, page.url)
  }
  return [...seen].map(([name, { sources, seenAt }]) => ({ name, sources: [...sources], seenAt }))
}

/** At least two labels, the last with a letter: no address, no bare word. */
const HOST = /^(?=.*\.)(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9])?\.)+(?=[a-z0-9-]*[a-z])[a-z0-9-]+$/

const markupHosts = (html: HtmlPage): readonly (readonly [string, NameSource])[] => [
  ...html.scripts.flatMap(({ src }) => hostOf(src?.url ?? null, 'script')),
  ...html.stylesheets.flatMap(({ url }) => hostOf(url, 'script')),
  ...html.links.flatMap(({ url }) => hostOf(url, 'link')),
]

const hostOf = (text: string | null, source: NameSource): readonly (readonly [string, NameSource])[] => {
  const url = text === null ? null : URL.parse(text)
  return url && /^https?:$/.test(url.protocol) ? [[url.hostname, source]] : []
}

/** Hosts of Content-Security-Policy sources; a wildcard stands for the domain below it. */
const policyHosts = ({ headers }: Page): readonly string[] =>
  headers
    .filter(([name]) => /^content-security-policy(?:-report-only)?$/i.test(name))
    .flatMap(([, value]) => value.slice(0, 16_384).split(/[\s;,]+/))
    .flatMap((source) => {
      const match = /^(?:(?:https?|wss?):\/\/)?(?:\*\.)?([a-z0-9_-]+(?:\.[a-z0-9_-]+)+)(?::[\d*]+)?(?:\/|$)/i.exec(
        source,
      )
      return match?.[1] === undefined ? [] : [match[1]]
    })
