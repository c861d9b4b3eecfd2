/** What was supposed of single places, by people and by agents, and what was proven or refuted. */
import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Hypothesis } from '../../../src/contract/hypothesis.ts'
import { Failure } from '../components/failure.tsx'
import { Ghosts } from '../components/ghost.tsx'
import { useSupposed, Verdict } from '../components/hypothesis.tsx'
import { Page } from '../components/page.tsx'
import { Ago } from '../components/when.tsx'
import { HYPOTHESIS_WORDS } from '../i18n/rooms.ts'
import { useRoom } from '../i18n/text.tsx'
import { hypothesesQuery } from '../queries.ts'

const Hypotheses = () => {
  const { t } = useRoom(HYPOTHESIS_WORDS)
  const list = useInfiniteQuery(hypothesesQuery)
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <Page title={t('hypotheses')} lead={t('hypothesesLead')} crumbs={[{ to: '/runs', name: t('runs') }]}>
      {list.error ? (
        <Failure error={list.error} retry={() => void list.refetch()} />
      ) : list.data === undefined ? (
        <Ghosts rows={4} />
      ) : items.length === 0 ? (
        <div className="card">
          <div className="empty">
            <h2>{t('hypothesesNone')}</h2>
            <p>{t('hypothesesNoneText', { id: '{id}' })}</p>
          </div>
        </div>
      ) : (
        items.map((one) => <OneHypothesis key={one.id} hypothesis={one} />)
      )}
      {list.hasNextPage ? (
        <div>
          <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {t('showMore')}
          </Button>
        </div>
      ) : null}
    </Page>
  )
}

const OneHypothesis = ({ hypothesis }: { readonly hypothesis: Hypothesis }) => {
  const { t } = useRoom(HYPOTHESIS_WORDS)
  const supposed = useSupposed()
  const { id, domain, verdict, reason, request, created_at } = hypothesis
  return (
    <section className="card pad stack tight" aria-labelledby={id}>
      <div className="row between">
        <h2 id={id}>
          <Link to={`/runs/${id}`}>{supposed(hypothesis)}</Link>
        </h2>
        <Verdict verdict={verdict} />
      </div>
      <p className="mono break small">
        {request.method} {domain}
        {request.url}
      </p>
      {reason === null ? (
        <p>{t(`verdict_${verdict ?? 'none'}_text`)}</p>
      ) : (
        <p className="break" lang="en">
          {reason}
        </p>
      )}
      <p className="small quiet">
        <Ago iso={created_at} />
      </p>
    </section>
  )
}

export default Hypotheses
