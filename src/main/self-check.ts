/** What only the process that holds the database can look at: database, clock, storage. */
import type { DoctorCheck } from '../contract/operator.ts'
import { listHolds } from '../store/holds.ts'
import { appliedMigrations, migrationFiles } from '../store/migrate.ts'
import { presentKey, signingKeyWorks } from '../store/signing-keys.ts'
import type { Runtime } from './runtime.ts'

/** Milliseconds that this machine's clock may differ from the database's. */
const CLOCK_TOLERANCE = 2_000
/** No release of this product is older. */
const EARLIEST = Date.UTC(2026, 0, 1)

export const selfCheck = async (runtime: Runtime): Promise<DoctorCheck[]> =>
  Promise.all([
    guarded('database', 'Check DATABASE_URL and that the server answers.', () => checkDatabase(runtime)),
    guarded('clock', 'Check DATABASE_URL and that the server answers.', () => checkClock(runtime)),
    guarded('storage', 'Check SONDE_STORAGE, the AWS variables and the rights on the bucket or folder.', () =>
      checkStorage(runtime),
    ),
    guarded('signing key', 'Check DATABASE_URL and that the server answers.', () => checkSigningKey(runtime)),
    guarded('emergency stop', 'Check DATABASE_URL and that the server answers.', () => checkHolds(runtime)),
  ])

/** A check that throws is a bad one. */
export const guarded = async (name: string, fix: string, check: () => Promise<DoctorCheck>): Promise<DoctorCheck> =>
  check().catch((error: unknown) => ({
    name,
    state: 'bad' as const,
    detail: error instanceof Error ? error.message : String(error),
    fix,
  }))

const checkDatabase = async ({ db }: Runtime): Promise<DoctorCheck> => {
  const [row] = await db.query<{ version: string }>(`select current_setting('server_version') as version`)
  const applied = new Set(await appliedMigrations(db))
  const open = migrationFiles().filter((name) => !applied.has(name))
  if (open.length > 0) {
    return { name: 'database', state: 'bad', detail: `${open.join(', ')} not applied`, fix: 'Run "sonde migrate".' }
  }
  const version = `PostgreSQL ${row?.version ?? '?'}`
  if (db.kind === 'postgres') return { name: 'database', state: 'ok', detail: version, fix: null }
  const detail = `embedded (${version}): for one machine; safe against crashes of the process, not against power loss`
  return {
    name: 'database',
    state: 'ok',
    detail,
    fix: 'For more than one process or machine: "sonde migrate --to postgres://…", then set DATABASE_URL.',
  }
}

const checkClock = async ({ db }: Runtime): Promise<DoctorCheck> => {
  const before = Date.now()
  const [row] = await db.query<{ now: Date }>('select clock_timestamp() as now')
  const after = Date.now()
  const theirs = row?.now.getTime() ?? 0
  const apart = theirs < before ? before - theirs : Math.max(0, theirs - after)
  const fix = 'Set the clocks by NTP: leases, signatures and certificates depend on them.'
  if (before < EARLIEST) return { name: 'clock', state: 'bad', detail: `says ${new Date(before).toISOString()}`, fix }
  if (apart > CLOCK_TOLERANCE) {
    return { name: 'clock', state: 'bad', detail: `${apart} ms apart from the database's`, fix }
  }
  return { name: 'clock', state: 'ok', detail: `${new Date(before).toISOString()}, as the database's`, fix: null }
}

const checkSigningKey = async ({ db, keys }: Runtime): Promise<DoctorCheck> => {
  const name = 'signing key'
  const works = await signingKeyWorks(db, keys)
  if (works === null) return { name, state: 'ok', detail: 'made with the first report', fix: null }
  if (works) return { name, state: 'ok', detail: `Ed25519, ${(await presentKey(db, keys)).fingerprint}`, fix: null }
  return {
    ...{
      name,
      state: 'bad',
      detail: 'cannot be opened: SONDE_SECRET_KEY is not the one that sealed it; nothing is signed',
    },
    fix: 'Set the secret key of then, or make another signing key: "sonde key rotate-signing".',
  }
}

const checkHolds = async ({ db }: Runtime): Promise<DoctorCheck> => {
  const name = 'emergency stop'
  const holds = await listHolds(db)
  if (holds.length === 0) return { name, state: 'ok', detail: 'nothing is held', fix: null }
  const detail = holds.map(
    ({ organisation, hold, waiting }) =>
      `${organisation ?? 'all organisations'} held by ${hold.held_by} since ${hold.held_at}, ${waiting} runs wait`,
  )
  const fix = holds.map(({ organisation }) =>
    organisation === null ? '"sonde release --everyone"' : `"sonde release --org '${organisation}'"`,
  )
  return { name, state: 'missing', detail: detail.join('; '), fix: `When it is over: ${fix.join(', ')}.` }
}

const checkStorage = async ({ storage, config }: Runtime): Promise<DoctorCheck> => {
  await storage.check()
  const where =
    storage.kind === 'fs' ? `folder ${config.dataDir}/files` : `bucket ${new URL(config.storageUrl ?? 's3://?').host}`
  return { name: 'storage', state: 'ok', detail: `${where}: written, read and deleted`, fix: null }
}
