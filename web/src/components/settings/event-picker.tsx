/** Which events somebody wants to hear of. */
import { Checkbox } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import type { NoticeEvent } from '../../../../src/contract/webhook.ts'
import { useText } from '../../i18n/text.tsx'

interface EventPickerProps {
  readonly of: readonly NoticeEvent[]
  readonly field: GetInputPropsReturnType
}

export const EventPicker = ({ of, field }: EventPickerProps) => {
  const { t } = useText()
  return (
    <Checkbox.Group {...field} label={t('events')}>
      {of.map((event) => (
        <Checkbox key={event} value={event} label={t(`event_${event}`)} />
      ))}
    </Checkbox.Group>
  )
}
