/** Who may do what: operations by identities, and nobody. What should not be leads to its finding. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { ApiError } from '../../../src/contract/client-core.ts'
import type { Coverage } from '../../../src/contract/finding.ts'
import type { MatrixPage, MatrixPerson } from '../../../src/contract/matrix.ts'
import type { RunState } from '../../../src/contract/run.ts'
import { number } from '../format.ts'
import { MATRIX_WORDS } from '../i18n/rooms.ts'
import { useRoom } from '../i18n/text.tsx'
import { type MatrixFilters, matrixQuery } from '../queries.ts'
import { ACCESSES, hasEnded } from '../words.ts'
import { Failure } from './failure.tsx'
import { Ghosts } from './ghost.tsx'
import { AccessMark } from './matrix-marks.tsx'
import { MatrixRows } from './matrix-rows.tsx'
import { Said } from './said.tsx'
import { WordsField } from './words-field.tsx'

const MatrixPart = ({ run }: { readonly run: RunState }) => {
  const { t } = useRoom(MATRIX_WORDS)
  const [search] = useSearchParams()
  const filters = { flawed: search.get('verdict') === 'flaw', words: search.get('q') ?? '' }
  const matrix = useInfiniteQuery(matrixQuery(run.id, filters, !hasEnded(run.status)))
  const [first] = matrix.data?.pages ?? []
  if (first === undefined) {
    if (!matrix.error) return <Ghosts />
    if (isNone(matrix.error)) return <None why={matrix.error.problem.detail} />
    return <Failure error={matrix.error} retry={() => void matrix.refetch()} />
  }
  const items = matrix.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <section className="stack" aria-label={t('matrix')}>
      <Looked coverage={first.coverage} />
      <Unasked people={first.people} />
      <Filters matrix={first} filters={filters} />
      {items.length === 0 ? (
        <div className="card">
          <div className="empty">
            <h2>{t(first.operations === 0 ? 'matrixEmpty' : 'matrixNoMatch')}</h2>
          </div>
        </div>
      ) : (
        <MatrixRows
          run={run.id}
          people={first.people}
          items={items}
          total={matrix.hasNextPage ? null : items.length}
          more={matrix.hasNextPage && !matrix.isFetchingNextPage ? () => void matrix.fetchNextPage() : null}
        />
      )}
      <Legend />
    </section>
  )
}

const isNone = (error: Error): error is ApiError =>
  error instanceof ApiError && error.problem.code === 'matrix_not_found'

const None = ({ why }: { readonly why: string }) => {
  const { t } = useRoom(MATRIX_WORDS)
  return (
    <div className="card">
      <div className="empty">
        <h2>{t('matrixNone')}</h2>
        <p>
          <Said text={why} />
        </p>
        <p>{t('matrixNoneText')}</p>
        <Link to="/domains">{t('domains')}</Link>
      </div>
    </div>
  )
}

/** What was looked for in it, and what kept it from an answer. */
const Looked = ({ coverage }: { readonly coverage: readonly Coverage[] }) => {
  const { t } = useRoom(MATRIX_WORDS)
  return (
    <div className="card">
      <ul className="checks matrix-checks">
        {coverage.map(({ check_id, title, state, reason }) => (
          <li key={check_id}>
            <span className={`tag ${state === 'fail' ? 'bad' : state === 'pass' ? 'good' : ''}`}>
              {t(`coverage_${state}`)}
            </span>
            <span>
              {title}
              {reason === null ? null : <span className="reason">{reason}</span>}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Identities of which nothing is known: their columns say it in every row. */
const Unasked = ({ people }: { readonly people: readonly MatrixPerson[] }) => {
  const { t } = useRoom(MATRIX_WORDS)
  const lost = people.filter(({ left }) => left !== null)
  if (lost.length === 0) return null
  return (
    <div className="notice warn">
      {lost.map(({ name, left }) => (
        <p key={name}>
          <strong>{t('matrixLost', { name: name === '' ? t('nobody') : name })}</strong> <Said text={left ?? ''} />
        </p>
      ))}
    </div>
  )
}

const Filters = ({ matrix, filters }: { readonly matrix: MatrixPage; readonly filters: MatrixFilters }) => {
  const { t, language } = useRoom(MATRIX_WORDS)
  const [, setSearch] = useSearchParams()
  const set = ({ flawed, words }: MatrixFilters): void =>
    setSearch(
      { ...(flawed ? { verdict: 'flaw' } : {}), ...(words === '' ? {} : { q: words }) },
      { replace: true, preventScrollReset: true },
    )
  const { operations, flawed, left } = matrix
  return (
    <div className="stack tight">
      <div className="filters matrix-filters">
        <WordsField hint="/api/orders" value={filters.words} set={(words) => set({ ...filters, words })} />
        <fieldset className="chips bare">
          <legend className="hidden">{t('matrixShow')}</legend>
          {[false, true].map((only) => (
            <button
              key={String(only)}
              type="button"
              className="chip"
              aria-pressed={filters.flawed === only}
              onClick={() => set({ ...filters, flawed: only })}
            >
              {t(only ? 'matrixFlawed' : 'matrixAll')}{' '}
              <span className="num">{number(only ? flawed : operations, language)}</span>
            </button>
          ))}
        </fieldset>
      </div>
      {left === 0 ? null : <p className="small quiet">{t('matrixLeft', { n: left })}</p>}
    </div>
  )
}

const Legend = () => {
  const { t } = useRoom(MATRIX_WORDS)
  return (
    <details className="more">
      <summary>{t('matrixWords')}</summary>
      <dl className="facts matrix-legend">
        {ACCESSES.map((access) => (
          <div className="contents" key={access}>
            <dt>
              <AccessMark access={access} />
            </dt>
            <dd>{t(`access_${access}_hint`)}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

export default MatrixPart
