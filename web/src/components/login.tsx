/** The login that a domain keeps for scans: stored, tried out, deleted, and never shown again. */
import { Button, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Domain } from '../../../src/contract/domain.ts'
import { client } from '../client.ts'
import { useText } from '../i18n/text.tsx'
import { domainQuery, loginTestQuery } from '../queries.ts'
import { useMay } from '../session.tsx'
import { useSentForm } from '../use-sent-form.tsx'
import { Dialog } from './dialog.tsx'
import { FailureLine } from './failure.tsx'
import { FormEnd } from './form-end.tsx'
import { LoginFields, loginOf, NO_LOGIN } from './login-fields.tsx'
import { LoginTested } from './login-tested.tsx'
import { isVerified } from './verified.ts'
import { When } from './when.tsx'

export const Login = ({ domain }: { readonly domain: Domain }) => {
  const { t } = useText()
  const may = useMay('domains:write')
  const [storing, setStoring] = useState(false)
  const verified = isVerified(domain)
  return (
    <section className="card pad stack tight" aria-labelledby="login">
      <h2 id="login">{t('login')}</h2>
      <p className="quiet small">{t('loginHint')}</p>
      {domain.login === null ? null : <Stored domain={domain} replace={() => setStoring(true)} />}
      {domain.login === null && verified && may ? (
        <div className="row">
          <Button variant="default" onClick={() => setStoring(true)}>
            {t('storeLogin')}
          </Button>
        </div>
      ) : null}
      {domain.login === null && !verified ? <p className="small">{t('loginNeedsProof')}</p> : null}
      {domain.login === null && verified && !may ? <p className="small">{t('noLogin')}</p> : null}
      {storing ? <StoreLogin domain={domain} close={() => setStoring(false)} /> : null}
    </section>
  )
}

interface StoredProps {
  readonly domain: Domain
  readonly replace: () => void
}

const Stored = ({ domain, replace }: StoredProps) => {
  const { t } = useText()
  const queries = useQueryClient()
  const may = useMay('domains:write')
  const params = { id: domain.id }
  const last = useQuery(loginTestQuery(domain.id))
  const test = useMutation({
    mutationFn: () => client.testLogin({ params }),
    onSuccess: (asked) => queries.setQueryData(loginTestQuery(domain.id).queryKey, asked),
  })
  const remove = useMutation({
    mutationFn: () => client.deleteLogin({ params }),
    onSuccess: () => {
      queries.setQueryData(loginTestQuery(domain.id).queryKey, null)
      // It is the identity `default`: a run that is started now has it no longer.
      for (const key of [['domain', domain.id], ['domains'], ['identities', domain.id]])
        void queries.invalidateQueries({ queryKey: key })
    },
  })
  const { login } = domain
  if (login === null) return null
  const busy = last.data?.state === 'waiting' || last.data?.state === 'running'
  return (
    <div className="stack tight">
      <dl className="facts">
        <dt>{t('loginKinds')}</dt>
        <dd>{login.kinds.map((kind) => t(kind === 'cookie' ? 'authCookie' : 'authHeader')).join(', ')}</dd>
        <dt>{t('loginSet')}</dt>
        <dd>
          <When iso={login.set_at} />, {login.set_by}
        </dd>
        <dt>{t('loginPage')}</dt>
        <dd className="mono">{login.page}</dd>
      </dl>
      {may ? (
        <div className="row">
          <Button loading={test.isPending || busy} disabled={!isVerified(domain)} onClick={() => test.mutate()}>
            {t('testLogin')}
          </Button>
          <Button variant="default" disabled={!isVerified(domain)} onClick={replace}>
            {t('replace')}
          </Button>
          <Button variant="subtle" loading={remove.isPending} onClick={() => remove.mutate()}>
            {t('deleteLogin')}
          </Button>
        </div>
      ) : null}
      {isVerified(domain) ? null : <p className="small">{t('loginNeedsProof')}</p>}
      <FailureLine error={test.error ?? remove.error ?? last.error} />
      <div aria-live="polite">{last.data ? <LoginTested test={last.data} /> : null}</div>
    </div>
  )
}

const StoreLogin = ({ domain, close }: { readonly domain: Domain; readonly close: () => void }) => {
  const { t } = useText()
  const queries = useQueryClient()
  const { form, sending, submit } = useSentForm({
    initialValues: { ...NO_LOGIN, page: domain.login?.page ?? '/' },
    validate: {
      auth_cookie: (_, given) => (Object.values(loginOf(given)).some((one) => one !== null) ? null : t('needLogin')),
    },
    send: (given) => client.setLogin({ params: { id: domain.id }, body: { ...loginOf(given), page: given.page } }),
    sent: (changed) => {
      queries.setQueryData(domainQuery(domain.id).queryKey, changed)
      queries.setQueryData(loginTestQuery(domain.id).queryKey, null)
      // It is the identity `default`, as which a run may look at once.
      for (const key of [['domains'], ['identities', domain.id]]) void queries.invalidateQueries({ queryKey: key })
      close()
    },
  })
  return (
    <Dialog title={t('storeLogin')} close={close}>
      <form className="stack" onSubmit={submit}>
        <p className="quiet">{t('storeLoginText')}</p>
        <LoginFields form={form} />
        <TextInput
          key={form.key('page')}
          {...form.getInputProps('page')}
          label={t('loginPage')}
          description={t('loginPageHint')}
          placeholder="/account"
          required
        />
        <FormEnd sending={sending} label={t('storeLogin')} close={close} />
      </form>
    </Dialog>
  )
}
