/** The audit log as it is written: every request to the target, newest first. */
import { useState } from 'react'
import type { AuditLine } from '../../../src/contract/event.ts'
import { clock } from '../format.ts'
import { useText } from '../i18n/text.tsx'
import { KEPT_LINES, type LiveRun } from '../run-stream.ts'
import { Ghosts } from './ghost.tsx'

/** Drawn at once; more are a press away. */
const SHOWN = 100

const AuditLog = ({ live, ended }: { readonly live: LiveRun; readonly ended: boolean }) => {
  const { t, language } = useText()
  const [all, setAll] = useState(false)
  if (live.lineCount === 0) return ended && live.done === null ? <Ghosts /> : <p className="quiet">{t('noLines')}</p>
  const newest = live.lines.toReversed()
  const shown = all ? newest : newest.slice(0, SHOWN)
  return (
    <section className="stack tight" aria-label={t('auditLog')}>
      <p className="quiet small">
        {t('auditText', { n: live.lineCount })} {live.lineCount > KEPT_LINES ? t('auditKept', { n: KEPT_LINES }) : ''}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard (WCAG 2.1.1) */}
      <div className="card log" tabIndex={0} role="log" aria-live="off" aria-label={t('auditLog')}>
        <table className="table log-table">
          <thead>
            <tr>
              <th scope="col">{t('time')}</th>
              <th scope="col">{t('module')}</th>
              <th scope="col">{t('event')}</th>
              <th scope="col">{t('what')}</th>
              <th scope="col" className="right">
                {t('answer')}
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((line) => (
              <tr key={line.seq}>
                <td className="fit num">{clock(line.ts, language)}</td>
                <td className="fit">{line.module}</td>
                <td className="fit quiet">{line.event}</td>
                <td className="break" lang="en">
                  {whatOf(line)}
                </td>
                <td className="fit right num quiet">{answerOf(line)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {newest.length > shown.length ? (
        <button type="button" className="plain" onClick={() => setAll(true)}>
          {t('showLines', { n: newest.length })}
        </button>
      ) : null}
    </section>
  )
}

const whatOf = (line: AuditLine): string =>
  [line.method, line.url, line.detail, line.state, line.reason, line.error, line.result]
    .filter((part) => part !== undefined && part !== null && part !== '')
    .join(' ')

const answerOf = ({ status, duration_ms: took }: AuditLine): string =>
  [status === undefined || status === null ? '' : String(status), took === undefined ? '' : `${Math.round(took)} ms`]
    .filter((part) => part !== '')
    .join(' · ')

export default AuditLog
