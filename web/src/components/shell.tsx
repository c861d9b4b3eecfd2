/** Frame of every page of somebody who is signed in. */
import { Suspense, useEffect, useRef, useSyncExternalStore } from 'react'
import { Link, NavLink, Outlet, useLocation } from 'react-router'
import { type Key, useText } from '../i18n/text.tsx'
import { useScheme } from '../scheme.ts'
import { useSession, useSignOut } from '../session.tsx'
import { PageGhost } from './ghost.tsx'
import { HoldBanner } from './hold.tsx'
import { DomainsIcon, Logo, OverviewIcon, RunsIcon, SettingsIcon } from './icons.tsx'

const PLACES = [
  { to: '/', name: 'navOverview', Icon: OverviewIcon },
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
      <Offline />
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
          <Suspense fallback={<PageGhost />}>
            <Outlet />
          </Suspense>
        </main>
      </div>
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

/** A new page is announced and read from its top; a link into the page keeps the place. */
const useFocusOnArrival = () => {
  const { pathname } = useLocation()
  const main = useRef<HTMLElement>(null)
  const before = useRef(pathname)
  useEffect(() => {
    const [was, is] = [before.current, pathname].map((path) => path.split('/').slice(0, 3).join('/'))
    before.current = pathname
    if (was === is) return
    window.scrollTo(0, 0)
    main.current?.focus({ preventScroll: true })
  }, [pathname])
  return main
}

const watchLine = (listener: () => void): (() => void) => {
  for (const type of ['online', 'offline']) window.addEventListener(type, listener)
  return () => {
    for (const type of ['online', 'offline']) window.removeEventListener(type, listener)
  }
}

const Offline = () => {
  const { t } = useText()
  const online = useSyncExternalStore(watchLine, () => navigator.onLine)
  return <div role="status">{online ? null : <div className="banner">{t('offlineBanner')}</div>}</div>
}
