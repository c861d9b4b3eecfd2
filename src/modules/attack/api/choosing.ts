/** What a topic asks of what it applies to: all that may be sent, within its bounds, and the rest by reason. */
import { countsOf } from './asking.ts'
import { keptFrom, type Target } from './operations.ts'

const MOST_OPERATIONS = 400

export interface Chosen {
  readonly items: readonly Target[]
  readonly left: Readonly<Record<string, number>>
}

/** `mostForms`: so many forms of pages at most, those first that may be sent. */
export const chosen = (targets: readonly Target[], careful: boolean, mostForms = MOST_OPERATIONS): Chosen => {
  const free = targets.filter(({ request }) => keptFrom(request, careful) === null)
  const reasons = targets.flatMap(({ request }) => keptFrom(request, careful) ?? [])
  const beyondForms = new Set(free.filter(({ request }) => request.source === 'form').slice(mostForms))
  const some = free.filter((one) => !beyondForms.has(one))
  const beyond = [
    ...[...beyondForms].map(() => `beyond the first ${mostForms}`),
    ...some.slice(MOST_OPERATIONS).map(() => `beyond the first ${MOST_OPERATIONS}`),
  ]
  return { items: some.slice(0, MOST_OPERATIONS), left: countsOf([...reasons, ...beyond]) }
}

/** Nothing of a system that is in use. */
export const mayWrite = (targets: readonly Target[], careful: boolean, mostForms?: number): Chosen =>
  careful
    ? { items: [], left: countsOf(targets.map(() => 'that may write, on a production system')) }
    : chosen(targets, false, mostForms)
