/** Plan and retention, and the logo with how the cover of a report will look. */
import { Button, FileButton } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { OrganisationView } from '../../../../src/contract/account.ts'
import { client } from '../../client.ts'
import { date, number } from '../../format.ts'
import { useText } from '../../i18n/text.tsx'
import { organisationQuery } from '../../queries.ts'
import { useMay } from '../../session.tsx'
import { Failure, FailureLine } from '../failure.tsx'
import { Ghosts } from '../ghost.tsx'

export const OrganisationSettings = () => {
  const organisation = useQuery(organisationQuery)
  if (organisation.data === undefined) {
    return organisation.error ? (
      <Failure error={organisation.error} retry={() => void organisation.refetch()} />
    ) : (
      <Ghosts />
    )
  }
  return (
    <>
      <PlanSection organisation={organisation.data} />
      <LogoSection organisation={organisation.data} />
    </>
  )
}

const PlanSection = ({ organisation: { name, plan, usage, state } }: { readonly organisation: OrganisationView }) => {
  const { t, language } = useText()
  return (
    <section className="card pad stack tight" aria-labelledby="plan">
      <h2 id="plan">{name}</h2>
      {state === 'active' ? null : <div className="notice warn">{t(`organisation_${state}`)}</div>}
      <dl className="facts">
        <dt>{t('plan')}</dt>
        <dd>{plan.id}</dd>
        <dt>{t('runsThisMonth')}</dt>
        <dd className="num">
          {plan.runs_per_month === null
            ? `${number(usage.runs, language)}, ${t('quotaUnlimited')}`
            : t('quotaOf', {
                used: number(usage.runs, language),
                all: number(plan.runs_per_month, language),
                day: date(usage.to, language),
              })}
        </dd>
        <dt>{t('runsAtOnce')}</dt>
        <dd className="num">{plan.concurrent_runs}</dd>
        <dt>{t('retention')}</dt>
        <dd>{t('retentionText', { n: plan.retention_days })}</dd>
        <dt>{t('watermark')}</dt>
        <dd>{plan.watermark ? t('yes') : t('no')}</dd>
      </dl>
      <p className="quiet small">{t('planHint')}</p>
    </section>
  )
}

const LogoSection = ({ organisation }: { readonly organisation: OrganisationView }) => {
  const { t } = useText()
  const queries = useQueryClient()
  const mayRead = useMay('organisation:read')
  const mayWrite = useMay('organisation:write')
  const logo = useQuery({
    queryKey: ['logo', organisation.logo],
    enabled: mayRead && organisation.logo?.content_type === 'image/png',
    queryFn: async ({ signal }) => {
      const response = await client.request('readLogo', { signal })
      return URL.createObjectURL(await response.blob())
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  const set = useMutation({
    mutationFn: async (file: File) => client.setLogo({ body: { logo: await toBase64(file) } }),
    onSuccess: (changed) => queries.setQueryData(organisationQuery.queryKey, changed),
  })
  const remove = useMutation({
    mutationFn: () => client.deleteLogo(),
    onSuccess: () => queries.invalidateQueries({ queryKey: organisationQuery.queryKey }),
  })
  const error = set.error ?? remove.error
  return (
    <section className="card pad branding" aria-labelledby="branding">
      <div className="stack tight">
        <h2 id="branding">{t('branding')}</h2>
        <p className="quiet small">{t('brandingHint')}</p>
        {mayWrite ? (
          <div className="row">
            <FileButton
              accept="image/png,image/svg+xml,application/pdf"
              onChange={(file) => (file === null ? undefined : set.mutate(file))}
            >
              {(props) => (
                <Button {...props} variant="default" loading={set.isPending}>
                  {organisation.logo === null ? t('chooseLogo') : t('replace')}
                </Button>
              )}
            </FileButton>
            {organisation.logo === null ? null : (
              <Button variant="subtle" loading={remove.isPending} onClick={() => remove.mutate()}>
                {t('removeLogo')}
              </Button>
            )}
          </div>
        ) : null}
        <FailureLine error={error} />
      </div>
      <figure className="cover-box">
        <div className="cover">
          {organisation.logo === null ? null : logo.data === undefined ? (
            <span className="cover-logo">{t('logoPdf')}</span>
          ) : (
            <img className="cover-logo" src={logo.data} alt={t('logoAlt', { name: organisation.name })} />
          )}
          <div className="cover-title" lang="en">
            Security report
          </div>
          <div className="cover-domain">shop.example.com</div>
          <div className="cover-foot">{organisation.name}</div>
          {organisation.plan.watermark ? (
            <div className="cover-mark" aria-hidden="true">
              Sonde
            </div>
          ) : null}
        </div>
        <figcaption className="small quiet">{t('coverPreview')}</figcaption>
      </figure>
    </section>
  )
}

const toBase64 = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onerror = () => reject(reader.error)
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''))
    reader.readAsDataURL(file)
  })
