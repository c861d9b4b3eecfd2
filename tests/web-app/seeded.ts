/** An organisation in which every page of the application has something to show. */
import { createHash } from 'node:crypto'
import { startHypothesis } from '../../src/contract/hypothesis-examples.ts'
import { appendAudit } from '../../src/store/events.ts'
import { claimLoginTest, finishLoginTest } from '../../src/store/identities.ts'
import { signInMember } from '../../src/store/members.ts'
import { addFindings, finishWith, startNext, type TestApi, verify } from '../support/api.ts'

export type SeededIds = Readonly<
  Record<'retest' | 'run' | 'live' | 'failed' | 'finding' | 'fingerprint' | 'domain' | 'fresh' | 'hypothesis', string>
>

/** Before there are any. */
export const NO_IDS: SeededIds = {
  ...{ retest: '', run: '', live: '', failed: '', finding: '', fingerprint: '' },
  ...{ domain: '', fresh: '', hypothesis: '' },
}

export const seedPages = async (api: TestApi): Promise<SeededIds> => {
  const ids: { -readonly [Name in keyof SeededIds]: string } = { ...NO_IDS }
  const { db, mine } = api
  ids.domain = mine.domainId
  await verify(db, mine.domainId)
  const start = () => api.send('POST', '/v1/scans', { body: { domain_id: mine.domainId } })
  for (const titles of [
    ['gone', 'stays'],
    ['stays', 'new'],
  ]) {
    await start()
    const held = await startNext(db)
    const severities = ['critical', 'high', 'medium', 'low', 'info'] as const
    await addFindings(
      db,
      held,
      [...titles, ...severities].map((title, index) => ({
        title: `Finding ${title}`,
        severity: severities[index % 5] ?? 'info',
        fingerprint: createHash('sha256').update(title).digest('hex'),
      })),
    )
    const coverage = ['pass', 'fail', 'not_tested', 'blocked', 'inconclusive', 'not_applicable'].map((state) => ({
      ...{ module: 'headers', check_id: `headers/${state}`, title: `A check that is ${state}`, state, reason: state },
    }))
    await db.query('update run_modules set coverage = $2 where run_id = $1', [held.runId, JSON.stringify(coverage)])
    await appendAudit(db, held, [REQUEST, { ...REQUEST, url: `https://mine.example.com/${'long/'.repeat(40)}` }])
    await finishWith(api, held, [
      { kind: 'report_pdf', filename: 'report.pdf', body: '%PDF', contentType: 'application/pdf' },
      { kind: 'evidence', filename: 'evidence.zip', body: 'zip' },
      { kind: 'report_md', filename: 'report.md', body: '#', contentType: 'text/markdown' },
      { kind: 'signature', filename: 'signature.json', body: '{}', contentType: 'application/json' },
    ])
    ids.run = held.runId
  }
  const { items } = (await api.send('GET', `/v1/scans/${ids.run}/findings`)).json()
  ids.finding = items[0].id
  ids.fingerprint = items[0].fingerprint
  for (const detail of ['seen again', null]) {
    await api.send('POST', `/v1/scans/${ids.run}/findings/${ids.finding}/retest`, { body: {} })
    const again = await startNext(db)
    const { fingerprint, severity, check_id } = items[0]
    await addFindings(db, again, detail === null ? [] : [{ fingerprint, severity, check_id, detail, proof: PROOF }])
    await db.query('update run_modules set coverage = $2 where run_id = $1', [
      again.runId,
      JSON.stringify([{ module: 'headers', check_id, title: 'A check', state: 'pass', reason: null }]),
    ])
    await finishWith(api, again, [])
    ids.retest = again.runId
  }
  const supposed = await api.send('POST', `/v1/domains/${mine.domainId}/hypotheses`, { body: startHypothesis })
  ids.hypothesis = supposed.json().id
  await finishWith(api, await startNext(db), [])
  await start()
  ids.live = (await startNext(db)).runId
  ids.failed = (await start()).json().id
  await api.send('POST', `/v1/scans/${ids.failed}/cancel`)
  await api.send('POST', '/v1/batches', { body: { domain_ids: [mine.domainId], options: { survey: true } } })
  ids.fresh = (await api.send('POST', '/v1/domains', { body: { domain: 'fresh.example.com' } })).json().id
  const rhythm = { every: 'week', at: '03:00', weekday: 'monday' }
  await api.send('POST', '/v1/schedules', { body: { domain_id: mine.domainId, rhythm } })
  await api.send('POST', '/v1/webhooks', { body: { url: 'https://hooks.example.com/', description: 'Chat' } })
  const login = { auth_cookie: 'session=0f8b5c', page: '/account' }
  await api.send('PUT', `/v1/domains/${mine.domainId}/login`, { body: login })
  await api.send('POST', `/v1/domains/${mine.domainId}/login/test`, { body: {} })
  const asked = await claimLoginTest(db)
  const look = { url: 'https://mine.example.com/a-rather-long-path/to-the-account', status: 200, title: 'Your account' }
  const reason = `Without the login: 200 at https://mine.example.com/login. With it: 200 at ${look.url}.`
  await finishLoginTest(db, asked?.testId ?? '', { state: 'works', reason, without: look, with: look, steps: [] })
  await api.send('POST', '/v1/mail-subscriptions', { body: { address: 'a-rather-long-address@security.example.com' } })
  const person = { issuer: 'https://id.test', subject: 'ada', name: 'Ada Lovelace', email: 'ada@example.com' }
  await signInMember(db, { organisationId: mine.organisationId, ...person }, 'owner')
  return ids
}

