/** A run under way: the same phase, detail and progress that the interface gives, and what each module is doing. */
import { useEffect, useState } from 'react'
import type { RunState } from '../../../src/contract/run.ts'
import { doingOf } from '../doing.ts'
import { duration, number } from '../format.ts'
import { useText } from '../i18n/text.tsx'
import { leftOf } from '../left.ts'
import { useModuleTitle } from '../module-title.ts'
import type { LiveModule, LiveRun } from '../run-stream.ts'
import { PHASES } from '../words.ts'
import { Said } from './said.tsx'

const STEPS = PHASES.filter((phase) => phase !== 'finished')

export const LivePanel = ({ run, live }: { readonly run: RunState; readonly live: LiveRun }) => {
  const { t, language } = useText()
  const elapsed = useElapsed(run)
  const doing = doingOf(run.phase_detail)
  const modules = [...live.modules.values()]
  const active = modules.filter((module) => module.state === null).toSorted((a, b) => b.at.localeCompare(a.at))
  const steps = STEPS.filter(
    (phase) => (phase !== 'active' || run.tier === 'active') && (phase !== 'privacy' || run.phase === 'privacy'),
  )
  const at = steps.indexOf(run.phase === 'finished' ? 'report' : run.phase)
  return (
    <section className="card live" aria-label={t('progress')}>
      <div className="live-top">
        <div className="live-percent num">
          {run.progress}
          <small> %</small>
        </div>
        <div className="live-what">
          <div
            className="bar"
            role="progressbar"
            aria-valuenow={run.progress}
            aria-valuemin={0}
            aria-valuemax={100}
            aria-label={`${t('progress')}: ${run.domain}`}
          >
            <span style={{ width: `${run.progress}%` }} />
          </div>
          <p className="live-detail break" aria-live="polite">
            <strong>{t(`phase_${run.phase}`)}</strong> {doing === null ? <Said text={run.phase_detail} /> : null}
          </p>
        </div>
      </div>
      <ol className="steps">
        {steps.map((phase, index) => (
          <li
            key={phase}
            className={index < at ? 'past' : index === at ? 'now' : ''}
            aria-current={index === at ? 'step' : undefined}
          >
            {t(`phase_${phase}`)}
          </li>
        ))}
      </ol>
      <dl className="figures">
        <div>
          <dt>{t('elapsed')}</dt>
          <dd className="num">{duration(elapsed)}</dd>
        </div>
        <div>
          <dt>{t('left')}</dt>
          <dd className="num">
            <Left run={run} elapsed={elapsed} />
          </dd>
        </div>
        <div>
          <dt>{t('requestsSent')}</dt>
          <dd className="num">{number(live.requests, language)}</dd>
        </div>
        <div>
          <dt>{t('modules')}</dt>
          <dd className="num">{t('modulesDone', { done: modules.length - active.length, all: modules.length })}</dd>
        </div>
      </dl>
      {active.length === 0 ? null : (
        <ul className="doing">
          {active.map((module) => (
            <ModuleLine key={module.module} module={module} doing={doing?.get(module.module)} />
          ))}
        </ul>
      )}
    </section>
  )
}

interface ModuleLineProps {
  readonly module: LiveModule
  readonly doing: string | undefined
}

const ModuleLine = ({ module, doing }: ModuleLineProps) => {
  const { t } = useText()
  const titleOf = useModuleTitle()
  return (
    <li>
      <span className="pulse" aria-hidden="true" />
      <span className="doing-what">
        <span>{titleOf(module.module)}</span>
        <span className="quiet num small break">
          {doing === undefined || doing === 'starting' ? null : (
            <>
              <Said text={doing} /> ·{' '}
            </>
          )}
          {t('requestsOf', { n: module.requests })}
        </span>
      </span>
    </li>
  )
}

/** How long it still goes on, counted on here from when it was asked for, and what that rests on. */
const Left = ({ run, elapsed }: { readonly run: RunState; readonly elapsed: number }) => {
  const { t } = useText()
  const { remaining } = run
  if (!remaining) return '…'
  const { key, values } = leftOf(remaining, elapsed - run.duration_ms)
  return (
    <>
      {t(key, values)}
      <small className="quiet basis">{t(`basis_${remaining.basis}`, { n: remaining.runs })}</small>
    </>
  )
}

/** Milliseconds since the first worker took it, counted here between two answers. */
const useElapsed = ({ started_at, duration_ms }: RunState): number => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return started_at === null ? duration_ms : Math.max(duration_ms, now - Date.parse(started_at))
}
