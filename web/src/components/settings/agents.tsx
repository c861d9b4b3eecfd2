/** Workers behind firewalls: made, looked at, revoked. */
import { Button, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Agent } from '../../../../src/contract/agent.ts'
import { client } from '../../client.ts'
import { useText } from '../../i18n/text.tsx'
import { agentsQuery } from '../../queries.ts'
import { useMay } from '../../session.tsx'
import { useSentForm } from '../../use-sent-form.tsx'
import { CopyButton } from '../copy.tsx'
import { Dialog } from '../dialog.tsx'
import { Failure, FailureLine } from '../failure.tsx'
import { Ghosts } from '../ghost.tsx'
import { Ago } from '../when.tsx'
import { RevokeButton, RevokeDialog } from './revoke.tsx'

const Agents = () => {
  const { t } = useText()
  const may = useMay('organisation:write')
  const agents = useQuery(agentsQuery)
  const [making, setMaking] = useState(false)
  const [revoking, setRevoking] = useState<Agent | null>(null)
  if (agents.data === undefined) {
    return agents.error ? <Failure error={agents.error} retry={() => void agents.refetch()} /> : <Ghosts />
  }
  return (
    <section className="stack tight" aria-label={t('agents')}>
      <div className="row between">
        <p className="quiet">{t('agentsText')}</p>
        {may ? <Button onClick={() => setMaking(true)}>{t('makeAgent')}</Button> : null}
      </div>
      {agents.data.items.length === 0 ? (
        <div className="card">
          <div className="empty">
            <h2>{t('noAgents')}</h2>
            <p>{t('noAgentsText')}</p>
          </div>
        </div>
      ) : (
        <AgentTable agents={agents.data.items} revoke={may ? setRevoking : null} />
      )}
      {making ? <MakeAgent close={() => setMaking(false)} /> : null}
      {revoking === null ? null : <RevokeAgent agent={revoking} close={() => setRevoking(null)} />}
    </section>
  )
}

/** `revoke` null: who looks may not. */
const AgentTable = ({
  agents,
  revoke,
}: {
  readonly agents: readonly Agent[]
  readonly revoke: ((agent: Agent) => void) | null
}) => {
  const { t } = useText()
  return (
    <div className="card">
      <table className="table blocks">
        <caption className="hidden">{t('agents')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('name')}</th>
            <th scope="col">{t('agentSeen')}</th>
            <th scope="col">{t('agentVersion')}</th>
            <th scope="col">{t('agentNetworks')}</th>
            <th scope="col">{t('domains')}</th>
            <th scope="col">
              <span className="hidden">{t('revoke')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {agents.map((agent) => (
            <tr key={agent.id} className={agent.revoked_at === null ? '' : 'dead'}>
              <td>
                <strong className="break">{agent.name}</strong>
              </td>
              <td className="fit quiet" data-label={t('agentSeen')}>
                {agent.last_seen_at === null ? t('never') : <Ago iso={agent.last_seen_at} />}
              </td>
              <td className="fit quiet" data-label={t('agentVersion')}>
                {agent.version ?? '–'}
              </td>
              <td className="small quiet break" data-label={t('agentNetworks')}>
                {agent.networks.length === 0 ? t('agentPublic') : agent.networks.join(' ')}
              </td>
              <td className="fit quiet" data-label={t('domains')}>
                {agent.domains}
              </td>
              <td className="fit right">
                {agent.revoked_at !== null ? (
                  <span className="quiet">{t('revoked')}</span>
                ) : revoke === null ? null : (
                  <RevokeButton name={agent.name} onClick={() => revoke(agent)} />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const MakeAgent = ({ close }: { readonly close: () => void }) => {
  const { t } = useText()
  const queries = useQueryClient()
  const { form, sending, submit } = useSentForm({
    initialValues: { name: '' },
    send: ({ name }) => client.createAgent({ body: { name: name.trim() } }),
    sent: () => queries.invalidateQueries({ queryKey: agentsQuery.queryKey }),
  })
  return (
    <Dialog title={t('makeAgent')} close={close}>
      {sending.data === undefined ? (
        <form className="stack" onSubmit={submit}>
          <TextInput
            key={form.key('name')}
            {...form.getInputProps('name')}
            label={t('name')}
            description={t('agentNameHint')}
            required
          />
          <FailureLine error={sending.error} />
          <Button type="submit" loading={sending.isPending}>
            {t('makeAgent')}
          </Button>
        </form>
      ) : (
        <div className="stack">
          <p>{t('agentTokenText')}</p>
          <div className="secret">
            <code className="break">{sending.data.token}</code>
            <CopyButton text={sending.data.token} label={t('agentToken')} />
          </div>
          <code className="break small">{`sonde agent --url ${location.origin} --token-file agent.token --allow 10.0.0.0/8`}</code>
          <Button onClick={close}>{t('done')}</Button>
        </div>
      )}
    </Dialog>
  )
}

const RevokeAgent = ({ agent, close }: { readonly agent: Agent; readonly close: () => void }) => {
  const { t } = useText()
  return (
    <RevokeDialog
      name={agent.name}
      text={t('revokeAgentText')}
      revoke={() => client.revokeAgent({ params: { id: agent.id } })}
      queryKey={agentsQuery.queryKey}
      close={close}
    />
  )
}

export default Agents
