import { openApi } from '../../contract/openapi.ts'
import { unavailable } from '../problems.ts'
import { answer, bind, type Route, rawAnswer } from '../route.ts'
import type { Services } from '../services.ts'
import { within } from '../within.ts'

export const serviceRoutes = (services: Services): readonly Route[] => {
  const document = JSON.stringify(openApi(services.version))
  return [
    bind('openapi', async () => rawAnswer(200, document, { 'Content-Type': 'application/json' })),

    bind('healthz', async () => answer(200, { status: 'ok' as const, version: services.version })),

    bind('readyz', async () => {
      try {
        await within(READY_TIMEOUT, services.db.query('select 1'))
      } catch (error) {
        throw unavailable(error)
      }
      return answer(200, { status: 'ready' as const, checks: { database: 'ok' as const } })
    }),

    bind('metrics', async () => {
      const { registry } = services.figures
      return rawAnswer(200, await registry.metrics(), { 'Content-Type': registry.contentType })
    }),

    bind('verifyTraffic', async ({ query }) => {
      const identity = services.verifyTraffic(query.sonde_run)
      const body =
        identity === null
          ? { ours: false, run_id: null, sent_at: null }
          : { ours: true, run_id: identity.runId, sent_at: new Date(identity.issuedAt * 1000).toISOString() }
      return answer(200, body)
    }),
  ]
}

/** Milliseconds. */
const READY_TIMEOUT = 2_000
