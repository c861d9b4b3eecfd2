/** Findings by their cause: what one remedy ends, the gravest first. */
import { Link } from 'react-router'
import type { DomainFindingGroup } from '../../../../src/contract/domain-finding.ts'
import { number } from '../../format.ts'
import { useText } from '../../i18n/text.tsx'
import { SeverityMark } from '../marks.tsx'

interface ProblemGroupsProps {
  readonly groups: readonly DomainFindingGroup[]
  /** The list of one cause. */
  readonly to: (checkId: string) => string
}

export const ProblemGroups = ({ groups, to }: ProblemGroupsProps) => {
  const { t, language } = useText()
  return (
    <div className="card">
      <table className="table blocks">
        <caption className="hidden">{t('byCause')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('cause')}</th>
            <th scope="col">{t('severity')}</th>
            <th scope="col">{t('findings')}</th>
            <th scope="col">{t('domains')}</th>
            <th scope="col">{t('overdue')}</th>
          </tr>
        </thead>
        <tbody>
          {groups.map(({ check_id, title, severity, findings, domains, overdue }) => (
            <tr key={check_id}>
              <td>
                <Link className="name" to={to(check_id)}>
                  {title}
                </Link>
              </td>
              <td className="fit">
                <SeverityMark severity={severity} />
              </td>
              <td className="fit num" data-label={t('findings')}>
                {number(findings, language)}
              </td>
              <td className="fit num" data-label={t('domains')}>
                {number(domains, language)}
              </td>
              <td className="fit num" data-label={t('overdue')}>
                {overdue === 0 ? <span className="quiet">0</span> : <strong>{number(overdue, language)}</strong>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
