/** Cookies and storage as facts: what they are, who set them, whether they tell visitors apart; never their values. */

import type { Trackers } from '../../../knowledge/trackers/vendor.ts'
import { lifetimeOf, parseSetCookie } from '../../../page/cookies/set-cookie.ts'
import type { CookieRecord, StorageRecord } from '../facts.ts'
import type { HeldCookie } from '../visit/snapshot.ts'
import type { RawState } from '../visit/states.ts'
import { hostOf } from './contacts.ts'
import { type HeldValue, identifyingParts } from './identifiers.ts'

const MOST = 200

export const readCookies = (
  state: RawState,
  unique: readonly HeldValue[],
  trackers: Trackers,
): readonly CookieRecord[] => {
  const labels = new Set(unique.map(({ label }) => label))
  return [...state.holdings.cookies.values()].slice(0, MOST).map((cookie) => {
    const setter = setterOf(state, cookie)
    const { name, domain, path, secure, httpOnly, sameSite } = cookie
    return {
      ...{ name: name.slice(0, 200), domain, path: path.slice(0, 200), secure, httpOnly, sameSite },
      moment: setter.at === null ? cookie.moment : state.profile.log.momentAt(setter.at),
      lifetime: cookie.expires === null ? null : Math.max(0, Math.round(cookie.expires - (setter.at ?? cookie.at))),
      ...(setter.asked === undefined ? {} : { asked: setter.asked }),
      length: cookie.value.length,
      unique: labels.has(`cookie:${name}@${domain}`),
      by: setter.by,
      setBy: setter.url?.slice(0, 300) ?? null,
      stack: setter.stack,
      known: trackers.cookieOf(name, domain.replace(/^\./, '')),
    }
  })
}

interface Setter {
  readonly by: CookieRecord['by']
  readonly url: string | null
  readonly at: number | null
  readonly stack: readonly string[]
  /** Milliseconds that it is asked to last; null: until the browser ends. */
  readonly asked?: number | null
}

const askedBy = (line: string, at: number): number | null => {
  const cookie = parseSetCookie(line)
  const seconds = cookie === null ? null : lifetimeOf(cookie, at)
  return seconds === null ? null : Math.max(0, seconds * 1_000)
}

/** The first answer or script that wrote a cookie of that name to that domain. */
const setterOf = ({ profile }: RawState, { name, domain }: HeldCookie): Setter => {
  const bare = domain.replace(/^\./, '')
  for (const { proxied, at, url } of profile.log.contacts) {
    const host = hostOf(url)
    if (host !== bare && !host.endsWith(`.${bare}`)) continue
    const lines = proxied?.answered.filter(([header]) => header.toLowerCase() === 'set-cookie') ?? []
    const [, line] = lines.find(([, one]) => parseSetCookie(one)?.name === name) ?? []
    if (line !== undefined) return { by: 'http', url, at, stack: [], asked: askedBy(line, at) }
  }
  for (const one of profile.told) {
    if (one.kind !== 'cookie' || one.name !== name) continue
    const host = hostOf(one.frame || one.page)
    if (host === bare || host.endsWith(`.${bare}`))
      return {
        ...{ by: 'script', url: one.script || one.frame, at: one.at, stack: one.stack },
        ...(one.attributes === undefined ? {} : { asked: askedBy(`a=b;${one.attributes}`, one.at) }),
      }
  }
  return { by: 'unknown', url: null, at: null, stack: [] }
}

export const readStorage = (state: RawState, unique: readonly HeldValue[]): readonly StorageRecord[] => {
  const labels = new Set(unique.map(({ label }) => label))
  const { told, log } = state.profile
  const items = [...state.holdings.items.values()].map((item): StorageRecord => {
    const written = told.find((one) => one.kind === 'storage' && one.store === item.kind && one.key === item.key)
    return {
      ...{ kind: item.kind, origin: item.origin, key: item.key },
      moment: written ? log.momentAt(written.at) : item.moment,
      length: item.value.length,
      identifier: labels.has(`${item.kind}:${item.key}@${item.origin}`),
      setBy: written?.kind === 'storage' ? written.script.slice(0, 300) || null : null,
    }
  })
  const databases = told.flatMap((one): readonly StorageRecord[] => {
    if (one.kind !== 'storage' || one.store !== 'indexedDB') return []
    const origin = URL.parse(one.frame || one.page)?.origin ?? ''
    return [
      {
        ...{ kind: one.store, origin, key: one.key, moment: log.momentAt(one.at), length: one.value.length },
        identifier: identifyingParts(one.value).length > 0 && labels.has(`indexedDB:${one.key}@`),
        setBy: one.script.slice(0, 300) || null,
      },
    ]
  })
  const seen = new Set<string>()
  return [...items, ...databases]
    .filter(({ kind, origin, key }) => {
      const place = `${kind} ${origin} ${key}`
      return !seen.has(place) && seen.add(place)
    })
    .slice(0, MOST)
}
