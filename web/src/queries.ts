/** What pages read, by the name under which it is kept. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { ApiError } from '../../src/contract/client-core.ts'
import type { Severity } from '../../src/contract/finding.ts'
import type { RunStatus, Tier } from '../../src/contract/run.ts'
import { client } from './client.ts'
import type { ProblemQuery } from './problem-view.ts'
import { inLanguage } from './reading.ts'
import { hasEnded } from './words.ts'

/** Milliseconds between two looks at what changes while one watches. */
const LIVE = 5_000
/** The same for what takes seconds, while somebody waits for it. */
const SOON = 1_000
/** The same for how long a run still takes. */
const ESTIMATED = 15_000

export interface RunFilters {
  readonly domain_id?: string
  readonly status?: readonly RunStatus[]
  readonly tier?: Tier
  readonly from?: string
  readonly to?: string
  readonly q?: string
}

/** The list's rows are live while one of them is on its way. */
export const runsQuery = ({ status, ...filters }: RunFilters) =>
  infiniteQueryOptions({
    queryKey: ['runs', { status, ...filters }],
    queryFn: ({ pageParam, signal }) =>
      client.listScans({
        query: {
          ...filters,
          ...(status === undefined || status.length === 0 ? {} : { status: status.join(',') }),
          ...(pageParam === null ? {} : { cursor: pageParam }),
        },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.items.some((run) => !hasEnded(run.status))) ? LIVE : 60_000,
  })

export const batchesQuery = infiniteQueryOptions({
  queryKey: ['batches'],
  queryFn: ({ pageParam, signal }) =>
    client.listBatches({ query: pageParam === null ? {} : { cursor: pageParam }, signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.next_cursor,
  refetchInterval: ({ state }) =>
    state.data?.pages.some((page) => page.items.some(({ finished_at }) => finished_at === null)) ? LIVE : false,
})

export const hypothesesQuery = infiniteQueryOptions({
  queryKey: ['hypotheses'],
  queryFn: ({ pageParam, signal }) =>
    client.listHypotheses({ query: pageParam === null ? {} : { cursor: pageParam }, signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.next_cursor,
  refetchInterval: ({ state }) =>
    state.data?.pages.some((page) => page.items.some(({ verdict }) => verdict === null)) ? LIVE : false,
})

/** Of a run of one place. Its verdict comes with the run's end. */
export const hypothesisQuery = (id: string) =>
  queryOptions({
    queryKey: ['hypothesis', id],
    queryFn: ({ signal }) => client.readHypothesis({ params: { id }, signal }),
    refetchInterval: ({ state }) => (state.data?.verdict === null ? LIVE : false),
  })

export const runQuery = (id: string) =>
  queryOptions({
    queryKey: ['run', id],
    queryFn: ({ signal }) => client.readScan({ params: { id }, signal }),
    // The stream says how it goes; how long it still takes is asked for.
    refetchInterval: ({ state }) => (state.data === undefined || hasEnded(state.data.status) ? false : ESTIMATED),
  })

export const findingsQuery = (id: string, severity: Severity | null) =>
  infiniteQueryOptions({
    queryKey: ['findings', id, severity],
    queryFn: ({ pageParam, signal }) =>
      client.listFindings({
        params: { id },
        query: {
          ...inLanguage(),
          limit: 100,
          ...(severity === null ? {} : { severity }),
          ...(pageParam === null ? {} : { cursor: pageParam }),
        },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })

export interface MatrixFilters {
  readonly flawed: boolean
  /** Of the operation's name; empty where all are asked for. */
  readonly words: string
}

/** `live`: the run goes on, and the module that fills it may end at any time. */
export const matrixQuery = (id: string, { flawed, words }: MatrixFilters, live: boolean) =>
  infiniteQueryOptions({
    queryKey: ['matrix', id, flawed, words],
    queryFn: ({ pageParam, signal }) =>
      client.readMatrix({
        params: { id },
        query: {
          ...inLanguage(),
          limit: 500,
          ...(flawed ? { verdict: 'flaw' } : {}),
          ...(words === '' ? {} : { q: words }),
          ...(pageParam === null ? {} : { cursor: pageParam }),
        },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    refetchInterval: ({ state }) => (live && state.data === undefined ? LIVE : false),
  })

export const problemsQuery = (query: ProblemQuery) =>
  infiniteQueryOptions({
    queryKey: ['problems', 'list', query] as const,
    queryFn: ({ pageParam, signal }) =>
      client.listDomainFindings({
        query: { ...query, ...inLanguage(), limit: 100, ...(pageParam === null ? {} : { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })

export const problemGroupsQuery = ({ sort: _, ...query }: ProblemQuery) =>
  queryOptions({
    queryKey: ['problems', 'groups', query],
    queryFn: ({ signal }) => client.countDomainFindings({ query: { ...query, ...inLanguage() }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })

export const problemQuery = (domain: string, fingerprint: string) =>
  queryOptions({
    queryKey: ['problem', domain, fingerprint],
    queryFn: ({ signal }) =>
      client.readDomainFinding({ params: { id: domain, fingerprint }, query: inLanguage(), signal }),
  })

export const problemEventsQuery = (domain: string, fingerprint: string) =>
  infiniteQueryOptions({
    queryKey: ['problem-events', domain, fingerprint],
    queryFn: ({ pageParam, signal }) =>
      client.listDomainFindingEvents({
        params: { id: domain, fingerprint },
        query: pageParam === null ? {} : { cursor: pageParam },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  })

export const dueDaysQuery = queryOptions({
  queryKey: ['due-days'],
  queryFn: ({ signal }) => client.readDueDays({ signal }),
})

export const viewsQuery = queryOptions({
  queryKey: ['views'],
  queryFn: ({ signal }) => client.listViews({ signal }),
  staleTime: 60_000,
})

export const findingQuery = (id: string, finding: string) =>
  queryOptions({
    queryKey: ['finding', id, finding],
    queryFn: ({ signal }) => client.readFinding({ params: { id, finding_id: finding }, query: inLanguage(), signal }),
    staleTime: 60_000,
  })

export const historyQuery = (id: string, finding: string) =>
  queryOptions({
    queryKey: ['history', id, finding],
    queryFn: ({ signal }) => client.readHistory({ params: { id, finding_id: finding }, signal }),
  })

export const retestsQuery = (id: string, finding: string) =>
  queryOptions({
    queryKey: ['retests', id, finding],
    queryFn: ({ signal }) => client.listRetests({ params: { id, finding_id: finding }, signal }),
    refetchInterval: ({ state }) => (state.data?.items.some(isUnderWay) ? LIVE : false),
  })

export const coverageQuery = (id: string) =>
  queryOptions({
    queryKey: ['coverage', id],
    queryFn: ({ signal }) => client.readCoverage({ params: { id }, query: inLanguage(), signal }),
  })

export const artifactsQuery = (id: string) =>
  queryOptions({
    queryKey: ['artifacts', id],
    queryFn: ({ signal }) => client.listArtifacts({ params: { id }, signal }),
  })

export const signingKeysQuery = queryOptions({
  queryKey: ['signing-keys'],
  queryFn: ({ signal }) => client.readSigningKey({ signal }),
})

export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: ({ signal }) => client.readOverview({ signal }),
  refetchInterval: 60_000,
})

export const organisationQuery = queryOptions({
  queryKey: ['organisation'],
  queryFn: ({ signal }) => client.readOrganisation({ signal }),
  // Every page shows whether an emergency stop holds the runs.
  refetchInterval: 60_000,
})

export const scanAddressesQuery = queryOptions({
  queryKey: ['scan-addresses'],
  queryFn: ({ signal }) => client.scanAddresses({ signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** The newest; a receipt comes some seconds after its erasure. */
export const erasuresQuery = queryOptions({
  queryKey: ['erasures'],
  queryFn: ({ signal }) => client.listErasures({ query: {}, signal }),
  refetchInterval: ({ state }) => (state.data?.items.some(({ receipt }) => receipt === null) ? LIVE : false),
})

/** A new name, logo or plan makes another page: whoever changes one of them asks anew. */
export const coverQuery = queryOptions({
  queryKey: ['cover'],
  queryFn: async ({ signal }) => (await client.request('readCover', { signal })).blob(),
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
})

/** Pages of domains that a list to choose from has: after an import there may be a hundred thousand. */
const DOMAIN_PAGES = 10

/** The newest domains, page after page: an organisation has tens, seldom hundreds. */
export const domainsQuery = queryOptions({
  queryKey: ['domains'],
  queryFn: async ({ signal }) => {
    const items = []
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof client.listDomains>> = await client.listDomains({
        query: { limit: 100, ...(cursor === null ? {} : { cursor }) },
        signal,
      })
      items.push(...page.items)
      cursor = page.next_cursor
    } while (cursor !== null && items.length < DOMAIN_PAGES * 100)
    return items
  },
})

/** The one of this whole name, wherever it stands in the list; empty where there is none. */
export const domainNamedQuery = (name: string) =>
  queryOptions({
    queryKey: ['domains', 'named', name],
    queryFn: async ({ signal }) =>
      name === '' ? [] : (await client.listDomains({ query: { domain: name.slice(0, 260) }, signal })).items,
  })

export const domainQuery = (id: string) =>
  queryOptions({ queryKey: ['domain', id], queryFn: ({ signal }) => client.readDomain({ params: { id }, signal }) })

/** Against the run before. */
export const comparisonQuery = (id: string) =>
  queryOptions({
    queryKey: ['comparison', id],
    queryFn: ({ signal }) => client.compareScans({ params: { id }, query: inLanguage(), signal }),
  })

export const schedulesQuery = (domain: string) =>
  queryOptions({
    queryKey: ['schedules', domain],
    queryFn: ({ signal }) => client.listSchedules({ query: { domain_id: domain }, signal }),
  })

export const descriptionsQuery = (domain: string) =>
  queryOptions({
    queryKey: ['descriptions', domain],
    queryFn: ({ signal }) => client.listDescriptions({ params: { id: domain }, signal }),
  })

export type HostState = 'proposed' | 'registered'

export const hostsQuery = (domain: string, state: HostState) =>
  infiniteQueryOptions({
    queryKey: ['hosts', domain, state],
    queryFn: ({ signal, pageParam }) =>
      client.listDomainHosts({
        params: { id: domain },
        query: { state, limit: 50, ...(pageParam === null ? {} : { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
  })

export const identitiesQuery = (domain: string) =>
  queryOptions({
    queryKey: ['identities', domain],
    queryFn: ({ signal }) => client.listIdentities({ params: { id: domain }, signal }),
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ test }) => test !== null && isUnderWay(test)) ? SOON : false,
  })

/** Null: nobody has tested the login that is stored now. */
export const loginTestQuery = (domain: string) =>
  queryOptions({
    queryKey: ['login-test', domain],
    queryFn: ({ signal }) => client.readLoginTest({ params: { id: domain }, signal }).catch(nothing),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? SOON : false),
  })

const isUnderWay = ({ state }: { readonly state: string }): boolean => state === 'waiting' || state === 'running'

const nothing = (error: unknown): null => {
  if (error instanceof ApiError && error.status === 404) return null
  throw error
}

export const mailQuery = queryOptions({
  queryKey: ['mail'],
  queryFn: ({ signal }) => client.listMailSubscriptions({ signal }),
})

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: ({ signal }) => client.listWebhooks({ signal }),
})
export const deliveriesQuery = (id: string) =>
  queryOptions({
    queryKey: ['deliveries', id],
    queryFn: ({ signal }) => client.listDeliveries({ params: { id }, signal }),
  })

export const agentsQuery = queryOptions({
  queryKey: ['agents'],
  queryFn: ({ signal }) => client.listAgents({ signal }),
})
export const keysQuery = queryOptions({ queryKey: ['keys'], queryFn: ({ signal }) => client.listKeys({ signal }) })
export const membersQuery = queryOptions({
  queryKey: ['members'],
  queryFn: ({ signal }) => client.listMembers({ signal }),
})
export const activityQuery = infiniteQueryOptions({
  queryKey: ['activity'],
  queryFn: ({ pageParam, signal }) =>
    client.listActivity({ query: { limit: 50, ...(pageParam === null ? {} : { cursor: pageParam }) }, signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.next_cursor,
})

export const orgLanguageQuery = queryOptions({
  queryKey: ['organisation', 'language'],
  queryFn: ({ signal }) => client.readLanguage({ signal }),
})
