import { afterAll, beforeAll, expect, test } from 'vitest'
import { finishWith, openApi, startNext, type TestApi, verify } from '../../tests/support/api.ts'
import { DomainHostPage } from '../contract/domain-host.ts'
import { saveModule } from '../store/modules.ts'

let api: TestApi
const ENDED = { state: 'completed', reason: null } as const
const start = async (more: object) => {
  await api.send('POST', '/v1/scans', { body: { domain_id: api.mine.domainId, ...more } })
  return startNext(api.db)
}
const page = async (query = '') =>
  DomainHostPage.parse((await api.send('GET', `/v1/domains/${api.mine.domainId}/hosts${query}`)).json())
const own = (name: string, sources: readonly string[], address: string | null, seenAt = '') => ({
  ...{ name, sources, seenAt },
  lookup: { aliases: [], records: address === null ? [] : [{ ttl: 60, data: address }] },
})

beforeAll(async () => {
  api = await openApi()
  await verify(api.db, api.mine.domainId)
})
afterAll(() => api.close())

const keep = async (held: Awaited<ReturnType<typeof start>>, module: string, facts: unknown) => {
  const record = { module, facts, outcome: ENDED, coverage: [], findings: [] }
  expect(await saveModule(api.db, held, record as never)).toBe('ok')
}

test('nothing before the first run, and of domains of others not even that', async () => {
  expect(await page()).toEqual({
    proposed: 0,
    registered: 0,
    looked_for: false,
    left: [],
    items: [],
    next_cursor: null,
  })
  const foreign = await api.send('GET', `/v1/domains/${crypto.randomUUID()}/hosts`)
  expect([foreign.statusCode, foreign.json().code]).toEqual([404, 'domain_not_found'])
})

test('one list of what both modules saw, without what is registered, of the newest runs that saw it', async () => {
  const { domain } = (await api.send('GET', `/v1/domains/${api.mine.domainId}`)).json()
  const old = await start({ active: true })
  await keep(old, 'names', { domain, own: [own(`gone.${domain}`, ['link'], '192.0.2.9')] })
  await keep(old, 'nameservers', {
    hosts: {
      found: [
        { name: `staging.${domain}`, source: 'guess', answer: ['192.0.2.3'] },
        { name: `www.${domain}`, source: 'guess', answer: ['192.0.2.1'] },
      ],
      left: ['Some names were left.'],
    },
  })
  await finishWith(api, old, [])
  const next = await start({})
  await keep(next, 'names', {
    domain,
    own: [
      own(domain, ['host'], '192.0.2.1', domain),
      own(`www.${domain}`, ['certificate', 'link'], '192.0.2.1', 'certificate 0f'),
      own(`mx.${domain}`, ['mx'], '192.0.2.2', `MX of ${domain}`),
      own(`void.${domain}`, ['policy'], null),
    ],
  })
  await finishWith(api, next, [])

  const all = await page()
  expect([all.proposed, all.registered, all.looked_for, all.left]).toEqual([3, 1, true, ['Some names were left.']])
  expect(all.items.map(({ host, sources, run_id }) => [host, sources.join(), run_id])).toEqual(
    [
      [domain, 'host', next.runId],
      [`mx.${domain}`, 'mx', next.runId],
      [`staging.${domain}`, 'guess', old.runId],
      [`www.${domain}`, 'certificate,link,guess', next.runId],
    ].toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  )
  const names = (await page('?state=proposed')).items.map(({ host }) => host)
  expect(names).toEqual([`mx.${domain}`, `staging.${domain}`, `www.${domain}`])
  const imported = await api.send('POST', '/v1/domains/import', {
    body: { domains: names.map((name) => ({ domain: name })) },
  })
  expect(imported.json().counts.refused).toBe(0)
  expect([(await page()).proposed, (await page('?state=registered')).items.length]).toEqual([0, 4])
})

test('comes in pages, and a cursor is of its filter alone', async () => {
  const first = await page('?limit=3')
  const second = await page(`?limit=3&cursor=${first.next_cursor}`)
  expect([first.items.length, second.items.length, second.next_cursor]).toEqual([3, 1, null])
  const wrong = await api.send(
    'GET',
    `/v1/domains/${api.mine.domainId}/hosts?state=proposed&cursor=${first.next_cursor}`,
  )
  expect(wrong.json().code).toBe('validation_failed')
})
