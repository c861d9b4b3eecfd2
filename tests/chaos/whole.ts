/** What has to be true of every run whatever was killed or cut off while it was on its way. */
import { createHash } from 'node:crypto'
import { listArtifacts } from '../../src/store/artifacts.ts'
import { read, readAuditTexts } from '../../src/store/events.ts'
import { allFindings } from '../../src/store/findings.ts'
import { getAnyRun } from '../../src/store/runs.ts'
import type { Bed } from './bed.ts'

const FILES = ['audit-log.jsonl', 'findings.json', 'report.html', 'report.md', 'signature.json', 'evidence.zip']
const MODULES = ['cookies', 'headers', 'site']

/** Sentences; empty where it is whole. */
export const wrongWith = async ({ db, storage }: Bed, id: string): Promise<string[]> => {
  const wrong: string[] = []
  const is = (what: string, seen: unknown, wanted: unknown): void => {
    if (JSON.stringify(seen) !== JSON.stringify(wanted))
      wrong.push(`${id} ${what}: ${JSON.stringify(seen)}, not ${JSON.stringify(wanted)}`)
  }
  const run = await getAnyRun(db, id)
  if (!run) return [`${id} is lost`]
  is('status', run.status, 'done')
  if (run.error_detail !== null) wrong.push(`${id} ${run.error_kind}: ${run.error_detail}`)

  const events = await read(db, id, 0, 100_000)
  is(
    'numbers of events',
    events.map(({ seq }) => seq),
    events.map((_, at) => at + 1),
  )
  is('ends', events.filter(({ type }) => type === 'done').length, 1)
  is('last event', events.at(-1)?.type, 'done')

  const lines = (await readAuditTexts(db, id, 0, 100_000)).map(({ text }) => text)
  is(
    'chain of the audit log',
    lines.slice(1).map((text) => JSON.parse(text).prev),
    lines.slice(0, -1).map(sha256),
  )

  const files = await listArtifacts(db, id)
  const pages = MODULES.map((module) => `${module}-page.txt`)
  const report = run.options.make_pdf ? ['report.pdf', 'report.tex'] : []
  is('report', run.report, { state: run.options.make_pdf ? 'ready' : 'none', reason: null, version: 1 })
  is('files', files.map(({ filename }) => filename).toSorted(), [...FILES, ...pages, ...report].toSorted())
  for (const file of files) {
    const parts: Buffer[] = []
    for await (const part of (await storage.get(file.objectKey)).stream) parts.push(part as Buffer)
    is(`bytes of ${file.filename}`, sha256(Buffer.concat(parts)), file.sha256)
  }
  const findings = await allFindings(db, id)
  is('findings', findings.map(({ module }) => module).toSorted(), MODULES)
  const ids = new Set(files.map((file) => file.id))
  is(
    'evidence',
    findings.flatMap(({ evidence }) => evidence).filter((one) => !ids.has(one)),
    [],
  )
  return wrong
}

/** What became of a run, and when. */
export const storyOf = async ({ db }: Bed, id: string): Promise<string[]> => {
  const rows = await db.query<{ at: string; text: string }>(
    `select to_char(created_at at time zone 'utc', 'HH24:MI:SS.MS') as at, type || ' ' || left(data::text, 300) as text
       from events where run_id = $1 and (type in ('progress', 'done') or data ->> 'module' = 'worker') order by seq`,
    [id],
  )
  return rows.map(({ at, text }) => `${id} ${at} ${text}`)
}

const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex')
