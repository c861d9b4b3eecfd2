/** The fields of an identity, by its kind; by what it is known to be signed in; the seed of its codes. */
import { Button, Checkbox, FileButton, NativeSelect, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useState } from 'react'
import { IDENTITY_WORDS } from '../../i18n/rooms.ts'
import { useRoom } from '../../i18n/text.tsx'
import { type IdentityValues, type SentAs, stepCount, type TokenIn } from '../../identity-values.ts'
import { CrossIcon } from '../icons.tsx'
import { SecretInput } from '../login-fields.tsx'

export type IdentityForm = UseFormReturnType<IdentityValues>

interface FieldsProps {
  readonly form: IdentityForm
}

/** What people write that is no prose. */
const EXACT = { classNames: { input: 'mono' }, spellCheck: false, autoComplete: 'off' } as const

export const KindFields = ({ form }: FieldsProps) => {
  switch (form.values.kind) {
    case 'cookie':
      return <HeaderFields form={form} withCookie />
    case 'header':
      return <HeaderFields form={form} withCookie={false} />
    case 'steps':
      return <StepsFields form={form} />
    case 'request':
      return <RequestFields form={form} />
    case 'oauth2':
      return <OAuth2Fields form={form} />
  }
}

const HeaderFields = ({ form, withCookie }: FieldsProps & { readonly withCookie: boolean }) => {
  const { t } = useRoom(IDENTITY_WORDS)
  const toggle = { 'aria-label': t('showValue') }
  return (
    <>
      {withCookie ? (
        <SecretInput
          {...form.getInputProps('cookie')}
          label={t('authCookie')}
          placeholder="session=…"
          visibilityToggleButtonProps={toggle}
        />
      ) : null}
      <SecretInput
        {...form.getInputProps('header')}
        label={withCookie ? t('headerBeside') : t('authHeader')}
        placeholder="Authorization: Bearer …"
        visibilityToggleButtonProps={toggle}
      />
    </>
  )
}

/** Bytes of a file of steps that are read: the interface takes sixty steps. */
const MOST_BYTES = 1024 * 1024

const StepsFields = ({ form }: FieldsProps) => {
  const { t } = useRoom(IDENTITY_WORDS)
  const [tooLarge, setTooLarge] = useState(false)
  const count = stepCount(form.values.steps)
  const bring = async (file: File | null): Promise<void> => {
    setTooLarge(file !== null && file.size > MOST_BYTES)
    if (file !== null && file.size <= MOST_BYTES) form.setFieldValue('steps', await file.text())
  }
  return (
    <div className="stack tight">
      <Textarea
        {...form.getInputProps('steps')}
        {...EXACT}
        label={t('steps')}
        description={t('stepsHint')}
        placeholder={STEPS_EXAMPLE}
        autosize
        minRows={6}
        maxRows={14}
      />
      <div className="row">
        <FileButton accept="application/json,.json" onChange={(file) => void bring(file)}>
          {(props) => (
            <Button {...props} variant="default">
              {t('stepsFile')}
            </Button>
          )}
        </FileButton>
        <span className="small quiet" aria-live="polite">
          {tooLarge ? t('stepsTooLarge') : count === null ? '' : t('stepsCount', { n: count })}
        </span>
      </div>
    </div>
  )
}
const STEPS_EXAMPLE = `[
  { "do": "goto", "url": "/login" },
  { "do": "fill", "on": "#user", "value": "ada" },
  { "do": "fill", "on": "#password", "value": "…" },
  { "do": "click", "on": "text/Sign in" }
]`
const REQUEST_EXAMPLE = `{
  "requests": [
    { "url": "/api/login",
      "json": { "user": "ada", "password": "…" },
      "read": { "token": { "pointer": "/token" } } }
  ],
  "header": "Authorization: Bearer {{token}}"
}`

