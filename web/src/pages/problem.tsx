/** One finding of a domain over all its runs: where it stands, what was said and done, and what the last run saw. */

import { Button } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import type { DomainFinding, DomainFindingEvent } from '../../../src/contract/domain-finding.ts'
import { client } from '../client.ts'
import { FailureLine, FailurePage } from '../components/failure.tsx'
import { Ghosts, PageGhost } from '../components/ghost.tsx'
import { SeverityMark } from '../components/marks.tsx'
import { Page } from '../components/page.tsx'
import ChangeDialog from '../components/problems/change-dialog.tsx'
import { useChanged } from '../components/problems/changed.ts'
import { CommentField } from '../components/problems/comment-field.tsx'
import { DueMark, StateTag } from '../components/problems/marks.tsx'
import { useRowKeys } from '../components/problems/use-row-keys.ts'
import { Proof, Story } from '../components/proof.tsx'
import { When } from '../components/when.tsx'
import { date } from '../format.ts'
import { useText } from '../i18n/text.tsx'
import { piecesOf } from '../mention.ts'
import { placeText } from '../place-text.ts'
import { findingQuery, problemEventsQuery, problemQuery } from '../queries.ts'
import { inLanguage } from '../reading.ts'
import { useMay } from '../session.tsx'
import { useSentForm } from '../use-sent-form.tsx'

const Problem = () => {
  const { t } = useText()
  const { domain = '', fingerprint = '' } = useParams()
  const may = useMay('scans:write')
  const [changing, setChanging] = useState(false)
  const problem = useQuery(problemQuery(domain, fingerprint))
  useRowKeys({ e: () => may && setChanging(true) })
  if (problem.data === undefined) {
    return problem.error ? <FailurePage error={problem.error} retry={() => void problem.refetch()} /> : <PageGhost />
  }
  const { title, severity, state, kev } = problem.data
  return (
    <Page
      title={title}
      crumbs={[{ to: '/findings', name: t('findings') }]}
      lead={
        <span className="row">
          <SeverityMark severity={severity} />
          <StateTag state={state} />
          <DueMark due={problem.data.due} overdue={problem.data.overdue} />
          {kev ? <span className="tag bad">KEV</span> : null}
          <span className="mono small break">{placeText(problem.data.location)}</span>
        </span>
      }
      actions={may ? <Button onClick={() => setChanging(true)}>{t('change_do')}</Button> : undefined}
    >
      <div className="split">
        <div className="stack wide">
          <LastSeen problem={problem.data} />
        </div>
        <aside className="stack">
          <Standing problem={problem.data} />
          <Events problem={problem.data} may={may} />
        </aside>
      </div>
      {changing ? <ChangeDialog findings={[problem.data]} close={() => setChanging(false)} /> : null}
    </Page>
  )
}

/** As the last run that saw it has it, proof and remedy. */
const LastSeen = ({ problem: { last_run: run, finding_id: id } }: { readonly problem: DomainFinding }) => {
  const { t } = useText()
  const finding = useQuery(findingQuery(run, id))
  return (
    <>
      <p>
        <Link to={`/runs/${run}/findings/${id}`}>{t('inItsRun')}</Link>
      </p>
      <FailureLine error={finding.error} />
      {finding.data === undefined ? (
        finding.error ? null : (
          <Ghosts rows={6} />
        )
      ) : (
        <>
          <Story finding={finding.data} />
          <Proof finding={finding.data} run={run} />
        </>
      )}
    </>
  )
}

const Standing = ({ problem }: { readonly problem: DomainFinding }) => {
  const { t, language } = useText()
  const { domain, domain_id, assignee, override, judged_severity, triage, fixed } = problem
  return (
    <section className="card pad" aria-labelledby="standing">
      <h2 id="standing" className="hidden">
        {t('standing')}
      </h2>
      <dl className="facts">
        <dt>{t('domain')}</dt>
        <dd>
          <Link to={`/domains/${domain_id}`}>{domain}</Link>
        </dd>
        <dt>{t('assignee')}</dt>
        <dd className="break">{assignee ?? <span className="quiet">{t('nobody')}</span>}</dd>
        {triage.owner === null ? null : (
          <>
            <dt>{t('decision')}</dt>
            <dd className="break">
              {t(`triage_${triage.state}`)}
              <br />
              <span className="small quiet">
                {triage.owner}: {triage.reason}
                {triage.expires_at === null
                  ? ''
                  : ` (${t('decidedUntil', { day: date(triage.expires_at, language) })})`}
              </span>
              {triage.reopened === null ? null : <p className="small">{t(`reopened_${triage.reopened}`)}</p>}
            </dd>
          </>
        )}
        {override === null ? null : (
          <>
            <dt>{t('judgedAs')}</dt>
            <dd className="break">
              {t(`severity_${judged_severity}`)}
              <br />
              <span className="small quiet">
                {override.by}: {override.reason}
              </span>
            </dd>
          </>
        )}
        <dt>{t('firstSeen')}</dt>
        <dd>
          <When iso={problem.first_seen} />
        </dd>
        <dt>{t('lastSeen')}</dt>
        <dd>
          <When iso={problem.last_seen} />
        </dd>
        {fixed === null ? null : (
          <>
            <dt>{t('problem_fixed')}</dt>
            <dd>
              <Link to={`/runs/${fixed.run_id}`}>
                <When iso={fixed.at} />
              </Link>
            </dd>
          </>
        )}
      </dl>
    </section>
  )
}

