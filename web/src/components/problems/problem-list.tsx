/** Findings over runs and domains: only rows in sight are drawn, and further ones are asked for before they are reached. */
import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { memo, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { DomainFinding } from '../../../../src/contract/domain-finding.ts'
import { useT } from '../../i18n/text.tsx'
import { placeText } from '../../place-text.ts'
import { addressOf, keyOf, type ProblemQuery } from '../../problem-view.ts'
import { problemsQuery } from '../../queries.ts'
import { useMay } from '../../session.tsx'
import { useRowHeight } from '../../use-narrow.ts'
import { Failure } from '../failure.tsx'
import { Ghosts } from '../ghost.tsx'
import { SeverityMark } from '../marks.tsx'
import ChangeDialog from './change-dialog.tsx'
import { DueMark, StateTag } from './marks.tsx'
import { useRowKeys } from './use-row-keys.ts'

/** Rows before the end at which the next page is asked for. */
const AHEAD = 60

interface ProblemListProps {
  readonly query: ProblemQuery
  /** Of all that the query finds; null while nobody knows. */
  readonly total: number | null
  readonly empty: React.ReactNode
}

export const ProblemList = ({ query, total, empty }: ProblemListProps) => {
  const problems = useInfiniteQuery(problemsQuery(query))
  const items = useMemo(() => problems.data?.pages.flatMap((page) => page.items) ?? [], [problems.data])
  const more = problems.hasNextPage && !problems.isFetchingNextPage ? () => void problems.fetchNextPage() : null
  if (problems.error) return <Failure error={problems.error} retry={() => void problems.refetch()} />
  if (problems.data === undefined) return <Ghosts rows={8} height={30} />
  if (items.length === 0 && !problems.hasNextPage) return empty
  return <Worked items={items} total={total} more={more} />
}

interface WorkedProps {
  readonly items: readonly DomainFinding[]
  readonly total: number | null
  readonly more: (() => void) | null
}

/** The list with what one does in it: go through, choose, change. */
const Worked = ({ items, total, more }: WorkedProps) => {
  const may = useMay('scans:write')
  const [at, setAt] = useState(-1)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [changing, setChanging] = useState<readonly DomainFinding[] | null>(null)
  const toggle = useCallback((key: string): void => {
    setChosen((before) => {
      const next = new Set(before)
      if (!next.delete(key)) next.add(key)
      return next
    })
  }, [])
  const here = items[Math.min(at, items.length - 1)]
  const picked = useMemo(() => items.filter((one) => chosen.has(keyOf(one))), [items, chosen])
  const change = (): void => {
    const meant = picked.length > 0 ? picked : here ? [here] : []
    if (may && meant.length > 0) setChanging(meant)
  }
  const changePicked = useCallback((): void => setChanging(picked), [picked])
  const choose = useCallback((next: readonly DomainFinding[]): void => setChosen(new Set(next.map(keyOf))), [])
  const go = (step: number): void => setAt((now) => Math.max(0, Math.min(items.length - 1, now + step)))
  useRowKeys({
    j: () => go(1),
    k: () => go(-1),
    e: change,
    x: () => here && may && toggle(keyOf(here)),
  })
  return (
    <>
      <Bar items={items} picked={picked} may={may} change={changePicked} choose={choose} />
      <Rows {...{ items, total, more, at, chosen }} toggle={may ? toggle : null} />
      {changing === null ? null : (
        <ChangeDialog
          findings={changing}
          close={() => {
            setChanging(null)
            setChosen(new Set())
          }}
        />
      )}
    </>
  )
}

interface BarProps {
  readonly items: readonly DomainFinding[]
  readonly picked: readonly DomainFinding[]
  readonly may: boolean
  readonly change: () => void
  readonly choose: (next: readonly DomainFinding[]) => void
}

/** What can be done to those that are chosen. Not drawn again for a key that only goes on. */
const Bar = memo(({ items, picked, may, change, choose }: BarProps) => {
  const t = useT()
  return (
    <div className="row between">
      <p className="small quiet keys">
        <kbd>j</kbd> <kbd>k</kbd> {t('keysMove')} <kbd>Enter</kbd> {t('keysOpen')}
        {may ? (
          <>
            {' '}
            <kbd>x</kbd> {t('keysChoose')} <kbd>e</kbd> {t('keysChange')}
          </>
        ) : null}
      </p>
      {may ? (
        <div className="row" role="status">
          {picked.length === 0 ? null : (
            <>
              <span className="small">{t('chosenCount', { n: picked.length })}</span>
              <Button size="compact-sm" onClick={change}>
                {t('change_do')}
              </Button>
              <Button size="compact-sm" variant="subtle" onClick={() => choose([])}>
                {t('chooseNone')}
              </Button>
            </>
          )}
          {picked.length === items.length ? null : (
            <Button size="compact-sm" variant="default" onClick={() => choose(items)}>
              {t('chooseAll', { n: items.length })}
            </Button>
          )}
        </div>
      ) : null}
    </div>
  )
})

interface RowsProps extends WorkedProps {
  /** The row that keys are about; -1 before the first key. */
  readonly at: number
  readonly chosen: ReadonlySet<string>
  /** Null where one may not change anything. */
  readonly toggle: ((key: string) => void) | null
}

const Rows = ({ items, total, more, at, chosen, toggle }: RowsProps) => {
  const list = useRef<HTMLUListElement>(null)
  const height = useRowHeight()
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
    // Rows ahead are drawn already: what a scroll brings near can come after the frame that shows it.
    useFlushSync: false,
  })
  const shown = rows.getVirtualItems()
  const last = shown.at(-1)?.index ?? 0
  useEffect(() => {
    if (more !== null && last >= items.length - AHEAD) more()
  }, [more, last, items.length])
  useEffect(() => {
    if (at >= 0) reveal(rows, offset + at * height, height)
  }, [at, offset, rows, height])
  useEffect(() => {
    void height
    rows.measure()
  }, [height, rows])
  return (
    <ul className="card finding-list" ref={list} style={{ height: rows.getTotalSize() + 2 }}>
      {shown.map(({ index, start }) => {
        const finding = items[index]
        if (finding === undefined) return null
        const key = keyOf(finding)
        return (
          <li
            key={key}
            style={{ transform: `translateY(${start - offset}px)`, height }}
            aria-posinset={index + 1}
            aria-setsize={total ?? -1}
          >
            <Row finding={finding} here={index === at} chosen={chosen.has(key)} toggle={toggle} />
          </li>
        )
      })}
    </ul>
  )
}

