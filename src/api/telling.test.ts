/** People hear of days that have passed and of comments that name them, each once, and nobody of another organisation does. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addFindings, finishWith, openApi, startNext, type TestApi } from '../../tests/support/api.ts'
import { signInMember } from '../store/members.ts'
import { mentionedIn } from '../store/mentions.ts'
import { tellOverdue } from '../store/overdue.ts'

let api: TestApi
let keys: { domain_id: string; fingerprint: string }[] = []

const people = [
  ['Ada Lovelace', 'ada@example.com'],
  ['Ada', 'other-ada@example.com'],
] as const

beforeAll(async () => {
  api = await openApi({ mail: true })
  await api.send('POST', '/v1/scans', { body: { domain_id: api.mine.domainId } })
  const held = await startNext(api.db)
  await addFindings(
    api.db,
    held,
    ['One', 'Two', 'Three'].map((title) => ({ title, severity: 'high' as const })),
  )
  await finishWith(api, held, [])
  keys = (await api.send('GET', '/v1/findings')).json().items
  for (const [name, email] of people)
    await signInMember(
      api.db,
      { organisationId: api.mine.organisationId, issuer: 'https://id.test', subject: email, name, email },
      'member',
    )
  const events = ['finding.overdue', 'finding.mentioned']
  for (const address of [...people.map(([, email]) => email), 'team@example.com'])
    expect((await api.send('POST', '/v1/mail-subscriptions', { body: { address, events } })).statusCode).toBe(201)
  const stranger = { address: 'ada@example.com', events }
  await api.send('POST', '/v1/mail-subscriptions', { body: stranger, secret: api.other.secret })
})
afterAll(() => api.close())

const change = (at: number, body: object) =>
  api.send('PATCH', `/v1/domains/${api.mine.domainId}/findings/${keys[at]?.fingerprint}`, { body })

/** Messages since the last look: to whom, and what they say. */
const told = async (event: string) => {
  const rows = await api.db.query<{ address: string; organisation_id: string; payload: string }>(
    `with gone as (delete from deliveries where event = $1 returning mail_subscription_id, payload)
     select m.address, m.organisation_id, g.payload::text as payload from gone g
       join mail_subscriptions m on m.id = g.mail_subscription_id order by m.address`,
    [event],
  )
  expect(rows.filter((row) => row.organisation_id !== api.mine.organisationId)).toEqual([])
  return rows.map(({ address, payload }) => ({ address, data: JSON.parse(payload).data }))
}

test('a day that has passed is told once, to all who want to hear of it, and another day anew', async () => {
  expect(await tellOverdue(api.db)).toBe(0)
  await change(0, { due: '2020-01-31' })
  await change(1, { due: '2020-01-31' })
  await change(2, { due: '2999-01-31' })
  expect(await tellOverdue(api.db)).toBe(2)
  const first = await told('finding.overdue')
  expect(first.map(({ address, data }) => [address, data.total])).toEqual([
    ['ada@example.com', 2],
    ['other-ada@example.com', 2],
    ['team@example.com', 2],
  ])
  expect(await tellOverdue(api.db)).toBe(0)
  await change(0, { due: '2020-02-01' })
  await change(1, { state: 'accepted', owner: 'A', reason: 'r' })
  expect(await tellOverdue(api.db)).toBe(1)
  expect((await told('finding.overdue'))[0]?.data.findings).toMatchObject([{ due: '2020-02-01', overdue: true }])
})

test('a comment tells whom it names, at their own address alone, and its history says who that was', async () => {
  await change(0, { comment: 'See this, @Ada Lovelace.' })
  expect((await told('finding.mentioned')).map(({ address, data }) => [address, data.mentions, data.comment])).toEqual([
    ['ada@example.com', ['Ada Lovelace'], 'See this, @Ada Lovelace.'],
  ])
  const history = (
    await api.send('GET', `/v1/domains/${api.mine.domainId}/findings/${keys[0]?.fingerprint}/history`)
  ).json().items
  expect(history[0]).toMatchObject({ kind: 'comment', data: { mentions: ['Ada Lovelace'] } })
  await change(0, { comment: 'Write to somebody@example.com, or @nobody.' })
  expect(await told('finding.mentioned')).toEqual([])
})

const members = people.map(([name, email]) => ({ organisation_id: 'o', name, email }))
test.each([
  ['@ada lovelace and @ADA', ['Ada Lovelace', 'Ada']],
  ['ask @ada@example.com', ['Ada Lovelace']],
  ['@Adamant, @Ada.example', []],
  ['@Ada: done.', ['Ada']],
  ['nobody@ada', []],
  ['@', []],
])('"%s" names %j', (comment, names) => {
  expect(mentionedIn(comment, members).map(({ name }) => name)).toEqual(names)
})

test('the language of the organisation is kept, and is that of its mail', async () => {
  const read = async (secret = api.mine.secret) =>
    (await api.send('GET', '/v1/organisation/language', { secret })).json().language
  expect(await read()).toBe('en')
  expect((await api.send('PUT', '/v1/organisation/language', { body: { language: 'tlh' } })).statusCode).toBe(400)
  expect((await api.send('PUT', '/v1/organisation/language', { body: { language: 'de' } })).json()).toEqual({
    language: 'de',
  })
  expect([await read(), await read(api.other.secret)]).toEqual(['de', 'en'])
})
