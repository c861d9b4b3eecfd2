/** What an active run would send, by what the policy says of each request; a dry run ends with it. */
import type { PlannedRequest } from '../../../contract/sending.ts'
import { WRITES_UNKNOWN } from '../../../safety/policy.ts'
import type { InsertionPoint, RequestTemplate } from './facts.ts'

export const plannedOf = (
  requests: readonly RequestTemplate[],
  points: readonly InsertionPoint[],
): readonly PlannedRequest[] => {
  const places = Map.groupBy(points, ({ request }) => request)
  return requests.map((request) => ({
    ...{ method: request.method, url: request.url, places: places.get(request.id)?.length ?? 0 },
    ...decisionOf(request),
  }))
}

const decisionOf = ({
  harm,
  bound,
  boundBy,
}: RequestTemplate): Pick<PlannedRequest, 'decision' | 'most' | 'reason'> => {
  if (harm === WRITES_UNKNOWN) return { decision: 'once', most: null, reason: harm }
  if (harm !== null) return { decision: 'never', most: null, reason: harm }
  if (bound !== undefined)
    return { decision: boundBy === WRITES_UNKNOWN ? 'once' : 'bounded', most: bound, reason: boundBy ?? null }
  return { decision: 'send', most: null, reason: null }
}
