/** What is to be done over all domains: one row a problem, however many runs saw it. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { Failure } from '../components/failure.tsx'
import { Ghosts } from '../components/ghost.tsx'
import { Page } from '../components/page.tsx'
import { ProblemFilters } from '../components/problems/problem-filters.tsx'
import { ProblemGroups } from '../components/problems/problem-groups.tsx'
import { ProblemList } from '../components/problems/problem-list.tsx'
import { SavedViews } from '../components/problems/saved-views.tsx'
import { number } from '../format.ts'
import { useText } from '../i18n/text.tsx'
import { queryOf } from '../problem-view.ts'
import { problemGroupsQuery } from '../queries.ts'

const Findings = () => {
  const { t, language } = useText()
  const [search, setSearch] = useSearchParams()
  // One day for the whole visit: a list does not change while one works through it.
  const [now] = useState(() => Date.now())
  const query = useMemo(() => queryOf(search, now), [search, now])
  const groups = useQuery(problemGroupsQuery(query))
  const grouped = search.get('by') === 'cause'
  const set = (values: Readonly<Record<string, string>>): void =>
    setSearch((before) => withValues(before, values), { replace: true })
  const modules = [...new Set((groups.data?.items ?? []).map(({ check_id }) => check_id.split('/')[0] ?? ''))]
  const cause = groups.data?.items.find(({ check_id }) => check_id === search.get('check_id'))
  // Of all there are none: no filter hides them.
  const narrowed =
    [...search.keys()].some((name) => !['by', 'sort'].includes(name)) && search.toString() !== 'state=all'
  const empty = <Empty filtered={narrowed} clear={() => setSearch({}, { replace: true })} />
  return (
    <Page
      title={t('findings')}
      lead={
        groups.data === undefined
          ? t('findingsLead')
          : t('findingsCount', { n: groups.data.total, shown: number(groups.data.total, language) })
      }
      actions={
        <Button variant="default" onClick={() => set({ by: grouped ? '' : 'cause' })}>
          {grouped ? t('oneByOne') : t('byCause')}
        </Button>
      }
    >
      <SavedViews search={search} />
      <ProblemFilters search={search} set={set} modules={modules} />
      {search.has('check_id') ? (
        <p className="row">
          {t('cause')}: <strong>{cause?.title ?? search.get('check_id')}</strong>
          <Button size="compact-sm" variant="subtle" onClick={() => set({ check_id: '' })}>
            {t('allCauses')}
          </Button>
        </p>
      ) : null}
      {!grouped ? (
        <ProblemList key={JSON.stringify(query)} query={query} total={groups.data?.total ?? null} empty={empty} />
      ) : groups.error ? (
        <Failure error={groups.error} retry={() => void groups.refetch()} />
      ) : groups.data === undefined ? (
        <Ghosts rows={8} />
      ) : groups.data.items.length === 0 ? (
        empty
      ) : (
        <ProblemGroups
          groups={groups.data.items}
          to={(checkId) => `?${withValues(search, { by: '', check_id: checkId })}`}
        />
      )}
    </Page>
  )
}

const withValues = (search: URLSearchParams, values: Readonly<Record<string, string>>): URLSearchParams => {
  const next = new URLSearchParams(search)
  for (const [name, value] of Object.entries(values)) {
    if (value === '') next.delete(name)
    else next.set(name, value)
  }
  return next
}

const Empty = ({ filtered, clear }: { readonly filtered: boolean; readonly clear: () => void }) => {
  const { t } = useText()
  return (
    <div className="card">
      <div className="empty">
        <h2>{filtered ? t('noFindingMatches') : t('nothingToDo')}</h2>
        <p>{filtered ? t('noFindingMatchesText') : t('nothingToDoText')}</p>
        {filtered ? (
          <Button variant="default" onClick={clear}>
            {t('clearFilters')}
          </Button>
        ) : (
          <Link to="/domains">{t('allDomains')}</Link>
        )}
      </div>
    </div>
  )
}

export default Findings
