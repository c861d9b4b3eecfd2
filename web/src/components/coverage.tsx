/** What the run looked at. "Clean" and "could not look" are two things, and stand apart. */
import { useQuery } from '@tanstack/react-query'
import type { Coverage, CoverageState } from '../../../src/contract/finding.ts'
import type { ModuleEnd } from '../../../src/contract/overview.ts'
import type { RunState } from '../../../src/contract/run.ts'
import { duration, number } from '../format.ts'
import { useText } from '../i18n/text.tsx'
import { useModuleTitle } from '../module-title.ts'
import { coverageQuery } from '../queries.ts'
import { hasEnded } from '../words.ts'
import { Failure } from './failure.tsx'
import { Ghosts } from './ghost.tsx'
import { ReachPart } from './reach.tsx'
import { SendingPart } from './sending.tsx'

const ORDER = [
  'blocked',
  'inconclusive',
  'not_tested',
  'fail',
  'pass',
  'not_applicable',
] as const satisfies readonly CoverageState[]

const CoveragePart = ({ run }: { readonly run: RunState }) => {
  const { t } = useText()
  const coverage = useQuery({ ...coverageQuery(run.id), refetchInterval: hasEnded(run.status) ? false : 5_000 })
  if (coverage.data === undefined) {
    return coverage.error ? <Failure error={coverage.error} retry={() => void coverage.refetch()} /> : <Ghosts />
  }
  const { items, modules } = coverage.data
  if (items.length === 0) {
    return (
      <div className="card">
        <div className="empty">
          <h2>{t('noCoverageTitle')}</h2>
          <p>{t('noCoverageText')}</p>
        </div>
      </div>
    )
  }
  const open = items.filter(({ state }) => state === 'blocked' || state === 'inconclusive' || state === 'not_tested')
  const looked = items.filter(({ state }) => state === 'pass' || state === 'fail')
  const absent = items.filter(({ state }) => state === 'not_applicable')
  return (
    <div className="stack">
      <SendingPart sending={coverage.data.sending} />
      <Balance items={items} />
      <ReachPart reach={coverage.data.reach ?? null} />
      <div className="two">
        <section className="stack tight" aria-labelledby="looked">
          <h2 id="looked">
            {t('lookedAt')} <span className="quiet num">{looked.length}</span>
          </h2>
          <p className="quiet small">{t('lookedAtText')}</p>
          <ByModule items={looked} modules={modules} />
        </section>
        <section className="stack tight" aria-labelledby="open">
          <h2 id="open">
            {t('notLooked')} <span className="quiet num">{open.length}</span>
          </h2>
          <p className="quiet small">{t('notLookedText')}</p>
          {open.length === 0 ? <p>{t('notLookedNone')}</p> : <ByReason items={open} />}
          {absent.length === 0 ? null : (
            <details className="more">
              <summary>{t('notApplicable', { n: absent.length })}</summary>
              <ByReason items={absent} />
            </details>
          )}
        </section>
      </div>
    </div>
  )
}

/** One bar of all checks: a person sees the shares before reading a word. */
const Balance = ({ items }: { readonly items: readonly Coverage[] }) => {
  const { t, language } = useText()
  const counted = ORDER.map((state) => ({ state, n: items.filter((item) => item.state === state).length })).filter(
    ({ n }) => n > 0,
  )
  return (
    <figure className="balance">
      <div className="balance-bar" aria-hidden="true">
        {counted.map(({ state, n }) => (
          <span key={state} className={state} style={{ flexGrow: n }} />
        ))}
      </div>
      <figcaption>
        <ul className="row">
          {counted.map(({ state, n }) => (
            <li key={state} className="small">
              <span className={`dot ${state}`} aria-hidden="true" /> {t(`coverage_${state}`)}{' '}
              <span className="num quiet">{number(n, language)}</span>
            </li>
          ))}
        </ul>
      </figcaption>
    </figure>
  )
}

const ByModule = ({
  items,
  modules,
}: {
  readonly items: readonly Coverage[]
  readonly modules: readonly ModuleEnd[]
}) => {
  const { t } = useText()
  const titleOf = useModuleTitle()
  return (
    <div className="card list">
      {[...Map.groupBy(items, (item) => item.module)].map(([module, own]) => {
        const end = modules.find((each) => each.module === module)
        const failed = own.filter(({ state }) => state === 'fail').length
        return (
          <details key={module}>
            <summary>
              <span>{titleOf(module)}</span>
              <span className="small quiet num">
                {t('cleanOf', { clean: own.length - failed, all: own.length })}
                {end === undefined ? '' : ` · ${duration(end.duration_ms)} · ${t('requestsOf', { n: end.requests })}`}
              </span>
            </summary>
            <ul className="checks">
              {own.map((item) => (
                <li key={item.check_id}>
                  <span className={`tag ${item.state === 'fail' ? 'bad' : 'good'}`}>{t(`coverage_${item.state}`)}</span>
                  <span>{item.title}</span>
                </li>
              ))}
            </ul>
          </details>
        )
      })}
    </div>
  )
}

const ByReason = ({ items }: { readonly items: readonly Coverage[] }) => {
  const { t } = useText()
  const titleOf = useModuleTitle()
  const groups = Map.groupBy(items, (item) => `${item.module}\n${item.reason ?? ''}`)
  return (
    <div className="card list">
      {[...groups].map(([key, own]) => {
        const [first] = own
        return first === undefined ? null : (
          <details key={key}>
            <summary>
              <span>
                {titleOf(first.module)} <span className="tag">{t(`coverage_${first.state}`)}</span>
                <span className="reason">{first.reason ?? t('noReason')}</span>
              </span>
              <span className="small quiet num">{own.length}</span>
            </summary>
            <ul className="checks">
              {own.map((item) => (
                <li key={item.check_id}>{item.title}</li>
              ))}
            </ul>
          </details>
        )
      })}
    </div>
  )
}

export default CoveragePart
