/** Values that end in the server: a database, a file, a template, a shell, a header. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { runInNewContext } from 'node:vm'
import { type Around, escaped, type Said, type Sink } from './sink.ts'

const run = promisify(execFile)
const LIMITS = { timeout: 8_000, maxBuffer: 65_536 }

const rows = ({ database }: Around, text: string, bound: readonly string[] = []): Said => {
  const found = database.prepare(text).all(...bound)
  const items = found.map(({ name, price }) => `<li>${escaped(String(name))}, ${escaped(String(price))}</li>`)
  return { html: found.length === 0 ? '<p>Nothing found.</p>' : `<ul>${items.join('')}</ul>` }
}

const FIELDS = 'select name, price from products'

const query = (
  name: string,
  value: string,
  others: readonly string[],
  input: string,
  careless: (value: string) => string,
  careful: Sink['careful'],
  witness: Sink['witness'],
): Sink => ({
  name,
  class: 'sqli',
  ...(name === 'sql-like' ? { free: true as const } : {}),
  value,
  others,
  input,
  careless: (v, around) => rows(around, careless(v)),
  careful,
  witness,
})

/** What a page without the flaw never lists for its ordinary value. */
const OTHER = 'Zephyr lamp'

const COLUMNS = ['price', 'name', 'note', 'id']

const QUERIES: readonly Sink[] = [
  query(
    ...(['sql-like', 'tent', ['stove', 'mat', 'pack'], 'q'] as const),
    (v) => `${FIELDS} where name like '%${v}%'`,
    (v, around) => rows(around, `${FIELDS} where name like ?`, [`%${v}%`]),
    (filter) => (filter === 'double' ? null : { send: "zz' or 1=1 --", seen: OTHER }),
  ),
  query(
    ...(['sql-text', 'Gas', ['Light', 'Wool', 'Two people'], 'kind'] as const),
    (v) => `${FIELDS} where (note = '${v}' and price > 0)`,
    (v, around) => rows(around, `${FIELDS} where (note = ? and price > 0)`, [v]),
    (filter) => (filter === 'double' ? null : { send: "zz') or (1=1) --", seen: OTHER }),
  ),
  query(
    ...(['sql-number', '2', ['1', '3', '4'], 'id'] as const),
    (v) => `${FIELDS} where id = ${v}`,
    (v, around) => rows(around, `${FIELDS} where id = ?`, [v]),
    () => ({ send: '2 or 1=1', seen: OTHER }),
  ),
  query(
    ...(['sql-order', 'price', ['name', 'note', 'id'], 'sort'] as const),
    (v) => `${FIELDS} order by ${v}`,
    (v, around) => rows(around, `${FIELDS} order by ${COLUMNS.find((one) => one === v.toLowerCase()) ?? 'name'}`),
    () => ({ send: '(id-3)*(id-3)', seen: '<ul><li>Moss mat' }),
  ),
  query(
    ...(['sql-limit', '3', ['1', '2', '4'], 'size'] as const),
    (v) => `${FIELDS} limit ${v}`,
    (v, around) => rows(around, `${FIELDS} limit ${Number.parseInt(v, 10) || 3}`),
    () => ({ send: '(1+4)', seen: OTHER }),
  ),
]

const shown = (text: string): Said => ({ html: `<pre>${escaped(text)}</pre>` })

const FILE: Sink = {
  ...{
    name: 'file',
    class: 'traversal',
    value: 'terms.txt',
    others: ['returns.txt', 'hours.txt', 'prices.txt'],
    input: 'doc',
  },
  careless: (v, { folder }) => shown(readFileSync(join(folder, v), 'utf8')),
  careful: (v, { folder }) => shown(readFileSync(join(folder, basename(v)), 'utf8')),
  witness: (filter) => {
    if (filter === 'upper') return null
    const up = filter === 'strip' ? '....//' : '../'
    return { send: `${up.repeat(6)}etc/passwd`, seen: 'root:' }
  },
}

/** Delimiters of template languages around an expression that is evaluated. */
const LANGUAGES = { braces: ['{{', '}}'], dollar: ['${', '}'], percent: ['<%=', '%>'], hash: ['#{', '}'] } as const

