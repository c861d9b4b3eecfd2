/** What a finding of a domain is marked with beside its severity. */
import type { DomainFinding, ProblemState } from '../../../../src/contract/domain-finding.ts'
import { date } from '../../format.ts'
import { useText } from '../../i18n/text.tsx'

const TONES: Readonly<Record<ProblemState, string>> = {
  open: '',
  reopened: 'new',
  accepted: 'good',
  false_positive: 'good',
  fixed: 'good',
}

export const StateTag = ({ state }: { readonly state: ProblemState }) => {
  const { t } = useText()
  return <span className={`tag ${TONES[state]}`}>{t(`problem_${state}`)}</span>
}

/** Null without a day. */
export const DueMark = ({ due, overdue }: Pick<DomainFinding, 'due' | 'overdue'>) => {
  const { t, language } = useText()
  if (due === null) return null
  const day = date(`${due}T12:00:00`, language)
  return <span className={overdue ? 'tag bad' : 'tag'}>{t(overdue ? 'overdueSince' : 'dueOn', { day })}</span>
}
