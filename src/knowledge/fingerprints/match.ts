/** Signals in, products out, each with what it was known by. Pure. */
import { literalsOf, mayMatch } from './literal.ts'
import type { Kind, Product, Rule, Signal, Source } from './product.ts'

export interface Evidence {
  readonly source: Source
  readonly name: string
  readonly url: string
  /** What the rule matched, with a little around it; at most 200 characters. */
  readonly text: string
  readonly version: string | null
  readonly weak: boolean
}

export interface Detected {
  readonly name: string
  readonly kind: Kind
  readonly cpe: readonly string[]
  /** firm: a sign of its own or two weak ones; tentative: one weak sign; implied: not seen, but what was seen needs it. */
  readonly confidence: 'firm' | 'tentative' | 'implied'
  readonly version: string | null
  /** Other versions that were read elsewhere, e.g. of a second copy of a library. */
  readonly otherVersions: readonly string[]
  /** One entry a rule; empty when implied. */
  readonly evidence: readonly Evidence[]
  /** Names of the products that imply it, when it was not seen itself. */
  readonly impliedBy: readonly string[]
}

/** Texts beyond this are not looked at. */
const LONGEST: Readonly<Record<Source, number>> = {
  header: 2_000,
  cookie: 500,
  meta: 2_000,
  html: 262_144,
  asset: 1_000,
  code: 262_144,
  title: 500,
  error: 65_536,
  favicon: 20,
  tls: 1_000,
  global: 200,
  hash: 40,
  banner: 500,
}

/** What others found: products of ours by their name, and products that no rule of ours knows. */
export interface Found extends Pick<Product, 'name' | 'kind' | 'cpe'> {
  readonly evidence: readonly Evidence[]
}

/** In order of the products, then of what others found. Rules are asked once for each distinct text. */
export const detect = (
  signals: readonly Signal[],
  products: readonly Product[],
  others: readonly Found[] = [],
): readonly Detected[] => {
  const bySource = grouped(signals)
  const byOthers = Map.groupBy(others, ({ name }) => name)
  const seen = new Map<string, Detected>()
  for (const product of products) {
    const own = product.rules.flatMap((rule) => ask(rule, bySource.get(keyOf(rule)) ?? []))
    // One text read by two sets of rules is one sign.
    const further = (byOthers.get(product.name) ?? []).flatMap(({ evidence }) =>
      evidence.filter((one) => !isIn(one, own)),
    )
    const evidence = [...own, ...further]
    if (evidence.length > 0) seen.set(product.name, detected(product, evidence))
  }
  for (const [name, found] of byOthers) {
    const [first] = found
    if (first && !seen.has(name))
      seen.set(
        name,
        detected(
          first,
          found.flatMap(({ evidence }) => evidence),
        ),
      )
  }
  const all = withoutBorrowed([...seen.values()])
  return [...all, ...implied(seen, products)]
}

/**
 * `?ver=6.4.2` behind files of several products is the number of the application that brings them, not theirs: only the
 * content management system itself may keep it.
 */
const withoutBorrowed = (all: readonly Detected[]): readonly Detected[] => {
  const products = Map.groupBy(
    all.flatMap((one) => one.evidence.filter(isParameter).map(({ version }) => ({ name: one.name, version }))),
    ({ version }) => version,
  )
  const borrowed = new Set(
    [...products].filter(([, named]) => new Set(named.map(({ name }) => name)).size > 1).map(([version]) => version),
  )
  return all.map((one) => {
    if (one.kind === 'cms' || one.kind === 'shop') return one
    const isBorrowed = (sign: Evidence): boolean => isParameter(sign) && borrowed.has(sign.version)
    if (!one.evidence.some(isBorrowed)) return one
    return detected(
      one,
      one.evidence.map((sign) => (isBorrowed(sign) ? { ...sign, version: null } : sign)),
    )
  })
}

const isParameter = ({ source, text, version }: Evidence): boolean =>
  source === 'asset' && version !== null && text.includes(`ver=${version}`)

const isIn = ({ source, url, version }: Evidence, list: readonly Evidence[]): boolean =>
  list.some((one) => one.source === source && one.url === url && one.version === version)

