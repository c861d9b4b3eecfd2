/** Which templates a run gets: what its policy allows, joined with what was detected, and the checks that fit every site. */
import { TIERS, type Tier } from '../../safety/templates.ts'
import type { Template } from './template.ts'

export interface Policy {
  readonly allowed: ReadonlySet<Tier>
  /** The whole allowed catalogue in place of what fits. */
  readonly full: boolean
}

export interface Product {
  /** As people write it: `Apache Tomcat`. */
  readonly name: string
  /** `vendor:product`. */
  readonly cpe: readonly string[]
}

export interface Selection {
  readonly templates: readonly Template[]
  /** Templates that the policy holds back, by the first tier that does. */
  readonly heldBack: Readonly<Partial<Record<Tier, number>>>
  /** Allowed, but for products that were not seen. */
  readonly notFitting: number
}

export interface PolicyOptions {
  readonly full: boolean
  readonly listener: boolean
  /** A system that is there to be tested. */
  readonly test?: boolean
}

/**
 * What a run that must not harm allows. A listener of our own allows `out-of-band`, the full catalogue and a test system `time-based`; on
 * a test system, what is said to be intrusive and only asks for pages is asked, too.
 */
export const policyOf = (options: PolicyOptions): Policy => ({
  full: options.full,
  allowed: new Set<Tier>([
    'raw-socket',
    ...(options.listener ? (['out-of-band'] as const) : []),
    ...(options.full || options.test ? (['time-based'] as const) : []),
    ...(options.test ? (['intrusive'] as const) : []),
  ]),
})

export const heldBy = (template: Template, policy: Policy): Tier | null =>
  TIERS.find((tier) => template.tiers.includes(tier) && !policy.allowed.has(tier)) ?? null

export const selectTemplates = (
  templates: readonly Template[],
  products: readonly Product[],
  policy: Policy,
): Selection => {
  const heldBack: Partial<Record<Tier, number>> = {}
  const chosen: Template[] = []
  let notFitting = 0
  const join = createJoin(products)
  for (const template of templates) {
    // A workflow names other templates; each of them is chosen by itself.
    if (template.workflow !== null) continue
    const tier = heldBy(template, policy)
    if (tier !== null) heldBack[tier] = (heldBack[tier] ?? 0) + 1
    else if (policy.full || isGeneric(template) || join(template)) chosen.push(template)
    else notFitting += 1
  }
  return { templates: chosen, heldBack, notFitting }
}

/** Sets that fit every site: exposed files, misconfiguration, takeovers, and what is known to be exploited. */
const GENERIC_FOLDER =
  /(?:^|\/)(?:exposures|misconfiguration|takeovers|takeover|vulnerabilities\/generic|passive|ssl|dns|generic)\//
const GENERIC_TAGS: ReadonlySet<string> = new Set(['kev', 'takeover', 'generic', 'sonde'])

const isGeneric = (template: Template): boolean => {
  if (template.info.tags.some((tag) => GENERIC_TAGS.has(tag))) return true
  return GENERIC_FOLDER.test(template.file) && productsOf(template).length === 0
}

/** `vendor:product` and the product's own name, of the CPE and of the metadata. */
const productsOf = ({ info }: Template): readonly string[] => {
  const [, , , vendor = '', product = ''] = (info.cpe ?? '').toLowerCase().split(':')
  const names = new Set<string>()
  if (vendor !== '' && product !== '') names.add(`${vendor}:${product}`)
  if (info.vendor !== null && info.product !== null) names.add(`${info.vendor}:${info.product}`)
  if (info.product !== null) names.add(slug(info.product))
  if (product !== '') names.add(slug(product))
  return [...names]
}

/** Tags that say what kind of thing it is, not which product. */
const KINDS: ReadonlySet<string> = new Set(
  'tech detect panel login cve exposure misconfig config xss sqli rce lfi ssrf ssti xxe redirect auth bypass unauth file disclosure http network web server cloud api cms waf php java python javascript node devops iot generic security plugin theme module library framework cdn analytics'.split(
    ' ',
  ),
)

const createJoin = (products: readonly Product[]) => {
  const keys = new Set<string>()
  for (const { name, cpe } of products) {
    for (const one of cpe) {
      const [vendor = '', product = ''] = one.toLowerCase().split(':').slice(-2)
      keys.add(`${vendor}:${product}`)
      if (product !== '') keys.add(slug(product))
    }
    for (const word of [slug(name), slug(name).replaceAll('-', '')]) if (!KINDS.has(word)) keys.add(word)
  }
  return (template: Template): boolean =>
    productsOf(template).some((key) => keys.has(key)) ||
    template.info.tags.some((tag) => !KINDS.has(tag) && keys.has(tag))
}

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