const evaluated = (text: string, open: string, close: string): string => {
  const [before = '', ...parts] = text.split(open)
  const values = parts.map((part) => {
    const end = part.indexOf(close)
    if (end < 0) throw new Error(`template: "${close}" expected`)
    return `${runInNewContext(part.slice(0, end), Object.create(null), { timeout: 1_000 })}${part.slice(end + close.length)}`
  })
  return before + values.join('')
}

const TEMPLATES: readonly Sink[] = Object.entries(LANGUAGES).map(([name, [open, close]]) => ({
  ...{
    name: `template-${name}`,
    class: 'template',
    value: 'Robin',
    others: ['Mika', 'Jo', 'Sam'],
    input: 'name',
    free: true as const,
  },
  careless: (v) => ({ html: `<p>Good day, ${escaped(evaluated(v, open, close))}</p>` }),
  careful: (v) => ({ html: `<p>Good day, ${escaped(v)}</p>` }),
  witness: (filter) =>
    filter === 'escape' && open.startsWith('<') ? null : { send: `${open}191*7${close}`, seen: '1337' },
}))

const said = async (work: Promise<{ readonly stdout: string }>): Promise<Said> => shown((await work).stdout)

const COMMAND: Sink = {
  ...{ name: 'shell', class: 'command', value: 'tent', others: ['stove', 'mat', 'lamp'], input: 'host' },
  // A line that fails still printed what came before.
  careless: async (v, { folder }) => {
    try {
      return await said(run('/bin/sh', ['-c', `echo Looking up ${v}`], { ...LIMITS, cwd: folder }))
    } catch (error) {
      return shown(String((error as { stdout?: string }).stdout ?? ''))
    }
  },
  careful: (v) => said(run('/bin/echo', ['Looking up', v.replaceAll('\0', '')], LIMITS)),
  witness: () => ({ send: '$((191*7))', seen: '1337' }),
}

/** A formula that is evaluated, or worked out by what knows two numbers and a sign alone. */
const FORMULA: Sink = {
  ...{ name: 'formula', class: 'code', value: '3*12', others: ['2+2', '7*6', '10-4'], input: 'formula' },
  careless: (v) => ({
    html: `<p>Total: ${escaped(String(runInNewContext(v, Object.create(null), { timeout: 1_000 })))}</p>`,
  }),
  careful: (v) => {
    const [, a = '', sign = '', b = ''] = /^(\d{1,6})([-+*])(\d{1,6})$/.exec(v) ?? []
    if (sign === '') throw new Error('formula: two numbers and a sign expected')
    const results: Readonly<Record<string, number>> = { '+': +a + +b, '-': +a - +b, '*': +a * +b }
    return { html: `<p>Total: ${results[sign]}</p>` }
  },
  witness: () => ({ send: '[191*7][0]', seen: '1337' }),
}

const REDIRECT: Sink = {
  ...{ name: 'redirect', class: 'redirect', value: '/about', others: ['/sign-in', '/', '/about/us'], input: 'next' },
  careless: (v) => ({ html: '<p>Moved.</p>', location: v }),
  careful: (v) => ({ html: '<p>Moved.</p>', location: /^\/(?![/\\])[\w/-]*$/.test(v) ? v : '/' }),
  witness: (filter) => ({
    send: 'https://example.org/',
    seen: filter === 'upper' ? 'HTTPS://EXAMPLE' : 'https://example',
  }),
}

const HEADER: Sink = {
  ...{ name: 'header-line', class: 'header', value: 'en', others: ['de', 'fr', 'nl'], input: 'lang' },
  careless: (v) => ({ html: '<p>Your choice was kept.</p>', line: `Content-Language: ${v}` }),
  careful: (v) => ({ html: '<p>Your choice was kept.</p>', line: `Content-Language: ${v.replace(/[^\w-]/g, '')}` }),
  witness: (filter) => ({ send: 'en\r\nX-Kept: 1', seen: filter === 'upper' ? '\r\nX-KEPT: 1' : '\r\nX-Kept: 1' }),
}

export const SERVER_SINKS: readonly Sink[] = [...QUERIES, FILE, ...TEMPLATES, COMMAND, FORMULA, REDIRECT, HEADER]
