/**
 * Which feeds are known, and what the latest run of each domain has asked them. News are looked for by component, not by run:
 * a component that a thousand domains have is asked about once.
 */
import { createHash } from 'node:crypto'
import type { Database, Queryable } from './database.ts'
import type { ModuleRecord } from './modules.ts'
import { wholeRun } from './run-row.ts'

export interface KnownFeed {
  readonly feed: string
  readonly version: string
  readonly importedAt: Date
}

/**
 * Tells of the feeds of one machine. `behind`: another machine has told of newer ones, so this one has nothing to say until it has
 * them as well; not where it is the only one.
 */
export const announceFeeds = (
  db: Database,
  feeds: readonly KnownFeed[],
  { alone }: { readonly alone: boolean },
): Promise<'news' | 'known' | 'behind'> =>
  db.transaction(async (tx) => {
    await lockNews(tx)
    const known = await tx.query<KnownFeed>('select feed, version, imported_at as "importedAt" from known_feeds', [])
    const mine = new Map(feeds.map((one) => [one.feed, one]))
    const isBehind = ({ feed, version, importedAt }: KnownFeed): boolean => {
      const own = mine.get(feed)
      return own === undefined || (own.version !== version && own.importedAt < importedAt)
    }
    if (!alone && known.some(isBehind)) return 'behind'
    const before = new Map(known.map(({ feed, version }) => [feed, version]))
    const fresh = feeds.filter(({ feed, version }) => before.get(feed) !== version)
    const gone = known.filter(({ feed }) => !mine.has(feed))
    if (fresh.length + gone.length === 0) return 'known'
    await tx.query('delete from known_feeds where feed = any ($1::text[])', [gone.map(({ feed }) => feed)])
    await tx.query(
      `insert into known_feeds (feed, version, imported_at)
       select n.feed, n.version, n.at from unnest($1::text[], $2::text[], $3::timestamptz[]) as n (feed, version, at)
       on conflict (feed) do update set version = excluded.version, imported_at = excluded.imported_at`,
      [
        fresh.map(({ feed }) => feed),
        fresh.map(({ version }) => version),
        fresh.map(({ importedAt }) => importedAt.toISOString()),
      ],
    )
    await tx.query('update knowledge_news set number = number + 1', [])
    await sayNotAgain(tx)
    return 'news'
  })

/** The one row, made when it is first needed. */
export const lockNews = async (tx: Queryable): Promise<void> => {
  await tx.query('insert into knowledge_news default values on conflict do nothing', [])
  await tx.query('select 1 from knowledge_news for update', [])
}

/** Where news came and a run does not hold enough to be judged again, it says so, once. */
const sayNotAgain = async (tx: Queryable): Promise<void> => {
  await tx.query(
    `update runs r
        set judged_again = json_build_object('at', rfc3339(clock_timestamp()), 'version', null, 'feeds', json_build_object(),
                                             'reason', 'not judged again: ' || r.not_again)
       from organisations o
      where o.id = r.organisation_id and o.judge_again and r.not_again is not null and r.judged_again is null`,
    [],
  )
}

/** A question of a run to the feeds, and what it was answered. */
export interface Component {
  readonly module: string
  readonly question: string
  readonly answer: string | null
}

export interface ReadRun {
  readonly components: readonly Component[]
  /** They were answered by other feeds than this machine has, so they are to be asked again. */
  readonly outdated: boolean
}

/**
 * Learns what the next done run asked, by its facts of these modules; `read` says in words why they do not hold enough. Only the
 * latest whole run of a domain stands for it. False: there is none to learn of.
 */
export const readNextRun = (
  db: Database,
  modules: readonly string[],
  read: (stored: readonly ModuleRecord[]) => ReadRun | string,
): Promise<boolean> =>
  db.transaction(async (tx) => {
    const [run] = await tx.query<{ id: string; domain_id: string | null; whole: boolean; finished_at: Date }>(
      `select r.id, r.domain_id, ${wholeRun('r')} and not r.dry_run as whole, r.finished_at from runs r
        where r.status = 'done' and not r.components_read
        order by r.finished_at, r.id limit 1 for update skip locked`,
      [],
    )
    if (!run) return false
    await tx.query('update runs set components_read = true where id = $1', [run.id])
    if (run.domain_id === null || !run.whole) return true
    await tx.query('select 1 from domains where id = $1 for no key update', [run.domain_id])
    if (!(await isLatest(tx, run.domain_id, run.finished_at))) return true
    const stored = await tx.query<ModuleRecord>(
      'select module, facts, outcome, coverage from run_modules where run_id = $1 and module = any ($2::text[])',
      [run.id, modules],
    )
    const learned = read(stored)
    if (typeof learned === 'string') {
      await tx.query('update runs set not_again = $2 where id = $1', [run.id, learned])
      await setComponents(tx, run.domain_id, run.id, [])
    } else await learn(tx, run.domain_id, run.id, learned)
    return true
  })

/** Whether no whole run of the domain has ended later. */
export const isLatest = async (tx: Queryable, domainId: string, finishedAt: Date): Promise<boolean> =>
  (
    await tx.query(
      `select 1 from runs r
        where r.domain_id = $1 and r.status = 'done' and ${wholeRun('r')} and not r.dry_run and r.finished_at > $2 limit 1`,
      [domainId, finishedAt],
    )
  ).length === 0

