/** How fast runs of the domain ask, below what the operator allows. */
import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Domain } from '../../../src/contract/domain.ts'
import { client } from '../client.ts'
import { useText } from '../i18n/text.tsx'
import { domainQuery } from '../queries.ts'
import { useMay } from '../session.tsx'
import { FailureLine } from './failure.tsx'

export const Pace = ({ domain }: { readonly domain: Domain }) => {
  const { t } = useText()
  const queries = useQueryClient()
  const may = useMay('domains:write')
  const [value, setValue] = useState(shown(domain.requests_per_second))
  const save = useMutation({
    mutationFn: () =>
      client.updateDomain({
        params: { id: domain.id },
        body: { requests_per_second: value === '' ? null : Number(value) },
      }),
    onSuccess: (changed) => {
      queries.setQueryData(domainQuery(domain.id).queryKey, changed)
      setValue(shown(changed.requests_per_second))
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <form className="card pad stack tight" onSubmit={submit} aria-labelledby="pace">
      <h2 id="pace">{t('pace')}</h2>
      <p className="quiet small" id="pace-hint">
        {t('paceHint', { max: domain.max_requests_per_second })}
      </p>
      <div className="row">
        <TextInput
          type="number"
          className="narrow"
          min={1}
          max={domain.max_requests_per_second}
          step={1}
          aria-labelledby="pace"
          aria-describedby="pace-hint"
          readOnly={!may}
          placeholder={String(domain.max_requests_per_second)}
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
        />
        <span className="quiet">{t('perSecond')}</span>
        {may ? (
          <Button type="submit" variant="default" loading={save.isPending}>
            {t('save')}
          </Button>
        ) : null}
        <span aria-live="polite" className="small quiet">
          {save.isSuccess ? t('saved') : ''}
        </span>
      </div>
      <FailureLine error={save.error} />
    </form>
  )
}

const shown = (pace: number | null): string => (pace === null ? '' : String(pace))
