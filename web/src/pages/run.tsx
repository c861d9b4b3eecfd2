import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { Link, NavLink, useParams } from 'react-router'
import type { RunState } from '../../../src/contract/run.ts'
import { client } from '../client.ts'
import { FailureLine, FailurePage } from '../components/failure.tsx'
import { FindingList } from '../components/finding-list.tsx'
import { Ghosts, PageGhost } from '../components/ghost.tsx'
import { LivePanel } from '../components/live-panel.tsx'
import { StatusMark, totalOf } from '../components/marks.tsx'
import { Page } from '../components/page.tsx'
import { RunSummary } from '../components/run-summary.tsx'
import { StartRunButton } from '../components/start-run.tsx'
import { Tabs } from '../components/tabs.tsx'
import { Ago } from '../components/when.tsx'
import { useText } from '../i18n/text.tsx'
import { domainsQuery, runQuery } from '../queries.ts'
import type { LiveRun } from '../run-stream.ts'
import { useMay } from '../session.tsx'
import { useRunStream } from '../use-run-stream.ts'
import { hasEnded } from '../words.ts'

const AuditLog = lazy(() => import('../components/audit-log.tsx'))
const ComparePart = lazy(() => import('../components/compare.tsx'))
const CoveragePart = lazy(() => import('../components/coverage.tsx'))
const HypothesisPart = lazy(() => import('../components/hypothesis.tsx'))
const MatrixPart = lazy(() => import('../components/matrix.tsx'))
const FilesPart = lazy(() => import('../components/files.tsx'))

type Part = 'findings' | 'changes' | 'coverage' | 'matrix' | 'audit' | 'files'

const Run = ({ part }: { readonly part: Part }) => {
  const { id = '' } = useParams()
  const read = useQuery(runQuery(id))
  if (read.data === undefined) {
    return read.error ? <FailurePage error={read.error} retry={() => void read.refetch()} /> : <PageGhost />
  }
  return <OneRun key={id} read={read.data} part={part} />
}

/** What was read when the page came, and what the stream has said since. */
const merge = (read: RunState, live: LiveRun): RunState => {
  if (live.done !== null) return live.done
  if (live.progress === null) return read
  const { phase, detail, percent, counts, status } = live.progress
  return hasEnded(read.status)
    ? read
    : { ...read, phase, phase_detail: detail, progress: Math.max(percent, 0), counts, status }
}

const OneRun = ({ read, part }: { readonly read: RunState; readonly part: Part }) => {
  const { t } = useText()
  const queries = useQueryClient()
  const mayFiles = useMay('artifacts:read')
  const under = !hasEnded(read.status)
  // The log of a run that has ended is replayed only for whoever wants to read it.
  const { live, error } = useRunStream(read.id, under || part === 'audit')
  const run = merge(read, live)
  const found = totalOf(run.counts)
  const ended = hasEnded(run.status)

  useEffect(() => {
    if (!under) return
    // More was found: the list is behind. The number is what says so.
    void found
    void queries.invalidateQueries({ queryKey: ['findings', read.id] })
  }, [found, under, queries, read.id])
  useEffect(() => {
    if (live.done === null || !under) return
    queries.setQueryData(runQuery(read.id).queryKey, live.done)
    for (const key of ['findings', 'coverage', 'matrix', 'artifacts', 'hypothesis'])
      void queries.invalidateQueries({ queryKey: [key, read.id] })
    void queries.invalidateQueries({ queryKey: ['runs'] })
    void queries.invalidateQueries({ queryKey: ['overview'] })
  }, [live.done, under, queries, read.id])

  const base = `/runs/${run.id}`
  return (
    <Page
      title={run.domain}
      crumbs={[{ to: '/runs', name: t('runs') }]}
      lead={
        <span className="row">
          <StatusMark status={run.status} />
          <span>{t(`tier_${run.tier}`)}</span>
          {run.dry_run ? <span className="tag">{t('dryRun')}</span> : null}
          {run.tier === 'active' ? <span>{t(`environment_${run.environment}`)}</span> : null}
          {run.signed_in ? <span>{t('withLogin')}</span> : null}
          {run.retest_of === null ? null : (
            <Link to={`/runs/${run.retest_of.scan_id}/findings/${run.retest_of.finding_id}`}>{t('retestOf')}</Link>
          )}
          {run.hypothesis === null ? null : <Link to="/hypotheses">{t('hypothesisTag')}</Link>}
          <span>
            {t('started')} <Ago iso={run.created_at} />
          </span>
        </span>
      }
      actions={<RunActions run={run} />}
    >
      {error === null ? null : <FailureLine error={error} />}
      {ended ? <RunSummary run={run} /> : <LivePanel run={run} live={live} />}
      {run.hypothesis === null ? null : (
        <Suspense fallback={<Ghosts rows={2} />}>
          <HypothesisPart id={run.id} />
        </Suspense>
      )}
      <Tabs>
        <NavLink to={base} end>
          {t('findings')} <span className="num">{found}</span>
        </NavLink>
        {run.status === 'done' ? <NavLink to={`${base}/changes`}>{t('changes')}</NavLink> : null}
        <NavLink to={`${base}/coverage`}>{t('coverage')}</NavLink>
        {run.tier === 'active' ? <NavLink to={`${base}/matrix`}>{t('matrix')}</NavLink> : null}
        <NavLink to={`${base}/audit`}>{t('auditLog')}</NavLink>
        {mayFiles ? <NavLink to={`${base}/files`}>{t('files')}</NavLink> : null}
      </Tabs>
      {part === 'findings' ? <FindingList run={run} /> : null}
      <Suspense fallback={<Ghosts />}>
        {part === 'changes' ? <ComparePart run={run} /> : null}
        {part === 'coverage' ? <CoveragePart run={run} /> : null}
        {part === 'matrix' ? <MatrixPart run={run} /> : null}
        {part === 'audit' ? <AuditLog live={live} ended={ended} /> : null}
        {part === 'files' ? <FilesPart run={run} /> : null}
      </Suspense>
    </Page>
  )
}

const RunActions = ({ run }: { readonly run: RunState }) => {
  const { t } = useText()
  const queries = useQueryClient()
  const mayCancel = useMay('scans:write')
  const mayDomains = useMay('domains:read')
  const domains = useQuery({ ...domainsQuery, enabled: mayDomains && hasEnded(run.status) })
  const cancel = useMutation({
    mutationFn: () => client.cancelScan({ params: { id: run.id } }),
    onSuccess: (state) => queries.setQueryData(runQuery(run.id).queryKey, state),
  })
  if (hasEnded(run.status)) {
    const domain = domains.data?.find((each) => each.domain === run.domain)
    return domain === undefined ? null : (
      <StartRunButton domainId={domain.id} active={run.tier === 'active'} label={t('runAgain')} variant="default" />
    )
  }
  const asked = run.cancel_requested_at !== null || cancel.isSuccess
  return mayCancel ? (
    <div className="stack tight">
      <Button variant="default" disabled={asked} loading={cancel.isPending} onClick={() => cancel.mutate()}>
        {asked ? t('canceling') : t('cancelRun')}
      </Button>
      <FailureLine error={cancel.error} />
    </div>
  ) : null
}

export default Run
