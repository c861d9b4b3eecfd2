/** To any page, domain or recent run by a few letters. Opened by Ctrl+K. */
import { TextInput } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { PALETTE_WORDS } from '../i18n/rooms.ts'
import { useRoom } from '../i18n/text.tsx'
import { offered, type Place } from '../palette.ts'
import { domainsQuery, runsQuery } from '../queries.ts'
import { useMay } from '../session.tsx'
import { Dialog } from './dialog.tsx'

const PAGES = [
  ['/', 'navOverview'],
  ['/findings', 'navFindings'],
  ['/runs', 'navRuns'],
  ['/batches', 'batches'],
  ['/hypotheses', 'hypotheses'],
  ['/domains', 'navDomains'],
  ['/settings', 'navSettings'],
] as const

const Palette = ({ close }: { readonly close: () => void }) => {
  const { t } = useRoom(PALETTE_WORDS)
  const id = useId()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  // The dialog has given the focus to its first button by then.
  useEffect(() => field.current?.focus(), [])
  const found = offered(usePlaces(), typed)
  const go = (place: Place | undefined): void => {
    if (place === undefined) return
    close()
    void navigate(place.to)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && found.length > 0) setAt((at + step + found.length) % found.length)
    else if (event.key === 'Enter') go(found[at])
    else return
    event.preventDefault()
  }
  return (
    <Dialog title={t('goTo')} close={close}>
      <div className="stack tight">
        <TextInput
          role="combobox"
          aria-label={t('goTo')}
          aria-expanded
          aria-controls={id}
          aria-activedescendant={found[at] === undefined ? undefined : `${id}-${at}`}
          aria-autocomplete="list"
          placeholder={t('goToHint')}
          autoComplete="off"
          spellCheck={false}
          ref={field}
          value={typed}
          onKeyDown={onKeyDown}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            setAt(0)
          }}
        />
        <div role="listbox" id={id} aria-label={t('goToPlaces')} className="palette">
          {found.map((place, n) => (
            // The keys are those of the field, which keeps the focus and names the chosen one.
            // biome-ignore lint/a11y/useKeyWithClickEvents: see above
            <div
              key={place.to}
              id={`${id}-${n}`}
              role="option"
              tabIndex={-1}
              aria-selected={n === at}
              onClick={() => go(place)}
            >
              <span className="break">{place.name}</span> <span className="small quiet">{place.kind}</span>
            </div>
          ))}
        </div>
        <p className="small quiet" aria-live="polite">
          {found.length === 0 ? t('goToNone') : ''}
        </p>
      </div>
    </Dialog>
  )
}

const usePlaces = (): readonly Place[] => {
  const { t } = useRoom(PALETTE_WORDS)
  const [mayDomains, mayRuns] = [useMay('domains:read'), useMay('scans:read')]
  const domains = useQuery({ ...domainsQuery, enabled: mayDomains })
  const runs = useInfiniteQuery({ ...runsQuery({}), enabled: mayRuns })
  return [
    ...PAGES.map(([to, name]) => ({ to, name: t(name), kind: t('placePage') })),
    ...(domains.data ?? []).map(({ id, domain }) => ({ to: `/domains/${id}`, name: domain, kind: t('placeDomain') })),
    ...(runs.data?.pages[0]?.items ?? []).map(({ id, domain, status }) => ({
      ...{ to: `/runs/${id}`, name: domain },
      kind: `${t('placeRun')} · ${t(`status_${status}`)} · ${id.slice(0, 8)}`,
    })),
  ]
}

export default Palette
