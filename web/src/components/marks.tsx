/** Small marks that stand for a state: severity, status, grade, counts. Each says in words what its colour says. */
import type { Severity } from '../../../src/contract/finding.ts'
import type { Counts, RunStatus } from '../../../src/contract/run.ts'
import { useT } from '../i18n/text.tsx'
import { SEVERITIES } from '../words.ts'
import { CheckIcon, ClockIcon, CrossIcon, LiveIcon, StopIcon } from './icons.tsx'

export const SeverityMark = ({ severity }: { readonly severity: Severity }) => {
  const t = useT()
  return <span className={`sev ${severity}`}>{t(`severity_${severity}`)}</span>
}

export const CountsMark = ({ counts }: { readonly counts: Counts }) => {
  const t = useT()
  return (
    <ul className="counts">
      {SEVERITIES.map((severity) => (
        <li key={severity} className={counts[severity] === 0 ? 'zero' : severity} title={t(`severity_${severity}`)}>
          {counts[severity]}
          <span className="hidden"> {t(`severity_${severity}`)} </span>
        </li>
      ))}
    </ul>
  )
}

const ICONS = {
  queued: ClockIcon,
  leased: LiveIcon,
  running: LiveIcon,
  done: CheckIcon,
  failed: CrossIcon,
  canceled: StopIcon,
} as const satisfies Record<RunStatus, unknown>

export const StatusMark = ({ status }: { readonly status: RunStatus }) => {
  const t = useT()
  const Icon = ICONS[status]
  return (
    <span className={`state ${status}`}>
      <Icon />
      {t(`status_${status}`)}
    </span>
  )
}

const tone = (grade: string): string => {
  if (grade.startsWith('A')) return 'good'
  return grade.startsWith('B') || grade.startsWith('C') ? 'fair' : 'poor'
}

export const GradeMark = ({ grade, large = false }: { readonly grade: string | null; readonly large?: boolean }) => {
  const t = useT()
  return (
    <span className={`grade ${large ? 'large' : ''} ${grade === null ? '' : tone(grade)}`}>
      <span className="hidden">{t('grade')} </span>
      {grade ?? '–'}
    </span>
  )
}

export const totalOf = (counts: Counts): number => SEVERITIES.reduce((sum, severity) => sum + counts[severity], 0)
