/** This run against the one before: what is new, gone, changed, and what cannot be compared because one could not look. */
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Comparison, Listed } from '../../../src/contract/comparison.ts'
import type { RunState } from '../../../src/contract/run.ts'
import { useText } from '../i18n/text.tsx'
import { placeText } from '../place-text.ts'
import { comparisonQuery } from '../queries.ts'
import { Failure } from './failure.tsx'
import { Ghosts } from './ghost.tsx'
import { GradeMark, SeverityMark } from './marks.tsx'
import { When } from './when.tsx'

const ComparePart = ({ run }: { readonly run: RunState }) => {
  const { t } = useText()
  const comparison = useQuery(comparisonQuery(run.id))
  if (comparison.data === undefined) {
    return comparison.error ? <Failure error={comparison.error} retry={() => void comparison.refetch()} /> : <Ghosts />
  }
  const { base } = comparison.data
  if (base === null) {
    return (
      <div className="card">
        <div className="empty">
          <h2>{t('noBaseTitle')}</h2>
          <p>{t('noBaseText')}</p>
        </div>
      </div>
    )
  }
  return <Changes comparison={comparison.data} base={base} />
}

interface ChangesProps {
  readonly comparison: Comparison
  readonly base: NonNullable<Comparison['base']>
}

const Changes = ({ comparison, base }: ChangesProps) => {
  const { t } = useText()
  const { run } = comparison
  const groups = [
    ['compareNew', comparison.new, run.id],
    ['compareGone', comparison.gone, base.id],
    ['compareChanged', comparison.changed, run.id],
  ] as const
  return (
    <div className="stack">
      <div className="row">
        <span>
          {t('comparedWith')}{' '}
          <Link to={`/runs/${base.id}`}>{base.finished_at === null ? base.id : <When iso={base.finished_at} />}</Link>
        </span>
        <GradeMark grade={base.grade} />
        <span aria-hidden="true">→</span>
        <GradeMark grade={run.grade} />
        <span className="quiet">{t('unchanged', { n: comparison.unchanged })}</span>
      </div>
      {groups.map(([name, items, of]) => (
        <section key={name} className="stack tight" aria-labelledby={name}>
          <h2 id={name}>
            {t(name)} <span className="quiet num">{items.length}</span>
          </h2>
          {items.length === 0 ? <p className="quiet small">{t('nothingHere')}</p> : <Listing items={items} run={of} />}
        </section>
      ))}
      <section className="stack tight" aria-labelledby="incomparable">
        <h2 id="incomparable">
          {t('compareNot')} <span className="quiet num">{comparison.not_comparable.length}</span>
        </h2>
        <p className="quiet small">{t('compareNotText')}</p>
        {comparison.not_comparable.length === 0 ? null : (
          <ul className="card list">
            {comparison.not_comparable.map((item) => (
              <li key={`${item.in} ${item.id}`} className="listed">
                <SeverityMark severity={item.severity} />
                <span>
                  <Link className="name" to={`/runs/${item.in === 'run' ? run.id : base.id}/findings/${item.id}`}>
                    {item.title}
                  </Link>
                  <span className="reason">{item.reason}</span>
                </span>
              </li>
            ))}
          </ul>
        )}
      </section>
    </div>
  )
}

type Item = Listed & Partial<Pick<Comparison['changed'][number], 'before' | 'after'>>

const Listing = ({ items, run }: { readonly items: readonly Item[]; readonly run: string }) => (
  <ul className="card list">
    {items.map((item) => (
      <li key={item.id} className="listed">
        <SeverityMark severity={item.severity} />
        <span>
          <Link className="name" to={`/runs/${run}/findings/${item.id}`}>
            {item.title}
          </Link>
          <span className="reason mono">{placeText(item.location)}</span>
          {item.before && item.after ? <Change before={item.before} after={item.after} /> : null}
        </span>
      </li>
    ))}
  </ul>
)

type ChangeProps = Pick<Comparison['changed'][number], 'before' | 'after'>

/** What is other than before, in the order in which it matters. */
const Change = ({ before, after }: ChangeProps) => {
  const { t } = useText()
  const parts = [
    before.severity === after.severity ? '' : t('wasBefore', { what: t(`severity_${before.severity}`) }),
    before.confidence === after.confidence ? '' : t('wasBefore', { what: t(`confidence_${before.confidence}`) }),
    before.places === after.places ? '' : t('placesBefore', { before: before.places, after: after.places }),
  ].filter((part) => part !== '')
  return <span className="reason">{parts.length === 0 ? t('otherProof') : parts.join(' · ')}</span>
}

export default ComparePart
