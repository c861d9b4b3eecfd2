/** What the domain is to its owner: it decides what an active run may send. */
import { NativeSelect } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Domain } from '../../../src/contract/domain.ts'
import type { Environment } from '../../../src/contract/run.ts'
import { client } from '../client.ts'
import { useText } from '../i18n/text.tsx'
import { domainQuery } from '../queries.ts'
import { useMay } from '../session.tsx'
import { FailureLine } from './failure.tsx'

const ENVIRONMENTS: readonly Environment[] = ['production', 'test']

export const EnvironmentOf = ({ domain }: { readonly domain: Domain }) => {
  const { t } = useText()
  const queries = useQueryClient()
  const may = useMay('domains:write')
  const change = useMutation({
    mutationFn: (environment: Environment) => client.updateDomain({ params: { id: domain.id }, body: { environment } }),
    onSuccess: (changed) => {
      queries.setQueryData(domainQuery(domain.id).queryKey, changed)
      void queries.invalidateQueries({ queryKey: ['domains'] })
    },
  })
  return (
    <section className="card pad stack tight" aria-labelledby="environment">
      <h2 id="environment">{t('environment')}</h2>
      <p className="quiet small">{t(`environment_${domain.environment}_hint`)}</p>
      <NativeSelect
        className="narrow"
        aria-labelledby="environment"
        disabled={!may || change.isPending}
        value={domain.environment}
        onChange={(event) => {
          const chosen = ENVIRONMENTS.find((one) => one === event.currentTarget.value)
          if (chosen) change.mutate(chosen)
        }}
        data={ENVIRONMENTS.map((one) => ({ value: one, label: t(`environment_${one}`) }))}
      />
      <span aria-live="polite" className="small quiet">
        {change.isSuccess ? t('saved') : ''}
      </span>
      <FailureLine error={change.error} />
    </section>
  )
}
