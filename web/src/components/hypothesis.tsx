/** What a run of one place was asked to prove, and its verdict. */
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Hypothesis } from '../../../src/contract/hypothesis.ts'
import { number } from '../format.ts'
import { HYPOTHESIS_WORDS } from '../i18n/rooms.ts'
import { useRoom } from '../i18n/text.tsx'
import { hypothesisQuery } from '../queries.ts'
import { Failure } from './failure.tsx'
import { Ghosts } from './ghost.tsx'
import { Said } from './said.tsx'

const TONES = { confirmed: 'bad', refuted: 'good', inconclusive: 'warn', not_asked: '' } as const

export const Verdict = ({ verdict }: Pick<Hypothesis, 'verdict'>) => {
  const { t } = useRoom(HYPOTHESIS_WORDS)
  return <span className={`tag ${verdict === null ? '' : TONES[verdict]}`}>{t(`verdict_${verdict ?? 'none'}`)}</span>
}

/** "SQL injection at query parameter q". */
export const useSupposed = (): ((of: Pick<Hypothesis, 'weakness' | 'point'>) => string) => {
  const { t } = useRoom(HYPOTHESIS_WORDS)
  return ({ weakness, point }) =>
    t('supposedAt', { weakness: t(`weakness_${weakness}`), place: t(`place_${point.in}`, { name: point.name }) })
}

const HypothesisPart = ({ id }: { readonly id: string }) => {
  const { t, language } = useRoom(HYPOTHESIS_WORDS)
  const supposed = useSupposed()
  const read = useQuery(hypothesisQuery(id))
  if (read.data === undefined) {
    return read.error ? <Failure error={read.error} retry={() => void read.refetch()} /> : <Ghosts rows={2} />
  }
  const { verdict, reason, request, seen_on, finding, requests, left_out } = read.data
  return (
    <section className="card pad stack tight" aria-labelledby="verdict">
      <div className="row between">
        <h2 id="verdict">{supposed(read.data)}</h2>
        <Verdict verdict={verdict} />
      </div>
      <p>{t(`verdict_${verdict ?? 'none'}_text`)}</p>
      <dl className="facts">
        <dt>{t('askedRequest')}</dt>
        <dd className="mono break">
          {request.method} {request.url}
        </dd>
        {seen_on === null ? null : (
          <>
            <dt>{t('seenOn')}</dt>
            <dd className="mono break">{seen_on}</dd>
          </>
        )}
        <dt>{t('requestsSent')}</dt>
        <dd className="num">{number(requests, language)}</dd>
        {reason === null ? null : (
          <>
            <dt>{t('verdictTitle')}</dt>
            <dd className="break">
              <Said text={reason} />
            </dd>
          </>
        )}
        {left_out.length === 0 ? null : (
          <>
            <dt>{t('leftOutOf')}</dt>
            <dd className="break">{left_out.join(', ')}</dd>
          </>
        )}
      </dl>
      {finding === null ? null : (
        <p>
          <Link to={`/runs/${id}/findings/${finding.id}`}>{t(verdict === 'confirmed' ? 'toProof' : 'toSign')}</Link>
        </p>
      )}
    </section>
  )
}

export default HypothesisPart