/** Of the window, as the list was told last; pixels. */
type Seen = Pick<ReturnType<typeof useWindowVirtualizer>, 'scrollOffset' | 'scrollRect'>

/**
 * Scrolls just so far that the row at `top` and the one beyond it are in sight. By what the list knows already: to measure
 * the page costs a layout with each key, and rows are of one height.
 */
const reveal = ({ scrollOffset, scrollRect }: Seen, top: number, row: number): void => {
  const from = scrollOffset ?? 0
  const height = scrollRect?.height ?? 0
  const highest = top + 2 * row - height
  const lowest = Math.max(0, top - row)
  if (from < highest) window.scrollTo({ top: highest })
  else if (from > lowest) window.scrollTo({ top: lowest })
}

interface RowProps {
  readonly finding: DomainFinding
  readonly here: boolean
  readonly chosen: boolean
  readonly toggle: ((key: string) => void) | null
}

const Row = memo(({ finding, here, chosen, toggle }: RowProps) => {
  const t = useT()
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (here) link.current?.focus({ preventScroll: true })
  }, [here])
  return (
    <div className={`problem-row ${here ? 'here' : ''}`}>
      {toggle === null ? null : (
        <label className="problem-choice">
          <span className="hidden">{t('choose', { title: finding.title })}</span>
          <input type="checkbox" checked={chosen} onChange={() => toggle(keyOf(finding))} />
        </label>
      )}
      <Link ref={link} className="finding-row" to={addressOf(finding)}>
        <SeverityMark severity={finding.severity} />
        <span className="finding-what">
          <span className="finding-title">{finding.title}</span>
          <span className="finding-where mono">
            {finding.domain} · {placeText(finding.location)}
          </span>
        </span>
        <span className="finding-tags">
          {finding.kev ? <span className="tag bad">KEV</span> : null}
          {finding.state === 'open' ? null : <StateTag state={finding.state} />}
          <DueMark due={finding.due} overdue={finding.overdue} />
          {finding.assignee === null ? null : <span className="tag who-tag">{finding.assignee}</span>}
        </span>
      </Link>
    </div>
  )
})
