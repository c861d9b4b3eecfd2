import { MAX_RECEIVERS, type MailSubscription } from '../contract/webhook.ts'
import type { Database, Queryable } from './database.ts'
import { iso } from './time.ts'

interface Row {
  readonly id: string
  readonly address: string
  readonly events: MailSubscription['events']
  readonly created_at: Date
}
const COLUMNS = 'id, address, events, created_at'

/** An address that has a subscription gets the new events. */
export const subscribe = (
  db: Database,
  organisationId: string,
  { address, events }: Pick<MailSubscription, 'address' | 'events'>,
): Promise<MailSubscription | 'too_many_receivers'> =>
  db.transaction(async (tx) => {
    await tx.query('select 1 from organisations where id = $1 for no key update', [organisationId])
    const others = await tx.query('select 1 from mail_subscriptions where organisation_id = $1 and address <> $2', [
      organisationId,
      address,
    ])
    if (others.length >= MAX_RECEIVERS) return 'too_many_receivers'
    const [row] = await tx.query<Row>(
      `insert into mail_subscriptions (organisation_id, address, events) values ($1, $2, $3)
       on conflict (organisation_id, address) do update set events = excluded.events
       returning ${COLUMNS}`,
      [organisationId, address, events],
    )
    if (!row) throw new Error('The subscription was not stored')
    return toSubscription(row)
  })

export const listSubscriptions = async (db: Queryable, organisationId: string): Promise<MailSubscription[]> =>
  (
    await db.query<Row>(`select ${COLUMNS} from mail_subscriptions where organisation_id = $1 order by address`, [
      organisationId,
    ])
  ).map(toSubscription)

export const unsubscribe = async (db: Queryable, organisationId: string, id: string): Promise<boolean> =>
  (
    await db.query('delete from mail_subscriptions where organisation_id = $1 and id = $2 returning id', [
      organisationId,
      id,
    ])
  ).length > 0

const toSubscription = ({ id, address, events, created_at }: Row): MailSubscription => ({
  ...{ id, address, events },
  created_at: iso(created_at),
})
