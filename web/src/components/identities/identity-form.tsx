/** An identity as a form: brought anew, or changed. What is secret goes in and never comes out again. */
import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../../../src/contract/client-core.ts'
import type { Domain } from '../../../../src/contract/domain.ts'
import type { Identity } from '../../../../src/contract/identity.ts'
import { client } from '../../client.ts'
import { IDENTITY_WORDS } from '../../i18n/rooms.ts'
import { useRoom } from '../../i18n/text.tsx'
import { bodyOf, fieldAt, hostsOf, type IdentityValues, jsonOf, NO_IDENTITY, valuesOf } from '../../identity-values.ts'
import { domainQuery } from '../../queries.ts'
import { useSentForm } from '../../use-sent-form.tsx'
import { IDENTITY_KINDS } from '../../words.ts'
import { Dialog } from '../dialog.tsx'
import { FormEnd } from '../form-end.tsx'
import { type IdentityForm, KindFields, ProofFields, TotpField } from './identity-fields.tsx'

interface IdentityDialogProps {
  readonly domain: Domain
  /** Null: a new one. */
  readonly kept: Identity | null
  readonly close: () => void
}

export const IdentityDialog = ({ domain, kept, close }: IdentityDialogProps) => {
  const { t } = useRoom(IDENTITY_WORDS)
  const { form, sending, submit } = useIdentityForm({ domain, kept, close })
  const { values } = form
  const isKept = kept !== null && kept.kind === values.kind
  const signsIn = values.kind !== 'cookie' && values.kind !== 'header'
  const title = kept === null ? t('addIdentity') : t('changeIdentity', { name: kept.name })
  return (
    <Dialog title={title} close={close}>
      <form className="stack" onSubmit={submit}>
        <TextInput
          {...form.getInputProps('name')}
          label={t('identityName')}
          description={t('identityNameHint')}
          placeholder="customer"
          spellCheck={false}
          autoComplete="off"
          required
        />
        <TextInput
          {...form.getInputProps('role')}
          label={t('identityRole')}
          description={t('identityRoleHint')}
          placeholder={t('identityRoleExample')}
        />
        <NativeSelect
          {...form.getInputProps('kind')}
          label={t('identityKind')}
          description={t(`kind_${values.kind}_hint`)}
          data={IDENTITY_KINDS.map((one) => ({ value: one, label: t(`kind_${one}`) }))}
        />
        {isKept ? (
          <Checkbox
            {...form.getInputProps('replaced', { type: 'checkbox' })}
            label={t('replaceSecrets')}
            description={t('replaceSecretsHint')}
          />
        ) : null}
        {isKept && !values.replaced ? null : <KindFields form={form} />}
        {values.kind === 'steps' || values.kind === 'request' ? (
          <TotpField form={form} isKept={isKept && kept.parts.includes('totp')} />
        ) : null}
        <ProofFields form={form} required={signsIn} />
        <OtherHosts form={form} domain={domain} />
        <FormEnd sending={sending} label={t('storeIdentity')} close={close} />
      </form>
    </Dialog>
  )
}

const useIdentityForm = ({ domain, kept, close }: IdentityDialogProps) => {
  const { t } = useRoom(IDENTITY_WORDS)
  const queries = useQueryClient()
  const params = { id: domain.id }
  const noJson = (text: string) => (typeof jsonOf(text) === 'object' && jsonOf(text) !== null ? null : t('noJson'))
  const isAnew = ({ kind, replaced }: IdentityValues) => kept === null || kept.kind !== kind || replaced
  return useSentForm<IdentityValues, Identity>({
    mode: 'controlled',
    initialValues: kept === null ? NO_IDENTITY : valuesOf(kept),
    validate: {
      steps: (text, values) => (values.kind === 'steps' && isAnew(values) ? noJson(text) : null),
      request: {
        whole: (text, values) =>
          values.kind === 'request' && values.request.asJson && isAnew(values) ? noJson(text) : null,
      },
    },
    send: async (values) => {
      const unlisted = hostsOf(values, domain.domain).filter((host) => !domain.sign_in_hosts.includes(host))
      if (values.listed && unlisted.length > 0)
        await client.updateDomain({ params, body: { sign_in_hosts: [...domain.sign_in_hosts, ...unlisted] } })
      const body = bodyOf(values, kept)
      const sent =
        kept === null
          ? client.createIdentity({ params, body })
          : client.updateIdentity({ params: { ...params, identity_id: kept.id }, body })
      return sent.catch((error: unknown) => {
        throw error instanceof ApiError ? atField(error, values) : error
      })
    },
    sent: () => {
      for (const queryKey of [['identities', domain.id], domainQuery(domain.id).queryKey])
        void queries.invalidateQueries({ queryKey })
      close()
    },
  })
}

const atField = ({ problem, retryAfter }: ApiError, values: IdentityValues): ApiError =>
  problem.errors === undefined
    ? new ApiError(problem, retryAfter)
    : new ApiError(
        { ...problem, errors: problem.errors.map((one) => ({ ...one, path: fieldAt(one.path, values) })) },
        retryAfter,
      )

/** A sign-in goes to the domain and to hosts that it lists. Who writes down another one is asked, before it is refused. */
const OtherHosts = ({ form, domain }: { readonly form: IdentityForm; readonly domain: Domain }) => {
  const { t } = useRoom(IDENTITY_WORDS)
  const hosts = hostsOf(form.values, domain.domain)
  const unlisted = hosts.filter((host) => !domain.sign_in_hosts.includes(host))
  if (hosts.length === 0) return null
  return (
    <div className={`notice ${unlisted.length === 0 ? '' : 'warn'}`} aria-live="polite">
      <p>
        {t('otherHosts')} <span className="mono">{hosts.join(', ')}</span>
      </p>
      {unlisted.length === 0 ? null : (
        <Checkbox
          mt="xs"
          {...form.getInputProps('listed', { type: 'checkbox' })}
          label={t('listHosts', { n: unlisted.length })}
          description={t('listHostsHint')}
        />
      )}
    </div>
  )
}
