/** Who asks the domain: the service itself, or an agent behind a firewall. */
import { NativeSelect } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Domain } from '../../../src/contract/domain.ts'
import { client } from '../client.ts'
import { useText } from '../i18n/text.tsx'
import { agentsQuery, domainQuery } from '../queries.ts'
import { useMay } from '../session.tsx'
import { FailureLine } from './failure.tsx'

/** Nothing where the organisation has no agent. */
export const AgentOf = ({ domain }: { readonly domain: Domain }) => {
  const { t } = useText()
  const queries = useQueryClient()
  const may = useMay('domains:write')
  const agents = useQuery(agentsQuery)
  const change = useMutation({
    mutationFn: (agent: string) =>
      client.updateDomain({ params: { id: domain.id }, body: { agent_id: agent === '' ? null : agent } }),
    onSuccess: (changed) => {
      queries.setQueryData(domainQuery(domain.id).queryKey, changed)
      void queries.invalidateQueries({ queryKey: ['domains'] })
    },
  })
  const known = (agents.data?.items ?? []).filter(({ id, revoked_at }) => revoked_at === null || id === domain.agent_id)
  if (known.length === 0) return null
  return (
    <section className="card pad stack tight" aria-labelledby="agent">
      <h2 id="agent">{t('agentOf')}</h2>
      <p className="quiet small">{t('agentOfHint')}</p>
      <NativeSelect
        className="narrow"
        aria-labelledby="agent"
        disabled={!may || change.isPending}
        value={domain.agent_id ?? ''}
        onChange={(event) => change.mutate(event.currentTarget.value)}
        data={[
          { value: '', label: t('agentNobody') },
          ...known.map(({ id, name, revoked_at }) => ({
            value: id,
            label: revoked_at === null ? name : `${name} (${t('revoked')})`,
          })),
        ]}
      />
      <span aria-live="polite" className="small quiet">
        {change.isSuccess ? t('saved') : ''}
      </span>
      <FailureLine error={change.error} />
    </section>
  )
}
