import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { EN } from '../../i18n/en.ts'
import { type Key, type Translate, useText } from '../../i18n/text.tsx'
import { activityQuery } from '../../queries.ts'
import { Failure } from '../failure.tsx'
import { Ghosts } from '../ghost.tsx'
import { When } from '../when.tsx'

const ActivityLog = () => {
  const { t } = useText()
  const activity = useInfiniteQuery(activityQuery)
  if (activity.data === undefined) {
    return activity.error ? <Failure error={activity.error} retry={() => void activity.refetch()} /> : <Ghosts />
  }
  const items = activity.data.pages.flatMap((page) => page.items)
  return (
    <section className="stack tight" aria-label={t('activity')}>
      <p className="quiet">{t('activityText')}</p>
      <div className="card">
        {items.length === 0 ? (
          <div className="empty">
            <p>{t('noActivity')}</p>
          </div>
        ) : (
          <table className="table blocks">
            <caption className="hidden">{t('activity')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('what')}</th>
                <th scope="col">{t('who')}</th>
                <th scope="col">{t('time')}</th>
              </tr>
            </thead>
            <tbody>
              {items.map((entry) => (
                <tr key={entry.id}>
                  <td>
                    {actionText(entry.action, t)} <span className="quiet break">{entry.subject}</span>
                  </td>
                  <td className="quiet" data-label={t('who')}>
                    {entry.actor.name} <span className="tag">{t(`actor_${entry.actor.kind}`)}</span>
                  </td>
                  <td className="fit quiet">
                    <When iso={entry.at} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
      {activity.hasNextPage ? (
        <div>
          <Button variant="default" loading={activity.isFetchingNextPage} onClick={() => void activity.fetchNextPage()}>
            {t('showMore')}
          </Button>
        </div>
      ) : null}
    </section>
  )
}

/** An operation of a later version is shown by its own name. */
const actionText = (action: string, t: Translate): string => {
  const key = `action_${action}`
  return Object.hasOwn(EN, key) ? t(key as Key) : action
}

export default ActivityLog
