/** What an application keeps, before and after: its files by content, its tables by row. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'

/** Place ("table wp_posts", "file data/x"), and in it the content of each row, or of the file, by hash. */
export type State = ReadonlyMap<string, ReadonlyMap<string, string>>

/**
 * What may change without harm: sessions, logs, counters, caches. `rows` names the rows; all of the place without it. `within`: what
 * alone may change in rows, as the time at which an account was seen, so that all else of them is held.
 */
export interface Volatile {
  readonly place: RegExp
  readonly rows?: RegExp
  readonly within?: RegExp
  readonly is: 'session' | 'log' | 'counter' | 'cache'
}

const hash = (content: string | Buffer): string => createHash('sha1').update(content).digest('hex')
const KEPT = 2_000
/** Of what is told of a difference. */
const TOLD = 300

const rowsOf = (rows: readonly (readonly unknown[])[]): ReadonlyMap<string, string> =>
  new Map(
    rows.map((row) => {
      const text = row.map((value) => (value === null ? '\\N' : String(value))).join(' | ')
      return [hash(text), text.slice(0, KEPT)]
    }),
  )

export type Read = () => Promise<State>

/** Every file under the folder; those that have the same inode, length and time of change as at the last reading are not read again. */
export const filesOf = (folder: string): Read => {
  const known = new Map<string, { readonly mark: string; readonly content: ReadonlyMap<string, string> }>()
  return async () => {
    const found = new Map<string, ReadonlyMap<string, string>>()
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const path = join(entry.parentPath, entry.name)
      const { ino, size, ctimeNs } = await stat(path, { bigint: true })
      const mark = `${ino} ${size} ${ctimeNs}`
      const before = known.get(path)
      const content = before?.mark === mark ? before.content : contentOf(await readFile(path))
      known.set(path, { mark, content })
      found.set(`file ${relative(folder, path)}`, content)
    }
    return found
  }
}

const contentOf = (content: Buffer): ReadonlyMap<string, string> =>
  new Map([
    [hash(content), content.length < 20_000 ? content.toString('utf8').slice(0, KEPT) : `${content.length} bytes`],
  ])

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

/** Every table; those that have the same checksum as at the last reading are not read again. */
export const tablesOf = (socket: string, database: string): Read => {
  const known = new Map<string, { readonly mark: string; readonly rows: ReadonlyMap<string, string> }>()
  return async () => {
    const tables = (await ask(socket, database, 'show tables')).map(([name = '']) => name)
    const found = new Map<string, ReadonlyMap<string, string>>()
    if (tables.length === 0) return found
    const marks = await ask(socket, database, `checksum table ${tables.map((table) => `\`${table}\``).join(', ')}`)
    for (const [index, table] of tables.entries()) {
      // A table that cannot be summed up, as a view, is read each time.
      const mark = marks[index]?.[1] ?? 'NULL'
      const before = known.get(table)
      const isSame = mark !== 'NULL' && before?.mark === mark
      const rows = isSame ? before.rows : rowsOf(await ask(socket, database, `select * from \`${table}\``))
      known.set(table, { mark, rows })
      found.set(`table ${table}`, rows)
    }
    return found
  }
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

export const everything =
  (...reads: readonly Read[]): Read =>
  async () =>
    new Map((await Promise.all(reads.map((read) => read()))).flatMap((state) => [...state]))

/** Every difference that is not named as volatile, one line each. */
export const differences = (before: State, after: State, volatile: readonly Volatile[]): readonly string[] => {
  const lines: string[] = []
  for (const place of new Set([...before.keys(), ...after.keys()])) {
    const names = volatile.filter((one) => one.place.test(place))
    if (names.some(({ rows, within }) => rows === undefined && within === undefined)) continue
    const [old, now] = [before.get(place), after.get(place)]
    const held = (text: string): string =>
      names.reduce((rest, { within }) => (within ? rest.replace(within, '') : rest), text)
    const told = (sign: string, rows: typeof old, others: typeof old): void => {
      const same = new Set([...(others?.values() ?? [])].map(held))
      for (const [key, text] of rows ?? [])
        if (others?.has(key) !== true && !names.some(({ rows: only }) => only?.test(text)))
          if (held(text) === text || !same.has(held(text))) lines.push(`${sign} ${place}: ${text.slice(0, TOLD)}`)
    }
    told('-', old, now)
    told('+', now, old)
  }
  return lines
}
