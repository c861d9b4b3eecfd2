/** A run that has ended: its grade, how it compares with the one before, or why there is nothing to see. */
import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Link } from 'react-router'
import type { Grade } from '../../../src/contract/findings-file.ts'
import type { RunState } from '../../../src/contract/run.ts'
import { download } from '../download.ts'
import { duration, number } from '../format.ts'
import { useText } from '../i18n/text.tsx'
import { artifactsQuery, coverageQuery, runQuery } from '../queries.ts'
import { useMay } from '../session.tsx'
import { FailureLine } from './failure.tsx'
import { CountsMark, GradeMark, totalOf } from './marks.tsx'
import { Said } from './said.tsx'

const ReportDialog = lazy(() => import('./report-dialog.tsx'))

export const RunSummary = ({ run }: { readonly run: RunState }) => {
  const { t } = useText()
  if (run.status === 'failed') {
    return (
      <div className="notice bad" role="status">
        <p>
          <strong>{t(`error_${run.error_kind ?? 'internal'}`)}</strong>
        </p>
        {run.error_detail === null ? null : (
          <p className="break">
            <Said text={run.error_detail} />
          </p>
        )}
        <p className="small">{t('failedNoQuota')}</p>
      </div>
    )
  }
  if (run.status === 'canceled') {
    return (
      <div className="notice" role="status">
        {t('canceledText')}
      </div>
    )
  }
  return <DoneSummary run={run} />
}

const DoneSummary = ({ run }: { readonly run: RunState }) => {
  const { t, language } = useText()
  const coverage = useQuery(coverageQuery(run.id))
  const { grade, resolved = [], modules = [], items = [] } = coverage.data ?? {}
  const requests = modules.reduce((sum, module) => sum + module.requests, 0)
  const looked = items.filter(({ state }) => state === 'pass' || state === 'fail').length
  const open = items.filter(({ state }) => state !== 'pass' && state !== 'fail' && state !== 'not_applicable').length
  // Until it is known, a nought would be a claim.
  const figure = (value: number): string => (coverage.data === undefined ? '…' : number(value, language))
  const decided = totalOf(run.counts) - totalOf(run.open_counts)
  return (
    <section className="card summary" aria-label={t('summary')}>
      {isWhole(run) ? <GradeMark grade={run.grade} large /> : null}
      <div className="summary-main">
        {isWhole(run) ? null : <p className="small quiet">{t('retestSummary')}</p>}
        <div className="row">
          <CountsMark counts={run.open_counts} />
          {decided === 0 ? null : <span className="small quiet">{t('decidedBeside', { n: decided })}</span>}
          {grade?.provisional ? <span className="tag">{t('provisional')}</span> : null}
        </div>
        {grade ? <GradeReason grade={grade} /> : null}
        <dl className="figures">
          <div>
            <dt>{t('took')}</dt>
            <dd className="num">{duration(run.duration_ms)}</dd>
          </div>
          <div>
            <dt>{t('requestsSent')}</dt>
            <dd className="num">{figure(requests)}</dd>
          </div>
          <div>
            <dt>{t('checksLooked')}</dt>
            <dd className="num">{figure(looked)}</dd>
          </div>
          <div>
            <dt>{t('checksNot')}</dt>
            <dd className="num">
              <Link to={`/runs/${run.id}/coverage`}>{figure(open)}</Link>
            </dd>
          </div>
          <div>
            <dt>{t('goneSince')}</dt>
            <dd className="num">{figure(resolved.length)}</dd>
          </div>
        </dl>
      </div>
      <ReportPart run={run} />
    </section>
  )
}

/** Of the domain, not of one finding or one place. */
const isWhole = ({ retest_of, hypothesis }: RunState): boolean => retest_of === null && hypothesis === null

/** Points, what limits the grade, and the grades of single areas. */
const GradeReason = ({ grade: { score, caps, parts } }: { readonly grade: Grade }) => {
  const { t, language } = useText()
  return (
    <>
      <p className="small quiet">
        {t('points', { n: number(score, language) })} {caps.length === 0 && score < 100 ? t('pointsHow') : null}
      </p>
      {caps.map((cap) => (
        <p key={cap} className="small quiet">
          {cap}
        </p>
      ))}
      {parts.length === 0 ? null : (
        <ul className="areas small" aria-label={t('areas')}>
          {parts.map((part) => (
            <li key={part.id}>
              <GradeMark grade={part.grade} />
              <span>
                {part.title}
                {part.reasons === undefined || part.reasons.length === 0 ? null : (
                  <span className="reason">{part.reasons.join(', ')}</span>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

const ReportPart = ({ run }: { readonly run: RunState }) => {
  const { t } = useText()
  const queries = useQueryClient()
  const may = useMay('artifacts:read')
  const mayMake = useMay('scans:write')
  const { state, version, reason } = run.report
  const files = useQuery({ ...artifactsQuery(run.id), enabled: may })
  // While it is being made, somebody has to look; what it leaves is in the list of files.
  useQuery({ ...runQuery(run.id), enabled: state === 'pending', refetchInterval: LOOK_EVERY })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another state of the report means other files
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: artifactsQuery(run.id).queryKey })
  }, [queries, run.id, state, version])
  const report = files.data?.items.find(({ kind }) => kind === 'report_pdf')
  const fetchReport = useMutation({ mutationFn: download.bind(null, run.id) })
  const [making, setMaking] = useState(false)
  return (
    <div className="stack tight">
      {report === undefined ? null : (
        <Button disabled={report.deleted} loading={fetchReport.isPending} onClick={() => fetchReport.mutate(report)}>
          {report.deleted ? t('reportExpired') : t('downloadReport')}
        </Button>
      )}
      {report === undefined || report.page_count === null ? null : (
        <span className="small quiet">{t('pages', { n: report.page_count })}</span>
      )}
      <div role="status" className="small">
        {state === 'pending' ? t('reportPending') : null}
        {state === 'failed' ? (
          <>
            {t('reportFailed')}{' '}
            <span className="break">
              <Said text={reason ?? ''} />
            </span>
          </>
        ) : null}
      </div>
      {mayMake && state !== 'pending' && report?.deleted !== true ? (
        <Button variant="default" size="compact-sm" onClick={() => setMaking(true)}>
          {report === undefined ? t('makeReport') : t('makeReportAgain')}
        </Button>
      ) : null}
      {making ? (
        <Suspense fallback={null}>
          <ReportDialog run={run} close={() => setMaking(false)} />
        </Suspense>
      ) : null}
      <FailureLine error={fetchReport.error} />
    </div>
  )
}

/** Milliseconds; the interface asks for no less. */
const LOOK_EVERY = 5_000
