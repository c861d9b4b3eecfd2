/** Tokens that the run carries, and those that answers gave it; with how each goes back to the site. */
import type { HeaderPairs, HttpExchange, HttpRequest } from '../../../../egress/door/egress.ts'
import { type Jwt, tokensIn } from '../../../../page/jwt.ts'
import { valuesOf } from '../../../../page/pages.ts'
import { shellQuoted } from '../../../evidence/pages.ts'
import type { CollectContext } from '../../../module.ts'

export interface CarriedToken {
  readonly token: Jwt
  /** "header Authorization", "cookie session", "answer of POST /login". */
  readonly where: string
  /** The headers of a request that carries this text in its place; null: none at all, and whatever else the run is known by. */
  readonly headers: (text: string | null) => HeaderPairs
  /** An option of curl that carries $FORGED. */
  readonly option: string
  /** Where one request alone takes it, as a value of its own: that request with this text there; null: with none. */
  readonly request?: (text: string | null) => HttpRequest
  /** The path whose answer gave it; absent where the run brings it itself. */
  readonly givenAt?: string
  /** The command of that request, with $FORGED in it. */
  readonly command?: string
  /** It is given beside what the run is known by, and nothing says where it is taken: what it was signed with is told without asking. */
  readonly beside?: true
}

const MOST = 6

/** Those in the run's own credentials. They are in no facts. */
export const ownTokens = async (ctx: CollectContext, url: string): Promise<readonly CarriedToken[]> => {
  return carriedIn((await ctx.egress.credentialsFor?.(url)) ?? [])
}

/** Those that the sign-in answers with beside the run's own, to make the session last: `{"token": …, "refresh_token": …}`. */
export const besideOwn = (ctx: CollectContext, own: readonly CarriedToken[]): readonly CarriedToken[] => {
  const known = new Set(own.map(({ token }) => token.text))
  return (ctx.session?.answers?.() ?? [])
    .flatMap(({ url, text }) =>
      tokensIn(text.slice(0, LONGEST)).map((token): CarriedToken => {
        const where = `answer of the sign-in at ${new URL(url).pathname}`
        return { token, where, headers: () => [], option: '', beside: true }
      }),
    )
    .filter(({ token }) => !known.has(token.text))
    .slice(0, MOST_BESIDE)
}
const MOST_BESIDE = 3
const LONGEST = 65_536

/**
 * Milliseconds for which many libraries take a token after its end, as clocks differ: five minutes is the longest that one of them does by
 * itself (Microsoft.IdentityModel, `ClockSkew`).
 */
const LEEWAY = 300_000

/** Those that the run has carried before and that have ended since, beyond any leeway. `now`: milliseconds since the epoch. */
export const endedTokens = (ctx: CollectContext, url: string, now: number): readonly CarriedToken[] =>
  (ctx.egress.formerCredentialsFor?.(url) ?? []).flatMap(carriedIn).filter(({ token }) => hasEnded(token, now))

export const hasEnded = ({ claims: { exp } }: Jwt, now: number): boolean =>
  typeof exp === 'number' && exp * 1_000 + LEEWAY < now

const carriedIn = (own: HeaderPairs): readonly CarriedToken[] =>
  own.flatMap(([name, value], at) =>
    name.toLowerCase() === 'cookie'
      ? cookiesOf(value).flatMap(({ name: cookie, value: text }) =>
          tokensIn(text)
            .slice(0, 1)
            .map((token) => inCookie(own, at, cookie, token)),
        )
      : tokensIn(value)
          .slice(0, 1)
          .map((token) => inHeader(own, at, token)),
  )

const inHeader = (own: HeaderPairs, at: number, token: Jwt): CarriedToken => {
  const [name = '', value = ''] = own[at] ?? []
  const before = value.slice(0, value.indexOf(token.text))
  return {
    token,
    where: `header ${name}`,
    headers: (text) =>
      own.flatMap((pair, index) =>
        index !== at ? [pair] : text === null ? [] : [[name, value.replace(token.text, () => text)] as const],
      ),
    option: `-H ${shellQuoted(`${name}: ${/^[\w-]{1,20} $/.test(before) ? before : ''}`)}"$FORGED"`,
  }
}

const inCookie = (own: HeaderPairs, at: number, cookie: string, token: Jwt): CarriedToken => ({
  token,
  where: `cookie ${cookie}`,
  headers: (text) =>
    own.flatMap((pair, index) => {
      if (index !== at) return [pair]
      const left = cookiesOf(pair[1]).flatMap(({ name, value }) =>
        name !== cookie ? [`${name}=${value}`] : text === null ? [] : [`${name}=${text}`],
      )
      return left.length === 0 ? [] : [[pair[0], left.join('; ')] as const]
    }),
  option: `-H ${shellQuoted(`Cookie: ${cookie}=`)}"$FORGED"`,
})

const cookiesOf = (line: string): readonly { readonly name: string; readonly value: string }[] =>
  line.split(';').flatMap((pair) => {
    const [name = '', value = ''] = pair.trim().split(/=(.*)/s)
    return name === '' ? [] : [{ name, value }]
  })

/** What answers hand out: kept while the module runs, each text once. */
export interface GivenTokens {
  readonly see: (exchange: HttpExchange) => void
  readonly all: () => readonly CarriedToken[]
}

export const createGivenTokens = (): GivenTokens => {
  const found = new Map<string, CarriedToken>()
  const take = (key: string, one: CarriedToken): void => {
    if (found.size < MOST && !found.has(key)) found.set(key, one)
  }
  return {
    see: ({ request, headers, body }) => {
      const path = new URL(request.url).pathname
      for (const line of valuesOf(headers, 'set-cookie')) {
        const [pair = ''] = line.split(';')
        const [name = '', value = ''] = pair.trim().split(/=(.*)/s)
        for (const token of tokensIn(value).slice(0, 1)) {
          take(`cookie ${name}`, {
            ...{
              token,
              where: `cookie ${name} of an answer`,
              option: `-H ${shellQuoted(`Cookie: ${name}=`)}"$FORGED"`,
            },
            headers: (text) => (text === null ? [] : [['Cookie', `${name}=${text}`]]),
          })
        }
      }
      const text = body.subarray(0, 65_536).toString('utf8')
      if (!text.includes('eyJ')) return
      for (const token of tokensIn(text).slice(0, 2)) {
        take(`${request.method} ${path} ${token.algorithm}`, {
          ...{
            token,
            where: `answer of ${request.method} ${path}`,
            givenAt: path,
            option: `-H 'Authorization: Bearer '"$FORGED"`,
          },
          headers: (given) => (given === null ? [] : [['Authorization', `Bearer ${given}`]]),
        })
      }
    },
    all: () => [...found.values()],
  }
}
