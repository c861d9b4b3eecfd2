/** Libraries by the operator's data of retire.js: addresses, file names, content, hashes, values of the running page. */
import { RE2JS } from 're2js'
import { NPM, RETIRE } from '../cve/names.ts'
import type { OpenFeed } from '../feeds/items.ts'
import { type Extractors, extractorsOf } from '../feeds/parse/retire.ts'
import type { Evidence, Found } from './match.ts'
import type { Product, Signal } from './product.ts'

/** What stands for a version in the data, by its own documentation. */
const VERSION = '[0-9][0-9.a-z_\\-]+'
const MOST_CODE = 262_144
const LONGEST_ADDRESS = 1_000

/** `signals` are those of the rules; hashes and globals among them. */
export const detectRetire = (
  feed: OpenFeed,
  signals: readonly Signal[],
  products: readonly Product[],
): readonly Found[] => {
  const byName = new Map(products.map((product) => [product.name, product]))
  return [...extractorsOf(feed)].flatMap(([component, extractors]) => {
    const evidence = distinct(signals.flatMap((signal) => evidenceOf(signal, extractors)))
    if (evidence.length === 0) return []
    const known = byName.get(NAMES.get(component) ?? '')
    return [{ name: known?.name ?? component, kind: known?.kind ?? 'library', cpe: known?.cpe ?? [], evidence }]
  })
}

/** Our names of the components. */
const NAMES: ReadonlyMap<string, string> = new Map(
  [...Object.entries(NPM), ...Object.entries(RETIRE)].map(([name, component]) => [component.toLowerCase(), name]),
)

const evidenceOf = (signal: Signal, extractors: Extractors): readonly Evidence[] =>
  versionsIn(signal, extractors)
    .filter(({ version }) => /^\d[\w.-]{0,60}$/.test(version))
    .map(({ version, text }) => ({
      ...signal,
      text: text.replace(/\s+/g, ' ').trim().slice(0, 200),
      version,
      weak: false,
    }))

interface Read {
  readonly version: string
  readonly text: string
}

const versionsIn = ({ source, name, text }: Signal, extractors: Extractors): readonly Read[] => {
  if (source === 'asset') {
    const address = text.slice(0, LONGEST_ADDRESS)
    const file = address.split(/[?#]/)[0]?.split('/').at(-1) ?? ''
    return [
      ...extractors.uri.flatMap((pattern) => read(pattern, address)),
      ...extractors.filename.flatMap((pattern) => read(`^${pattern}$`, file)),
    ]
  }
  if (source === 'hash') {
    const version = Object.hasOwn(extractors.hashes, text) ? extractors.hashes[text] : undefined
    return version === undefined ? [] : [{ version, text }]
  }
  if (source === 'global') return extractors.func.includes(name) ? [{ version: text, text: `${name} = ${text}` }] : []
  if (source !== 'code') return []
  const code = text.slice(0, MOST_CODE).replace(/\r\n?/g, '\n')
  const found = extractors.filecontent.flatMap((pattern) => read(pattern, code))
  return found.length > 0 ? found : extractors.filecontentreplace.flatMap((pattern) => replaced(pattern, code))
}

/** The first match; its first group is the version. */
const read = (pattern: string, text: string): readonly Read[] => {
  const match = find(pattern.replaceAll('§§version§§', VERSION), text)
  const version = match?.groups[0]
  return match && version !== undefined ? [{ version, text: match.text }] : []
}

/** `/pattern/$1.$2/`: the version is put together from several groups. */
const replaced = (rule: string, text: string): readonly Read[] => {
  const [, pattern, wanted = ''] = /^\/(.*[^\\])\/([^/]+)\/$/s.exec(rule) ?? []
  const match = pattern === undefined ? null : find(pattern.replaceAll('§§version§§', VERSION), text)
  if (match === null) return []
  return [
    {
      version: wanted.replace(/\$(\d)/g, (_, group: string) => match.groups[Number(group) - 1] ?? ''),
      text: match.text,
    },
  ]
}

interface Match {
  readonly text: string
  readonly groups: readonly string[]
}

interface Compiled {
  readonly pattern: RE2JS
  /** A text without which the pattern cannot match: asked first, since it costs next to nothing. */
  readonly literal: string
}

const compiled = new Map<string, Compiled | null>()

const find = (source: string, text: string): Match | null => {
  let one = compiled.get(source)
  if (one === undefined) {
    one = compile(source)
    compiled.set(source, one)
  }
  if (one === null || !text.includes(one.literal)) return null
  const matcher = one.pattern.matcher(text)
  if (!matcher.find()) return null
  const groups = Array.from({ length: matcher.groupCount() }, (_, index) => matcher.group(index + 1) ?? '')
  return { text: matcher.group() ?? '', groups }
}

/** Null for what linear time cannot express (back references, lookbehind): three rules of the data. */
const compile = (source: string): Compiled | null => {
  try {
    return { pattern: RE2JS.compile(source), literal: literalOf(source) }
  } catch (error) {
    if (error instanceof Error) return null
    throw error
  }
}

/** The longest run of plain characters that every match has; '' where there may be none. */
export const literalOf = (source: string): string => {
  const runs: string[] = []
  let run = ''
  let depth = 0
  for (const [token] of source.matchAll(/\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|[*+?]\??|\{\d+(?:,\d*)?\}\??|[\s\S]/g)) {
    if (token === '|' && depth === 0) return ''
    if (token === '(') depth += 1
    if (token === ')') depth -= 1
    const plain = /^\\[^\w\s]$/.test(token) ? token.slice(1) : /^[^\\()[\]{}*+?.^$|]$/s.test(token) ? token : null
    if (plain !== null && depth === 0) {
      run += plain
      continue
    }
    // What stands before `?`, `*` or `{` need not be there.
    runs.push(/^[*?{]/.test(token) ? run.slice(0, -1) : run)
    run = ''
  }
  return [...runs, run].toSorted((a, b) => b.length - a.length)[0] ?? ''
}

/** Several rules that read one file are one sign. */
const distinct = (evidence: readonly Evidence[]): readonly Evidence[] => [
  ...new Map(evidence.map((one) => [`${one.source} ${one.version} ${one.url}`, one])).values(),
]
