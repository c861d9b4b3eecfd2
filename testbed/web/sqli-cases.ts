/** SQL injection: positions in a statement, over three databases, with errors shown and hidden, from every place. */

import { type Answer, escapeHtml, page, type WebCase } from './case.ts'
import type { Place } from './place.ts'
import type { DatabaseKind, Row, Sql } from './sql.ts'
import { SqlError } from './sql.ts'

interface Position {
  readonly name: string
  readonly value: string
  readonly only?: readonly DatabaseKind[]
  readonly careless: (v: string) => string
  /** The same with the value bound, or null where the careful page refuses the value. */
  readonly careful: (v: string) => readonly [text: string, values: unknown[]] | null
  readonly effect?: 'writes'
}

const COLUMNS = 'select id, name, price, note from products'
const integer = (v: string): number | null => (/^\d{1,6}$/.test(v) ? Number(v) : null)
const bound = (text: string, value: unknown): readonly [string, unknown[]] | null =>
  value === null ? null : [text, [value]]
const NAMES = ['id', 'name', 'price']

const POSITIONS: readonly Position[] = [
  {
    name: 'number',
    value: '2',
    careless: (v) => `${COLUMNS} where id=${v}`,
    careful: (v) => bound(`${COLUMNS} where id=?`, integer(v)),
  },
  {
    name: 'number-parenthesised',
    value: '3',
    careless: (v) => `${COLUMNS} where ((id=${v}) and (price>1))`,
    careful: (v) => bound(`${COLUMNS} where ((id=?) and (price>1))`, integer(v)),
  },
  {
    name: 'number-list',
    value: '4',
    careless: (v) => `${COLUMNS} where id in (1,${v})`,
    careful: (v) => bound(`${COLUMNS} where id in (1,?)`, integer(v)),
  },
  {
    name: 'text',
    value: 'Ridge tent',
    careless: (v) => `${COLUMNS} where name='${v}' order by id`,
    careful: (v) => bound(`${COLUMNS} where name=? order by id`, v),
  },
  {
    name: 'text-parenthesised',
    value: 'Alder stove',
    careless: (v) => `${COLUMNS} where (lower(name)=lower('${v}')) and price>0`,
    careful: (v) => bound(`${COLUMNS} where (lower(name)=lower(?)) and price>0`, v),
  },
  {
    name: 'text-quoted-twice',
    value: 'Moss mat',
    only: ['mariadb'],
    careless: (v) => `${COLUMNS} where name="${v}"`,
    careful: (v) => bound(`${COLUMNS} where name=?`, v),
  },
  {
    name: 'like',
    value: 'a',
    careless: (v) => `${COLUMNS} where name like '%${v}%' limit 20`,
    careful: (v) => bound(`${COLUMNS} where name like ? limit 20`, `%${v}%`),
  },
  {
    name: 'like-no-match',
    value: '',
    careless: (v) => `${COLUMNS} where name like '${v || 'none'}%'`,
    careful: (v) => bound(`${COLUMNS} where name like ?`, `${v || 'none'}%`),
  },
  {
    name: 'order-name',
    value: 'name',
    careless: (v) => `${COLUMNS} order by ${v}`,
    careful: (v) => (NAMES.includes(v) ? [`${COLUMNS} order by ${v}`, []] : null),
  },
  {
    name: 'order-direction',
    value: 'desc',
    careless: (v) => `${COLUMNS} order by price ${v}`,
    careful: (v) => (['asc', 'desc'].includes(v) ? [`${COLUMNS} order by price ${v}`, []] : null),
  },
  {
    name: 'limit',
    value: '3',
    only: ['sqlite', 'postgres'],
    careless: (v) => `${COLUMNS} order by id limit ${v}`,
    careful: (v) => bound(`${COLUMNS} order by id limit ?`, integer(v)),
  },
  {
    name: 'without-spaces',
    value: 'Zephyr',
    careless: (v) => `${COLUMNS} where name like '${v.replaceAll(' ', '')}%'`,
    careful: (v) => bound(`${COLUMNS} where name like ?`, `${v.replaceAll(' ', '')}%`),
  },
  {
    name: 'without-and-or',
    value: '5',
    careless: (v) => `${COLUMNS} where id=${v.replace(/\b(and|or)\b/gi, '')}`,
    careful: (v) => bound(`${COLUMNS} where id=?`, integer(v)),
  },
  {
    name: 'insert',
    value: 'Mozilla',
    effect: 'writes',
    careless: (v) => `insert into visits (id, agent) values (7, '${v}')`,
    careful: (v) => bound('insert into visits (id, agent) values (7, ?)', v.slice(0, 1_000)),
  },
  {
    name: 'update',
    value: 'Opera',
    effect: 'writes',
    careless: (v) => `update visits set agent='${v}' where id=1`,
    careful: (v) => bound('update visits set agent=? where id=1', v.slice(0, 1_000)),
  },
]

