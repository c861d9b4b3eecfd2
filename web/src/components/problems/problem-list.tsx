/** Findings over runs and domains: only rows in sight are drawn, and further ones are asked for before they are reached. */
import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import {
  memo,
  type Ref,
  type RefObject,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
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
import { windowFor } from './follow.ts'
import { DueMark, StateTag } from './marks.tsx'
import { useFollow } from './use-follow.ts'
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
  // The row that keys are about: -1 before the first one. Nothing is drawn by it, so a key draws nothing.
  const at = useRef(-1)
  const list = useRef<ListHandle>(null)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [changing, setChanging] = useState<readonly DomainFinding[] | null>(null)
  const toggle = useCallback((key: string): void => {
    setChosen((before) => {
      const next = new Set(before)
      if (!next.delete(key)) next.add(key)
      return next
    })
  }, [])
  const picked = useMemo(() => items.filter((one) => chosen.has(keyOf(one))), [items, chosen])
  const here = (): DomainFinding | undefined => items[Math.min(at.current, items.length - 1)]
  const change = (): void => {
    const one = here()
    const meant = picked.length > 0 ? picked : one ? [one] : []
    if (may && meant.length > 0) setChanging(meant)
  }
  const changePicked = useCallback((): void => setChanging(picked), [picked])
  const choose = useCallback((next: readonly DomainFinding[]): void => setChosen(new Set(next.map(keyOf))), [])
  const go = (step: number): void => {
    at.current = Math.max(0, Math.min(items.length - 1, at.current + step))
    list.current?.show(at.current)
  }
  useRowKeys({
    j: () => go(1),
    k: () => go(-1),
    e: change,
    x: () => {
      const one = here()
      if (one && may) toggle(keyOf(one))
    },
  })
  return (
    <>
      <Bar items={items} picked={picked} may={may} change={changePicked} choose={choose} />
      <Rows {...{ items, total, more, at, chosen }} ref={list} toggle={may ? toggle : null} />
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

interface ListHandle {
  /** Brings the row of this place into sight and gives it the focus. */
  readonly show: (index: number) => void
}

interface RowsProps extends WorkedProps {
  readonly ref: Ref<ListHandle>
  /** The row that keys are about; whoever comes to a row by Tab or with the hand goes on from there. */
  readonly at: RefObject<number>
  readonly chosen: ReadonlySet<string>
  /** Null where one may not change anything. */
  readonly toggle: ((key: string) => void) | null
}

const Rows = ({ ref, items, total, more, at, chosen, toggle }: RowsProps) => {
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
  /** Of a row that has to be drawn before it can have the focus. */
  const wanted = useRef(false)
  const follow = useFollow()
  useImperativeHandle(
    ref,
    () => ({
      show: (index) => {
        wanted.current = !focusRow(list.current, index)
        follow(() => windowFor(rows, offset + index * height, height))
      },
    }),
    [rows, offset, height, follow],
  )
  useEffect(() => {
    // What was changed may have left the list, and the focus with it: the next one has its place.
    const lost = at.current >= 0 && document.activeElement === document.body
    if (wanted.current || lost) wanted.current = !focusRow(list.current, Math.min(at.current, items.length - 1))
  })
  useEffect(() => {
    void height
    rows.measure()
  }, [height, rows])
  const came = useCallback(
    (index: number): void => {
      at.current = index
    },
    [at],
  )
  return (
    <ul className="card finding-list" ref={list} style={{ height: rows.getTotalSize() + 2 }}>
      {shown.map(({ index, start }) => {
        const finding = items[index]
        if (finding === undefined) return null
        const key = keyOf(finding)
        return (
          <Item
            key={key}
            {...{ finding, index, height, toggle, came }}
            start={start - offset}
            total={total ?? -1}
            chosen={chosen.has(key)}
          />
        )
      })}
    </ul>
  )
}

/** False: no such row is drawn. */
const focusRow = (list: HTMLUListElement | null, index: number): boolean => {
  const link = list?.querySelector<HTMLAnchorElement>(`:scope > [aria-posinset="${index + 1}"] .finding-row`)
  link?.focus({ preventScroll: true })
  return Boolean(link)
}

interface ItemProps {
  readonly finding: DomainFinding
  readonly index: number
  /** From the top of the list, in pixels; so is its height. */
  readonly start: number
  readonly height: number
  /** Of all that the query finds; -1 while nobody knows. */
  readonly total: number
  readonly chosen: boolean
  readonly toggle: ((key: string) => void) | null
  /** Told when the row gets the focus. */
  readonly came: (index: number) => void
}

/** Not drawn again for a scroll that only brings others. */
const Item = memo(({ finding, index, start, height, total, chosen, toggle, came }: ItemProps) => {
  const t = useT()
  return (
    <li
      style={{ transform: `translateY(${start}px)`, height }}
      aria-posinset={index + 1}
      aria-setsize={total}
      onFocus={() => came(index)}
    >
      <div className="problem-row">
        {toggle === null ? null : (
          <label className="problem-choice">
            <span className="hidden">{t('choose', { title: finding.title })}</span>
            <input type="checkbox" checked={chosen} onChange={() => toggle(keyOf(finding))} />
          </label>
        )}
        <Link className="finding-row" to={addressOf(finding)}>
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
    </li>
  )
})
