/** What the matrix says of the run's reach: pages and forms that the first identity is not led to, which nothing else asks. */
import type { ReachPart } from '../../reach.ts'
import type { AuthorizationFacts } from './facts.ts'

export const reachPartOf = ({ shownToOthers = [] }: AuthorizationFacts): ReachPart => ({
  entries: shownToOthers.map(({ method, url, to }) => {
    const kind = method === 'GET' ? ('address' as const) : ('form' as const)
    const reason = `only ${to} is led to it, and the run goes as another: name who sees most first`
    return { kind, id: `${kind} ${method} ${url}`, method, url, fate: 'left_out' as const, reason }
  }),
  beyond: [],
})
