import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import type { RunListItem, RunStatus, Tier } from '../../../src/contract/run.ts'
import { Failure } from '../components/failure.tsx'
import { Ghosts } from '../components/ghost.tsx'
import { CountsMark, StatusMark } from '../components/marks.tsx'
import { Page } from '../components/page.tsx'
import { StartRunButton } from '../components/start-run.tsx'
import { Ago } from '../components/when.tsx'
import { WordsField } from '../components/words-field.tsx'
import { useT } from '../i18n/text.tsx'
import { domainsQuery, type RunFilters, runsQuery } from '../queries.ts'
import { useMay } from '../session.tsx'
import { hasEnded, STATUSES, TIERS } from '../words.ts'

/** The filters are the address: a link to this view shows the same to whoever opens it. */
const readFilters = (search: URLSearchParams): RunFilters => {
  const given = (name: string): string | undefined => search.get(name) || undefined
  const status = (given('status') ?? '')
    .split(',')
    .filter((word): word is RunStatus => STATUSES.includes(word as RunStatus))
  const tier = TIERS.find((one): one is Tier => one === given('tier'))
  const [domain, q, from, to] = [given('domain_id'), given('q'), dayStart(given('from'), 0), dayStart(given('to'), 1)]
  return {
    ...(status.length > 0 ? { status } : {}),
    ...(tier ? { tier } : {}),
    ...(domain ? { domain_id: domain } : {}),
    ...(q ? { q } : {}),
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
  }
}

/** Midnight of a day in the reader's zone, `later` days on; undefined for what is no day. */
const dayStart = (day: string | undefined, later: number): string | undefined => {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day ?? '') ?? []
  if (year === undefined) return undefined
  const at = new Date(Number(year), Number(month) - 1, Number(date) + later)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}

const Runs = () => {
  const t = useT()
  const [search, setSearch] = useSearchParams()
  const filters = readFilters(search)
  const runs = useInfiniteQuery(runsQuery(filters))
  const items = runs.data?.pages.flatMap((page) => page.items) ?? []
  const filtered = Object.keys(filters).length > 0
  const set = (name: string, value: string): void =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        if (value === '') next.delete(name)
        else next.set(name, value)
        return next
      },
      { replace: true },
    )
  return (
    <Page
      title={t('runs')}
      lead={t('runsLead')}
      actions={
        <>
          <Link to="/hypotheses">{t('hypotheses')}</Link>
          <Link to="/batches">{t('batches')}</Link>
          <StartRunButton />
        </>
      }
    >
      <Filters search={search} set={set} />
      {runs.error ? (
        <Failure error={runs.error} retry={() => void runs.refetch()} />
      ) : runs.data === undefined ? (
        <Ghosts rows={8} />
      ) : items.length === 0 ? (
        <div className="card">
          <Empty filtered={filtered} clear={() => setSearch({}, { replace: true })} />
        </div>
      ) : (
        <div className="card" aria-busy={runs.isPlaceholderData}>
          <RunTable items={items} />
        </div>
      )}
      {runs.hasNextPage ? (
        <div>
          <Button variant="default" loading={runs.isFetchingNextPage} onClick={() => void runs.fetchNextPage()}>
            {t('showMore')}
          </Button>
        </div>
      ) : null}
    </Page>
  )
}

interface FiltersProps {
  readonly search: URLSearchParams
  readonly set: (name: string, value: string) => void
}

const Filters = ({ search, set }: FiltersProps) => {
  const t = useT()
  const mayDomains = useMay('domains:read')
  const domains = useQuery({ ...domainsQuery, enabled: mayDomains })
  const chosen = (search.get('status') ?? '').split(',').filter((word) => word !== '')
  const toggle = (status: RunStatus): void =>
    set('status', (chosen.includes(status) ? chosen.filter((one) => one !== status) : [...chosen, status]).join(','))
  return (
    <search className="stack tight" aria-label={t('filters')}>
      <div className="filters">
        <WordsField hint={t('searchHint')} value={search.get('q') ?? ''} set={(value) => set('q', value)} />
        <NativeSelect
          label={t('domain')}
          value={search.get('domain_id') ?? ''}
          onChange={(event) => set('domain_id', event.currentTarget.value)}
          data={[
            { value: '', label: t('anyDomain') },
            ...(domains.data ?? []).map(({ id, domain }) => ({ value: id, label: domain })),
          ]}
        />
        <NativeSelect
          label={t('tier')}
          value={search.get('tier') ?? ''}
          onChange={(event) => set('tier', event.currentTarget.value)}
          data={[
            { value: '', label: t('anyTier') },
            ...TIERS.map((tier) => ({ value: tier, label: t(`tier_${tier}`) })),
          ]}
        />
        <TextInput
          type="date"
          label={t('from')}
          value={search.get('from') ?? ''}
          onChange={(event) => set('from', event.currentTarget.value)}
        />
        <TextInput
          type="date"
          label={t('until')}
          value={search.get('to') ?? ''}
          onChange={(event) => set('to', event.currentTarget.value)}
        />
      </div>
      <fieldset className="chips bare">
        <legend className="hidden">{t('status')}</legend>
        {STATUSES.map((status) => (
          <button
            key={status}
            type="button"
            className="chip"
            aria-pressed={chosen.includes(status)}
            onClick={() => toggle(status)}
          >
            {t(`status_${status}`)}
          </button>
        ))}
      </fieldset>
    </search>
  )
}

const Empty = ({ filtered, clear }: { readonly filtered: boolean; readonly clear: () => void }) => {
  const t = useT()
  return (
    <div className="empty">
      <h2>{filtered ? t('noMatchTitle') : t('noRunsTitle')}</h2>
      <p>{filtered ? t('noMatchText') : t('noRunsText')}</p>
      {filtered ? (
        <Button variant="default" onClick={clear}>
          {t('clearFilters')}
        </Button>
      ) : null}
    </div>
  )
}

export const RunTable = ({ items }: { readonly items: readonly RunListItem[] }) => {
  const t = useT()
  return (
    <table className="table blocks">
      <caption className="hidden">{t('runs')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('domain')}</th>
          <th scope="col">{t('status')}</th>
          <th scope="col">{t('findings')}</th>
          <th scope="col">{t('tier')}</th>
          <th scope="col">{t('start')}</th>
        </tr>
      </thead>
      <tbody>
        {items.map((run) => (
          <tr key={run.id}>
            <td>
              <Link className="name" to={`/runs/${run.id}`}>
                {run.domain}
              </Link>{' '}
              {run.retest_of === null ? null : <span className="tag">{t('retestTag')}</span>}
              {run.hypothesis === null || run.retest_of !== null ? null : (
                <span className="tag">{t('hypothesisTag')}</span>
              )}
            </td>
            <td className="fit">
              <span className="row">
                <StatusMark status={run.status} />
                {hasEnded(run.status) ? null : <Percent value={run.progress} label={run.domain} />}
              </span>
            </td>
            <td className="fit">
              <CountsMark counts={run.open_counts} />
            </td>
            <td className="fit quiet" data-label={t('tier')}>
              {t(`tier_${run.tier}`)}
            </td>
            <td className="fit quiet" data-label={t('start')}>
              <Ago iso={run.created_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export const Percent = ({ value, label }: { readonly value: number; readonly label: string }) => {
  const t = useT()
  return (
    <span className="row">
      <span
        className="bar thin"
        role="progressbar"
        aria-valuenow={value}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-label={`${t('progress')}: ${label}`}
      >
        <span style={{ width: `${value}%` }} />
      </span>
      <span className="num small quiet">{value} %</span>
    </span>
  )
}

export default Runs