const RequestFields = ({ form }: FieldsProps) => {
  const { t } = useRoom(IDENTITY_WORDS)
  return (
    <>
      <Checkbox
        {...form.getInputProps('request.asJson', { type: 'checkbox' })}
        label={t('requestAsJson')}
        description={t('requestAsJsonHint')}
      />
      {form.values.request.asJson ? (
        <Textarea
          {...form.getInputProps('request.whole')}
          {...EXACT}
          label={t('requestJson')}
          placeholder={REQUEST_EXAMPLE}
          autosize
          minRows={8}
          maxRows={18}
        />
      ) : (
        <OneRequest form={form} />
      )}
    </>
  )
}

const TOKEN_IN = ['header', 'member'] as const satisfies readonly TokenIn[]
const SENT_AS = ['form', 'json'] as const satisfies readonly SentAs[]

const OneRequest = ({ form }: FieldsProps) => {
  const { t } = useRoom(IDENTITY_WORDS)
  return (
    <>
      <TextInput
        {...form.getInputProps('request.url')}
        {...EXACT}
        label={t('requestUrl')}
        description={t('addressHint')}
        placeholder="/login"
      />
      <NativeSelect
        {...form.getInputProps('request.sent')}
        label={t('sentAs')}
        data={SENT_AS.map((one) => ({ value: one, label: t(`sentAs_${one}`) }))}
      />
      <Pairs form={form} />
      <details className="more">
        <summary>{t('hiddenField')}</summary>
        <div className="stack tight">
          <p className="small quiet">{t('hiddenFieldHint')}</p>
          <TextInput {...form.getInputProps('request.page')} {...EXACT} label={t('hiddenPage')} placeholder="/login" />
          <TextInput
            {...form.getInputProps('request.field')}
            {...EXACT}
            label={t('hiddenName')}
            placeholder="csrf_token"
          />
        </div>
      </details>
      <details className="more">
        <summary>{t('answerToken')}</summary>
        <div className="stack tight">
          <p className="small quiet">{t('answerTokenHint')}</p>
          <TextInput
            {...form.getInputProps('request.pointer')}
            {...EXACT}
            label={t('tokenPointer')}
            placeholder="/data/token"
          />
          <NativeSelect
            {...form.getInputProps('request.carried')}
            label={t('tokenIn')}
            data={TOKEN_IN.map((one) => ({ value: one, label: t(`tokenIn_${one}`) }))}
          />
          {form.values.request.carried === 'header' ? (
            <TextInput {...form.getInputProps('request.header')} {...EXACT} label={t('tokenHeader')} />
          ) : (
            <TextInput
              {...form.getInputProps('request.member')}
              {...EXACT}
              label={t('tokenMember')}
              placeholder="auth"
            />
          )}
        </div>
      </details>
    </>
  )
}

/** What is sent, a name and a value each. */
const Pairs = ({ form }: FieldsProps) => {
  const { t } = useRoom(IDENTITY_WORDS)
  const error = form.errors['request.fields']
  return (
    <fieldset className="bare stack tight" data-path="request.fields">
      <legend className="field-label">{t('requestFields')}</legend>
      <p className="small quiet">{t('requestFieldsHint')}</p>
      {form.values.request.fields.map((_, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a field is its place in the list
        <div className="named" key={n}>
          <TextInput
            {...form.getInputProps(`request.fields.${n}.name`)}
            {...EXACT}
            aria-label={t('fieldName', { n: n + 1 })}
          />
          <SecretInput
            {...form.getInputProps(`request.fields.${n}.value`)}
            aria-label={t('fieldValue', { n: n + 1 })}
            visibilityToggleButtonProps={{ 'aria-label': t('showValue') }}
          />
          <button
            type="button"
            className="icon"
            aria-label={t('removeField', { n: n + 1 })}
            onClick={() => form.removeListItem('request.fields', n)}
          >
            <CrossIcon />
          </button>
        </div>
      ))}
      {error ? <p className="field-error">{error}</p> : null}
      <div>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => form.insertListItem('request.fields', { name: '', value: '' })}
        >
          {t('addField')}
        </Button>
      </div>
    </fieldset>
  )
}

