/** A site of testbed/web on one loopback address, counting who asks for which entry, and jittery where that is wanted. */
import { serveCase } from '../../src/modules/testing/collecting.ts'
import type { Surroundings } from '../../testbed/web/case.ts'
import type { Site } from '../../testbed/web/site/plan.ts'
import { serveSite, VISITOR } from '../../testbed/web/site/serve.ts'

export interface Target {
  readonly address: string
  /** Requests by the ids of cases. */
  readonly counts: ReadonlyMap<string, number>
  readonly close: () => Promise<void>
}

export const startTarget = async (site: Site, around: Surroundings, jitter: boolean): Promise<Target> => {
  const counts = new Map<string, number>()
  const serve = serveSite(site, around, ({ case: { id } }) => counts.set(id, (counts.get(id) ?? 0) + 1))
  const { address, close } = await serveCase(72, {
    http: (request, response) => {
      if (jitter) setTimeout(() => serve(request, response), 50 + Math.random() * 350)
      else serve(request, response)
    },
  })
  return { address, counts, close }
}

/** The cookie of a visitor who signs in. */
export const sessionAt = async (address: string): Promise<string> => {
  const body = new URLSearchParams({ user: VISITOR.user, password: VISITOR.password })
  const { headers } = await fetch(`http://${address}/sign-in`, { method: 'POST', body, redirect: 'manual' })
  return headers.getSetCookie()[0]?.split(';')[0] ?? ''
}