export const rowsHtml = (rows: readonly Row[]): string =>
  rows.length === 0
    ? '<p>Nothing found.</p>'
    : `<ul>${rows
        .map(
          (row) =>
            `<li>${Object.values(row)
              .map((one) => escapeHtml(String(one)))
              .join(' · ')}</li>`,
        )
        .join('')}</ul>`

type Errors = 'shown' | 'hidden'

const answerOf =
  (kind: DatabaseKind, position: Position, errors: Errors): WebCase['answer'] =>
  async (value, careful, { databases }): Promise<Answer> => {
    const sql = databases[kind]
    if (!sql) throw new Error(`${kind} is not running`)
    try {
      const rows = await (careful ? carefully(sql, position, value) : sql.run(position.careless(value)))
      return { body: page(position.effect ? '<p>Thank you.</p>' : rowsHtml(rows)) }
    } catch (error) {
      if (!(error instanceof SqlError)) throw error
      if (errors === 'hidden') return { body: page(rowsHtml([])) }
      return { status: 500, body: page(`<pre>${escapeHtml(error.message)}</pre>`) }
    }
  }

const carefully = async (sql: Sql, { careful }: Position, value: string): Promise<Row[]> => {
  const statement = careful(value)
  return statement ? sql.bind(statement[0], [...statement[1]]) : []
}

const FOUND = ['sqli/error', 'sqli/boolean', 'sqli/union', 'sqli/time', 'sqli/stacked']
const KINDS: readonly DatabaseKind[] = ['sqlite', 'postgres', 'mariadb']

const positionCases: readonly WebCase[] = KINDS.flatMap((kind) =>
  POSITIONS.filter((one) => one.only?.includes(kind) ?? true).flatMap((position) =>
    (['shown', 'hidden'] as const)
      // SQLite cannot wait, so a write that says nothing tells nothing.
      .filter((errors) => !(kind === 'sqlite' && position.effect && errors === 'hidden'))
      .map(
        (errors): WebCase => ({
          id: `${kind}-${position.name}-${errors}`,
          module: 'sqli',
          finds: FOUND,
          place: position.effect ? 'form' : 'query',
          value: position.value,
          effect: position.effect ?? 'reads',
          ...(position.effect && errors === 'hidden' ? { timed: true as const } : {}),
          answer: answerOf(kind, position, errors),
        }),
      ),
  ),
)

const PLACES: readonly Place[] = ['form', 'json', 'xml', 'multipart', 'path', 'cookie', 'header']

const placeCases: readonly WebCase[] = KINDS.flatMap((kind) =>
  PLACES.map((place): WebCase => {
    const position = POSITIONS.find((one) => one.name === (place === 'path' ? 'number' : 'text')) as Position
    return {
      id: `${kind}-at-${place}`,
      module: 'sqli',
      finds: FOUND,
      place,
      value: position.value,
      answer: answerOf(kind, position, 'hidden'),
    }
  }),
)

/** The statement runs, the page says the same whatever it brings. */
const silentCases: readonly WebCase[] = (['postgres', 'mariadb'] as const).flatMap((kind) =>
  ['number', 'text', 'text-parenthesised', 'order-name'].map((name): WebCase => {
    const position = POSITIONS.find((one) => one.name === name) as Position
    return {
      id: `${kind}-silent-${name}`,
      module: 'sqli',
      finds: FOUND,
      place: 'query',
      value: position.value,
      timed: true,
      answer: async (value, careful, around, raw) => {
        await answerOf(kind, position, 'hidden')(value, careful, around, raw)
        return { body: page('<p>We will be in touch.</p>') }
      },
    }
  }),
)

/** Positions that take no expression, over connections that take several statements: only a second statement can wait. */
const stackedCases: readonly WebCase[] = [
  {
    id: 'mariadb-stacked-limit',
    kind: 'mariadb' as const,
    value: '3',
    careless: (v: string) => `${COLUMNS} order by id limit ${v}`,
    careful: (v: string) => bound(`${COLUMNS} order by id limit ?`, integer(v)),
  },
  {
    id: 'postgres-stacked-table',
    kind: 'postgres' as const,
    value: 'products',
    careless: (v: string) => `select count(*) from ${v}`,
    careful: (v: string) => (v === 'products' ? (['select count(*) from products', []] as const) : null),
  },
].map(
  ({ id, kind, value, careless, careful }): WebCase => ({
    id,
    module: 'sqli',
    finds: ['sqli/stacked'],
    place: 'query',
    value,
    timed: true,
    answer: async (given, isCareful, around, raw) => {
      const position = {
        name: id,
        value,
        careless,
        careful: (v: string) => careful(v) as ReturnType<Position['careful']>,
      }
      await answerOf(kind, position, 'hidden')(given, isCareful, around, raw)
      return { body: page('<p>We will be in touch.</p>') }
    },
  }),
)

export const SQLI_CASES: readonly WebCase[] = [...positionCases, ...placeCases, ...silentCases, ...stackedCases]