const GRANTS = ['client_credentials', 'refresh_token'] as const

const OAuth2Fields = ({ form }: FieldsProps) => {
  const { t } = useRoom(IDENTITY_WORDS)
  const toggle = { 'aria-label': t('showValue') }
  return (
    <>
      <NativeSelect
        {...form.getInputProps('oauth2.grant')}
        label={t('grant')}
        data={GRANTS.map((one) => ({ value: one, label: t(`grant_${one}`) }))}
      />
      <TextInput
        {...form.getInputProps('oauth2.token_url')}
        {...EXACT}
        label={t('tokenUrl')}
        description={t('addressHint')}
        placeholder="https://id.example.com/oauth2/token"
      />
      <TextInput {...form.getInputProps('oauth2.client_id')} {...EXACT} label={t('clientId')} />
      <SecretInput
        {...form.getInputProps('oauth2.client_secret')}
        label={t('clientSecret')}
        visibilityToggleButtonProps={toggle}
      />
      {form.values.oauth2.grant === 'refresh_token' ? (
        <SecretInput
          {...form.getInputProps('oauth2.refresh_token')}
          label={t('refreshToken')}
          visibilityToggleButtonProps={toggle}
        />
      ) : null}
      <details className="more">
        <summary>{t('oauth2More')}</summary>
        <div className="stack tight">
          <NativeSelect
            {...form.getInputProps('oauth2.client_auth')}
            label={t('clientAuth')}
            data={[
              { value: 'basic', label: 'HTTP Basic' },
              { value: 'body', label: t('clientAuthBody') },
            ]}
          />
          <TextInput {...form.getInputProps('oauth2.scope')} {...EXACT} label={t('oauth2Scope')} />
          <Textarea
            {...form.getInputProps('oauth2.parameters')}
            {...EXACT}
            label={t('oauth2Parameters')}
            description={t('oauth2ParametersHint')}
            placeholder="audience=https://api.example.com"
            rows={2}
          />
        </div>
      </details>
    </>
  )
}

export const TotpField = ({ form, isKept }: FieldsProps & { readonly isKept: boolean }) => {
  const { t } = useRoom(IDENTITY_WORDS)
  return (
    <SecretInput
      {...form.getInputProps('totp.secret')}
      label={t('totp')}
      description={isKept ? t('totpKept') : t('totpHint')}
      placeholder={isKept ? t('kept') : ''}
      visibilityToggleButtonProps={{ 'aria-label': t('showValue') }}
    />
  )
}

const PROOF_EXAMPLE = '{ "jsonrpc": "2.0", "method": "user.get", "params": {}, "auth": "", "id": 1 }'

export const ProofFields = ({ form, required }: FieldsProps & { readonly required: boolean }) => {
  const { t } = useRoom(IDENTITY_WORDS)
  return (
    <fieldset className="bare stack tight">
      <legend className="field-label">{t('signInProof')}</legend>
      <p className="small quiet">{required ? t('signInProofHint') : t('signInProofOptional')}</p>
      <TextInput {...form.getInputProps('proof.path')} {...EXACT} label={t('proofPath')} placeholder="/account" />
      <div className="pair">
        <TextInput {...form.getInputProps('proof.text')} label={t('proofText')} placeholder={t('proofTextExample')} />
        <TextInput
          {...form.getInputProps('proof.status')}
          label={t('proofStatus')}
          inputMode="numeric"
          placeholder="200"
        />
      </div>
      <details className="more">
        <summary>{t('proofByPost')}</summary>
        <Textarea
          {...form.getInputProps('proof.json')}
          {...EXACT}
          label={t('proofJson')}
          description={t('proofJsonHint')}
          placeholder={PROOF_EXAMPLE}
          autosize
          minRows={2}
          maxRows={8}
        />
      </details>
    </fieldset>
  )
}
