/** Sign-in by OpenID Connect: two addresses that the browser is sent to, not endpoints for programs. */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { signInMember } from '../store/members.ts'
import { createSession } from '../store/sessions.ts'
import { noteActivity } from './activity.ts'
import type { OpenIdProvider } from './options.ts'
import type { Services } from './services.ts'
import { cookieOf, sessionCookie } from './session-cookie.ts'

export const OPEN_ID_PATH = '/sign-in/openid'
export const OPEN_ID_CALLBACK = '/sign-in/openid/callback'

/** Seconds that a person may take at the provider. */
const FLOW_SECONDS = 600
const FLOW_COOKIE = 'sonde_openid'
/** What this browser has to come back with. */
const Flow = z.strictObject({ state: z.string(), nonce: z.string(), verifier: z.string(), until: z.number() })

export const registerOpenId = (app: FastifyInstance, services: Services): void => {
  const provider = services.openId
  if (provider === null) return
  const redirectUri = (): string => `${services.baseUrl()}${OPEN_ID_CALLBACK}`

  app.get(OPEN_ID_PATH, async (request, reply) => {
    try {
      const { url, ...checks } = await provider.start(redirectUri())
      const flow = seal(services, { ...checks, until: Date.now() + FLOW_SECONDS * 1000 })
      return reply.header('Set-Cookie', flowCookie(services, flow, FLOW_SECONDS)).redirect(url, 302)
    } catch (error) {
      return failed(request, reply, services, 'provider', error)
    }
  })

  app.get(OPEN_ID_CALLBACK, async (request, reply) => {
    const flow = open(services, cookieOf(request, FLOW_COOKIE))
    if (flow === null) return failed(request, reply, services, 'again', new Error('no sign-in is under way'))
    try {
      const address = new URL(`${redirectUri()}${request.url.slice(OPEN_ID_CALLBACK.length)}`)
      return await signIn(provider, address, flow, request, reply, services)
    } catch (error) {
      return failed(request, reply, services, 'provider', error)
    }
  })
}

const signIn = async (
  provider: OpenIdProvider,
  address: URL,
  flow: z.infer<typeof Flow>,
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services,
): Promise<FastifyReply> => {
  const person = await provider.finish(address, flow)
  const organisation = await provider.organisation()
  const member = await signInMember(services.db, { ...person, organisationId: organisation.id }, person.role)
  if (member === null) return failed(request, reply, services, 'not_invited', new Error('no role for this person'))
  const session = await createSession(services.db, { organisationId: organisation.id, memberId: member.id })
  await noteActivity(services, request, 'createSession', member.name, {
    actor: { kind: 'member', id: member.id, name: member.name, role: member.role },
    ...{ scopes: [], organisation, session },
  })
  return reply
    .header('Set-Cookie', [sessionCookie(services, session.token, session.expiresAt), flowCookie(services, '', 0)])
    .redirect('/', 302)
}

/** Back to the sign-in page, which says it in the reader's language; the reason stays in the log. */
const failed = (
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services,
  why: 'provider' | 'again' | 'not_invited',
  error: unknown,
): FastifyReply => {
  request.log.warn({ err: error, request_id: request.id, why }, 'a sign-in by OpenID Connect did not succeed')
  return reply.header('Set-Cookie', flowCookie(services, '', 0)).redirect(`/sign-in?failed=${why}`, 302)
}

/** Lax, as the browser comes back from the provider's site. */
const flowCookie = ({ baseUrl }: Services, value: string, seconds: number): string =>
  [
    `${FLOW_COOKIE}=${value}`,
    `Path=${OPEN_ID_PATH}`,
    'HttpOnly',
    'SameSite=Lax',
    `Max-Age=${seconds}`,
    ...(baseUrl().startsWith('https:') ? ['Secure'] : []),
  ].join('; ')

const keyOf = (secret: Buffer): Buffer => createHash('sha256').update('sonde openid flow v1').update(secret).digest()

const seal = (services: Services, flow: z.infer<typeof Flow>): string => {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyOf(services.keys.current), iv)
  const text = Buffer.concat([cipher.update(JSON.stringify(flow)), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')
}

/** Null for none, an altered one, or one that is over. */
const open = (services: Services, cookie: string | null): z.infer<typeof Flow> | null => {
  const sealed = Buffer.from(cookie ?? '', 'base64url')
  if (sealed.length < 28) return null
  for (const key of services.keys.accepted) {
    const flow = openWith(keyOf(key), sealed)
    if (flow !== null) return flow.until > Date.now() ? flow : null
  }
  return null
}

const openWith = (key: Buffer, sealed: Buffer): z.infer<typeof Flow> | null => {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12))
  decipher.setAuthTag(sealed.subarray(12, 28))
  try {
    const text = Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()])
    return Flow.parse(JSON.parse(text.toString()))
  } catch {
    // Altered, or sealed by another installation: the same as none.
    return null
  }
}
