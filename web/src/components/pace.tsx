/** How fast runs of the domain ask, below what the operator allows. */
import { Button, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { Domain } from '../../../src/contract/domain.ts'
import { client } from '../client.ts'
import { useText } from '../i18n/text.tsx'
import { domainQuery } from '../queries.ts'
import { useMay } from '../session.tsx'
import { useSentForm } from '../use-sent-form.tsx'
import { FailureLine } from './failure.tsx'

export const Pace = ({ domain }: { readonly domain: Domain }) => {
  const { t } = useText()
  const queries = useQueryClient()
  const may = useMay('domains:write')
  const { form, sending, submit } = useSentForm({
    // The button stands within the field, which a form of the browser's own values would draw anew: it would lose the focus.
    mode: 'controlled',
    initialValues: shown(domain),
    send: ({ requests_per_second: pace }) =>
      client.updateDomain({
        params: { id: domain.id },
        body: { requests_per_second: pace === '' ? null : Number(pace) },
      }),
    sent: (changed, { setInitialValues }) => {
      queries.setQueryData(domainQuery(domain.id).queryKey, changed)
      setInitialValues(shown(changed))
    },
  })
  return (
    <form className="card pad stack tight" onSubmit={submit} aria-labelledby="pace">
      <h2 id="pace">{t('pace')}</h2>
      <TextInput
        {...form.getInputProps('requests_per_second')}
        type="number"
        classNames={{ wrapper: 'narrow' }}
        min={1}
        max={domain.max_requests_per_second}
        step={1}
        aria-labelledby="pace"
        description={t('paceHint', { max: domain.max_requests_per_second })}
        readOnly={!may}
        placeholder={String(domain.max_requests_per_second)}
        inputContainer={(input) => (
          <div className="row">
            {input}
            <span className="quiet">{t('perSecond')}</span>
            {may ? (
              <Button type="submit" variant="default" loading={sending.isPending}>
                {t('save')}
              </Button>
            ) : null}
            <span aria-live="polite" className="small quiet">
              {sending.isSuccess ? t('saved') : ''}
            </span>
          </div>
        )}
      />
      <FailureLine error={sending.error} />
    </form>
  )
}

/** Empty: as fast as the operator allows. */
const shown = ({ requests_per_second: pace }: Domain) => ({ requests_per_second: pace === null ? '' : String(pace) })
