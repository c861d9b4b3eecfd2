/** Plan and retention, and the logo with how the cover of a report will look. */
import { Button, FileButton } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { OrganisationView } from '../../../../src/contract/account.ts'
import { ApiError } from '../../../../src/contract/client-core.ts'
import { client } from '../../client.ts'
import { date, number } from '../../format.ts'
import { useText } from '../../i18n/text.tsx'
import { coverQuery, organisationQuery } from '../../queries.ts'
import { useMay } from '../../session.tsx'
import { Failure, FailureLine } from '../failure.tsx'
import { Ghost, Ghosts } from '../ghost.tsx'
import { StopSection } from '../hold.tsx'
import { DueDaysSection } from './due-days.tsx'
import { LanguageSection } from './org-language.tsx'

const DataSections = lazy(() => import('./data.tsx'))

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
      <StopSection hold={organisation.data.hold} />
      <DueDaysSection />
      <LanguageSection />
      <LogoSection organisation={organisation.data} />
      <Suspense fallback={<Ghosts />}>
        <DataSections />
      </Suspense>
    </>
  )
}

const PlanSection = ({
  organisation: { name, plan, usage, state, requests },
}: {
  readonly organisation: OrganisationView
}) => {
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
        {requests === null ? null : (
          <>
            <dt>{t('requestsToday')}</dt>
            <dd className="num">
              {number(requests.sent, language)} / {number(requests.per_day, language)}
            </dd>
          </>
        )}
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
  const set = useMutation({
    mutationFn: async (file: File) => client.setLogo({ body: { logo: await toBase64(file) } }),
    onSuccess: (changed) => {
      queries.setQueryData(organisationQuery.queryKey, changed)
      void queries.invalidateQueries({ queryKey: coverQuery.queryKey })
    },
  })
  const remove = useMutation({
    mutationFn: () => client.deleteLogo(),
    onSuccess: () => {
      for (const { queryKey } of [organisationQuery, coverQuery]) void queries.invalidateQueries({ queryKey })
    },
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
      {mayRead ? <Cover organisation={organisation.name} /> : null}
    </section>
  )
}

/** The true first page, typeset by the service. */
const Cover = ({ organisation }: { readonly organisation: string }) => {
  const { t } = useText()
  const cover = useQuery(coverQuery)
  const address = useObjectUrl(cover.data)
  return (
    <figure className="cover-box" aria-busy={cover.isFetching}>
      {address === null ? (
        <div className="cover">{cover.error ? null : <Ghost height={300} />}</div>
      ) : (
        <img className="cover" src={address} alt={t('coverAlt', { name: organisation })} width={212} height={300} />
      )}
      <figcaption className="small quiet" aria-live="polite">
        {cover.isFetching ? t('coverMaking') : t('coverPreview')}
      </figcaption>
      {cover.error ? (
        <div className="notice warn small" role="alert">
          <p>{t('coverFailed')}</p>
          <p lang="en">{cover.error instanceof ApiError ? cover.error.problem.detail : String(cover.error)}</p>
        </div>
      ) : null}
    </figure>
  )
}

/** Lives as long as what shows it. */
const useObjectUrl = (blob: Blob | undefined): string | null => {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    if (blob === undefined) return undefined
    const made = URL.createObjectURL(blob)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  return address
}

const toBase64 = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onerror = () => reject(reader.error)
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''))
    reader.readAsDataURL(file)
  })
