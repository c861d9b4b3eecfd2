import type { Session } from '../../contract/session.ts'
import { authenticate } from '../../store/api-keys.ts'
import { createSession, deleteSession } from '../../store/sessions.ts'
import { noteActivity } from '../activity.ts'
import { callerOfKey, countRefusal, takeLimits, unauthenticated } from '../auth.ts'
import { csrfToken } from '../csrf.ts'
import { OPEN_ID_PATH } from '../open-id.ts'
import { answer, bind, type Route, rawAnswer } from '../route.ts'
import type { Caller, Services } from '../services.ts'
import { clearedCookie, sessionCookie } from '../session-cookie.ts'

export const sessionRoutes = (services: Services): readonly Route[] => [
  bind('readSignIn', async () =>
    answer(200, {
      open_id: services.openId === null ? null : { name: services.openId.name, path: OPEN_ID_PATH },
    }),
  ),

  bind('createSession', async ({ body, request }) => {
    const found = await authenticate(services.db, body.api_key.trim())
    if (found === null) {
      await countRefusal(request, services)
      throw unauthenticated('The API key is mistyped, unknown, expired or revoked.')
    }
    const caller = callerOfKey(found)
    await takeLimits(request, services, caller, [{ limit: 'key' }])
    const session = await createSession(services.db, { organisationId: found.organisation.id, keyId: found.key.id })
    await noteActivity(services, request, 'createSession', found.key.name, caller)
    return answer(200, view(services, { ...caller, session }), {
      'Set-Cookie': sessionCookie(services, session.token, session.expiresAt),
    })
  }),

  bind('readSession', async ({ caller }) => answer(200, view(services, caller))),

  bind('deleteSession', async ({ caller }) => {
    if (caller.session !== null) await deleteSession(services.db, caller.session.id)
    return rawAnswer(204, null, { 'Set-Cookie': clearedCookie(services) })
  }),
]

const view = (services: Services, { actor, organisation, scopes, session }: Caller): Session => ({
  actor,
  organisation,
  scopes: [...scopes],
  csrf_token: session === null ? null : csrfToken(session.id, services),
  expires_at: session?.expiresAt.toISOString() ?? null,
})