const keyOf = ({ source, name }: Pick<Rule, 'source' | 'name'>): string => `${source} ${name}`

/** A signal as rules are asked about it. */
interface Text extends Signal {
  /** In lower case. */
  readonly lower: string
}

const grouped = (signals: readonly Signal[]): ReadonlyMap<string, readonly Text[]> => {
  const groups = new Map<string, Map<string, Text>>()
  for (const signal of signals) {
    const key = keyOf(signal)
    const group = groups.get(key) ?? new Map<string, Text>()
    const text = signal.text.slice(0, LONGEST[signal.source])
    if (!group.has(text)) group.set(text, { ...signal, text, lower: text.toLowerCase() })
    groups.set(key, group)
  }
  return new Map([...groups].map(([key, group]) => [key, [...group.values()]]))
}

/** Of one rule the first sign, and a further one for each other version. */
const ask = (rule: Rule, signals: readonly Text[]): readonly Evidence[] => {
  const found = new Map<string, Evidence>()
  const literals = rule.literals ?? literalsOf(rule.pattern)
  for (const { source, name, url, text, lower } of signals) {
    if (!mayMatch(literals, lower)) continue
    const match = rule.pattern.exec(text)
    if (match === null) continue
    const version = match.slice(1).find((group) => group !== undefined && group !== '') ?? null
    const key = version ?? ''
    if (!found.has(key)) {
      found.set(key, { source, name, url, text: excerpt(text, match), version, weak: rule.weak })
    }
  }
  const versioned = [...found.values()].filter((one) => one.version !== null)
  return (versioned.length > 0 ? versioned : [...found.values()]).slice(0, 10)
}

const excerpt = (text: string, match: RegExpExecArray): string =>
  text
    .slice(Math.max(0, match.index - 20), match.index + Math.max(match[0].length, 60))
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 200)

/** What says a version best: the code that runs, then what the software says of itself, then addresses. */
const TRUST: readonly Source[] = [
  ...(['hash', 'global', 'code', 'banner', 'header', 'meta', 'error', 'html', 'asset'] as const),
  ...(['title', 'tls', 'cookie', 'favicon'] as const),
]

const detected = (product: Pick<Product, 'name' | 'kind' | 'cpe'>, evidence: readonly Evidence[]): Detected => {
  const strong = evidence.filter((one) => !one.weak)
  const signs = new Set(evidence.map((one) => `${one.source} ${one.name} ${one.text}`))
  const versions = [
    ...new Set(
      evidence
        .filter((one) => one.version !== null)
        .toSorted((a, b) => TRUST.indexOf(a.source) - TRUST.indexOf(b.source) || parts(b) - parts(a))
        .map((one) => one.version ?? ''),
    ),
  ]
  const [version = null, ...others] = versions
  return {
    name: product.name,
    kind: product.kind,
    cpe: product.cpe,
    confidence: strong.length > 0 || signs.size > 1 ? 'firm' : 'tentative',
    version,
    // `3.4` beside `3.4.1` is the same one, said shorter.
    otherVersions: others.filter((other) => !version?.startsWith(`${other}.`)),
    evidence,
    impliedBy: [],
  }
}

const parts = ({ version }: Evidence): number => (version ?? '').split('.').length

const implied = (seen: ReadonlyMap<string, Detected>, products: readonly Product[]): readonly Detected[] => {
  const byName = new Map(products.map((product) => [product.name, product]))
  const found = new Map<string, Set<string>>()
  const follow = (name: string, path: ReadonlySet<string>): void => {
    for (const next of byName.get(name)?.implies ?? []) {
      if (path.has(next)) continue
      if (!seen.has(next)) found.set(next, (found.get(next) ?? new Set()).add(name))
      follow(next, new Set([...path, next]))
    }
  }
  for (const { name, confidence } of seen.values()) if (confidence === 'firm') follow(name, new Set([name]))
  return [...found].flatMap(([name, by]) => {
    const product = byName.get(name)
    if (!product) return []
    const { kind, cpe } = product
    const nothing = { version: null, otherVersions: [], evidence: [] }
    return [{ name, kind, cpe, confidence: 'implied' as const, ...nothing, impliedBy: [...by] }]
  })
}
