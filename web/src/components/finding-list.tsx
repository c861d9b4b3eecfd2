/** The findings of a run, the gravest first. Only rows in sight are drawn, so ten thousand scroll like ten. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { Finding, Severity } from '../../../src/contract/finding.ts'
import type { RunState } from '../../../src/contract/run.ts'
import { useT } from '../i18n/text.tsx'
import { placeText } from '../place-text.ts'
import { findingsQuery } from '../queries.ts'
import { useRowHeight } from '../use-narrow.ts'
import { hasEnded, SEVERITIES } from '../words.ts'
import { Failure } from './failure.tsx'
import { Ghosts } from './ghost.tsx'
import { SeverityMark, totalOf } from './marks.tsx'

/** Rows before the end at which the next page is asked for. */
const AHEAD = 40

export const FindingList = ({ run }: { readonly run: RunState }) => {
  const t = useT()
  const [search, setSearch] = useSearchParams()
  const severity = SEVERITIES.find((one): one is Severity => one === search.get('severity')) ?? null
  const findings = useInfiniteQuery(findingsQuery(run.id, severity))
  const items = findings.data?.pages.flatMap((page) => page.items) ?? []
  const choose = (next: Severity | null): void =>
    setSearch(next === null ? {} : { severity: next }, { replace: true, preventScrollReset: true })
  return (
    <section className="stack tight" aria-label={t('findings')}>
      {severity === null && totalOf(run.counts) === 0 ? null : (
        <fieldset className="chips bare">
          <legend className="hidden">{t('severity')}</legend>
          <button type="button" className="chip" aria-pressed={severity === null} onClick={() => choose(null)}>
            {t('all')}
          </button>
          {SEVERITIES.map((one) => (
            <button
              key={one}
              type="button"
              className="chip"
              aria-pressed={severity === one}
              onClick={() => choose(one)}
            >
              {t(`severity_${one}`)} <span className="num">{run.counts[one]}</span>
            </button>
          ))}
        </fieldset>
      )}
      {findings.error ? (
        <Failure error={findings.error} retry={() => void findings.refetch()} />
      ) : findings.data === undefined ? (
        <Ghosts rows={8} height={30} />
      ) : items.length === 0 ? (
        <NothingFound run={run} filtered={severity !== null} />
      ) : (
        <Rows
          run={run.id}
          items={items}
          total={severity === null ? null : run.counts[severity]}
          more={findings.hasNextPage && !findings.isFetchingNextPage ? () => void findings.fetchNextPage() : null}
        />
      )}
    </section>
  )
}

const NothingFound = ({ run, filtered }: { readonly run: RunState; readonly filtered: boolean }) => {
  const t = useT()
  const [title, text] = filtered
    ? ([t('noneOfSeverity'), ''] as const)
    : run.status === 'done'
      ? run.retest_of !== null || run.hypothesis !== null
        ? ([t('nothingTitle'), t('partText')] as const)
        : ([t('cleanTitle'), t('cleanText')] as const)
      : hasEnded(run.status)
        ? ([t('nothingTitle'), t('nothingText')] as const)
        : ([t('nothingYetTitle'), t('nothingYetText')] as const)
  return (
    <div className="card">
      <div className="empty">
        <h2>{title}</h2>
        {text === '' ? null : <p>{text}</p>}
        {filtered ? null : <Link to={`/runs/${run.id}/coverage`}>{t('seeCoverage')}</Link>}
      </div>
    </div>
  )
}

interface RowsProps {
  readonly run: string
  readonly items: readonly Finding[]
  readonly total: number | null
  readonly more: (() => void) | null
}

const Rows = ({ run, items, total, more }: RowsProps) => {
  const height = useRowHeight()
  const list = useRef<HTMLUListElement>(null)
  const [offset, setOffset] = useState(0)
  useLayoutEffect(() => {
    const top = list.current?.getBoundingClientRect().top ?? 0
    setOffset(top + window.scrollY)
  }, [])
  const rows = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => height,
    overscan: 12,
    scrollMargin: offset,
  })
  useEffect(() => {
    void height
    rows.measure()
  }, [height, rows])
  const shown = rows.getVirtualItems()
  const last = shown.at(-1)?.index ?? 0
  useEffect(() => {
    if (more !== null && last >= items.length - AHEAD) more()
  }, [more, last, items.length])
  return (
    <ul className="card finding-list" ref={list} style={{ height: rows.getTotalSize() + 2 }}>
      {shown.map(({ index, start }) => {
        const finding = items[index]
        return finding === undefined ? null : (
          <li
            key={finding.id}
            style={{ transform: `translateY(${start - offset}px)`, height }}
            aria-posinset={index + 1}
            aria-setsize={total ?? (more === null ? items.length : -1)}
          >
            <FindingRow run={run} finding={finding} />
          </li>
        )
      })}
    </ul>
  )
}

const FindingRow = ({ run, finding }: { readonly run: string; readonly finding: Finding }) => {
  const t = useT()
  return (
    <Link className="finding-row" to={`/runs/${run}/findings/${finding.id}`}>
      <SeverityMark severity={finding.severity} />
      <span className="finding-what">
        <span className="finding-title">{finding.title}</span>
        <span className="finding-where mono">
          {placeText(finding.location)}
          {finding.places.length > 1 ? ` +${finding.places.length - 1}` : ''}
        </span>
      </span>
      <span className="finding-tags">
        {finding.triage.state === 'open' ? null : (
          <span className="tag good">{t(`triage_${finding.triage.state}`)}</span>
        )}
        {finding.status === 'new' ? <span className="tag new">{t('new')}</span> : null}
        <span className="tag">{t(`confidence_${finding.confidence}`)}</span>
      </span>
    </Link>
  )
}