const learn = async (tx: Queryable, domainId: string, runId: string, read: ReadRun): Promise<void> => {
  await tx.query('insert into knowledge_news default values on conflict do nothing', [])
  const [news] = await tx.query<{ number: number }>('select number from knowledge_news', [])
  await learnQuestions(tx, read.components, read.outdated ? -1 : (news?.number ?? 0))
  await setComponents(tx, domainId, runId, read.components)
}

/** `checked`: the news that they were last asked after; one that was asked after later ones is asked again. */
export const learnQuestions = async (
  tx: Queryable,
  components: readonly Component[],
  checked: number,
): Promise<void> => {
  const unique = [...new Map(components.map((one) => [digestOf(one), one])).entries()].toSorted()
  await tx.query(
    `insert into components as c (digest, module, question, checked)
     select n.digest, n.module, n.question, $4::int
       from unnest($1::text[], $2::text[], $3::text[]) as n (digest, module, question)
     on conflict (digest) do update set checked = least(c.checked, excluded.checked)`,
    [
      unique.map(([digest]) => digest),
      unique.map(([, { module }]) => module),
      unique.map(([, { question }]) => question),
      checked,
    ],
  )
}

/** What a domain has, in place of what it had; the questions are there already. */
export const setComponents = async (
  tx: Queryable,
  domainId: string,
  runId: string,
  components: readonly Component[],
): Promise<void> => {
  const had = await tx.query<{ digest: string }>(
    'delete from domain_components where domain_id = $1 returning digest',
    [domainId],
  )
  const unique = [...new Map(components.map((one) => [digestOf(one), one.answer])).entries()]
  await tx.query(
    `insert into domain_components (domain_id, digest, run_id, answer)
     select $1, n.digest, $2, n.answer from unnest($3::text[], $4::text[]) as n (digest, answer)
       join components c on c.digest = n.digest`,
    [domainId, runId, unique.map(([digest]) => digest), unique.map(([, answer]) => answer)],
  )
  await tx.query(
    `delete from judgements j using runs r where r.id = j.run_id and r.domain_id = $1 and j.run_id <> $2`,
    [domainId, runId],
  )
  // What nobody has any more is asked no more.
  await tx.query(
    `delete from components c
      where c.digest = any ($1::text[]) and not exists (select 1 from domain_components d where d.digest = c.digest)`,
    [had.map(({ digest }) => digest)],
  )
}

const digestOf = ({ module, question }: Pick<Component, 'module' | 'question'>): string =>
  createHash('sha256').update(`${module} ${question}`).digest('hex')

/** Who asks the feeds about what came up since they were last asked. */
export interface Asking {
  readonly token: string
  readonly news: number
}

/** Null where nothing is to be asked, or somebody does it. */
export const claimAsking = async (db: Queryable, seconds: number): Promise<Asking | null> => {
  const [row] = await db.query<Asking>(
    `update knowledge_news k
        set token = gen_random_uuid(), due_at = clock_timestamp() + make_interval(secs => $1)
      where k.due_at <= clock_timestamp() and exists (select 1 from components c where c.checked < k.number)
      returning k.token, k.number as news`,
    [seconds],
  )
  return row ?? null
}

export interface DueComponent {
  readonly digest: string
  readonly module: string
  readonly question: string
}

export const dueComponents = (db: Queryable, { news }: Asking, limit: number): Promise<DueComponent[]> =>
  db.query('select digest, module, question from components where checked < $1 order by checked, digest limit $2', [
    news,
    limit,
  ])

/**
 * Marks components as asked, and the runs that were answered otherwise as to be judged again: one statement whatever their number.
 * Returns how many runs. `lost`: somebody else asks.
 */
export const settleComponents = (
  db: Database,
  asking: Asking,
  answers: readonly { readonly digest: string; readonly answer: string }[],
  seconds: number,
): Promise<number | 'lost'> =>
  db.transaction(async (tx) => {
    const [still] = await tx.query(
      `update knowledge_news set due_at = clock_timestamp() + make_interval(secs => $2) where token = $1 returning one`,
      [asking.token, seconds],
    )
    if (!still) return 'lost'
    const columns = [answers.map(({ digest }) => digest), answers.map(({ answer }) => answer)] as const
    // Judgements before components, as whoever ends a judgement takes their rows: two that wait for each other would cost one its work.
    const runs = await tx.query(
      `insert into judgements (run_id, news)
       select distinct c.run_id, $3::int
         from unnest($1::text[], $2::text[]) as n (digest, answer)
         join domain_components c on c.digest = n.digest and c.answer is distinct from n.answer
         join runs r on r.id = c.run_id
         join organisations o on o.id = r.organisation_id and o.judge_again
       on conflict (run_id) do update set news = excluded.news, attempts = 0
       returning run_id`,
      [...columns, asking.news],
    )
    await tx.query('update components set checked = $2 where digest = any ($1::text[])', [columns[0], asking.news])
    return runs.length
  })

export const endAsking = async (db: Queryable, { token }: Asking): Promise<void> => {
  await db.query('update knowledge_news set token = null, due_at = clock_timestamp() where token = $1', [token])
}
