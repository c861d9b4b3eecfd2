/** Flaws that the other beds lack: what is done to a value on its way, and where it ends up. */
import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, escapeHtml, page, type Surroundings } from '../case.ts'
import { type DatabaseKind, type Row, SqlError } from '../sql.ts'
import { rowsHtml } from '../sqli-cases.ts'
import type { SiteCase } from './case.ts'

const COLUMNS = 'select id, name, price, note from products'

const sqlOf = ({ databases }: Surroundings, kind: DatabaseKind) => {
  const sql = databases[kind]
  if (!sql) throw new Error(`${kind} is not running`)
  return sql
}

/** Rows, none where the database refuses the text. */
const rowsOr = async (rows: Promise<readonly Row[]>): Promise<readonly Row[]> => {
  try {
    return await rows
  } catch (error) {
    if (error instanceof SqlError) return []
    throw error
  }
}

interface Statement {
  readonly kind: DatabaseKind
  readonly value: string
  /** Of the careless page; what it does to the value included. */
  readonly text: (v: string) => string
  /** The same with `?` for each value. */
  readonly bound: string
  readonly values: (v: string) => readonly unknown[]
}

const sqlCase = (
  id: string,
  { kind, value, text, bound, values }: Statement,
  write: (rows: readonly Row[]) => string = rowsHtml,
  wait = 0,
): SiteCase => ({
  ...{ id, class: 'sqli', place: 'query', value },
  answer: async (given, careful, around): Promise<Answer> => {
    const sql = sqlOf(around, kind)
    if (wait > 0) await delay(wait)
    const rows = await rowsOr(careful ? sql.bind(bound, [...values(given)]) : sql.run(text(given)))
    return { body: page(write(rows)) }
  },
})

const byName = (id: string, kind: DatabaseKind, change: (v: string) => string, column = 'name'): SiteCase =>
  sqlCase(id, {
    ...{ kind, value: 'Moss mat' },
    text: (v) => `${COLUMNS} where ${column}='${change(v)}' order by id`,
    bound: `${COLUMNS} where ${column}=? order by id`,
    values: (v) => [change(v)],
  })

const thrice = (kind: DatabaseKind): Statement => ({
  ...{ kind, value: 'tent' },
  text: (v) => `${COLUMNS} where name like '%${v}%' or note like '%${v}%' or name like '${v}%'`,
  bound: `${COLUMNS} where name like ? or note like ? or name like ?`,
  values: (v) => [`%${v}%`, `%${v}%`, `${v}%`],
})

const byNumber = (kind: DatabaseKind, change: (v: string) => string): Statement => ({
  ...{ kind, value: '2' },
  text: (v) => `${COLUMNS} where id=${change(v)}`,
  bound: `${COLUMNS} where id=?`,
  values: (v) => [/^\d{1,6}$/.test(v) ? Number(v) : -1],
})

const SILENT = (): string => '<p>We will be in touch.</p>'

/** Keeps a name in safety, and looks it up without. */
const secondOrder = (): SiteCase => {
  let kept = 'Ridge tent'
  return {
    ...{ id: 'second-order', class: 'sqli', place: 'form', value: 'Moss mat', keeps: true },
    answer: async (value, careful, around, raw): Promise<Answer> => {
      if (raw.body !== '') {
        kept = value.slice(0, 1_000)
        return { status: 303, headers: { Location: '?' }, body: '' }
      }
      const sql = sqlOf(around, 'sqlite')
      const rows = careful ? sql.bind(`${COLUMNS} where name=?`, [kept]) : sql.run(`${COLUMNS} where name='${kept}'`)
      try {
        return { body: page(rowsHtml(await rows)) }
      } catch (error) {
        if (!(error instanceof SqlError)) throw error
        return { status: 500, body: page(`<pre>${escapeHtml(error.message)}</pre>`) }
      }
    },
  }
}

const shown = (
  id: string,
  careless: (v: string) => string,
  careful: (v: string) => string,
  value = 'tent',
): SiteCase => ({
  ...{ id, class: 'xss', place: 'query', value },
  answer: (value, isCareful) => ({ body: page((isCareful ? careful : careless)(value)) }),
})

