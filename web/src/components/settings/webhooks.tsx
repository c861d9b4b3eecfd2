/** Where messages go: webhooks with what became of each message, and a message to try one out. */
import { Button, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Delivery, Webhook } from '../../../../src/contract/webhook.ts'
import { client } from '../../client.ts'
import { useText } from '../../i18n/text.tsx'
import { deliveriesQuery, webhooksQuery } from '../../queries.ts'
import { useSentForm } from '../../use-sent-form.tsx'
import { CopyButton } from '../copy.tsx'
import { Dialog } from '../dialog.tsx'
import { Failure, FailureLine } from '../failure.tsx'
import { Ghosts } from '../ghost.tsx'
import { When } from '../when.tsx'
import { EventPicker } from './event-picker.tsx'

const EVENTS = [
  'scan.finished',
  'domain.verified',
  'finding.opened',
  'finding.changed',
  'finding.overdue',
  'finding.mentioned',
  'batch.finished',
] as const

const Webhooks = () => {
  const { t } = useText()
  const webhooks = useQuery(webhooksQuery)
  const [making, setMaking] = useState(false)
  if (webhooks.data === undefined) {
    return webhooks.error ? <Failure error={webhooks.error} retry={() => void webhooks.refetch()} /> : <Ghosts />
  }
  return (
    <section className="stack" aria-label={t('webhooks')}>
      <div className="row between">
        <p className="quiet">{t('webhooksText')}</p>
        <Button onClick={() => setMaking(true)}>{t('addWebhook')}</Button>
      </div>
      {webhooks.data.items.length === 0 ? (
        <div className="card">
          <div className="empty">
            <h2>{t('noWebhooks')}</h2>
            <p>{t('noWebhooksText')}</p>
          </div>
        </div>
      ) : (
        webhooks.data.items.map((webhook) => <OneWebhook key={webhook.id} webhook={webhook} />)
      )}
      {making ? <MakeWebhook close={() => setMaking(false)} /> : null}
    </section>
  )
}

const OneWebhook = ({ webhook }: { readonly webhook: Webhook }) => {
  const { t } = useText()
  const queries = useQueryClient()
  const params = { id: webhook.id }
  const again = (): void => {
    void queries.invalidateQueries({ queryKey: ['webhooks'] })
    void queries.invalidateQueries({ queryKey: ['deliveries', webhook.id] })
  }
  const send = useMutation({ mutationFn: () => client.testWebhook({ params }), onSettled: again })
  const change = useMutation({
    mutationFn: () =>
      client.updateWebhook({ params, body: { state: webhook.state === 'active' ? 'paused' : 'active' } }),
    onSettled: again,
  })
  const remove = useMutation({ mutationFn: () => client.deleteWebhook({ params }), onSettled: again })
  const active = webhook.state === 'active'
  return (
    <article className="card pad stack tight">
      <div className="row between">
        <h2 className="break">{webhook.description === '' ? webhook.url : webhook.description}</h2>
        <span className={`tag ${active ? 'good' : ''}`}>{active ? t('active') : t('paused')}</span>
      </div>
      <p className="mono small break">{webhook.url}</p>
      <p className="small quiet">{webhook.events.map((event) => t(`event_${event}`)).join(', ')}</p>
      {webhook.paused_because === null ? null : (
        <div className="notice warn" lang="en">
          {webhook.paused_because}
        </div>
      )}
      <div className="row">
        <Button size="compact-sm" variant="default" loading={send.isPending} onClick={() => send.mutate()}>
          {t('sendTest')}
        </Button>
        <Button size="compact-sm" variant="default" loading={change.isPending} onClick={() => change.mutate()}>
          {active ? t('pause') : t('resume')}
        </Button>
        <Button size="compact-sm" variant="subtle" loading={remove.isPending} onClick={() => remove.mutate()}>
          {t('remove')}
        </Button>
      </div>
      <FailureLine error={send.error ?? change.error ?? remove.error} />
      <Deliveries id={webhook.id} />
    </article>
  )
}

const Deliveries = ({ id }: { readonly id: string }) => {
  const { t } = useText()
  const deliveries = useQuery({ ...deliveriesQuery(id), refetchInterval: 10_000 })
  const items = deliveries.data?.items ?? []
  if (items.length === 0) return <FailureLine error={deliveries.error} />
  return (
    <details className="more">
      <summary>{t('deliveries')}</summary>
      <ul className="stack tight small">
        {items.map((delivery) => (
          <li key={delivery.id} className="row between">
            <span>
              <span className={`tag ${TONE[delivery.state]}`}>{t(`delivery_${delivery.state}`)}</span> {delivery.event}{' '}
              <span className="quiet">{lastWord(delivery)}</span>
            </span>
            <span className="quiet">
              <When iso={delivery.created_at} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}

const TONE = { waiting: '', delivered: 'good', given_up: 'bad' } as const satisfies Record<Delivery['state'], string>

const lastWord = ({ attempts }: Delivery): string => {
  const last = attempts.at(-1)
  return last === undefined ? '' : (last.error ?? (last.status === null ? '' : `HTTP ${last.status}`))
}

const MakeWebhook = ({ close }: { readonly close: () => void }) => {
  const { t } = useText()
  const queries = useQueryClient()
  const { form, sending, submit } = useSentForm({
    initialValues: { url: '', description: '', events: EVENTS.slice(0, 2) },
    validate: { events: (picked) => (picked.length === 0 ? t('needOne') : null) },
    send: ({ url, ...given }) => client.createWebhook({ body: { url: url.trim(), ...given } }),
    sent: () => queries.invalidateQueries({ queryKey: ['webhooks'] }),
  })
  return (
    <Dialog title={t('addWebhook')} close={close}>
      {sending.data === undefined ? (
        <form className="stack" onSubmit={submit}>
          <TextInput
            key={form.key('url')}
            {...form.getInputProps('url')}
            label={t('webhookUrl')}
            placeholder="https://"
            required
          />
          <TextInput key={form.key('description')} {...form.getInputProps('description')} label={t('name')} />
          <EventPicker key={form.key('events')} of={EVENTS} field={form.getInputProps('events')} />
          <FailureLine error={sending.error} />
          <Button type="submit" loading={sending.isPending}>
            {t('addWebhook')}
          </Button>
        </form>
      ) : (
        <div className="stack">
          <p>{t('webhookSecretText')}</p>
          <div className="secret">
            <code className="break">{sending.data.secret}</code>
            <CopyButton text={sending.data.secret} label={t('webhookSecret')} />
          </div>
          <Button onClick={close}>{t('done')}</Button>
        </div>
      )}
    </Dialog>
  )
}

export default Webhooks