const REQUEST = {
  ...{
    ts: '2026-11-25T12:00:00.000Z',
    module: 'site',
    event: 'request',
    method: 'GET',
    url: 'https://mine.example.com/',
  },
  ...{ status: 200, duration_ms: 12 },
}
const PROOF = { excerpt: 'HTTP/1.1 200 OK\nserver: nginx', mark: 'nginx', replay: null }

/** Every page of the application, by what it shows. */
export const PAGES: readonly (readonly [name: string, path: (ids: SeededIds) => string])[] = [
  ['overview', () => '/'],
  ['findings', () => '/findings?state=all'],
  ['findings, nothing matches', () => '/findings?q=nothing'],
  ['findings by cause', () => '/findings?by=cause'],
  ['finding over its runs', (ids) => `/findings/${ids.domain}/${ids.fingerprint}`],
  ['runs', () => '/runs'],
  ['runs, nothing matches', () => '/runs?status=failed'],
  ['batches', () => '/batches'],
  ['hypotheses', () => '/hypotheses'],
  ['run of one place', (ids) => `/runs/${ids.hypothesis}`],
  ['run that is done', (ids) => `/runs/${ids.run}`],
  ['run under way', (ids) => `/runs/${ids.live}`],
  ['run that was cancelled', (ids) => `/runs/${ids.failed}`],
  ['run that looked again for one finding', (ids) => `/runs/${ids.retest}`],
  ['changes', (ids) => `/runs/${ids.run}/changes`],
  ['coverage', (ids) => `/runs/${ids.run}/coverage`],
  ['audit log', (ids) => `/runs/${ids.run}/audit`],
  ['files', (ids) => `/runs/${ids.run}/files`],
  ['finding', (ids) => `/runs/${ids.run}/findings/${ids.finding}`],
  ['domains', () => '/domains'],
  ['domain that is verified', (ids) => `/domains/${ids.domain}`],
  ['domain that is not', (ids) => `/domains/${ids.fresh}`],
  ['settings', () => '/settings'],
  ['keys', () => '/settings/keys'],
  ['agents', () => '/settings/agents'],
  ['webhooks', () => '/settings/webhooks'],
  ['e-mail', () => '/settings/mail'],
  ['members', () => '/settings/members'],
  ['activity', () => '/settings/activity'],
  ['run of nobody', () => '/runs/00000000-0000-4000-8000-000000000000'],
  ['address of nothing', () => '/nothing/here'],
]
