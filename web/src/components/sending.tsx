/** What an active run would send, and what it may have left behind. */
import type { PlannedRequest, Sending } from '../../../src/contract/sending.ts'
import { useText } from '../i18n/text.tsx'

const ORDER: readonly PlannedRequest['decision'][] = ['send', 'once', 'bounded', 'never']

export const SendingPart = ({ sending }: { readonly sending: Sending | undefined }) => {
  const { t } = useText()
  if (sending === undefined) return null
  const { planned, written, marker } = sending
  return (
    <>
      {planned === undefined ? null : (
        <section className="card pad stack tight" aria-labelledby="planned">
          <h2 id="planned">{t('planned')}</h2>
          {ORDER.map((decision) => (
            <Planned key={decision} decision={decision} rows={planned.filter((one) => one.decision === decision)} />
          ))}
        </section>
      )}
      {written.length === 0 ? null : (
        <section className="card pad stack tight" aria-labelledby="written">
          <h2 id="written">{t('written')}</h2>
          <p className="quiet small">{marker === null ? t('writtenHint') : t('writtenMarked', { marker })}</p>
          <Rows
            heads={[t('sentRequest'), t('sentFields'), t('sentTimes'), t('sentBack'), t('sentValues')]}
            rows={written.map(({ method, url, fields, times, put_back, values = [] }) => [
              `${method} ${url}`,
              fields.join(', '),
              String(times),
              put_back === true ? t('yes') : '',
              values.map(({ field, value }) => `${field}: ${value}`).join('; '),
            ])}
          />
        </section>
      )}
    </>
  )
}

interface PlannedProps {
  readonly decision: PlannedRequest['decision']
  readonly rows: readonly PlannedRequest[]
}

const Planned = ({ decision, rows }: PlannedProps) => {
  const { t } = useText()
  if (rows.length === 0) return null
  return (
    <details className="more" open={decision === 'never'}>
      <summary>
        {t(`planned_${decision}`)} <span className="quiet num">{rows.length}</span>
      </summary>
      <Rows
        heads={[t('sentRequest'), t('sentPlaces'), t('sentWhy')]}
        rows={rows.map(({ method, url, places, reason }) => [`${method} ${url}`, String(places), reason ?? ''])}
      />
    </details>
  )
}

interface RowsProps {
  readonly heads: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

const Rows = ({ heads, rows }: RowsProps) => (
  <table className="table blocks small">
    <thead>
      <tr>
        {heads.map((head) => (
          <th key={head} scope="col">
            {head}
          </th>
        ))}
      </tr>
    </thead>
    <tbody lang="en">
      {rows.map((row) => (
        <tr key={row.join(' ')}>
          {row.map((cell, column) => (
            <td key={heads[column]} className="break" data-label={heads[column]}>
              {cell}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)
