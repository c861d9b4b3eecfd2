import { lazy, Suspense } from 'react'
import { NavLink } from 'react-router'
import { Ghosts } from '../components/ghost.tsx'
import { Page } from '../components/page.tsx'
import { OrganisationSettings } from '../components/settings/organisation.tsx'
import { useT } from '../i18n/text.tsx'
import { useMay } from '../session.tsx'

const Keys = lazy(() => import('../components/settings/keys.tsx'))
const Members = lazy(() => import('../components/settings/members.tsx'))
const ActivityLog = lazy(() => import('../components/settings/activity.tsx'))

type Part = 'organisation' | 'keys' | 'members' | 'activity'

const Settings = ({ part }: { readonly part: Part }) => {
  const t = useT()
  const may = useMay('organisation:read')
  return (
    <Page title={t('settings')}>
      <nav className="tabs" aria-label={t('parts')}>
        <NavLink to="/settings" end>
          {t('organisation')}
        </NavLink>
        {may ? (
          <>
            <NavLink to="/settings/keys">{t('keys')}</NavLink>
            <NavLink to="/settings/members">{t('members')}</NavLink>
            <NavLink to="/settings/activity">{t('activity')}</NavLink>
          </>
        ) : null}
      </nav>
      <Suspense fallback={<Ghosts />}>
        {part === 'organisation' ? <OrganisationSettings /> : null}
        {part === 'keys' ? <Keys /> : null}
        {part === 'members' ? <Members /> : null}
        {part === 'activity' ? <ActivityLog /> : null}
      </Suspense>
    </Page>
  )
}

export default Settings
