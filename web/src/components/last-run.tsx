import { Link } from 'react-router'
import type { DomainOverview } from '../../../src/contract/overview.ts'
import { useT } from '../i18n/text.tsx'
import { Ago } from './when.tsx'

/** Cell of a table of domains: when the last run ended, and the way to it. */
export const LastRunCell = ({ run }: { readonly run: DomainOverview['runs'][number] | undefined }) => {
  const t = useT()
  return (
    <td className="fit quiet" data-label={t('lastRun')}>
      {run === undefined ? (
        t('never')
      ) : (
        <Link to={`/runs/${run.id}`}>
          <Ago iso={run.finished_at} />
        </Link>
      )}
    </td>
  )
}
