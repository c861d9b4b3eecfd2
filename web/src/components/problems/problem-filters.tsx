/** The filters of the list of findings: they are the address, so a link to a view shows the same to whoever opens it. */
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useT } from '../../i18n/text.tsx'
import { useModuleTitle } from '../../module-title.ts'
import { severitiesOf, sortOf, stateOf } from '../../problem-view.ts'
import { domainsQuery } from '../../queries.ts'
import { useMay, useSession } from '../../session.tsx'
import { useNarrow } from '../../use-narrow.ts'
import { PROBLEM_STATES, SEVERITIES } from '../../words.ts'
import { WordsField } from '../words-field.tsx'

const STATES = PROBLEM_STATES.filter((state) => state !== 'open')
const SORTS = ['severity', 'last_seen', 'due'] as const
/** On or off; several at once narrow the list. */
const FLAGS = ['overdue', 'kev', 'new', 'unassigned'] as const

export interface ProblemFiltersProps {
  readonly search: URLSearchParams
  /** Empty takes a filter away. */
  readonly set: (values: Readonly<Record<string, string>>) => void
  /** Modules that there are findings of. */
  readonly modules: readonly string[]
}

export const ProblemFilters = ({ search, set, modules }: ProblemFiltersProps) => {
  const t = useT()
  const { actor } = useSession()
  const mayDomains = useMay('domains:read')
  const domains = useQuery({ ...domainsQuery, enabled: mayDomains })
  const severities = severitiesOf(search)
  const mine = search.get('assignee') === actor.name
  const narrow = useNarrow()
  const [unfolded, setUnfolded] = useState(false)
  const toggled = (severity: (typeof SEVERITIES)[number]): string =>
    SEVERITIES.filter((one) => severities.includes(one) !== (one === severity)).join(',')
  return (
    <search className="stack tight" aria-label={t('filters')}>
      <div className="filters">
        <WordsField hint={t('searchFindings')} value={search.get('q') ?? ''} set={(q) => set({ q })} />
        {narrow ? (
          <Button variant="default" aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
            {t('filters')} {chosenFilters(search) === 0 ? '' : chosenFilters(search)}
          </Button>
        ) : null}
      </div>
      <div className={narrow && !unfolded ? 'folded' : 'stack tight'}>
        <div className="filters">
          <NativeSelect
            label={t('state')}
            value={stateOf(search)}
            onChange={(event) => set({ state: event.currentTarget.value === 'open' ? '' : event.currentTarget.value })}
            data={[
              { value: 'open', label: t('stateToDo') },
              ...STATES.map((state) => ({ value: state, label: t(`problem_${state}`) })),
              { value: 'all', label: t('all') },
            ]}
          />
          <NativeSelect
            label={t('domain')}
            value={search.get('domain_id') ?? ''}
            onChange={(event) => set({ domain_id: event.currentTarget.value })}
            data={[
              { value: '', label: t('anyDomain') },
              ...(domains.data ?? []).map(({ id, domain }) => ({ value: id, label: domain })),
            ]}
          />
          <NativeSelect
            label={t('sortBy')}
            value={sortOf(search)}
            onChange={(event) =>
              set({ sort: event.currentTarget.value === 'severity' ? '' : event.currentTarget.value })
            }
            data={SORTS.map((sort) => ({ value: sort, label: t(`sort_${sort}`) }))}
          />
        </div>
        <fieldset className="chips bare">
          <legend className="hidden">{t('severity')}</legend>
          {SEVERITIES.map((one) => (
            <button
              key={one}
              type="button"
              className="chip"
              aria-pressed={severities.includes(one)}
              onClick={() => set({ severity: toggled(one) })}
            >
              {t(`severity_${one}`)}
            </button>
          ))}
          <button
            type="button"
            className="chip"
            aria-pressed={mine}
            onClick={() => set({ assignee: mine ? '' : actor.name, unassigned: '' })}
          >
            {t('mine')}
          </button>
          {FLAGS.map((flag) => (
            <button
              key={flag}
              type="button"
              className="chip"
              aria-pressed={search.has(flag)}
              onClick={() =>
                set({ [flag]: search.has(flag) ? '' : '1', ...(flag === 'unassigned' ? { assignee: '' } : {}) })
              }
            >
              {t(`flag_${flag}`)}
            </button>
          ))}
        </fieldset>
        <MoreFilters search={search} set={set} modules={modules} />
      </div>
    </search>
  )
}

/** How many narrow the list, beside the words and the order. */
const chosenFilters = (search: URLSearchParams): number =>
  [...search.keys()].filter((name) => name !== 'q' && name !== 'sort' && name !== 'by').length

/** What few ask for every day. */
const MoreFilters = ({ search, set, modules }: ProblemFiltersProps) => {
  const t = useT()
  const mine = useSession().actor.name
  const chosen = ['module', 'cwe', 'assignee'].some((name) => search.has(name) && search.get(name) !== mine)
  const module = search.get('module') ?? ''
  const titleOf = useModuleTitle()
  const listed = [...new Set([...modules, ...(module === '' ? [] : [module])])]
    .map((value) => ({ value, label: titleOf(value) }))
    .toSorted((a, b) => a.label.localeCompare(b.label))
  return (
    <details className="more" open={chosen}>
      <summary>{t('moreFilters')}</summary>
      <div className="filters">
        <NativeSelect
          label={t('module')}
          value={module}
          onChange={(event) => set({ module: event.currentTarget.value })}
          data={[{ value: '', label: t('anyDomain') }, ...listed]}
        />
        <Typed label="CWE" name="cwe" search={search} set={set} />
        <Typed label={t('assignee')} name="assignee" search={search} set={set} />
      </div>
    </details>
  )
}

interface TypedProps extends Pick<ProblemFiltersProps, 'search' | 'set'> {
  readonly label: string
  readonly name: 'cwe' | 'assignee'
}

/** Asks when the field is left. */
const Typed = ({ label, name, search, set }: TypedProps) => (
  <TextInput
    key={search.get(name) ?? ''}
    label={label}
    defaultValue={search.get(name) ?? ''}
    inputMode={name === 'cwe' ? 'numeric' : 'text'}
    onBlur={(event) => {
      const value = event.currentTarget.value.trim()
      if (value !== (search.get(name) ?? '')) set({ [name]: value, unassigned: '' })
    }}
    onKeyDown={(event) => {
      if (event.key === 'Enter') event.currentTarget.blur()
    }}
  />
)
