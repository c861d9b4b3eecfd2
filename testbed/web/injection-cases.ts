/** Pages that hand a value to shells, interpreters, files, directories and documents. */
import { readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { runInNewContext } from 'node:vm'
import { escapeHtml, page, type WebCase } from './case.ts'
import { COMMANDS, outputOf, WINDOWS } from './command-kinds.ts'
import type { Kind } from './kind.ts'
import { documentMatches, escapeLdap, ldapMatches, nested, PEOPLE, xpathMatches } from './languages.ts'
import type { Place } from './place.ts'

const text = (content: string): { body: string } => ({ body: page(`<pre>${escapeHtml(content)}</pre>`) })

/** A template whose result goes into a mail; what it cannot read is an error. */
const mailed = async (template: string): Promise<string> => {
  for (const [, source = ''] of template.matchAll(/<%=(.*?)%>/g)) {
    const seconds = /^sleep\((\d+(?:\.\d+)?)\)$/.exec(source)?.[1]
    if (seconds !== undefined) await delay(Number(seconds) * 1_000)
    else if (!/^\d+\*\d+$/.test(source)) throw new Error('syntax error')
  }
  return 'Thank you'
}

const script = (source: string): string => String(runInNewContext(source, {}, { timeout: 500 }))
const perl = (source: string): Promise<string> => outputOf('perl', ['-e', source])
const numeric = (v: string): string => (/^[\d.]{1,12}$/.test(v) ? String(Number(v)) : 'Not a number')

const CODE: readonly Kind[] = [
  { name: 'code-expression', finds: 'injection/code', value: '12', careless: (v) => script(v), careful: numeric },
  {
    name: 'code-javascript-single',
    finds: 'injection/code',
    value: 'tent',
    careless: (v) => script(`'Hello ' + '${v}'`),
    careful: (v) => `Hello ${v}`,
  },
  {
    name: 'code-javascript-double',
    finds: 'injection/code',
    value: 'tent',
    careless: (v) => script(`"Hello " + "${v}"`),
    careful: (v) => `Hello ${v}`,
  },
  {
    name: 'code-perl-single',
    finds: 'injection/code',
    value: 'tent',
    careless: (v) => perl(`print 'Hello '.'${v}'`),
    careful: (v) => `Hello ${v}`,
  },
  {
    name: 'code-perl-double',
    finds: 'injection/code',
    value: 'tent',
    careless: (v) => perl(`print "Hello "."${v.replace(/[$@]/g, '')}"`),
    careful: (v) => `Hello ${v}`,
  },
]

const engine =
  (pattern: RegExp) =>
  (v: string): string =>
    `Hello ${v}`.replace(pattern, (_, source: string) => script(source))
const printed = (v: string): string => `Hello ${v}`

const TEMPLATES: readonly Kind[] = [
  {
    name: 'template-braces',
    finds: 'injection/template',
    value: 'Robin',
    careless: engine(/\{\{(.+?)\}\}/g),
    careful: printed,
  },
  {
    name: 'template-dollar',
    finds: 'injection/template',
    value: 'Robin',
    careless: (v) => script(`\`Hello ${v.replaceAll('`', '')}\``),
    careful: printed,
  },
  {
    name: 'template-percent',
    finds: 'injection/template',
    value: 'Robin',
    careless: engine(/<%=(.+?)%>/g),
    careful: printed,
  },
  {
    name: 'template-hash',
    finds: 'injection/template',
    value: 'Robin',
    careless: engine(/#\{(.+?)\}/g),
    careful: printed,
  },
  {
    name: 'template-brace',
    finds: 'injection/template',
    value: 'Robin',
    careless: engine(/(?<![{$#])\{([^{}]+)\}/g),
    careful: printed,
  },
  {
    name: 'template-grouped',
    finds: 'injection/template',
    value: 'Robin',
    careless: (v) =>
      `Hello ${v}`.replace(/\$\{(.+?)\}/g, (_, source: string) => Number(script(source)).toLocaleString('en')),
    careful: printed,
  },
]

const SILENT: readonly Kind[] = [
  {
    name: 'template-silent',
    finds: 'injection/template',
    value: 'Robin',
    place: 'form',
    effect: 'writes',
    timed: true,
    careless: mailed,
    careful: () => 'Thank you',
  },
]

/** The beginning of a file. */
export const read = async (path: string): Promise<string> => (await readFile(path, 'utf8')).slice(0, 4_000)
const listed = (v: string, folder: string): Promise<string> =>
  read(
    join(
      folder,
      v === 'terms.txt' || v === 'terms' || v.endsWith('/terms.txt')
        ? 'terms.txt'
        : basename(v).replace(/[^\w.]/g, '') || 'none',
    ),
  )

const FILES: readonly Kind[] = [
  {
    name: 'path-joined',
    finds: 'injection/path-traversal',
    value: 'terms.txt',
    careless: (v, folder) => read(join(folder, v)),
    careful: listed,
  },
  {
    name: 'path-whole',
    finds: 'injection/path-traversal',
    value: 'terms.txt',
    careless: (v, folder) => read(resolve(folder, v.replaceAll('../', ''))),
    careful: listed,
  },
  {
    name: 'path-begins-right',
    finds: 'injection/path-traversal',
    value: 'docs/terms.txt',
    careless: (v, folder) => {
      if (!v.startsWith('docs/')) throw new Error('refused')
      return read(join(folder, v.slice(5)))
    },
    careful: listed,
  },
  {
    name: 'path-cut-once',
    finds: 'injection/path-traversal',
    value: 'terms.txt',
    careless: (v, folder) => read(join(folder, `./${v.replaceAll('../', '')}`)),
    careful: listed,
  },
  {
    name: 'path-decoded-twice',
    finds: 'injection/path-traversal',
    value: 'terms.txt',
    careless: (v, folder) => {
      if (v.includes('../')) throw new Error('refused')
      return read(join(folder, `./${decodeURIComponent(v)}`))
    },
    careful: listed,
  },
  {
    name: 'path-address',
    finds: 'injection/path-traversal',
    value: 'terms.txt',
    careless: (v, folder) => read(v.startsWith('file:') ? fileURLToPath(v) : join(folder, basename(v))),
    careful: listed,
  },
]

const entities = async (body: string): Promise<string> => {
  const [, name, path] = /<!ENTITY\s+(\w+)\s+SYSTEM\s+"file:\/\/([^"]+)"/.exec(body) ?? []
  const content = name && path ? await read(path) : ''
  const value = /<q>([\s\S]*?)<\/q>/.exec(body)?.[1] ?? ''
  return name ? value.replace(`&${name};`, content) : value
}

const XML: readonly Kind[] = [
  {
    name: 'xml-entity',
    finds: 'injection/xml-external-entity',
    value: 'tent',
    place: 'xml',
    careless: (_v, _folder, { body }) => entities(body),
    careful: (_v, _folder, { body }) => {
      if (body.includes('<!DOCTYPE')) throw new Error('refused')
      return 'Thank you'
    },
  },
]

const people = (found: (person: (typeof PEOPLE)[number]) => boolean): string =>
  PEOPLE.filter(found)
    .map(({ cn }) => cn)
    .join('\n') || 'Nobody'
const refused = (work: () => string): string => {
  try {
    return work()
  } catch {
    return 'Nobody' // A page that hides its errors, as most do.
  }
}

const QUERIES: readonly Kind[] = [
  {
    name: 'ldap-filter',
    finds: 'injection/ldap',
    value: 'robin',
    careless: (v) => refused(() => people((one) => ldapMatches(`(&(objectClass=person)(uid=${v}))`, one))),
    careful: (v) => people((one) => ldapMatches(`(&(objectClass=person)(uid=${escapeLdap(v)}))`, one)),
  },
  {
    name: 'ldap-first',
    finds: 'injection/ldap',
    value: 'mika',
    careless: (v) => refused(() => people((one) => ldapMatches(`(&(uid=${v})(objectClass=person))`, one))),
    careful: (v) => people((one) => ldapMatches(`(&(uid=${escapeLdap(v)})(objectClass=person))`, one)),
  },
  {
    name: 'xpath-single',
    finds: 'injection/xpath',
    value: 'robin',
    careless: (v) => refused(() => people((one) => xpathMatches(`uid='${v}'`, one))),
    careful: (v) => people((one) => one.uid === v),
  },
  {
    name: 'xpath-double',
    finds: 'injection/xpath',
    value: 'jo',
    careless: (v) => refused(() => people((one) => xpathMatches(`uid="${v}"`, one))),
    careful: (v) => people((one) => one.uid === v),
  },
  {
    name: 'nosql-query',
    finds: 'injection/nosql',
    value: 'robin',
    careless: (_v, _folder, { search }) =>
      refused(() => people((one) => documentMatches(nested(search, 'q'), one.uid ?? ''))),
    careful: (_v, _folder, { search }) => people((one) => String(nested(search, 'q')) === one.uid),
  },
  {
    name: 'nosql-form',
    finds: 'injection/nosql',
    value: 'mika',
    place: 'form',
    careless: (_v, _folder, { body }) =>
      refused(() => people((one) => documentMatches(nested(body, 'q'), one.uid ?? ''))),
    careful: (_v, _folder, { body }) => people((one) => String(nested(body, 'q')) === one.uid),
  },
  {
    name: 'nosql-json',
    finds: 'injection/nosql',
    value: 'jo',
    place: 'json',
    careless: (_v, _folder, { body }) =>
      refused(() =>
        people((one) => documentMatches((JSON.parse(body) as { item: { q: unknown } }).item.q, one.uid ?? '')),
      ),
    careful: (v) => people((one) => one.uid === v),
  },
  {
    name: 'nosql-script',
    finds: 'injection/nosql',
    value: 'robin',
    careless: (v) =>
      refused(() =>
        people((one) => Boolean(runInNewContext(`this.uid == '${v}'`, { uid: one.uid }, { timeout: 500 }))),
      ),
    careful: (v) => people((one) => one.uid === v),
  },
]

const caseOf = (kind: Kind, place: Place, id: string): WebCase => ({
  id,
  module: 'injection',
  finds: [kind.finds],
  place,
  value: kind.value,
  ...(kind.timed ? { timed: true as const } : {}),
  ...(kind.effect ? { effect: kind.effect } : {}),
  answer: async (value, careful, { folder }, raw) => ({
    ...text(String(await (careful ? kind.careful : kind.careless)(value, folder, raw))),
    ...(kind.headers ? { headers: kind.headers } : {}),
  }),
})

const ALL: readonly Kind[] = [...COMMANDS, ...WINDOWS, ...CODE, ...TEMPLATES, ...SILENT, ...FILES, ...XML, ...QUERIES]
const PLACES: readonly Place[] = ['form', 'json', 'multipart', 'cookie', 'path', 'xml']
const EVERYWHERE = ['command-double-quoted', 'template-braces', 'code-javascript-single', 'ldap-filter']

export const INJECTION_CASES: readonly WebCase[] = [
  ...ALL.map((kind) => caseOf(kind, kind.place ?? 'query', kind.name)),
  ...ALL.filter(({ name }) => EVERYWHERE.includes(name)).flatMap((kind) =>
    PLACES.map((place) => caseOf(kind, place, `${kind.name}-at-${place}`)),
  ),
]
