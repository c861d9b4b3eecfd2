import { Button, NativeSelect } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import type { Domain as DomainData } from '../../../src/contract/domain.ts'
import { client } from '../client.ts'
import { AgentOf } from '../components/agent-of.tsx'
import { Descriptions } from '../components/descriptions.tsx'
import { Dialog } from '../components/dialog.tsx'
import { EnvironmentOf } from '../components/environment.tsx'
import { Exclusions } from '../components/exclusions.tsx'
import { FailureLine, FailurePage } from '../components/failure.tsx'
import { Ghosts, PageGhost } from '../components/ghost.tsx'
import { Login } from '../components/login.tsx'
import { GradeMark } from '../components/marks.tsx'
import { Pace } from '../components/pace.tsx'
import { Page } from '../components/page.tsx'
import { Columns, Spark } from '../components/plots.tsx'
import { QuietHours } from '../components/quiet-hours.tsx'
import { Schedules } from '../components/schedules.tsx'
import { StartRunButton } from '../components/start-run.tsx'
import { isVerified } from '../components/verified.ts'
import { Verify } from '../components/verify.tsx'
import { When } from '../components/when.tsx'
import { date } from '../format.ts'
import { useText } from '../i18n/text.tsx'
import { domainQuery, overviewQuery, runsQuery } from '../queries.ts'
import { useMay } from '../session.tsx'
import { CONTEXTS } from '../words.ts'
import { RunTable } from './runs.tsx'

const Hosts = lazy(() => import('../components/hosts.tsx'))
const Identities = lazy(() => import('../components/identities/identities.tsx'))

const Domain = () => {
  const { t, language } = useText()
  const { id = '' } = useParams()
  const domain = useQuery(domainQuery(id))
  const mayRuns = useMay('scans:read')
  if (domain.data === undefined) {
    return domain.error ? <FailurePage error={domain.error} retry={() => void domain.refetch()} /> : <PageGhost />
  }
  const verified = isVerified(domain.data)
  const until = domain.data.verified_until
  return (
    <Page
      title={domain.data.domain}
      crumbs={[{ to: '/domains', name: t('domains') }]}
      lead={
        <span className="row">
          <span className={`tag ${verified ? 'good' : ''}`}>{verified ? t('verified') : t('unverified')}</span>
          {verified && until !== null ? <span>{t('verifiedUntil', { day: date(until, language) })}</span> : null}
        </span>
      }
      actions={<StartRunButton domainId={domain.data.id} active={verified} />}
    >
      {verified ? null : <Verify domain={domain.data} />}
      {mayRuns ? <Score id={id} /> : null}
      {mayRuns ? <RecentRuns id={id} /> : null}
      {mayRuns ? <Schedules domain={domain.data} /> : null}
      {mayRuns ? (
        <Suspense fallback={<Ghosts rows={2} />}>
          <Hosts domain={domain.data} />
        </Suspense>
      ) : null}
      {verified ? <Verify domain={domain.data} /> : null}
      <Setting domain={domain.data} />
      <EnvironmentOf domain={domain.data} />
      <AgentOf domain={domain.data} />
      <Exclusions domain={domain.data} />
      <Pace domain={domain.data} />
      <QuietHours domain={domain.data} />
      <Login domain={domain.data} />
      <Suspense fallback={<Ghosts rows={3} />}>
        <Identities domain={domain.data} />
      </Suspense>
      <Descriptions domainId={domain.data.id} />
      <Danger domain={domain.data} />
    </Page>
  )
}

const Score = ({ id }: { readonly id: string }) => {
  const { t } = useText()
  const overview = useQuery(overviewQuery)
  const runs = overview.data?.domains.find((domain) => domain.id === id)?.runs ?? []
  const last = runs.at(-1)
  if (last === undefined) return null
  return (
    <section className="card pad score" aria-labelledby="score">
      <div className="stack tight">
        <h2 id="score">{t('gradeOverTime')}</h2>
        <div className="row">
          <GradeMark grade={last.grade} large />
          <Spark runs={runs} />
        </div>
        <p className="small quiet">
          {t('gradeOfRun')} <When iso={last.finished_at} />
        </p>
      </div>
      {runs.length < 2 ? null : (
        <div className="stack tight">
          <h3>{t('findingsOverTime')}</h3>
          <Columns runs={runs} />
        </div>
      )}
    </section>
  )
}

