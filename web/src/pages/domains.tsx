import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Domain } from '../../../src/contract/domain.ts'
import type { Overview } from '../../../src/contract/overview.ts'
import { pastedName } from '../../../src/contract/pasted-name.ts'
import type { SiteContext } from '../../../src/contract/run.ts'
import { client } from '../client.ts'
import { Failure, FailureLine } from '../components/failure.tsx'
import { Ghosts } from '../components/ghost.tsx'
import { LastRunCell } from '../components/last-run.tsx'
import { GradeMark } from '../components/marks.tsx'
import { Page } from '../components/page.tsx'
import { Spark } from '../components/plots.tsx'
import { isVerified } from '../components/verified.ts'
import { WordsField } from '../components/words-field.tsx'
import { useText } from '../i18n/text.tsx'
import { domainNamedQuery, domainsQuery, overviewQuery } from '../queries.ts'
import { useMay } from '../session.tsx'
import { useSentForm } from '../use-sent-form.tsx'
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
        <DomainList newest={domains.data} overview={overview.data} />
      )}
    </Page>
  )
}

/** Rows drawn at once; more are a press away. */
const SHOWN = 100
/** As many are seen at a glance. */
const FEW = 10

interface DomainListProps {
  readonly newest: readonly Domain[]
  /** Absent while it loads, and for who may not read runs. */
  readonly overview: Overview | undefined
}

const DomainList = ({ newest, overview }: DomainListProps) => {
  const { t } = useText()
  const [all, setAll] = useState(false)
  const [text, setText] = useState('')
  const part = text.trim().toLowerCase()
  const total = overview?.total ?? newest.length
  const among = newest.filter(({ domain }) => domain.includes(part))
  const beyond = useQuery({ ...domainNamedQuery(part), enabled: among.length === 0 && total > newest.length })
  const found = among.length > 0 ? among : (beyond.data ?? [])
  const shown = all ? found : found.slice(0, SHOWN)
  return (
    <section className="stack tight" aria-label={t('domains')}>
      {newest.length > FEW ? <WordsField hint="shop.example.com" value={text} set={setText} /> : null}
      {total > newest.length ? <p className="quiet small">{t('domainsCut', { shown: newest.length, total })}</p> : null}
      {found.length === 0 ? <p className="quiet">{t(beyond.isLoading ? 'loading' : 'domainsNone')}</p> : null}
      {found.length === 0 ? null : <DomainTable domains={shown} overview={overview} />}
      {found.length > shown.length ? (
        <button type="button" className="plain" onClick={() => setAll(true)}>
          {t('showLines', { n: found.length })}
        </button>
      ) : null}
    </section>
  )
}

const DomainTable = ({
  domains,
  overview,
}: { readonly domains: readonly Domain[] } & Pick<DomainListProps, 'overview'>) => {
  const { t } = useText()
  const read = new Map(overview?.domains.map((one) => [one.id, one.runs]))
  const isWhole = overview === undefined || overview.total <= overview.domains.length
  return (
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
          {domains.map((domain) => {
            const runs = read.get(domain.id) ?? []
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
                {isWhole || read.has(domain.id) ? (
                  <LastRunCell run={last} />
                ) : (
                  // It may have been scanned before the hundred of the overview were.
                  <td className="fit quiet" data-label={t('lastRun')}>
                    –
                  </td>
                )}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

const AddDomain = ({ first }: { readonly first: boolean }) => {
  const { t } = useText()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { form, sending, submit } = useSentForm({
    initialValues: { domain: '', context: '' as SiteContext | '' },
    send: ({ domain, context }) =>
      client.createDomain({ body: { domain: pastedName(domain), context: context === '' ? null : context } }),
    sent: (domain) => {
      for (const key of ['domains', 'overview']) void queries.invalidateQueries({ queryKey: [key] })
      void navigate(`/domains/${domain.id}`)
    },
  })
  return (
    <form className="card pad stack" onSubmit={submit}>
      <div>
        <h2>{first ? t('firstDomain') : t('addDomain')}</h2>
        <p className="quiet small">{t('addDomainHint')}</p>
      </div>
      <div className="filters">
        <TextInput
          key={form.key('domain')}
          {...form.getInputProps('domain')}
          label={t('domain')}
          placeholder="shop.example.com"
          required
          withAsterisk={false}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          className="grow"
        />
        <NativeSelect
          key={form.key('context')}
          {...form.getInputProps('context')}
          label={t('context')}
          data={[
            { value: '', label: t('contextNone') },
            ...CONTEXTS.map((one) => ({ value: one, label: t(`context_${one}`) })),
          ]}
        />
        <Button type="submit" loading={sending.isPending}>
          {t('add')}
        </Button>
      </div>
      <FailureLine error={sending.error} />
    </form>
  )
}

export default Domains
