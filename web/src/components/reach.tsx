/** How much of what the scan knows was asked, and why not the rest. */
import type { ReachSummary, ReachTally } from '../../../src/contract/reach.ts'
import { number } from '../format.ts'
import { useText } from '../i18n/text.tsx'

export const ReachPart = ({ reach }: { readonly reach: ReachSummary | null }) => {
  const { t, language } = useText()
  if (reach === null || reach.kinds.length === 0) return null
  return (
    <section className="stack tight" aria-labelledby="reach">
      <h2 id="reach">{t('reach')}</h2>
      <p className="quiet small">{t('reachText')}</p>
      {reach.kinds.map((tally) => (
        <Line key={tally.kind} tally={tally} />
      ))}
      {reach.reasons.length === 0 ? null : (
        <details className="more">
          <summary>{t('reachWhy')}</summary>
          <ul className="checks">
            {reach.reasons.map(({ kind, reason, count }) => (
              <li key={`${kind} ${reason}`}>
                <span className="num">{number(count, language)}</span>
                <span>{reason}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

const Line = ({ tally }: { readonly tally: ReachTally }) => {
  const { t, language } = useText()
  const { kind, known, asked, merged, left_out, cut_off, in_part = 0, answered } = tally
  const parts = [
    { state: 'pass', key: 'reachAsked', n: asked },
    { state: 'not_applicable', key: 'reachMerged', n: merged },
    { state: 'not_tested', key: 'reachLeft', n: left_out + cut_off },
  ] as const
  const shown = parts.filter(({ n }) => n > 0)
  return (
    <figure className="balance">
      <figcaption>
        <ul className="row">
          <li className="small">{t(`reach_${kind}`, { count: number(known, language) })}</li>
          {shown.map(({ state, key, n }) => (
            <li key={key} className="small">
              <span className={`dot ${state}`} aria-hidden="true" /> {t(key, { count: number(n, language) })}
            </li>
          ))}
          {in_part === 0 ? null : <li className="small">{t('reachInPart', { count: number(in_part, language) })}</li>}
          {answered === undefined ? null : (
            <li className="small">{t('reachAnswered', { count: number(answered, language) })}</li>
          )}
        </ul>
      </figcaption>
      <div className="balance-bar" aria-hidden="true">
        {shown.map(({ state, key, n }) => (
          <span key={key} className={state} style={{ flexGrow: n }} />
        ))}
      </div>
    </figure>
  )
}
