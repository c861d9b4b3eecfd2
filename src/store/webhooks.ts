import { randomBytes } from 'node:crypto'
import type { SecretKeys } from '../contract/secret-keys.ts'
import { MAX_RECEIVERS, type UpdateWebhook, type Webhook } from '../contract/webhook.ts'
import type { Database, Queryable } from './database.ts'
import { open, seal } from './seal.ts'
import { iso, isoOrNull } from './time.ts'

interface Row {
  readonly id: string
  readonly url: string
  readonly description: string
  readonly events: Webhook['events']
  readonly failing_since: Date | null
  readonly paused_at: Date | null
  readonly paused_because: string | null
  readonly created_at: Date
}
const COLUMNS = 'id, url, description, events, failing_since, paused_at, paused_because, created_at'

const PURPOSE = 'sonde webhook secret'
const SECRET_BYTES = 24

/** Standard Webhooks, "Signature scheme": `whsec_` and base64. The secret is in the answer and nowhere else in clear. */
export const createWebhook = (
  db: Database,
  keys: SecretKeys,
  organisationId: string,
  webhook: Pick<Webhook, 'url' | 'description' | 'events'>,
): Promise<{ webhook: Webhook; secret: string } | 'too_many_receivers'> =>
  db.transaction(async (tx) => {
    await tx.query('select 1 from organisations where id = $1 for no key update', [organisationId])
    const existing = await tx.query('select 1 from webhooks where organisation_id = $1', [organisationId])
    if (existing.length >= MAX_RECEIVERS) return 'too_many_receivers'
    const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
    const [row] = await tx.query<Row>(
      `insert into webhooks (organisation_id, url, description, events, secret) values ($1, $2, $3, $4, $5)
       returning ${COLUMNS}`,
      [organisationId, webhook.url, webhook.description, webhook.events, seal(keys, PURPOSE, secret)],
    )
    if (!row) throw new Error('The webhook was not stored')
    return { webhook: toWebhook(row), secret }
  })

/** @throws as `open` does. */
export const openSecret = (keys: SecretKeys, sealed: Buffer): string => open(keys, PURPOSE, sealed)

export const listWebhooks = async (db: Queryable, organisationId: string): Promise<Webhook[]> =>
  (
    await db.query<Row>(
      `select ${COLUMNS} from webhooks where organisation_id = $1 order by created_at desc, id desc`,
      [organisationId],
    )
  ).map(toWebhook)

export const getWebhook = async (db: Queryable, organisationId: string, id: string): Promise<Webhook | null> => {
  const [row] = await db.query<Row>(`select ${COLUMNS} from webhooks where organisation_id = $1 and id = $2`, [
    organisationId,
    id,
  ])
  return row ? toWebhook(row) : null
}

/** What is absent stays. Setting it active forgets its failures. */
export const updateWebhook = async (
  db: Queryable,
  organisationId: string,
  id: string,
  { state, events, description }: UpdateWebhook,
): Promise<Webhook | null> => {
  const [row] = await db.query<Row>(
    `update webhooks
        set events = coalesce($3::text[], events),
            description = coalesce($4, description),
            failing_since = case when $5 = 'active' then null else failing_since end,
            paused_at = case $5 when 'active' then null when 'paused' then coalesce(paused_at, clock_timestamp())
                        else paused_at end,
            paused_because = case $5 when 'active' then null
                             when 'paused' then coalesce(paused_because, 'paused on request') else paused_because end
      where organisation_id = $1 and id = $2
      returning ${COLUMNS}`,
    [organisationId, id, events ?? null, description ?? null, state ?? ''],
  )
  return row ? toWebhook(row) : null
}

export const deleteWebhook = async (db: Queryable, organisationId: string, id: string): Promise<boolean> =>
  (await db.query('delete from webhooks where organisation_id = $1 and id = $2 returning id', [organisationId, id]))
    .length > 0

const toWebhook = (row: Row): Webhook => ({
  id: row.id,
  url: row.url,
  description: row.description,
  events: row.events,
  state: row.paused_at === null ? 'active' : 'paused',
  paused_because: row.paused_because,
  failing_since: isoOrNull(row.failing_since),
  created_at: iso(row.created_at),
})
