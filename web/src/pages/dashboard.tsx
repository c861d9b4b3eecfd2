import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { DomainOverview, OverviewRun } from '../../../src/contract/overview.ts'
import { Failure } from '../components/failure.tsx'
import { Ghosts } from '../components/ghost.tsx'
import { LastRunCell } from '../components/last-run.tsx'
import { CountsMark, GradeMark, totalOf } from '../components/marks.tsx'
import { Page } from '../components/page.tsx'
import { Columns, Spark } from '../components/plots.tsx'
import { StartRunButton } from '../components/start-run.tsx'
import { date, number } from '../format.ts'
import { useText } from '../i18n/text.tsx'
import { organisationQuery, overviewQuery, runsQuery } from '../queries.ts'
import { SEVERITIES } from '../words.ts'
import { RunTable } from './runs.tsx'

const Dashboard = () => {
  const { t } = useText()
  const overview = useQuery(overviewQuery)
  return (
    <Page title={t('overview')} lead={t('overviewLead')} actions={<StartRunButton />}>
      {overview.data === undefined ? (
        overview.error ? (
          <Failure error={overview.error} retry={() => void overview.refetch()} />
        ) : (
          <Ghosts rows={9} />
        )
      ) : overview.data.domains.length === 0 ? (
        <Welcome />
      ) : (
        <Everything domains={overview.data.domains} total={overview.data.total} />
      )}
    </Page>
  )
}

const Welcome = () => {
  const { t } = useText()
  return (
    <div className="card">
      <div className="empty">
        <h2>{t('welcomeTitle')}</h2>
        <ol className="numbered">
          <li>{t('welcome1')}</li>
          <li>{t('welcome2')}</li>
          <li>{t('welcome3')}</li>
        </ol>
        <Link to="/domains">{t('addDomain')}</Link>
      </div>
    </div>
  )
}

const sum = (
  domains: readonly DomainOverview[],
  of: (latest: NonNullable<DomainOverview['latest']>) => number,
): number => domains.reduce((total, { latest }) => total + (latest === null ? 0 : of(latest)), 0)

interface EverythingProps {
  readonly domains: readonly DomainOverview[]
  /** Domains of the organisation: more than there are here of a large one. */
  readonly total: number
}

const Everything = ({ domains, total }: EverythingProps) => {
  const { t } = useText()
  const worse = domains.filter(({ runs }) => isWorse(runs))
  const added = sum(domains, ({ added: counts }) => totalOf(counts))
  const grave = sum(domains, ({ added: counts }) => counts.critical + counts.high)
  const blind = sum(
    domains,
    ({ checks }) => (checks.blocked ?? 0) + (checks.inconclusive ?? 0) + (checks.not_tested ?? 0),
  )
  return (
    <>
      <section className="tiles" aria-label={t('sinceLast')}>
        <Tile name={t('tileNew')} value={added} note={t('tileNewNote', { n: grave })} tone={grave > 0 ? 'bad' : ''} />
        <Tile
          name={t('tileWorse')}
          value={worse.length}
          note={t('tileWorseNote')}
          tone={worse.length > 0 ? 'bad' : ''}
        />
        <Tile name={t('tileFixed')} value={sum(domains, ({ gone }) => gone)} note={t('tileFixedNote')} tone="good" />
        <Tile name={t('tileBlind')} value={blind} note={t('tileBlindNote')} />
        <Quota />
      </section>
      <section aria-labelledby="domains">
        <div className="section-head">
          <h2 id="domains">{t('domains')}</h2>
          <Link to="/domains">{t('allDomains')}</Link>
        </div>
        {total > domains.length ? (
          <p className="quiet small">{t('someDomains', { shown: domains.length, total })}</p>
        ) : null}
        <DomainTable domains={domains} />
      </section>
      <Trend domains={domains} />
      <Latest />
    </>
  )
}

/** Down in grade, or up in what is grave, from the run before to the last. */
const isWorse = (runs: readonly OverviewRun[]): boolean => {
  const [before, last] = runs.slice(-2)
  if (before === undefined || last === undefined || before.tier !== last.tier) return false
  return gradeRank(last.grade) > gradeRank(before.grade)
}
const GRADES = ['A+', 'A', 'B', 'C', 'D', 'E', 'F']
const gradeRank = (grade: string | null): number => (grade === null ? -1 : GRADES.indexOf(grade))

interface TileProps {
  readonly name: string
  readonly value: number
  readonly note: string
  readonly tone?: 'good' | 'bad' | ''
}

const Tile = ({ name, value, note, tone = '' }: TileProps) => {
  const { language } = useText()
  return (
    <div className="tile">
      <div className="tile-name">{name}</div>
      <div className={`tile-value num ${value === 0 ? 'zero' : tone}`}>{number(value, language)}</div>
      <div className="tile-note">{note}</div>
    </div>
  )
}

