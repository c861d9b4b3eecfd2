/** Where typed canaries went without being submitted: addresses, headers, bodies, beacons, sockets, single keys. */
import type { CanaryLeak, Party } from '../facts.ts'
import { type Canary, type CanaryHit, findCanaries, withoutCanaries } from '../visit/canaries.ts'
import type { RawContact } from '../visit/log.ts'
import type { RawState } from '../visit/states.ts'
import { hostOf } from './contacts.ts'

const MOST = 40
const CONTEXT = 60

interface Sent {
  readonly channel: CanaryLeak['channel']
  readonly text: string
  readonly url: string
  readonly page: string
  readonly at: number
  readonly script: string | null
}

/** Search suggestions of the site itself are no leak: only what goes to a party counts. */
export const readLeaks = (
  state: RawState,
  parties: ReadonlyMap<string, Party>,
  canaries: readonly Canary[],
): readonly CanaryLeak[] => {
  const { profile } = state
  const typed = profile.log.contacts.filter((contact) => contact.typed && parties.has(hostOf(contact.url)))
  const sent = [...typed.flatMap(sentBy), ...recorded(state, parties)]
  const leaks = sent.flatMap((one) =>
    findCanaries(one.text, canaries).map((hit) => leakOf(one, hit, canaries, profile.log.momentAt(one.at))),
  )
  const keys = byKeys(typed, canaries).map(({ contact, hit, text }) =>
    leakOf({ ...textOf(contact, 'keystrokes', text) }, hit, canaries, contact.moment),
  )
  const unique = new Map<string, CanaryLeak>()
  for (const leak of [...leaks, ...keys]) {
    const key = `${leak.field} ${leak.host} ${leak.channel}`
    if (!unique.has(key)) unique.set(key, leak)
  }
  return [...unique.values()].slice(0, MOST)
}

const textOf = (contact: RawContact, channel: CanaryLeak['channel'], text: string): Sent => ({
  channel,
  text,
  url: contact.url,
  page: contact.page,
  at: contact.at,
  script: contact.script,
})

const sentBy = (contact: RawContact): readonly Sent[] => [
  textOf(contact, 'url', contact.url),
  ...(contact.body === null ? [] : [textOf(contact, contact.type === 'ping' ? 'beacon' : 'body', contact.body)]),
  ...(contact.proxied?.headers ?? [])
    .filter(([name]) => !['host', 'referer', 'user-agent'].includes(name.toLowerCase()))
    .map(([name, value]) => textOf(contact, 'header', `${name}: ${value}`)),
]

/** Bodies that the network does not show: beacons to hosts that cannot be reached, frames of sockets, messages to frames of others. */
const recorded = ({ profile }: RawState, parties: ReadonlyMap<string, Party>): readonly Sent[] =>
  profile.told.flatMap((one): readonly Sent[] => {
    if (one.kind === 'sent' && parties.has(hostOf(one.url)))
      return [
        { channel: one.channel, text: one.body, url: one.url, page: one.page, at: one.at, script: one.script || null },
      ]
    if (one.kind === 'message' && parties.has(hostOf(one.frame)))
      return [{ channel: 'message', text: one.excerpt, url: one.frame, page: one.page, at: one.at, script: null }]
    return []
  })

/** Single keys, one a request: the values of one parameter in order make the word. */
const byKeys = (
  typed: readonly RawContact[],
  canaries: readonly Canary[],
): readonly { readonly contact: RawContact; readonly hit: CanaryHit; readonly text: string }[] => {
  const series = new Map<string, { readonly first: RawContact; text: string }>()
  for (const contact of typed) {
    for (const [name, value] of parametersOf(contact)) {
      if (value.length === 0 || value.length > 2) continue
      const key = `${hostOf(contact.url)} ${name}`
      const one = series.get(key) ?? { first: contact, text: '' }
      one.text += value
      series.set(key, one)
    }
  }
  return [...series.values()].flatMap(({ first, text }) =>
    findCanaries(text, canaries).map((hit) => ({ contact: first, hit, text })),
  )
}

const parametersOf = ({ url, body }: RawContact): readonly (readonly [string, string])[] => {
  const query = [...(URL.parse(url)?.searchParams ?? [])]
  if (body === null || body.length > 300) return query
  if (body.length <= 2) return [...query, ['body', body]]
  const json = /^\s*\{/.test(body)
    ? [...body.matchAll(/"(\w{1,40})"\s*:\s*"([^"]{1,2})"/g)].map((match) => [match[1] ?? '', match[2] ?? ''] as const)
    : []
  return [...query, ...(json.length > 0 ? json : [...new URLSearchParams(body)])]
}

const leakOf = (sent: Sent, hit: CanaryHit, canaries: readonly Canary[], moment: CanaryLeak['moment']): CanaryLeak => ({
  field: hit.field,
  encoding: hit.encoding,
  host: hostOf(sent.url),
  url: withoutCanaries(sent.url, canaries).slice(0, 500),
  page: sent.page.slice(0, 500),
  moment,
  channel: sent.channel,
  script: sent.script,
  excerpt: withoutCanaries(
    sent.text.slice(Math.max(0, hit.index - CONTEXT), hit.index + hit.length + CONTEXT),
    canaries,
  ).slice(0, 300),
})
