import { Link } from 'react-router'
import { Page } from '../components/page.tsx'
import { useT } from '../i18n/text.tsx'

export const NotFound = () => {
  const t = useT()
  return (
    <Page title={t('missingTitle')}>
      <div className="card">
        <div className="empty">
          <p>{t('missingText')}</p>
          <Link to="/">{t('toOverview')}</Link>
        </div>
      </div>
    </Page>
  )
}
