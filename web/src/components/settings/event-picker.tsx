/** Which events somebody wants to hear of. */
import { Checkbox } from '@mantine/core'
import type { NoticeEvent } from '../../../../src/contract/webhook.ts'
import { useText } from '../../i18n/text.tsx'

interface EventPickerProps<Name extends NoticeEvent> {
  readonly of: readonly Name[]
  readonly picked: readonly Name[]
  readonly change: (picked: readonly Name[]) => void
}

export const EventPicker = <Name extends NoticeEvent>({ of, picked, change }: EventPickerProps<Name>) => {
  const { t } = useText()
  return (
    <fieldset className="pick">
      <legend>{t('events')}</legend>
      {of.map((event) => (
        <Checkbox
          key={event}
          label={t(`event_${event}`)}
          checked={picked.includes(event)}
          onChange={(changed) =>
            change(changed.currentTarget.checked ? [...picked, event] : picked.filter((one) => one !== event))
          }
        />
      ))}
    </fieldset>
  )
}
