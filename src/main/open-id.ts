/** The operator's provider of OpenID Connect: authorization code flow with PKCE, by a certified library. */
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import type { OpenIdPerson, OpenIdProvider } from '../api/options.ts'
import type { Organisation, Role } from '../contract/organisation.ts'
import { listOrganisations } from '../store/organisations.ts'
import type { Runtime } from './runtime.ts'

export interface OpenIdSettings {
  readonly issuer: string
  readonly clientId: string
  /** Null: a public client, which PKCE protects alone. */
  readonly clientSecret: string | null
  readonly name: string
  /** Addresses of people who become owners, lower case. */
  readonly owners: readonly string[]
  /** What everybody else becomes at the first sign-in; null lets nobody else in. */
  readonly role: Role | null
  /** Id or name; null is the oldest one. */
  readonly organisation: string | null
}

/** Seconds for one request to the provider. */
const TIMEOUT = 10
const SCOPE = 'openid profile email'

export const openIdProvider = (runtime: Pick<Runtime, 'db'>, settings: OpenIdSettings): OpenIdProvider => {
  let found: Promise<Configuration> | null = null
  /** Asked once; a provider that was away is asked again at the next sign-in. */
  const configuration = (): Promise<Configuration> => {
    found ??= discover(settings).catch((error: unknown) => {
      found = null
      throw error
    })
    return found
  }
  return {
    name: settings.name,
    start: async (redirectUri) => {
      const config = await configuration()
      const [verifier, state, nonce] = [randomPKCECodeVerifier(), randomState(), randomNonce()]
      const url = buildAuthorizationUrl(config, {
        ...{ redirect_uri: redirectUri, scope: SCOPE, state, nonce },
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, state, nonce, verifier }
    },
    finish: async (address, { state, nonce, verifier }) => {
      const config = await configuration()
      const tokens = await authorizationCodeGrant(config, address, {
        ...{ pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true },
      })
      const claims = tokens.claims()
      if (claims === undefined) throw new Error('The provider gave no ID token')
      const more =
        claims.email === undefined && config.serverMetadata().userinfo_endpoint !== undefined
          ? await fetchUserInfo(config, tokens.access_token, claims.sub)
          : {}
      return person(settings, { ...claims, ...more }, claims.iss)
    },
    organisation: () => organisationOf(runtime, settings),
  }
}

const discover = ({ issuer, clientId, clientSecret }: OpenIdSettings): Promise<Configuration> =>
  discovery(new URL(issuer), clientId, clientSecret ?? undefined, undefined, {
    timeout: TIMEOUT,
    // Only as the operator wrote it down: a provider on this machine or behind the same proxy.
    ...(issuer.startsWith('http:') ? { execute: [allowInsecureRequests] } : {}),
  })

interface Claims {
  readonly sub?: unknown
  readonly name?: unknown
  readonly preferred_username?: unknown
  readonly email?: unknown
  readonly email_verified?: unknown
}

const person = (settings: OpenIdSettings, claims: Claims, issuer: string): OpenIdPerson => {
  const text = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null)
  const email = text(claims.email)
  // An address that nobody checked proves nothing: anybody can claim the owner's.
  const owner = email !== null && claims.email_verified === true && settings.owners.includes(email.toLowerCase())
  const subject = String(claims.sub)
  return {
    ...{ issuer, subject, email },
    name: (text(claims.name) ?? text(claims.preferred_username) ?? email ?? subject).slice(0, 200),
    role: owner ? 'owner' : settings.role,
  }
}

const organisationOf = async ({ db }: Pick<Runtime, 'db'>, { organisation }: OpenIdSettings): Promise<Organisation> => {
  const all = await listOrganisations(db)
  const found =
    organisation === null ? all[0] : all.find(({ id, name }) => id === organisation || name === organisation)
  if (found === undefined) throw new Error(`There is no organisation "${organisation}" for people who sign in`)
  return found
}