const Setting = ({ domain }: { readonly domain: DomainData }) => {
  const { t } = useText()
  const queries = useQueryClient()
  const may = useMay('domains:write')
  const change = useMutation({
    mutationFn: (value: string) =>
      client.updateDomain({
        params: { id: domain.id },
        body: { context: CONTEXTS.find((one) => one === value) ?? null },
      }),
    onSuccess: (changed) => {
      queries.setQueryData(domainQuery(domain.id).queryKey, changed)
      void queries.invalidateQueries({ queryKey: ['domains'] })
    },
  })
  return (
    <section className="card pad stack tight" aria-labelledby="context">
      <h2 id="context">{t('context')}</h2>
      <p className="quiet small">{t('contextWhy')}</p>
      <NativeSelect
        className="narrow"
        aria-labelledby="context"
        disabled={!may || change.isPending}
        value={domain.context ?? ''}
        onChange={(event) => change.mutate(event.currentTarget.value)}
        data={[
          { value: '', label: t('contextNone') },
          ...CONTEXTS.map((one) => ({ value: one, label: t(`context_${one}`) })),
        ]}
      />
      <span aria-live="polite" className="small quiet">
        {change.isSuccess ? t('saved') : ''}
      </span>
      <FailureLine error={change.error} />
    </section>
  )
}

const RecentRuns = ({ id }: { readonly id: string }) => {
  const { t } = useText()
  const runs = useInfiniteQuery(runsQuery({ domain_id: id }))
  const items = runs.data?.pages[0]?.items.slice(0, 8) ?? []
  return (
    <section aria-labelledby="recent">
      <div className="section-head">
        <h2 id="recent">{t('recentRuns')}</h2>
        {items.length === 0 ? null : <Link to={`/runs?domain_id=${id}`}>{t('allRuns')}</Link>}
      </div>
      <div className="card">
        {items.length === 0 ? (
          <div className="empty">
            <p>{runs.data === undefined ? t('loading') : t('noRunsOfDomain')}</p>
          </div>
        ) : (
          <RunTable items={items} />
        )}
      </div>
    </section>
  )
}

const Danger = ({ domain }: { readonly domain: DomainData }) => {
  const { t } = useText()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const may = useMay('domains:write')
  const [asking, setAsking] = useState(false)
  const remove = useMutation({
    mutationFn: () => client.deleteDomain({ params: { id: domain.id } }),
    onSuccess: () => {
      for (const key of ['domains', 'overview']) void queries.invalidateQueries({ queryKey: [key] })
      void navigate('/domains', { replace: true })
    },
  })
  if (!may) return null
  return (
    <section className="row between" aria-labelledby="remove">
      <div>
        <h2 id="remove">{t('removeDomain')}</h2>
        <p className="quiet small">{t('removeDomainText')}</p>
      </div>
      <Button variant="default" onClick={() => setAsking(true)}>
        {t('removeDomain')}
      </Button>
      {asking ? (
        <Dialog title={t('removeQuestion', { domain: domain.domain })} close={() => setAsking(false)}>
          <div className="stack">
            <p>{t('removeDomainText')}</p>
            <FailureLine error={remove.error} />
            <div className="row">
              <Button className="danger" loading={remove.isPending} onClick={() => remove.mutate()}>
                {t('removeDomain')}
              </Button>
              <Button variant="default" onClick={() => setAsking(false)}>
                {t('cancel')}
              </Button>
            </div>
          </div>
        </Dialog>
      ) : null}
    </section>
  )
}

export default Domain
