import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import type { Finding as FindingData } from '../../../src/contract/finding.ts'
import { FailurePage } from '../components/failure.tsx'
import { PageGhost } from '../components/ghost.tsx'
import { SeverityMark } from '../components/marks.tsx'
import { Page } from '../components/page.tsx'
import { Proof, Story } from '../components/proof.tsx'
import { Retests } from '../components/retests.tsx'
import { Triage } from '../components/triage.tsx'
import { When } from '../components/when.tsx'
import { useText } from '../i18n/text.tsx'
import { findingQuery, historyQuery, runQuery } from '../queries.ts'

const Finding = () => {
  const { t } = useText()
  const { id = '', finding: findingId = '' } = useParams()
  const run = useQuery(runQuery(id))
  const finding = useQuery(findingQuery(id, findingId))
  if (finding.data === undefined) {
    return finding.error ? <FailurePage error={finding.error} retry={() => void finding.refetch()} /> : <PageGhost />
  }
  const { title, severity, confidence, status, shift } = finding.data
  return (
    <Page
      title={title}
      crumbs={[
        { to: '/runs', name: t('runs') },
        { to: `/runs/${id}`, name: run.data?.domain ?? t('run') },
      ]}
      lead={
        <span className="row">
          <SeverityMark severity={severity} />
          <span className="tag" title={t(`confidence_${confidence}_hint`)}>
            {t(`confidence_${confidence}`)}
          </span>
          <span className={`tag ${status === 'new' ? 'new' : ''}`}>{t(status)}</span>
          {shift === null ? null : (
            <span className="small">
              {t('shifted', { base: t(`severity_${shift.base}`) })} <span>{shift.reason}</span>
            </span>
          )}
        </span>
      }
    >
      <div className="split">
        <div className="stack wide">
          <Story finding={finding.data} />
          <Proof finding={finding.data} run={id} />
          <Retests run={id} finding={finding.data} of={run.data} />
        </div>
        <aside className="stack">
          <Facts finding={finding.data} />
          <Triage run={id} finding={finding.data} />
          <History run={id} finding={findingId} />
        </aside>
      </div>
    </Page>
  )
}

const Facts = ({ finding }: { readonly finding: FindingData }) => {
  const { t, language } = useText()
  const { v4_0, v3_1, v3_0, v2_0 } = finding.cvss ?? {}
  const scores = Object.entries({ '4.0': v4_0, '3.1': v3_1, '3.0': v3_0, '2.0': v2_0 })
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 })
  return (
    <section className="card pad" aria-labelledby="facts">
      <h2 id="facts" className="hidden">
        {t('facts')}
      </h2>
      <dl className="facts">
        {scores.map(([version, score]) =>
          score ? (
            <Fact key={version} name={t('cvss', { version })}>
              <strong className="num">{score.score.toFixed(1)}</strong>
              <br />
              <code className="small break">{score.vector}</code>
            </Fact>
          ) : null,
        )}
        {finding.cwe === null ? null : (
          <Fact name="CWE">
            <Outside href={`https://cwe.mitre.org/data/definitions/${finding.cwe}.html`}>CWE-{finding.cwe}</Outside>
          </Fact>
        )}
        {finding.owasp.length === 0 ? null : <Fact name="OWASP">{finding.owasp.join(', ')}</Fact>}
        {finding.standard ? (
          <Fact name={finding.standard.startsWith('WSTG') ? 'WSTG' : 'ASVS'}>{finding.standard}</Fact>
        ) : null}
        {finding.cve.map((cve) => (
          <Fact key={cve.id} name="CVE">
            <Outside href={`https://www.cve.org/CVERecord?id=${cve.id}`}>{cve.id}</Outside>{' '}
            <span className="tag">{t(`match_${cve.match}`)}</span>
            {cve.epss === null ? null : <div>{t('epss', { percent: percent.format(cve.epss.score) })}</div>}
            {cve.kev === null ? null : <div className="sev critical">{t('kev')}</div>}
          </Fact>
        ))}
        <Fact name={t('check')}>
          <code>{finding.check_id}</code>
        </Fact>
        <Fact name={t('fingerprint')}>
          <code title={finding.fingerprint}>{finding.fingerprint.slice(0, 12)}…</code>
        </Fact>
        {finding.references.length === 0 ? null : (
          <Fact name={t('references')}>
            <ul className="refs">
              {finding.references.map((reference) => (
                <li key={reference}>
                  <Outside href={reference}>{shortAddress(reference)}</Outside>
                </li>
              ))}
            </ul>
          </Fact>
        )}
      </dl>
    </section>
  )
}

const Fact = ({ name, children }: { readonly name: string; readonly children: React.ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)

const Outside = ({ href, children }: { readonly href: string; readonly children: React.ReactNode }) => (
  <a href={href} rel="noreferrer noopener" target="_blank">
    {children}
  </a>
)

/** Characters of an address's last part. */
const MAX_WORDS = 34

/** Host and last part: enough to know what one will read. */
const shortAddress = (address: string): string => {
  const { hostname, pathname } = new URL(address)
  const last = pathname.split('/').filter(Boolean).at(-1)
  const words = decodeURIComponent(last ?? '').replace(/[_-]+/g, ' ')
  const short = words.length > MAX_WORDS ? `${words.slice(0, MAX_WORDS)}…` : words
  return `${hostname.replace(/^www\./, '')}${short === '' ? '' : ` › ${short}`}`
}

const History = ({ run, finding }: { readonly run: string; readonly finding: string }) => {
  const { t } = useText()
  const history = useQuery(historyQuery(run, finding))
  const items = history.data?.items ?? []
  if (items.length === 0) return null
  return (
    <section className="card pad" aria-labelledby="history">
      <h2 id="history">{t('history')}</h2>
      <ol className="history">
        {items.map((item) => (
          <li key={item.run_id} className={item.state} aria-current={item.run_id === run ? 'true' : undefined}>
            <span>
              {item.finding_id === null || item.run_id === run ? (
                <strong>{t(`history_${item.state}`)}</strong>
              ) : (
                <Link to={`/runs/${item.run_id}/findings/${item.finding_id}`}>{t(`history_${item.state}`)}</Link>
              )}
              {item.run_id === run ? ` ${t('thisRun')}` : ''}
            </span>
            <span className="quiet small">
              <When iso={item.finished_at} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

export default Finding
