import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ApiKey } from '../../../../src/contract/organisation.ts'
import { client } from '../../client.ts'
import { useText } from '../../i18n/text.tsx'
import { keysQuery } from '../../queries.ts'
import { useMay, useSession } from '../../session.tsx'
import { useSentForm } from '../../use-sent-form.tsx'
import { SCOPES } from '../../words.ts'
import { CopyButton } from '../copy.tsx'
import { Dialog } from '../dialog.tsx'
import { Failure, FailureLine } from '../failure.tsx'
import { Ghosts } from '../ghost.tsx'
import { Ago, When } from '../when.tsx'
import { RevokeButton, RevokeDialog } from './revoke.tsx'

const Keys = () => {
  const { t } = useText()
  const may = useMay('organisation:write')
  const keys = useQuery(keysQuery)
  const [making, setMaking] = useState(false)
  const [revoking, setRevoking] = useState<ApiKey | null>(null)
  if (keys.data === undefined) {
    return keys.error ? <Failure error={keys.error} retry={() => void keys.refetch()} /> : <Ghosts />
  }
  const now = Date.now()
  const isDead = (key: ApiKey): boolean =>
    key.revoked_at !== null || (key.expires_at !== null && Date.parse(key.expires_at) <= now)
  return (
    <section className="stack tight" aria-label={t('keys')}>
      <div className="row between">
        <p className="quiet">{t('keysText')}</p>
        {may ? <Button onClick={() => setMaking(true)}>{t('makeKey')}</Button> : null}
      </div>
      <div className="card">
        <table className="table blocks">
          <caption className="hidden">{t('keys')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('name')}</th>
              <th scope="col">{t('scopes')}</th>
              <th scope="col">{t('lastUsed')}</th>
              <th scope="col">{t('expires')}</th>
              <th scope="col">
                <span className="hidden">{t('revoke')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {keys.data.items.map((key) => (
              <tr key={key.id} className={isDead(key) ? 'dead' : ''}>
                <td>
                  <strong className="break">{key.name}</strong>
                </td>
                <td className="small quiet">
                  {key.scopes.length === SCOPES.length ? t('allScopes') : key.scopes.join(', ')}
                </td>
                <td className="fit quiet" data-label={t('lastUsed')}>
                  {key.last_used_at === null ? t('never') : <Ago iso={key.last_used_at} />}
                </td>
                <td className="fit quiet" data-label={t('expires')}>
                  {key.expires_at === null ? t('neverExpires') : <When iso={key.expires_at} />}
                </td>
                <td className="fit right">
                  {isDead(key) ? (
                    <span className="quiet">{key.revoked_at === null ? t('expired') : t('revoked')}</span>
                  ) : may ? (
                    <RevokeButton name={key.name} onClick={() => setRevoking(key)} />
                  ) : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {making ? <MakeKey close={() => setMaking(false)} /> : null}
      {revoking === null ? null : <RevokeKey apiKey={revoking} close={() => setRevoking(null)} />}
    </section>
  )
}

/** Days; 0 is for ever. */
const LIFETIMES = [30, 90, 365, 0] as const

const MakeKey = ({ close }: { readonly close: () => void }) => {
  const { t } = useText()
  const queries = useQueryClient()
  const { scopes: own } = useSession()
  const { form, sending, submit } = useSentForm({
    // Of its end the form has the days until then.
    initialValues: { name: '', scopes: own.filter((scope) => scope.endsWith(':read')), expires_at: '90' },
    validate: { scopes: (picked) => (picked.length === 0 ? t('needOne') : null) },
    send: ({ name, scopes, expires_at: days }) =>
      client.createKey({
        body: {
          name: name.trim(),
          scopes,
          expires_at: days === '0' ? null : new Date(Date.now() + Number(days) * 86_400_000).toISOString(),
        },
      }),
    sent: () => queries.invalidateQueries({ queryKey: keysQuery.queryKey }),
  })
  return (
    <Dialog title={t('makeKey')} close={close}>
      {sending.data === undefined ? (
        <form className="stack" onSubmit={submit}>
          <TextInput
            key={form.key('name')}
            {...form.getInputProps('name')}
            label={t('name')}
            description={t('keyNameHint')}
            required
          />
          <Checkbox.Group key={form.key('scopes')} {...form.getInputProps('scopes')} label={t('scopes')}>
            {SCOPES.filter((scope) => own.includes(scope)).map((scope) => (
              <Checkbox key={scope} value={scope} label={<code>{scope}</code>} description={t(`scope_${scope}`)} />
            ))}
          </Checkbox.Group>
          <NativeSelect
            key={form.key('expires_at')}
            {...form.getInputProps('expires_at')}
            label={t('expires')}
            data={LIFETIMES.map((one) => ({
              value: String(one),
              label: one === 0 ? t('neverExpires') : t('inDays', { n: one }),
            }))}
          />
          <FailureLine error={sending.error} />
          <Button type="submit" loading={sending.isPending}>
            {t('makeKey')}
          </Button>
        </form>
      ) : (
        <div className="stack">
          <p>{t('secretText')}</p>
          <div className="secret">
            <code className="break">{sending.data.secret}</code>
            <CopyButton text={sending.data.secret} label={t('apiKey')} />
          </div>
          <Button onClick={close}>{t('done')}</Button>
        </div>
      )}
    </Dialog>
  )
}

const RevokeKey = ({ apiKey, close }: { readonly apiKey: ApiKey; readonly close: () => void }) => {
  const { t } = useText()
  const { actor } = useSession()
  return (
    <RevokeDialog
      name={apiKey.name}
      text={apiKey.id === actor.id ? t('revokeOwn') : t('revokeText')}
      revoke={() => client.revokeKey({ params: { id: apiKey.id } })}
      queryKey={keysQuery.queryKey}
      close={close}
    />
  )
}

export default Keys
