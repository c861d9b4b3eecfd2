/** One problem looked for again: started here, watched here, answered here with proof, and what earlier looks came to. */
import { Button, Checkbox } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import type { Finding } from '../../../src/contract/finding.ts'
import type { Retest } from '../../../src/contract/retest.ts'
import type { RunState } from '../../../src/contract/run.ts'
import { client } from '../client.ts'
import { useText } from '../i18n/text.tsx'
import { domainsQuery, retestsQuery, runQuery } from '../queries.ts'
import { useMay } from '../session.tsx'
import { useRunStream } from '../use-run-stream.ts'
import { useSentForm } from '../use-sent-form.tsx'
import { Code, Marked } from './copy.tsx'
import { Dialog } from './dialog.tsx'
import { Evidence } from './evidence.tsx'
import { FailureLine } from './failure.tsx'
import { FormEnd } from './form-end.tsx'
import { LoginFields, loginOf, NO_LOGIN } from './login-fields.tsx'
import { Said } from './said.tsx'
import { isVerified } from './verified.ts'
import { When } from './when.tsx'

interface RetestsProps {
  readonly run: string
  readonly finding: Finding
  /** The run that found it; undefined until it is known. */
  readonly of: RunState | undefined
}

export const Retests = ({ run, finding, of }: RetestsProps) => {
  const { t } = useText()
  const may = useMay('scans:write')
  const retests = useQuery(retestsQuery(run, finding.id))
  const [asking, setAsking] = useState(false)
  const [latest, ...earlier] = retests.data?.items ?? []
  const busy = latest !== undefined && latest.finished_at === null
  if (!may && latest === undefined) return null
  return (
    <section className="stack" aria-labelledby="retest">
      <div className="row between">
        <div>
          <h2 id="retest">{t('retest')}</h2>
          <p className="quiet small">{t('retestText')}</p>
        </div>
        {may && !busy ? (
          <Button variant="default" onClick={() => setAsking(true)}>
            {t('testAgain')}
          </Button>
        ) : null}
      </div>
      <FailureLine error={retests.error} />
      <div aria-live="polite">
        {latest === undefined ? null : busy ? (
          <UnderWay retest={latest} refetch={retests.refetch} />
        ) : (
          <Answer retest={latest} />
        )}
      </div>
      {earlier.length === 0 ? null : (
        <details className="more">
          <summary>{t('earlierRetests', { n: earlier.length })}</summary>
          <ol className="history">
            {earlier.map((one) => (
              <li key={one.id} className={HISTORY[one.state]}>
                <Link to={`/runs/${one.id}`}>{t(`retest_${one.state}`)}</Link>
                <span className="quiet small">
                  <When iso={one.finished_at ?? one.created_at} />
                </span>
              </li>
            ))}
          </ol>
        </details>
      )}
      {asking && of ? <AskDialog run={of} finding={finding.id} close={() => setAsking(false)} /> : null}
    </section>
  )
}

/** In the history of a finding the same states have the same signs. */
const HISTORY = {
  waiting: 'not_tested',
  running: 'not_tested',
  still_there: 'found',
  gone: 'not_found',
  not_tested: 'not_tested',
} as const satisfies Record<Retest['state'], string>

const UnderWay = ({ retest, refetch }: { readonly retest: Retest; readonly refetch: () => unknown }) => {
  const { t } = useText()
  const run = useQuery(runQuery(retest.id))
  const { live, error } = useRunStream(retest.id, true)
  const over = live.done !== null
  useEffect(() => {
    if (over) void refetch()
  }, [over, refetch])
  const percent = live.progress?.percent ?? run.data?.progress ?? 0
  return (
    <div className="card pad stack tight">
      <div
        className="bar"
        role="progressbar"
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-label={t('retest')}
      >
        <span style={{ width: `${percent}%` }} />
      </div>
      <p className="row between">
        <span>
          <strong>{t(`retest_${retest.state}`)}</strong>{' '}
          <span className="quiet small">
            <Said text={live.progress?.detail ?? run.data?.phase_detail ?? ''} />
          </span>
        </span>
        <Link to={`/runs/${retest.id}`}>{t('watchRun')}</Link>
      </p>
      <FailureLine error={error} />
    </div>
  )
}

const TONE = { still_there: 'bad', gone: 'good', not_tested: 'warn' } as const

const Answer = ({ retest }: { readonly retest: Retest }) => {
  const { t } = useText()
  const { state, finding } = retest
  if (state === 'waiting' || state === 'running') return null
  return (
    <div className="stack">
      <div className={`notice ${TONE[state]} row between`}>
        <p>
          <strong>{t(`retest_${state}`)}</strong> {t(`retest_${state}_text`)}
          {retest.reason === null ? null : (
            <span className="break">
              {' '}
              <Said text={retest.reason} />
            </span>
          )}
        </p>
        <span className="small row">
          <When iso={retest.finished_at ?? retest.created_at} />
          <Link to={`/runs/${retest.id}`}>{t('itsRun')}</Link>
        </span>
      </div>
      {finding?.proof ? (
        <Code title={t('proofNow')} text={finding.proof.excerpt}>
          <Marked text={finding.proof.excerpt} mark={finding.proof.mark} />
        </Code>
      ) : null}
      {finding === null ? null : <Evidence run={retest.id} ids={finding.evidence} mark={finding.proof?.mark ?? null} />}
    </div>
  )
}

interface AskProps {
  readonly run: RunState
  readonly finding: string
  readonly close: () => void
}

const AskDialog = ({ run, finding, close }: AskProps) => {
  const { t } = useText()
  const queries = useQueryClient()
  const mayDomains = useMay('domains:read')
  const domains = useQuery({ ...domainsQuery, enabled: mayDomains })
  const of = domains.data?.find((one) => one.domain === run.domain)
  const hasLogin = of !== undefined && of.login !== null && isVerified(of)
  const { form, sending, submit } = useSentForm({
    // With a login as the run that found it had one: without, the answer could only be that it was not tested.
    initialValues: { ...NO_LOGIN, auth_stored: run.signed_in },
    send: (given) =>
      client.retestFinding({
        params: { id: run.id, finding_id: finding },
        body: given.auth_stored && hasLogin ? { auth_stored: true } : loginOf(given),
      }),
    sent: () => {
      void queries.invalidateQueries({ queryKey: ['retests', run.id, finding] })
      void queries.invalidateQueries({ queryKey: ['organisation'] })
      close()
    },
  })
  const isStored = form.useWatchValue('auth_stored') && hasLogin
  return (
    <Dialog title={t('testAgain')} close={close}>
      <form className="stack" onSubmit={submit}>
        <p>{t('retestCost')}</p>
        {run.signed_in ? <p className="notice warn">{t('retestNeedsLogin')}</p> : null}
        {hasLogin ? (
          <Checkbox
            key={form.key('auth_stored')}
            {...form.getInputProps('auth_stored', { type: 'checkbox' })}
            label={t('storedLogin')}
            description={t('storedLoginHint')}
          />
        ) : null}
        {isStored ? null : (
          <details className="more" open={run.signed_in}>
            <summary>{t('loggedIn')}</summary>
            <div className="stack">
              <p className="small quiet">{t('loggedInHint')}</p>
              <LoginFields form={form} />
            </div>
          </details>
        )}
        <FormEnd sending={sending} label={t('testAgain')} close={close} />
      </form>
    </Dialog>
  )
}
