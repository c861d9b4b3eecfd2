/** Puts changed findings where they are shown, without asking for every page of a long list again. */
import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query'
import type { DomainFinding } from '../../../../src/contract/domain-finding.ts'
import { isShown, keyOf, type ProblemQuery } from '../../problem-view.ts'
import { problemQuery } from '../../queries.ts'

interface Listed {
  readonly items: readonly DomainFinding[]
}

export const useChanged = (): ((changed: readonly DomainFinding[]) => void) => {
  const queries = useQueryClient()
  const show = useShown()
  return (changed) => {
    show(changed)
    for (const name of ['problem-events', 'finding', 'findings']) void queries.invalidateQueries({ queryKey: [name] })
    void queries.invalidateQueries({ queryKey: ['problems', 'groups'] })
  }
}

/** The same before the service knows of it: nothing is asked for. */
export const useShown = (): ((changed: readonly DomainFinding[]) => void) => {
  const queries = useQueryClient()
  return (changed) => {
    putIntoLists(queries, new Map(changed.map((one) => [keyOf(one), one])))
    for (const one of changed) queries.setQueryData(problemQuery(one.domain_id, one.fingerprint).queryKey, one)
  }
}

/** What a list no longer asks for leaves it. */
const putIntoLists = (queries: QueryClient, changed: ReadonlyMap<string, DomainFinding>): void => {
  for (const { queryKey } of queries.getQueryCache().findAll({ queryKey: ['problems', 'list'] })) {
    const query = queryKey[2] as ProblemQuery
    queries.setQueryData<InfiniteData<Listed>>(queryKey, (data) =>
      data === undefined
        ? data
        : {
            ...data,
            pages: data.pages.map((page) => ({
              ...page,
              items: page.items.map((one) => changed.get(keyOf(one)) ?? one).filter((one) => isShown(query, one)),
            })),
          },
    )
  }
}
