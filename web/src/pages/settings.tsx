import { lazy, Suspense } from 'react'
import { NavLink } from 'react-router'
import { Ghosts } from '../components/ghost.tsx'
import { Page } from '../components/page.tsx'
import { OrganisationSettings } from '../components/settings/organisation.tsx'
import { Tabs } from '../components/tabs.tsx'
import { useT } from '../i18n/text.tsx'
import { useMay } from '../session.tsx'

const Keys = lazy(() => import('../components/settings/keys.tsx'))
const Agents = lazy(() => import('../components/settings/agents.tsx'))
const Webhooks = lazy(() => import('../components/settings/webhooks.tsx'))
const Mail = lazy(() => import('../components/settings/mail.tsx'))
const Members = lazy(() => import('../components/settings/members.tsx'))
const ActivityLog = lazy(() => import('../components/settings/activity.tsx'))

type Part = 'organisation' | 'keys' | 'agents' | 'webhooks' | 'mail' | 'members' | 'activity'

const Settings = ({ part }: { readonly part: Part }) => {
  const t = useT()
  const may = useMay('organisation:read')
  const mayWebhooks = useMay('webhooks:write')
  const mayAgents = useMay('domains:read')
  return (
    <Page title={t('settings')}>
      <Tabs>
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
        {mayAgents ? <NavLink to="/settings/agents">{t('agents')}</NavLink> : null}
        {mayWebhooks ? (
          <>
            <NavLink to="/settings/webhooks">{t('webhooks')}</NavLink>
            <NavLink to="/settings/mail">{t('mail')}</NavLink>
          </>
        ) : null}
      </Tabs>
      <Suspense fallback={<Ghosts />}>
        {part === 'organisation' ? <OrganisationSettings /> : null}
        {part === 'keys' ? <Keys /> : null}
        {part === 'agents' ? <Agents /> : null}
        {part === 'webhooks' ? <Webhooks /> : null}
        {part === 'mail' ? <Mail /> : null}
        {part === 'members' ? <Members /> : null}
        {part === 'activity' ? <ActivityLog /> : null}
      </Suspense>
    </Page>
  )
}

export default Settings
