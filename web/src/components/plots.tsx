/** Small plots, drawn by ourselves: where a person would rather look than read. Each has its figures as text too. */
import type { OverviewRun } from '../../../src/contract/overview.ts'
import { date } from '../format.ts'
import { useText } from '../i18n/text.tsx'
import { SEVERITIES } from '../words.ts'

/** From worst to best, as heights of a line. */
const LETTERS = ['F', 'E', 'D', 'C', 'B', 'A', 'A+']
const [WIDTH, HEIGHT] = [92, 26]

/** Grades of the last runs as a line. */
export const Spark = ({ runs }: { readonly runs: readonly OverviewRun[] }) => {
  const { t } = useText()
  const graded = runs.filter(({ grade }) => grade !== null)
  if (graded.length < 2) return null
  const points = graded.map(({ grade }, index) => {
    const x = 3 + (index * (WIDTH - 6)) / (graded.length - 1)
    const y = HEIGHT - 4 - (Math.max(0, LETTERS.indexOf(grade ?? '')) * (HEIGHT - 8)) / (LETTERS.length - 1)
    return [x, y] as const
  })
  const [lastX, lastY] = points.at(-1) ?? [0, 0]
  return (
    <svg
      className="spark"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={`${t('gradeOverTime')}: ${graded.map(({ grade }) => grade).join(', ')}`}
    >
      <polyline points={points.map((point) => point.join(',')).join(' ')} />
      <circle cx={lastX} cy={lastY} r="2.600" />
    </svg>
  )
}

const [COLUMN, TALL] = [26, 120]

/** Findings of each run as a stacked column, the gravest at the bottom. */
export const Columns = ({ runs }: { readonly runs: readonly OverviewRun[] }) => {
  const { t, language } = useText()
  const totals = runs.map(({ counts }) => SEVERITIES.reduce((sum, severity) => sum + counts[severity], 0))
  const most = Math.max(1, ...totals)
  return (
    <figure className="columns">
      <svg
        viewBox={`0 0 ${Math.max(1, runs.length) * COLUMN} ${TALL}`}
        height={TALL}
        width={Math.max(1, runs.length) * COLUMN}
        role="img"
        aria-label={`${t('findingsOverTime')}: ${runs.map((run, index) => `${date(run.finished_at, language)} ${totals[index]}`).join(', ')}`}
      >
        {runs.map((run, index) => {
          let y = TALL
          return SEVERITIES.map((severity) => {
            const height = (run.counts[severity] / most) * (TALL - 4)
            y -= height
            return height === 0 ? null : (
              <rect
                key={`${run.id} ${severity}`}
                className={`fill-${severity}`}
                x={index * COLUMN + 3}
                y={y}
                width={COLUMN - 8}
                height={Math.max(0, height - 0.75)}
                rx="1.500"
              />
            )
          })
        })}
      </svg>
    </figure>
  )
}
