/** What the address of the list of findings says, and what the service is asked for it. Pure. */
import type { DomainFinding, ListDomainFindings, ProblemState } from '../../src/contract/domain-finding.ts'
import type { Severity } from '../../src/contract/finding.ts'
import { PROBLEM_STATES, SEVERITIES } from './words.ts'

/** As the client sends it. */
export interface ProblemQuery {
  readonly domain_id?: string
  readonly severity?: string
  readonly state?: string
  readonly module?: string
  readonly check_id?: string
  readonly since?: string
  readonly assignee?: string
  readonly due_before?: string
  readonly kev?: 'true'
  readonly cwe?: number
  readonly q?: string
  readonly sort?: ListDomainFindings['sort']
}

const OPEN: readonly ProblemState[] = ['open', 'reopened']
/** Days that something is new. */
export const NEW_DAYS = 7
const DAY = 86_400_000

export const severitiesOf = (search: URLSearchParams): Severity[] => {
  const named = (search.get('severity') ?? '').split(',')
  return SEVERITIES.filter((one) => named.includes(one))
}

/** Without a word about it, what is to be done. */
export const stateOf = (search: URLSearchParams): ProblemState | 'open' | 'all' => {
  const named = search.get('state')
  return named === 'all' ? 'all' : (PROBLEM_STATES.find((one) => one === named) ?? 'open')
}

export const sortOf = (search: URLSearchParams): ListDomainFindings['sort'] => {
  const named = search.get('sort')
  return named === 'last_seen' || named === 'due' ? named : 'severity'
}

/** `now`: milliseconds. Days begin in UTC, as those of due days do. */
export const queryOf = (search: URLSearchParams, now: number): ProblemQuery => {
  const given = (name: string): string | undefined => search.get(name) || undefined
  const severities = severitiesOf(search)
  const state = stateOf(search)
  const today = new Date(now).toISOString().slice(0, 10)
  const cwe = Number(given('cwe'))
  const texts = Object.fromEntries(
    ['domain_id', 'module', 'check_id', 'assignee', 'q'].flatMap((name) => {
      const value = given(name)
      return value === undefined ? [] : [[name, value]]
    }),
  )
  return {
    ...texts,
    ...(search.has('unassigned') ? { assignee: '' } : {}),
    ...(severities.length > 0 ? { severity: severities.join(',') } : {}),
    ...(state === 'all' ? {} : { state: state === 'open' ? OPEN.join(',') : state }),
    ...(search.has('new') ? { since: new Date(Date.parse(today) - NEW_DAYS * DAY).toISOString() } : {}),
    ...(search.has('overdue') ? { due_before: today } : {}),
    ...(search.has('kev') ? { kev: 'true' as const } : {}),
    ...(Number.isInteger(cwe) && cwe > 0 ? { cwe } : {}),
    sort: sortOf(search),
  }
}

export const keyOf = ({ domain_id, fingerprint }: Pick<DomainFinding, 'domain_id' | 'fingerprint'>): string =>
  `${domain_id} ${fingerprint}`

export const addressOf = ({ domain_id, fingerprint }: Pick<DomainFinding, 'domain_id' | 'fingerprint'>): string =>
  `/findings/${domain_id}/${fingerprint}`

/** Whether the list of this query still shows it after a change of its state. */
export const isShown = ({ state }: ProblemQuery, finding: DomainFinding): boolean =>
  state === undefined || state.split(',').includes(finding.state)
