import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { SiteContext } from '../../../src/contract/run.ts'
import { client } from '../client.ts'
import { Failure, FailureLine } from '../components/failure.tsx'
import { Ghosts } from '../components/ghost.tsx'
import { LastRunCell } from '../components/last-run.tsx'
import { GradeMark } from '../components/marks.tsx'
import { Page } from '../components/page.tsx'
import { Spark } from '../components/plots.tsx'
import { isVerified } from '../components/verified.ts'
import { useText } from '../i18n/text.tsx'
import { domainsQuery, overviewQuery } from '../queries.ts'
import { useMay } from '../session.tsx'
import { CONTEXTS } from '../words.ts'

const Domains = () => {
  const { t } = useText()
  const may = useMay('domains:write')
  const mayOverview = useMay('scans:read')
  const domains = useQuery(domainsQuery)
  const overview = useQuery({ ...overviewQuery, enabled: mayOverview })
  return (
    <Page title={t('domains')} lead={t('domainsLead')}>
      {may ? <AddDomain first={domains.data?.length === 0} /> : null}
      {domains.data === undefined ? (
        domains.error ? (
          <Failure error={domains.error} retry={() => void domains.refetch()} />
        ) : (
          <Ghosts />
        )
      ) : domains.data.length === 0 ? null : (
        <div className="card">
          <table className="table blocks">
            <caption className="hidden">{t('domains')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('domain')}</th>
                <th scope="col">{t('ownership')}</th>
                <th scope="col">{t('context')}</th>
                <th scope="col">{t('gradeOverTime')}</th>
                <th scope="col">{t('lastRun')}</th>
              </tr>
            </thead>
            <tbody>
              {domains.data.map((domain) => {
                const runs = overview.data?.domains.find(({ id }) => id === domain.id)?.runs ?? []
                const last = runs.at(-1)
                return (
                  <tr key={domain.id}>
                    <td>
                      <Link className="name" to={`/domains/${domain.id}`}>
                        {domain.domain}
                      </Link>
                    </td>
                    <td className="fit">
                      <span className={`tag ${isVerified(domain) ? 'good' : ''}`}>
                        {isVerified(domain) ? t('verified') : t('unverified')}
                      </span>
                    </td>
                    <td className="fit quiet" data-label={t('context')}>
                      {domain.context === null ? '–' : t(`context_${domain.context}`)}
                    </td>
                    <td className="fit">
                      <span className="row">
                        <GradeMark grade={last?.grade ?? null} />
                        <Spark runs={runs} />
                      </span>
                    </td>
                    <LastRunCell run={last} />
                  </tr>
                )
              })}
            </tbody>
          </table>
        </div>
      )}
    </Page>
  )
}

const AddDomain = ({ first }: { readonly first: boolean }) => {
  const { t } = useText()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [context, setContext] = useState<SiteContext | null>(null)
  const add = useMutation({
    mutationFn: () => client.createDomain({ body: { domain: name.trim(), context } }),
    onSuccess: (domain) => {
      for (const key of ['domains', 'overview']) void queries.invalidateQueries({ queryKey: [key] })
      void navigate(`/domains/${domain.id}`)
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (name.trim() !== '') add.mutate()
  }
  return (
    <form className="card pad stack" onSubmit={submit}>
      <div>
        <h2>{first ? t('firstDomain') : t('addDomain')}</h2>
        <p className="quiet small">{t('addDomainHint')}</p>
      </div>
      <div className="filters">
        <TextInput
          label={t('domain')}
          placeholder="shop.example.com"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          className="grow"
        />
        <NativeSelect
          label={t('context')}
          value={context ?? ''}
          onChange={(event) => setContext(CONTEXTS.find((one) => one === event.currentTarget.value) ?? null)}
          data={[
            { value: '', label: t('contextNone') },
            ...CONTEXTS.map((one) => ({ value: one, label: t(`context_${one}`) })),
          ]}
        />
        <Button type="submit" loading={add.isPending}>
          {t('add')}
        </Button>
      </div>
      <FailureLine error={add.error} />
    </form>
  )
}

export default Domains
