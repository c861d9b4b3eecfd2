/** Batches: how far each is, and what can be done with it. */
import { Button } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { Batch } from '../../../src/contract/batch.ts'
import { client } from '../client.ts'
import { Failure, FailureLine } from '../components/failure.tsx'
import { Ghosts } from '../components/ghost.tsx'
import { Page } from '../components/page.tsx'
import { Ago } from '../components/when.tsx'
import { number } from '../format.ts'
import { useText } from '../i18n/text.tsx'
import { batchesQuery } from '../queries.ts'
import { useMay } from '../session.tsx'
import { Percent } from './runs.tsx'

const BatchDialog = lazy(() => import('../components/batch-dialog.tsx'))

const Batches = () => {
  const { t } = useText()
  const may = useMay('scans:write')
  const batches = useInfiniteQuery(batchesQuery)
  const [starting, setStarting] = useState(false)
  const items = batches.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <Page
      title={t('batches')}
      lead={t('batchesLead')}
      crumbs={[{ to: '/runs', name: t('runs') }]}
      actions={may ? <Button onClick={() => setStarting(true)}>{t('startBatch')}</Button> : null}
    >
      {batches.error ? (
        <Failure error={batches.error} retry={() => void batches.refetch()} />
      ) : batches.data === undefined ? (
        <Ghosts rows={4} />
      ) : items.length === 0 ? (
        <div className="card">
          <div className="empty">
            <h2>{t('noBatchesTitle')}</h2>
            <p>{t('noBatchesText')}</p>
          </div>
        </div>
      ) : (
        items.map((batch) => <OneBatch key={batch.id} batch={batch} />)
      )}
      {batches.hasNextPage ? (
        <div>
          <Button variant="default" loading={batches.isFetchingNextPage} onClick={() => void batches.fetchNextPage()}>
            {t('showMore')}
          </Button>
        </div>
      ) : null}
      {starting ? (
        <Suspense fallback={null}>
          <BatchDialog close={() => setStarting(false)} />
        </Suspense>
      ) : null}
    </Page>
  )
}

/** A cancelled one is that at once; its last runs end a moment later. */
const isOver = ({ finished_at }: Batch): boolean => finished_at !== null

const OneBatch = ({ batch }: { readonly batch: Batch }) => {
  const { t, language } = useText()
  const { total, waiting, running, ...ended } = batch.counts
  const name = t('batchOf', { n: total, count: number(total, language) })
  const parts = Object.entries({ waiting, running, ...ended }).filter(([, count]) => count > 0)
  return (
    <section className="card pad stack tight" aria-labelledby={batch.id}>
      <div className="row between">
        <h2 id={batch.id}>
          {name} <span className="tag">{t(`batch_${batch.state}`)}</span>{' '}
          {batch.options.survey ? <span className="tag">{t('option_survey')}</span> : null}
        </h2>
        <span className="small quiet">
          <Ago iso={batch.created_at} />
        </span>
      </div>
      <Percent value={Math.floor(((total - waiting - running) / total) * 100)} label={name} />
      <p className="small">
        {parts.map(([part, count]) => `${number(count, language)} ${t(`batch_count_${part as Part}`)}`).join(', ')}
      </p>
      <Actions batch={batch} />
    </section>
  )
}

type Part = Exclude<keyof Batch['counts'], 'total'>

const Actions = ({ batch }: { readonly batch: Batch }) => {
  const { t } = useText()
  const may = useMay('scans:write')
  const queries = useQueryClient()
  const move = useMutation({
    mutationFn: (call: 'pauseBatch' | 'resumeBatch' | 'cancelBatch') => client[call]({ params: { id: batch.id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['batches'] }),
  })
  const isPaused = batch.state === 'paused'
  return (
    <div className="row">
      {may && !isOver(batch) && batch.state !== 'canceled' ? (
        <>
          <Button
            size="compact-sm"
            variant="default"
            loading={move.isPending}
            onClick={() => move.mutate(isPaused ? 'resumeBatch' : 'pauseBatch')}
          >
            {isPaused ? t('resume') : t('pause')}
          </Button>
          <Button
            size="compact-sm"
            variant="subtle"
            loading={move.isPending}
            onClick={() => move.mutate('cancelBatch')}
          >
            {t('cancelBatch')}
          </Button>
        </>
      ) : null}
      <a href={`/v1/batches/${batch.id}/results?format=csv`} download>
        {t('download')} (CSV)
      </a>
      <a href={`/v1/batches/${batch.id}/results?format=ndjson`} download>
        {t('download')} (NDJSON)
      </a>
      <FailureLine error={move.error} />
    </div>
  )
}

export default Batches
