/** What an application keeps, before and after: its files by content, its tables by row. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'

/** Place ("table wp_posts", "file data/x"), and in it the content of each row, or of the file, by hash. */
export type State = ReadonlyMap<string, ReadonlyMap<string, string>>

/** What may change without harm: sessions, logs, counters, caches. `rows` names the rows; all of the place without it. */
export interface Volatile {
  readonly place: RegExp
  readonly rows?: RegExp
  readonly is: 'session' | 'log' | 'counter' | 'cache'
}

const hash = (content: string | Buffer): string => createHash('sha1').update(content).digest('hex')
const KEPT = 300

const rowsOf = (rows: readonly (readonly unknown[])[]): ReadonlyMap<string, string> =>
  new Map(
    rows.map((row) => {
      const text = row.map((value) => (value === null ? '\\N' : String(value))).join(' | ')
      return [hash(text), text.slice(0, KEPT)]
    }),
  )

export const filesOf = async (folder: string): Promise<State> => {
  const found = new Map<string, ReadonlyMap<string, string>>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const content = await readFile(path)
    const text = content.length < 20_000 ? content.toString('utf8').slice(0, KEPT) : `${content.length} bytes`
    found.set(`file ${relative(folder, path)}`, new Map([[hash(content), text]]))
  }
  return found
}

const run = promisify(execFile)

/** Statements on the command line, as every column of every table is wanted in one text. */
const ask = async (socket: string, database: string, statement: string): Promise<readonly (readonly string[])[]> => {
  const { stdout } = await run(
    'mariadb',
    ['--no-defaults', `--socket=${socket}`, '-uroot', '-BN', database, '-e', statement],
    {
      maxBuffer: 512 * 1024 * 1024,
    },
  )
  return stdout.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')]))
}

export const tablesOf = async (socket: string, database: string): Promise<State> => {
  const tables = (await ask(socket, database, 'show tables')).map(([name = '']) => name)
  const found = new Map<string, ReadonlyMap<string, string>>()
  for (const table of tables)
    found.set(`table ${table}`, rowsOf(await ask(socket, database, `select * from \`${table}\``)))
  return found
}

export const sqliteOf = (path: string): State => {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const tables = database.prepare("select name from sqlite_master where type = 'table'").all() as { name: string }[]
    return new Map(
      tables.map(({ name }) => [
        `table ${name}`,
        rowsOf(
          database
            .prepare(`select * from "${name}"`)
            .all()
            .map((row) => Object.values(row)),
        ),
      ]),
    )
  } finally {
    database.close()
  }
}

export const together = (...states: readonly State[]): State => new Map(states.flatMap((state) => [...state]))

/** Every difference that is not named as volatile, one line each. */
export const differences = (before: State, after: State, volatile: readonly Volatile[]): readonly string[] => {
  const lines: string[] = []
  for (const place of new Set([...before.keys(), ...after.keys()])) {
    const names = volatile.filter((one) => one.place.test(place))
    if (names.some(({ rows }) => rows === undefined)) continue
    const [old, now] = [before.get(place), after.get(place)]
    const told = (sign: string, rows: typeof old, others: typeof old): void => {
      for (const [key, text] of rows ?? [])
        if (others?.has(key) !== true && !names.some(({ rows: only }) => only?.test(text)))
          lines.push(`${sign} ${place}: ${text}`)
    }
    told('-', old, now)
    told('+', now, old)
  }
  return lines
}
