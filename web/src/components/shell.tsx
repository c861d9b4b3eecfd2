/** Frame of every page of somebody who is signed in. */
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Link, NavLink, Outlet, useLocation } from 'react-router'
import { useConnection } from '../connection.ts'
import { type Key, useText } from '../i18n/text.tsx'
import { SESSION } from '../query-client.ts'
import { useScheme } from '../scheme.ts'
import { useSession, useSignOut } from '../session.tsx'
import { ArrivingPage } from './ghost.tsx'
import { HoldBanner } from './hold.tsx'
import { DomainsIcon, FindingsIcon, Logo, OverviewIcon, RunsIcon, SettingsIcon } from './icons.tsx'
import { LastChangeBar } from './problems/last-change.tsx'

const Palette = lazy(() => import('./palette.tsx'))

const PLACES = [
  { to: '/', name: 'navOverview', Icon: OverviewIcon },
  { to: '/findings', name: 'navFindings', Icon: FindingsIcon },
  { to: '/runs', name: 'navRuns', Icon: RunsIcon },
  { to: '/domains', name: 'navDomains', Icon: DomainsIcon },
  { to: '/settings', name: 'navSettings', Icon: SettingsIcon },
] as const satisfies readonly { readonly to: string; readonly name: Key; readonly Icon: unknown }[]

export const Shell = () => {
  const { t } = useText()
  const { actor, organisation } = useSession()
  const signOut = useSignOut()
  const main = useFocusOnArrival()
  return (
    <>
      <a className="skip" href="#main">
        {t('skip')}
      </a>
      <Away />
      <HoldBanner />
      <div className="shell">
        <header className="side">
          <Link to="/" className="brand">
            <Logo />
            Sonde
          </Link>
          <nav className="nav" aria-label={t('navLabel')}>
            {PLACES.map(({ to, name, Icon }) => (
              <NavLink key={to} to={to} end={to === '/'}>
                <Icon />
                {t(name)}
              </NavLink>
            ))}
          </nav>
          <div className="side-foot">
            <GoTo />
            <Tastes />
            <div className="who">
              <strong>{organisation.name}</strong>
              <span className="quiet break">{actor.name}</span>
            </div>
            <button type="button" className="plain" onClick={() => void signOut()}>
              {t('signOut')}
            </button>
          </div>
        </header>
        <main className="main" id="main" tabIndex={-1} ref={main}>
          <Suspense fallback={<ArrivingPage />}>
            <Outlet />
          </Suspense>
        </main>
      </div>
      <LastChangeBar />
    </>
  )
}

/** By Ctrl+K, or by Command+K of a Mac; a dialog that is open keeps the keys to itself. */
const GoTo = () => {
  const { t } = useText()
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (
        (event.key !== 'k' && event.key !== 'K') ||
        !(event.ctrlKey || event.metaKey) ||
        event.altKey ||
        event.shiftKey
      )
        return
      if (document.querySelector('dialog[open]') !== null) return
      event.preventDefault()
      setOpen(true)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <button type="button" className="plain go-to" aria-keyshortcuts="Control+K" onClick={() => setOpen(true)}>
        {t('goTo')} <kbd>Ctrl K</kbd>
      </button>
      {open ? (
        <Suspense fallback={null}>
          <Palette close={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}

/** Language and colours: of whoever sits here, signed in or not. */
export const Tastes = () => {
  const { t, language, choose } = useText()
  const [scheme, setScheme] = useScheme()
  return (
    <div className="row">
      <button type="button" className="plain" onClick={() => setScheme(scheme === 'dark' ? 'light' : 'dark')}>
        {scheme === 'dark' ? t('toLight') : t('toDark')}
      </button>
      <button
        type="button"
        className="plain"
        lang={language === 'de' ? 'en' : 'de'}
        onClick={() => choose(language === 'de' ? 'en' : 'de')}
      >
        {language === 'de' ? 'English' : 'Deutsch'}
      </button>
    </div>
  )
}

/** A tab of a page is the same page; one finding of a run is another. */
export const pageOf = (path: string): string => {
  const [, room = '', id = '', part = '', inner = ''] = path.split('/')
  return [room, id, ...(part === 'findings' ? [part, inner] : [])].join('/')
}

/** A new page is announced and read from its top; a link into the page keeps the place. */
const useFocusOnArrival = () => {
  const { pathname } = useLocation()
  const main = useRef<HTMLElement>(null)
  const before = useRef(pathname)
  useEffect(() => {
    const was = before.current
    before.current = pathname
    if (pageOf(was) === pageOf(pathname)) return
    window.scrollTo(0, 0)
    main.current?.focus({ preventScroll: true })
  }, [pathname])
  return main
}

/** Milliseconds between two looks at a service that does not answer. */
const LOOK_EVERY = 5_000

const Away = () => {
  const { t } = useText()
  const queries = useQueryClient()
  const answers = useConnection()
  useEffect(() => {
    if (answers) return undefined
    const timer = setInterval(() => void queries.refetchQueries({ queryKey: SESSION }), LOOK_EVERY)
    return () => {
      clearInterval(timer)
      // It is back: what was missed meanwhile is fetched.
      void queries.invalidateQueries()
    }
  }, [answers, queries])
  return <div role="status">{answers ? null : <div className="banner">{t('awayBanner')}</div>}</div>
}
