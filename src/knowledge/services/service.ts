/**
 * What tells a network service from its first words. Texts are matched as latin1, so every byte is one character.
 * Patterns are our own, written from the protocols' documents and the programs' own greetings; each is anchored or
 * bounded, since the text comes from strangers.
 */
export interface Identity {
  readonly product: string | null
  readonly version: string | null
  /** Anything else it says of itself: edition, distribution, host name. */
  readonly info: string | null
  /** CPE 2.3 formatted string, null where the product has no known name there. */
  readonly cpe: string | null
}

export interface ProductRule {
  /** Named groups: product, version, info. */
  readonly match: RegExp
  /** Replaces the group of that name. */
  readonly product?: string
  readonly info?: string
  /** `vendor:product`; CPE part a, the version is the one found. */
  readonly cpe?: string
}

export interface ServiceDefinition {
  /** Stored in facts, so never renamed. */
  readonly id: string
  readonly title: string
  /** Where it listens by habit, registered with IANA or documented by its makers. */
  readonly ports: readonly number[]
  /** Where it listens by habit with TLS around it. */
  readonly tlsPorts?: readonly number[]
  /** What its server says first, before or without being asked. */
  readonly greeting?: RegExp
  /** Tried in order over the greeting, or over what a probe took out of its exchange. */
  readonly products?: readonly ProductRule[]
}

export const UNKNOWN: Identity = { product: null, version: null, info: null, cpe: null }

const LONGEST = 2_048

/** The first rule that matches; all null when none does. */
export const identify = (rules: readonly ProductRule[] | undefined, text: string): Identity => {
  const bounded = text.slice(0, LONGEST)
  for (const rule of rules ?? []) {
    const groups = rule.match.exec(bounded)?.groups ?? (rule.match.test(bounded) ? {} : null)
    if (groups === null) continue
    const version = clean(groups.version)
    return {
      product: rule.product ?? clean(groups.product),
      version,
      info: rule.info ?? clean(groups.info),
      cpe: rule.cpe === undefined ? null : cpeOf(rule.cpe, version),
    }
  }
  return UNKNOWN
}

/** CPE 2.3 (NISTIR 7695): `openbsd:openssh` and `9.2p1` give update p1 its own field. */
export const cpeOf = (name: string, version: string | null): string => {
  const [, number = version ?? '*', update] = /^(\d[\d.]*)(p\d+)$/.exec(version ?? '') ?? []
  return `cpe:2.3:a:${name}:${quoted(number)}:${update ?? '*'}:*:*:*:*:*:*`
}

const quoted = (text: string): string =>
  text === '*' ? text : text.toLowerCase().replace(/[^\w.-]/g, (char) => `\\${char}`)

const clean = (text: string | undefined): string | null => {
  const plain = (text ?? '')
    .replace(/[^\x20-\x7e]+/g, ' ')
    .trim()
    .slice(0, 120)
  return plain === '' ? null : plain
}
