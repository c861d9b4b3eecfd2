/** How long a session lasts: as who gave it says, or as two that ended by themselves have shown. */
import { type Jwt, parseJwt, tokensIn } from '../page/jwt.ts'
import type { Credentials } from './sign-in.ts'

/** Milliseconds before its end at which a session is renewed; of a short one a quarter of it. */
const AHEAD = 10_000
/** Milliseconds: what ends sooner by itself ends by requests rather than by age. */
const SHORTEST = 20_000
/** Two ages are one where the shorter is at least so much of the longer. */
const ALIKE = 0.8
/** Seconds: what says more is no end that a run sees. */
const LONGEST = 90 * 86_400

/** At which age, in milliseconds, a session that lasts so long is begun anew. */
export const renewedAt = (lasts: number): number => lasts - Math.min(AHEAD, lasts / 4)

/**
 * Milliseconds from now; null where nothing says so. `holder`: the object of the answer that gave the token, as JSON: `expires_in` as in
 * RFC 6749, 5.1; or `exp` of a JSON Web Token (RFC 7519, 4.1.4) by the time of its own making, for clocks differ.
 */
export const lastsAsSaid = ({ cookie, header }: Credentials, holder: string | null, now: number): number | null => {
  const told = holder === null ? [] : secondsIn(holder, now)
  const value = /^[^:]+:\s*(?:[\w-]+\s+)?(\S+)$/.exec(header ?? '')?.[1] ?? ''
  const token = claimedBy([parseJwt(value) ?? []].flat(), now)
  // Of what both say the sooner: `expires` is milliseconds to some.
  const [found = []] = [[...told, ...token], claimedBy(tokensIn(cookie ?? ''), now)]
    .map((all) => all.filter(isEnd))
    .filter((all) => all.length > 0)
  return found.length === 0 ? null : Math.min(...found) * 1_000
}

/** Seconds from now. */
const claimedBy = (tokens: readonly Jwt[], now: number): readonly number[] =>
  tokens.flatMap(({ claims: { exp, iat, nbf } }) => {
    if (typeof exp !== 'number') return []
    const begin = [iat, nbf].find((one) => typeof one === 'number')
    return [typeof begin === 'number' ? exp - begin : exp - now / 1_000]
  })

const isEnd = (seconds: number): boolean => seconds >= 1 && seconds <= LONGEST

/** Of its members that say when the token ends: in so many seconds, or at a time. */
const secondsIn = (holder: string, now: number): readonly number[] =>
  Object.entries(JSON.parse(holder) as Record<string, unknown>).flatMap(([name, value]) => {
    const plain = name.toLowerCase().replace(/[^a-z]/g, '')
    const number = typeof value === 'string' && /^\d{1,13}$/.test(value) ? Number(value) : value
    if (/^(?:access)?(?:token)?expires?in(?:seconds)?$|^(?:token)?ttl$/.test(plain) && typeof number === 'number')
      return [number]
    if (!/^(?:access)?(?:token)?(?:expir(?:es|y|ation)(?:at|on|date|time)?|exp)$/.test(plain)) return []
    // Seconds from now, seconds or milliseconds since the epoch.
    if (typeof number === 'number')
      return [number < 1e9 ? number : (number > 1e11 ? number / 1_000 : number) - now / 1_000]
    const at = typeof value === 'string' ? Date.parse(value) : Number.NaN
    return Number.isNaN(at) ? [] : [(at - now) / 1_000]
  })

export interface Lifetime {
  /** Milliseconds that sessions last, as far as is known; null where it is not. */
  readonly lasts: () => number | null
  /** One has ended, and nothing that was asked did it. `proven` and `over`: its age at its last proof and when it was found ended. */
  readonly ended: (proven: number, over: number) => void
}

/** Learns from two in a row that ended at one age: the next is begun anew before. */
export const createLifetime = (): Lifetime => {
  let last: { readonly proven: number; readonly over: number } | null = null
  let lasts: number | null = null
  return {
    lasts: () => lasts,
    ended: (proven, over) => {
      const [low, high] = [Math.max(proven, last?.proven ?? 0), Math.min(over, last?.over ?? 0)]
      // Both were alive at an age at which neither was found ended, and that is near to where they were.
      if (last !== null && low >= SHORTEST && low <= high && low >= ALIKE * high) lasts = Math.min(lasts ?? low, low)
      last = { proven, over }
    },
  }
}
