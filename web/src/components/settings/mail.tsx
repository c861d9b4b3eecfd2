/** Who gets e-mail about what. */
import { Button, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { MailSubscription } from '../../../../src/contract/webhook.ts'
import { client } from '../../client.ts'
import { useText } from '../../i18n/text.tsx'
import { mailQuery } from '../../queries.ts'
import { useSentForm } from '../../use-sent-form.tsx'
import { Failure, FailureLine } from '../failure.tsx'
import { Ghosts } from '../ghost.tsx'
import { When } from '../when.tsx'
import { EventPicker } from './event-picker.tsx'

type MailEvent = MailSubscription['events'][number]
const EVENTS = [
  'scan.new_critical',
  'scan.finished',
  'finding.overdue',
  'finding.mentioned',
] as const satisfies readonly MailEvent[]

const Mail = () => {
  const { t } = useText()
  const mail = useQuery(mailQuery)
  if (mail.data === undefined) {
    return mail.error ? <Failure error={mail.error} retry={() => void mail.refetch()} /> : <Ghosts />
  }
  const { items, configured } = mail.data
  return (
    <section className="stack" aria-label={t('mail')}>
      <p className="quiet">{t('mailText')}</p>
      {configured ? <Subscribe /> : <div className="notice warn">{t('mailNotConfigured')}</div>}
      {items.length === 0 ? (
        <div className="card">
          <div className="empty">
            <h2>{t('noMail')}</h2>
            <p>{t('noMailText')}</p>
          </div>
        </div>
      ) : (
        <div className="card">
          <table className="table blocks">
            <caption className="hidden">{t('mail')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('mailAddress')}</th>
                <th scope="col">{t('events')}</th>
                <th scope="col">{t('since')}</th>
                <th scope="col">
                  <span className="hidden">{t('remove')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {items.map((one) => (
                <Subscription key={one.id} subscription={one} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

const Subscription = ({ subscription }: { readonly subscription: MailSubscription }) => {
  const { t } = useText()
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => client.deleteMailSubscription({ params: { id: subscription.id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: mailQuery.queryKey }),
  })
  return (
    <tr>
      <td className="break">
        <span className="name">{subscription.address}</span>
        <FailureLine error={remove.error} />
      </td>
      <td data-label={t('events')}>{subscription.events.map((event) => t(`event_${event}`)).join(', ')}</td>
      <td className="fit quiet" data-label={t('since')}>
        <When iso={subscription.created_at} />
      </td>
      <td className="fit">
        <Button
          size="compact-sm"
          variant="subtle"
          loading={remove.isPending}
          aria-label={`${t('remove')}: ${subscription.address}`}
          onClick={() => remove.mutate()}
        >
          {t('remove')}
        </Button>
      </td>
    </tr>
  )
}

const Subscribe = () => {
  const { t } = useText()
  const queries = useQueryClient()
  const { form, sending, submit } = useSentForm({
    initialValues: { address: '', events: ['scan.new_critical'] as MailEvent[] },
    validate: { events: (picked) => (picked.length === 0 ? t('needOne') : null) },
    send: ({ address, events }) => client.createMailSubscription({ body: { address: address.trim(), events } }),
    sent: () => queries.invalidateQueries({ queryKey: mailQuery.queryKey }),
  })
  return (
    <form className="card pad stack tight" onSubmit={submit} aria-labelledby="subscribe">
      <h2 id="subscribe">{t('addMail')}</h2>
      <TextInput
        key={form.key('address')}
        {...form.getInputProps('address')}
        type="email"
        className="narrow"
        label={t('mailAddress')}
        description={t('addMailHint')}
        placeholder="security@example.com"
        required
        autoComplete="off"
      />
      <EventPicker key={form.key('events')} of={EVENTS} field={form.getInputProps('events')} />
      <FailureLine error={sending.error} />
      <div className="row">
        <Button type="submit" loading={sending.isPending}>
          {t('addMail')}
        </Button>
        <span aria-live="polite" className="small quiet">
          {sending.isSuccess ? t('saved') : ''}
        </span>
      </div>
    </form>
  )
}

export default Mail