interface EventsProps {
  readonly problem: DomainFinding
  readonly may: boolean
}

const Events = ({ problem, may }: EventsProps) => {
  const { t } = useText()
  const events = useInfiniteQuery(problemEventsQuery(problem.domain_id, problem.fingerprint))
  const items = events.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <section className="card pad stack tight" aria-labelledby="events">
      <h2 id="events">{t('history')}</h2>
      {may ? <Comment problem={problem} /> : null}
      <FailureLine error={events.error} />
      <ol className="history">
        {items.map((event) => (
          <li key={event.id} className={event.kind === 'fixed' ? 'not_found' : event.run_id === null ? '' : 'found'}>
            <What event={event} />
            <span className="quiet small">
              {event.actor === null ? '' : `${event.actor}, `}
              <When iso={event.at} />
            </span>
          </li>
        ))}
      </ol>
      {events.hasNextPage ? (
        <Button size="compact-sm" variant="default" onClick={() => void events.fetchNextPage()}>
          {t('showMore')}
        </Button>
      ) : null}
    </section>
  )
}

const What = ({ event: { kind, run_id, data } }: { readonly event: DomainFindingEvent }) => {
  const { t, language } = useText()
  const { state, severity, assignee, due, because, reason, owner, text } = data
  const words =
    kind === 'decided' && state !== undefined
      ? t(`triage_${state}`)
      : kind === 'severity'
        ? t('event_severity', { to: severity ? t(`severity_${severity}`) : t('asJudged') })
        : kind === 'assigned'
          ? t('event_assigned', { to: assignee ?? t('nobody') })
          : kind === 'due'
            ? t('event_due', { to: due ? date(`${due}T12:00:00`, language) : t('noDay') })
            : kind === 'judged_again'
              ? t(data.found === false ? 'event_judged_away' : 'event_judged_again', { feeds: feedsText(data.feeds) })
              : kind === 'reopened' && because !== undefined
                ? t(`because_${because}`)
                : t(`event_${kind}`)
  const said = text ?? (reason === undefined ? undefined : owner === undefined ? reason : `${owner}: ${reason}`)
  return (
    <span className="break">
      {run_id === null ? <strong>{words}</strong> : <Link to={`/runs/${run_id}`}>{words}</Link>}
      {said === undefined ? null : (
        <p className="small said">
          {piecesOf(said, data.mentions ?? []).map(({ text: piece, isName }, at) =>
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, which does not change
            isName ? <strong key={at}>{piece}</strong> : piece,
          )}
        </p>
      )}
    </span>
  )
}

const feedsText = (feeds: Readonly<Record<string, string>> | undefined): string =>
  Object.entries(feeds ?? {})
    .map(([feed, version]) => `${feed} ${version}`)
    .join(', ')

const Comment = ({ problem: { domain_id: id, fingerprint } }: { readonly problem: DomainFinding }) => {
  const { t } = useText()
  const changed = useChanged()
  const { form, sending, submit } = useSentForm({
    initialValues: { comment: '' },
    send: (body) => client.changeDomainFinding({ params: { id, fingerprint }, query: inLanguage(), body }),
    sent: (one) => changed([one]),
  })
  return (
    <form className="stack tight" onSubmit={submit}>
      <CommentField key={form.key('comment')} {...form.getInputProps('comment')} required />
      <FailureLine error={sending.error} />
      <div>
        <Button type="submit" size="compact-sm" variant="default" loading={sending.isPending}>
          {t('addComment')}
        </Button>
      </div>
    </form>
  )
}

export default Problem
