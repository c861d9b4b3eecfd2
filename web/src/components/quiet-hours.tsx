/** When runs send nothing to the domain, and how long it rests between two of them. */
import { NativeSelect, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { Domain } from '../../../src/contract/domain.ts'
import { client } from '../client.ts'
import { useText } from '../i18n/text.tsx'
import { domainQuery } from '../queries.ts'
import { useMay } from '../session.tsx'
import { useSentForm } from '../use-sent-form.tsx'
import { SaveEnd } from './form-end.tsx'

const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone

/** Without hours: none. */
const shown = ({ quiet_hours: quiet, cooldown_minutes: minutes }: Domain) => ({
  quiet_hours: quiet ?? { from: '', to: '', time_zone: HERE },
  cooldown_minutes: String(minutes),
})

export const QuietHours = ({ domain }: { readonly domain: Domain }) => {
  const { t } = useText()
  const queries = useQueryClient()
  const may = useMay('domains:write')
  const { form, sending, submit } = useSentForm({
    mode: 'controlled',
    initialValues: shown(domain),
    send: ({ quiet_hours: quiet, cooldown_minutes: minutes }) =>
      client.updateDomain({
        params: { id: domain.id },
        body: {
          quiet_hours: quiet.from === '' && quiet.to === '' ? null : quiet,
          cooldown_minutes: Number(minutes === '' ? 0 : minutes),
        },
      }),
    sent: (changed, { setInitialValues }) => {
      queries.setQueryData(domainQuery(domain.id).queryKey, changed)
      setInitialValues(shown(changed))
    },
  })
  const { quiet_hours: quiet } = form.values
  return (
    <form className="card pad stack tight" onSubmit={submit} aria-labelledby="quiet-hours">
      <h2 id="quiet-hours">{t('quietHours')}</h2>
      <p className="small quiet">{t('quietHoursHint')}</p>
      <div className="filters">
        <TextInput
          {...form.getInputProps('quiet_hours.from')}
          type="time"
          label={t('quietFrom')}
          required={quiet.to !== ''}
          readOnly={!may}
        />
        <TextInput
          {...form.getInputProps('quiet_hours.to')}
          type="time"
          label={t('quietTo')}
          required={quiet.from !== ''}
          readOnly={!may}
        />
        <NativeSelect
          {...form.getInputProps('quiet_hours.time_zone')}
          label={t('timeZone')}
          data={[...new Set([HERE, quiet.time_zone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]}
          disabled={!may}
        />
        <TextInput
          {...form.getInputProps('cooldown_minutes')}
          type="number"
          min={0}
          step={1}
          label={t('cooldown')}
          readOnly={!may}
        />
      </div>
      <SaveEnd sending={sending} may={may} />
    </form>
  )
}
