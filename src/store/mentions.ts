/** People of the organisation whom a comment names: "@Ada Lovelace", or "@ada@example.com". */
import type { ProblemKey } from './adoption.ts'
import type { Queryable } from './database.ts'

interface Mentioned {
  readonly organisation_id: string
  readonly name: string
  readonly email: string | null
}

/** By whole words, in any case; the longest name first, so that "@Ada Lovelace" does not also name an Ada. */
export const mentionedIn = (comment: string, members: readonly Mentioned[]): Mentioned[] => {
  let rest = comment.toLowerCase()
  const takes = (word: string | null): boolean => {
    const tag = `@${word?.trim().toLowerCase() ?? ''}`
    const at =
      tag === '@'
        ? -1
        : rest.search(new RegExp(`(?<![\\p{L}\\p{N}._-])${RegExp.escape(tag)}(?![\\p{L}\\p{N}_-]|\\.\\p{L})`, 'u'))
    if (at < 0) return false
    rest = `${rest.slice(0, at)} ${rest.slice(at + tag.length)}`
    return true
  }
  return members
    .toSorted((a, b) => b.name.length - a.name.length)
    .filter(({ name, email }) => [email, name].map(takes).includes(true))
}

/** Tells webhooks, and the mailboxes of those who are named and subscribe to it. Returns their names. */
export const tellMentions = async (
  tx: Queryable,
  [first, ...others]: readonly ProblemKey[],
  comment: string,
  by: string,
): Promise<string[]> => {
  if (first === undefined || !comment.includes('@')) return []
  const members = await tx.query<Mentioned>(
    `select m.organisation_id, m.name, m.email from members m join domains d on d.organisation_id = m.organisation_id
      where d.id = $1`,
    [first.domain_id],
  )
  const named = mentionedIn(comment, members)
  const [organisation] = named
  if (organisation === undefined) return []
  const [place] = await tx.query<{ domain: string; title: string }>(
    'select domain, title from problems where domain_id = $1 and fingerprint = $2',
    [first.domain_id, first.fingerprint],
  )
  const data = {
    ...{ domain_id: first.domain_id, fingerprint: first.fingerprint, domain: place?.domain ?? '' },
    ...{ title: place?.title ?? '', total: others.length + 1, by, mentions: named.map(({ name }) => name), comment },
  }
  const payload = { type: 'finding.mentioned', timestamp: new Date().toISOString(), data }
  await tx.query(
    `insert into deliveries (webhook_id, mail_subscription_id, event, payload, next_attempt_at)
     select w.id, null::uuid, 'finding.mentioned', $2::json, clock_timestamp() from webhooks w
      where w.organisation_id = $1 and 'finding.mentioned' = any (w.events) and w.paused_at is null
     union all
     select null::uuid, m.id, 'finding.mentioned', $2::json, clock_timestamp() from mail_subscriptions m
      where m.organisation_id = $1 and 'finding.mentioned' = any (m.events) and lower(m.address) = any ($3::text[])`,
    [
      organisation.organisation_id,
      JSON.stringify(payload).replaceAll('\\u0000', '\\ufffd'),
      named.flatMap(({ email }) => email?.toLowerCase() ?? []),
    ],
  )
  await tx.query(`select pg_notify('deliveries', '')`, [])
  return named.map(({ name }) => name)
}
