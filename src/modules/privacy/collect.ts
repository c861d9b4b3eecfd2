/** Opens the site in four states, and makes facts of what was seen. */
import { randomBytes } from 'node:crypto'
import type { EvidenceRef } from '../../contract/evidence.ts'
import { type Egress, EgressError } from '../../egress/door/egress.ts'
import { isRecording } from '../../knowledge/trackers/recording.ts'
import type { CollectContext, Known } from '../module.ts'
import { hostOf, readContacts } from './classify/contacts.ts'
import { readDialog } from './classify/dialog.ts'
import { readCookies, readStorage } from './classify/holdings.ts'
import { type HeldValue, uniqueValues } from './classify/identifiers.ts'
import { readLeaks } from './classify/leaks.ts'
import { readParties, siteOf } from './classify/parties.ts'
import { readStoredTcf } from './classify/stored-tcf.ts'
import { cookieTable } from './evidence/cookie-table.ts'
import { harOf } from './evidence/har.ts'
import { NOTHING_SEEN, type Party, type PrivacyFacts, STATES, type StateFacts } from './facts.ts'
import { loadKnowledge, type PrivacyKnowledge } from './knowledge.ts'
import { readMessages, readUses } from './record/uses.ts'
import { type Canary, makeCanaries } from './visit/canaries.ts'
import { readPolicies } from './visit/policies.ts'
import { visitAll } from './visit/round.ts'
import type { RawState } from './visit/states.ts'
import { stretched, TIMES, type Times } from './visit/times.ts'

export const collectPrivacy = async (
  ctx: CollectContext,
  { site }: Known<'site'>,
  times: Times = TIMES,
): Promise<PrivacyFacts> => {
  const knowledge = loadKnowledge(ctx.knowledge)
  try {
    return await look(ctx, site.baseUrl, knowledge, times)
  } finally {
    knowledge.close()
  }
}

const look = async (
  ctx: CollectContext,
  url: string,
  knowledge: PrivacyKnowledge,
  times: Times,
): Promise<PrivacyFacts> => {
  const own = siteOf(ctx.target.host)
  const started = performance.now()
  const browser = await ctx.browser()
  const canaries = makeCanaries()
  const { states, gpc } = await visitAll({
    browser,
    url,
    times: stretched(times, performance.now() - started),
    canaries,
    words: knowledge.words,
    binding: `_${randomBytes(8).toString('hex')}`,
    signal: ctx.signal,
    isOwn: (address) => siteOf(hostOf(address)) === own,
    progress: (detail) => ctx.progress(detail),
    fault: (error) => void ctx.fault(error, 'the rules of consent tools'),
    picture: (name, png) => ctx.evidence({ filename: `${name}.png`, contentType: 'image/png', body: png }),
  })
  ctx.progress('naming who was contacted')
  const raw = STATES.flatMap((name) => states.get(name) ?? [])
  const parties = await readParties(hostsOf(raw), { host: ctx.target.host, site: own }, knowledge.trackers, (host) =>
    aliasesOf(ctx.egress, host),
  )
  const unique = uniqueValues([...raw.filter(wasVisited), ...(gpc ? [gpc] : [])])
  const facts = raw.map((state) =>
    stateFacts(state, {
      ctx,
      canaries,
      knowledge,
      parties,
      site: own,
      browser: browser.version,
      unique: unique.get(state) ?? [],
    }),
  )
  const untouched = states.get('untouched')
  const picture = untouched?.picture ?? null
  return {
    browser: browser.version,
    url,
    site: own,
    states: facts,
    parties,
    dialog: readDialog(
      states,
      knowledge.words,
      picture && untouched?.dialog
        ? ctx.evidence({ filename: 'dialog.png', contentType: 'image/png', body: picture })
        : null,
    ),
    policies: await readPolicies(untouched?.links ?? null, untouched?.texts ?? new Map(), {
      words: knowledge.words,
      egress: ctx.egress,
      parties,
      languages: untouched?.language ? [untouched.language] : [],
    }),
    gpc: gpc && { hosts: [...new Set(gpc.profile.log.contacts.map((contact) => hostOf(contact.url)))].slice(0, 200) },
    versions: knowledge.trackers.versions,
    cookieTable: facts.some(({ cookies }) => cookies.length > 0)
      ? ctx.evidence({ filename: 'cookies.csv', contentType: 'text/csv', body: cookieTable(facts) })
      : null,
  }
}

/** A state that was never opened borrows the profile of the first. */
const wasVisited = ({ pages }: RawState): boolean => pages.length > 0

const hostsOf = (states: readonly RawState[]): ReadonlyMap<string, string> => {
  const hosts = new Map<string, string>()
  for (const { profile } of states) {
    for (const { url } of profile.log.contacts) {
      const host = hostOf(url)
      if (host !== '' && !hosts.has(host) && hosts.size < 400) hosts.set(host, url)
    }
  }
  return hosts
}

interface FactParts {
  readonly ctx: CollectContext
  readonly canaries: readonly Canary[]
  readonly knowledge: PrivacyKnowledge
  readonly parties: readonly Party[]
  readonly browser: string
  readonly unique: readonly HeldValue[]
  readonly site: string
}

const stateFacts = (state: RawState, parts: FactParts): StateFacts => {
  const { ctx, canaries, knowledge } = parts
  const { name, missed, pages, presses, tcf, consentMode, profile } = state
  if (!wasVisited(state)) return { ...NOTHING_SEEN, name, missed }
  const parties = new Map(parts.parties.map((party) => [party.host, party]))
  const raw = profile.log.contacts
  const { contacts, left } = readContacts(raw, {
    parties,
    trackers: knowledge.trackers,
    canaries,
    began: raw[0]?.at ?? 0,
    values: parts.unique,
    isOwn: (host) => siteOf(host) === parts.site,
    recorded: new Set(profile.told.flatMap((one) => (one.kind === 'sent' && isRecording(one.body) ? [one.url] : []))),
  })
  const har: EvidenceRef = ctx.evidence({
    filename: `${name}.har`,
    contentType: 'application/json',
    body: harOf(state, parts.browser, canaries),
  })
  return {
    name,
    missed,
    pages,
    contacts,
    dropped: left + profile.log.dropped(),
    cookies: readCookies(state, parts.unique, knowledge.trackers),
    storage: readStorage(state, parts.unique),
    calls: readUses(profile),
    leaks: readLeaks(state, parties, canaries),
    messages: readMessages(profile),
    presses,
    tcf: [...tcf, ...readStoredTcf(state)].slice(0, 20),
    consentMode: consentMode.slice(0, 60),
    har,
  }
}

const LONGEST_CHAIN = 5

/** Names that a host is an alias of, one after the other; none when the resolver does not say. */
const aliasesOf = async (egress: Pick<Egress, 'dns'>, host: string): Promise<readonly string[]> => {
  const names: string[] = []
  for (let name = host; names.length < LONGEST_CHAIN; ) {
    const next: string | null = await aliasOf(egress, name)
    if (next === null || names.includes(next)) break
    names.push(next)
    name = next
  }
  return names
}

const aliasOf = async (egress: Pick<Egress, 'dns'>, name: string): Promise<string | null> => {
  try {
    const { answers } = await egress.dns({ name, type: 'CNAME', timeout: 2_000 })
    const record = answers.find(({ type }) => type === 'CNAME')
    return typeof record?.data === 'string' ? record.data.replace(/\.$/, '').toLowerCase() : null
  } catch (error) {
    // A resolver that does not answer leaves the host what it says it is.
    if (error instanceof EgressError) return null
    throw error
  }
}
