/** An access token by OAuth 2.0: client credentials (RFC 6749, 4.4) or a refresh token (6). */
import type { OAuth2SignIn } from '../contract/sign-in.ts'
import type { HttpExchange } from '../egress/door/egress.ts'
import { SignInFailed } from './failure.ts'
import type { Credentials, Steps } from './sign-in.ts'
import { atPointer } from './values.ts'
import { type Visitor, whatOf } from './visitor.ts'

export interface Token extends Credentials {
  /** Seconds from now; null where the provider does not say. */
  readonly lasts: number | null
}

/** Gives a token each time; of a provider that replaces refresh tokens the last one is used, and `replaced` is told of the next. */
export const createOAuth2 = (
  how: OAuth2SignIn,
  replaced: (token: string) => Promise<void> = async () => undefined,
): ((visitor: Visitor, steps: Steps) => Promise<Token>) => {
  let refreshToken = how.refresh_token
  return (visitor, steps) =>
    steps.take(`POST ${how.token_url.split(/[?#]/)[0]} (${how.grant})`, async () => {
      const url = visitor.addressOf(how.token_url)
      const inBody = how.client_auth === 'body' || how.client_secret === undefined
      const body = new URLSearchParams({
        grant_type: how.grant,
        ...(refreshToken === undefined || how.grant !== 'refresh_token' ? {} : { refresh_token: refreshToken }),
        ...(how.scope === undefined ? {} : { scope: how.scope }),
        ...(inBody ? { client_id: how.client_id } : {}),
        ...(inBody && how.client_secret !== undefined ? { client_secret: how.client_secret } : {}),
        ...how.parameters,
      }).toString()
      const answers = await visitor.send({
        ...{ method: 'POST', url, body },
        headers: [
          ['Content-Type', 'application/x-www-form-urlencoded'],
          ['Accept', 'application/json'],
          ...(inBody ? [] : [['Authorization', `Basic ${basicOf(how)}`] as const]),
        ],
      })
      const answer = answers.at(-1)
      const text = answer?.body.toString('utf8') ?? ''
      const token = atPointer(text, '/access_token')
      if (answer === undefined || answer.status >= 400 || token === null)
        throw new SignInFailed(`${whatOf({ method: 'POST', url })} ${refusalOf(answer, text)}`)
      if (!TOKEN.test(token)) throw new SignInFailed('The access token has characters that no header may hold')
      const next = atPointer(text, '/refresh_token')
      if (next !== null && next !== refreshToken && how.grant === 'refresh_token') {
        refreshToken = next
        // Before anything else is done with it: a second use of the former has the line revoked (RFC 9700, 4.14.2).
        await replaced(next)
      }
      const lasts = Number(atPointer(text, '/expires_in') ?? Number.NaN)
      return { cookie: null, header: `Authorization: Bearer ${token}`, lasts: lasts > 0 ? lasts : null }
    })
}

/** RFC 6750, 2.1. */
const TOKEN = /^[\w.~+/-]+=*$/

/** RFC 6749, 2.3.1: each part is form-coded first. */
const basicOf = ({ client_id, client_secret = '' }: OAuth2SignIn): string => {
  const coded = [client_id, client_secret].map((part) => new URLSearchParams({ '': part }).toString().slice(1))
  return Buffer.from(coded.join(':')).toString('base64')
}

/** RFC 6749, 5.2. */
const refusalOf = (answer: HttpExchange | undefined, text: string): string => {
  const [error, more] = [atPointer(text, '/error'), atPointer(text, '/error_description')]
  const said = error === null ? ', and no access token' : ` ${error}${more === null ? '' : ` (${more})`}`
  return `answered ${answer?.status}${said}`.slice(0, 300)
}