const word = (v: string): string => v.replace(/[^\w-]/g, '')
const TAGS = ['em', 'strong', 'small']
const CUT = 64

/** Fetches what it is given an address of; the careless page from anywhere on this machine. */
const fetched: SiteCase = {
  ...{ id: 'address-fetched', class: 'ssrf', place: 'query', value: 'http://pictures.shop.test/tent.txt' },
  answer: async (value, careful): Promise<Answer> => {
    const url = URL.parse(value)
    const isHere = url !== null && url.protocol === 'http:' && /^127(?:\.\d{1,3}){3}$/.test(url.hostname)
    if (careful || !isHere) return { body: page('<p>There is no such picture.</p>') }
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(3_000) })
      return { body: page(`<pre>${escapeHtml((await answer.text()).slice(0, 4_000))}</pre>`) }
    } catch {
      return { body: page('<p>There is no such picture.</p>') } // Whatever it was, the page does not say.
    }
  },
}

/** Settings that inherit from what all visitors share; the careless page merges by whatever name. */
const merged = (): SiteCase => {
  const [shared, safe] = [{ colour: 'green' }, { colour: 'green' }]
  const merge = (into: object, from: object, careful: boolean): void => {
    for (const [name, value] of Object.entries(from)) {
      if (careful && ['__proto__', 'constructor', 'prototype'].includes(name)) continue
      const present: unknown = Reflect.get(into, name)
      if (
        typeof value === 'object' &&
        value !== null &&
        typeof present === 'object' &&
        present !== null &&
        present !== Object.prototype
      )
        merge(present, value, careful)
      else if (name !== '__proto__') Reflect.set(into, name, value)
    }
  }
  const membersOf = (object: object): Record<string, unknown> => {
    const members: Record<string, unknown> = {}
    for (const name in object) members[name] = Reflect.get(object, name)
    return members
  }
  return {
    ...{ id: 'settings-merged', class: 'prototype', place: 'json', value: 'tent' },
    answer: (_value, careful, _around, { body }): Answer => {
      const settings = Object.create(careful ? safe : shared) as object
      merge(settings, JSON.parse(body) as object, careful)
      return { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(membersOf(settings)) }
    },
  }
}

export const SINK_CASES: readonly SiteCase[] = [
  sqlCase('like-in-three-columns', thrice('sqlite')),
  sqlCase('like-in-three-columns-silent', thrice('mariadb'), SILENT),
  sqlCase(
    'late-by-itself',
    byNumber('postgres', (v) => v),
    SILENT,
    1_200,
  ),
  sqlCase(
    'quotes-doubled',
    byNumber('mariadb', (v) => v.replaceAll("'", "''")),
  ),
  byName('words-stripped', 'mariadb', (v) => v.replace(/union|select|\b(?:or|and)\b/gi, '')),
  byName('upper-case', 'postgres', (v) => v.toUpperCase(), 'upper(name)'),
  byName('cut', 'sqlite', (v) => v.slice(0, 40)),
  secondOrder(),
  shown(
    'attribute-name',
    (v) => `<div ${v}>Tents</div>`,
    (v) => `<div ${word(v)}>Tents</div>`,
  ),
  shown(
    'tag-name',
    (v) => `<${v}>Tents`,
    (v) => `<${TAGS.includes(v) ? v : 'em'}>Tents`,
    'em',
  ),
  shown(
    'upper-case-shown',
    (v) => `<p>${v.toUpperCase()}</p>`,
    (v) => `<p>${escapeHtml(v.toUpperCase())}</p>`,
  ),
  shown(
    'cut-shown',
    (v) => `<p>${v.slice(0, CUT)}</p>`,
    (v) => `<p>${escapeHtml(v.slice(0, CUT))}</p>`,
  ),
  shown(
    'quotes-doubled-shown',
    (v) => `<input value='${v.replaceAll("'", "''")}'>`,
    (v) => `<input value='${escapeHtml(v)}'>`,
  ),
  fetched,
  merged(),
]