const Quota = () => {
  const { t, language } = useText()
  const organisation = useQuery(organisationQuery)
  const { usage, plan } = organisation.data ?? {}
  if (usage === undefined || plan === undefined) return null
  const share = plan.runs_per_month === null ? null : Math.min(1, usage.runs / Math.max(1, plan.runs_per_month))
  return (
    <div className="tile">
      <div className="tile-name">{t('tileQuota')}</div>
      <div className="tile-value num">
        {number(usage.runs, language)}
        {plan.runs_per_month === null ? null : <small> / {number(plan.runs_per_month, language)}</small>}
      </div>
      {share === null ? null : (
        <div className="bar" aria-hidden="true">
          <span style={{ width: `${share * 100}%` }} />
        </div>
      )}
      <div className="tile-note">
        {plan.runs_per_month === null ? t('quotaUnlimited') : t('quotaUntil', { day: date(usage.to, language) })}
      </div>
    </div>
  )
}

const DomainTable = ({ domains }: { readonly domains: readonly DomainOverview[] }) => {
  const { t } = useText()
  const ordered = domains.toSorted(
    (a, b) => gradeRank(b.runs.at(-1)?.grade ?? null) - gradeRank(a.runs.at(-1)?.grade ?? null),
  )
  return (
    <div className="card">
      <table className="table blocks">
        <caption className="hidden">{t('domains')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('domain')}</th>
            <th scope="col">{t('grade')}</th>
            <th scope="col">{t('findings')}</th>
            <th scope="col">{t('change')}</th>
            <th scope="col">{t('lastRun')}</th>
          </tr>
        </thead>
        <tbody>
          {ordered.map((domain) => {
            const last = domain.runs.at(-1)
            return (
              <tr key={domain.id}>
                <td>
                  <Link className="name" to={`/domains/${domain.id}`}>
                    {domain.domain}
                  </Link>
                </td>
                <td className="fit">
                  <span className="row">
                    <GradeMark grade={last?.grade ?? null} />
                    <Spark runs={domain.runs} />
                  </span>
                </td>
                <td className="fit">{last === undefined ? null : <CountsMark counts={last.counts} />}</td>
                <td className="fit small">
                  <Change domain={domain} />
                </td>
                <LastRunCell run={last} />
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

const Change = ({ domain: { latest } }: { readonly domain: DomainOverview }) => {
  const { t } = useText()
  if (latest === null) return <span className="quiet">–</span>
  const added = totalOf(latest.added)
  if (added === 0 && latest.gone === 0) return <span className="quiet">{t('noChange')}</span>
  return (
    <span className="row">
      {added === 0 ? null : <span className="worse num">{t('plusNew', { n: added })}</span>}
      {latest.gone === 0 ? null : <span className="better num">{t('minusGone', { n: latest.gone })}</span>}
    </span>
  )
}

/** Findings of all domains over their last runs: the last one of each, then the one before, and so on. */
const Trend = ({ domains }: { readonly domains: readonly DomainOverview[] }) => {
  const { t } = useText()
  const depth = Math.max(0, ...domains.map(({ runs }) => runs.length))
  if (depth < 2) return null
  const columns = Array.from({ length: depth }, (_, index) => {
    const runs = domains.flatMap(({ runs: own }) => own.at(index - depth) ?? [])
    const counts = { critical: 0, high: 0, medium: 0, low: 0, info: 0 }
    for (const run of runs) for (const severity of SEVERITIES) counts[severity] += run.counts[severity]
    const newest =
      runs
        .map((run) => run.finished_at)
        .toSorted()
        .at(-1) ?? ''
    return { id: String(index), tier: 'passive' as const, grade: null, counts, finished_at: newest }
  })
  return (
    <section className="card pad stack tight" aria-labelledby="trend">
      <h2 id="trend">{t('findingsOverTime')}</h2>
      <p className="quiet small">{t('trendText')}</p>
      <Columns runs={columns} />
      <ul className="row small">
        {SEVERITIES.map((severity) => (
          <li key={severity} className={`sev ${severity}`}>
            {t(`severity_${severity}`)}
          </li>
        ))}
      </ul>
    </section>
  )
}

const Latest = () => {
  const { t } = useText()
  const runs = useInfiniteQuery(runsQuery({}))
  const items = runs.data?.pages[0]?.items.slice(0, 5) ?? []
  return (
    <section aria-labelledby="latest">
      <div className="section-head">
        <h2 id="latest">{t('recentRuns')}</h2>
        <Link to="/runs">{t('allRuns')}</Link>
      </div>
      <div className="card">
        {items.length === 0 ? (
          <div className="empty">
            <p>{runs.data === undefined ? t('loading') : t('noRunsText')}</p>
          </div>
        ) : (
          <RunTable items={items} />
        )}
      </div>
    </section>
  )
}

export default Dashboard
