import { describe, expect, it } from 'vitest'
import { detect } from './match.ts'
import { parseRules } from './parse.ts'
import type { Product, Rule, Signal } from './product.ts'
import { allProducts } from './products.ts'

const products = allProducts()
const byName = new Map(products.map((product) => [product.name, product]))
const rules = products.flatMap((product) =>
  product.rules.map((rule, index) => [`${product.name}: ${rule.source} ${index + 1}`, product, rule] as const),
)

const signal = ({ source, name, example }: Rule): Signal => ({ source, name, text: example, url: 'https://shop.test/' })

const closure = (product: Product, known = new Set<string>()): ReadonlySet<string> => {
  known.add(product.name)
  for (const name of product.implies) {
    const next = byName.get(name)
    if (next && !known.has(name)) closure(next, known)
  }
  return known
}

describe('the rules', () => {
  it('know at least 600 products, each once and with a rule of its own', () => {
    expect(products.length).toBeGreaterThanOrEqual(600)
    const names = products.map((product) => product.name)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
    expect(products.filter((product) => product.rules.length === 0).map((product) => product.name)).toEqual([])
  })

  it('imply only products that exist', () => {
    const missing = products.flatMap((product) => product.implies.filter((name) => !byName.has(name)))
    expect(missing).toEqual([])
  })

  it('match their examples, and read the version there', () => {
    const wrong = rules.flatMap(([name, product, rule]) => {
      const [found] = detect([signal(rule)], [{ ...product, rules: [rule] }])
      const version = found?.version ?? null
      return found && version === rule.exampleVersion
        ? []
        : [`${name} (${rule.example}): ${found ? version : 'silent'}`]
    })
    expect(wrong).toEqual([])
  })

  it('name nothing but the product and what it implies', () => {
    const wrong = rules.flatMap(([name, product, rule]) => {
      const allowed = closure(product)
      // An address also says who delivers it, a banner the system it was built for.
      const others = detect([signal(rule)], products).filter(
        ({ name: other, kind }) => !allowed.has(other) && kind !== 'cdn' && kind !== 'system',
      )
      return others.length === 0 ? [] : [`${name} (${rule.example}): ${others.map((found) => found.name).join(', ')}`]
    })
    expect(wrong).toEqual([])
  })

  it('take no library for one that its comment borrows from', () => {
    const borrowed =
      '/** @license React */\n/**\n * @license Modernizr 3.0.0pre (Custom Build) | MIT\n */ function isEventSupported() {}'
    const found = detect([{ source: 'code', name: '', text: borrowed, url: 'https://shop.test/a.js' }], allProducts())
    expect(found.map(({ name }) => name)).not.toContain('Modernizr')
  })

  it('stay silent on a plain page', () => {
    const texts: readonly [Signal['source'], string, string][] = [
      ['header', 'server', 'web'],
      ['header', 'content-type', 'text/html; charset=utf-8'],
      ['cookie', '', 'lang=en'],
      ['meta', 'generator', 'by hand'],
      ['html', '', '<!doctype html><title>Cakes</title><p>We bake express bread, react fast and ghost nobody.</p>'],
      ['asset', '', 'https://shop.test/static/main.js'],
      ['asset', '', 'https://shop.test/static/vuelta-express-next.css'],
      ['code', '', 'const a = 1; document.title = "Shop"'],
      ['title', '', 'Cakes and bread'],
      ['error', '', '<h1>Not found</h1>'],
      ['favicon', '', '12345'],
    ]
    const signals = texts.map(([source, name, text]) => ({ source, name, text, url: 'https://shop.test/' }))
    expect(detect(signals, products).map((found) => found.name)).toEqual([])
  })

  /** Two open repetitions that can match the same text make a pattern's time grow with the square of a hostile page. */
  it('are bounded', () => {
    const open = rules.filter(([, , { source, pattern }]) => {
      const nested = /\([^)]*[+*]\)[+*]/.test(pattern.source)
      const twice = /(?:\.|\[\^[^\]]*\]|\\S|\\s)[*+].*(?:\.|\[\^[^\]]*\]|\\S)[*+]/.test(pattern.source)
      // Addresses are cut at a thousand characters.
      return source !== 'asset' && (nested || twice)
    })
    expect(open.map(([name]) => name)).toEqual([])
  })
})

const TEXT = `
# a comment
Alpha | server | acme:alpha | Beta
header server /^alpha(?:\\/([\\d.]+))?/ = alpha/1.2 => 1.2
cookie? /^alphasid=/ = alphasid=1
Beta | language | |
lib beta = /beta-2.0.1.min.js => 2.0.1
`

describe('detection', () => {
  const [alpha, beta] = parseRules(TEXT, 'case.rules')
  const list = [alpha, beta].filter((one) => one !== undefined)
  const at = (source: Signal['source'], name: string, text: string): Signal => ({
    source,
    name,
    text,
    url: 'https://a.test/',
  })

  it.each([
    ['a strong sign', [at('header', 'server', 'alpha/1.2')], { Alpha: ['firm', '1.2'], Beta: ['implied', null] }],
    ['one weak sign', [at('cookie', '', 'alphasid=1')], { Alpha: ['tentative', null] }],
    [
      'two weak signs',
      [at('cookie', '', 'alphasid=1'), at('cookie', '', 'alphasid=2')],
      { Alpha: ['tentative', null] },
    ],
    [
      'a weak and a strong one',
      [at('cookie', '', 'alphasid=1'), at('header', 'server', 'alpha')],
      { Alpha: ['firm', null], Beta: ['implied', null] },
    ],
    [
      'seen, so not implied',
      [at('header', 'server', 'alpha'), at('asset', '', '/beta.js')],
      { Alpha: ['firm', null], Beta: ['firm', null] },
    ],
    ['the wrong header', [at('header', 'via', 'alpha/1.2')], {}],
  ])('%s', (_trick, signals, expected) => {
    const found = detect(signals, list)
    expect(Object.fromEntries(found.map((one) => [one.name, [one.confidence, one.version]]))).toEqual(expected)
  })

  it.each([
    ['one product: its own', ['/beta.js?ver=2.0.1'], { Beta: '2.0.1' }],
    ['several products: of none of them', ['/beta.js?ver=6.4.2', '/gamma.js?ver=6.4.2'], { Beta: null, Gamma: null }],
    [
      'unless it is said elsewhere',
      ['/beta@2.0.1/beta.js?ver=6.4.2', '/gamma.js?ver=6.4.2'],
      { Beta: '2.0.1', Gamma: '6.4.2' },
    ],
    ['each its own', ['/beta.js?ver=2.0.1', '/gamma.js?ver=6.4.2'], { Beta: '2.0.1', Gamma: '6.4.2' }],
    ['a number without a name', ['/beta.js?v=5.2.1'], { Beta: null }],
  ])('a version behind a question mark, %s', (_trick, addresses, expected) => {
    const two = parseRules('Beta | library\nlib beta = /beta.js\nGamma | library\nlib gamma = /gamma.js', 'case.rules')
    const found = detect(
      addresses.map((text) => at('asset', '', text)),
      two,
    )
    expect(Object.fromEntries(found.map(({ name, version }) => [name, version]))).toEqual(expected)
  })

  it('keeps the versions of two copies', () => {
    const [found] = detect([at('asset', '', '/beta@1.0.0/beta.js'), at('asset', '', '/x/beta-2.0.1.min.js')], list)
    expect([found?.version, ...(found?.otherVersions ?? [])].toSorted()).toEqual(['1.0.0', '2.0.1'])
  })
})

describe('shorthands', () => {
  const [product] = parseRules(
    'X | library | |\nlib lib-x = /lib-x.js\nhost x.example/a = https://x.example/a',
    'case.rules',
  )
  const read = (url: string) => detect([{ source: 'asset', name: '', text: url, url }], product ? [product] : [])[0]

  it.each([
    ['a file with a version', 'https://s.test/js/lib-x-3.4.1.min.js', '3.4.1'],
    ['with a dot', '/lib-x.3.4.1.js', '3.4.1'],
    ['a folder of a CDN', 'https://cdn.test/ajax/libs/lib-x/3.4.1/anything.js', '3.4.1'],
    ['a package of a CDN', 'https://cdn.test/npm/lib-x@3.4.1/dist/y.js', '3.4.1'],
    ['a parameter', '/lib-x.min.js?ver=3.4.1', '3.4.1'],
    ['no version', '/lib-x.slim.min.js', null],
    ['a hash is no version', '/lib-x.min.js?v=8f3a', null],
  ])('%s', (_trick, url, version) => {
    expect(read(url)?.version).toBe(version)
  })

  it.each([
    ['a longer name', '/lib-x-extra.js'],
    ['another start', '/my-lib-x.js'],
    ['a host that ends alike', 'https://notx.example/a'],
    ['a host that begins alike', 'https://x.example.evil.test/a'],
    ['the host in a parameter', 'https://s.test/?u=//x.example/a'],
  ])('%s is something else', (_trick, url) => {
    expect(read(url)).toBeUndefined()
  })
})

describe('wrong rule files', () => {
  it.each([
    ['a rule before any product', 'html /x/ = x', /case.rules:1: a rule before any product/],
    ['an unknown kind', 'A | thing | |', /case.rules:1: “thing” is no kind/],
    ['no example', 'A | cms | |\nhtml /x/', /case.rules:2: a rule ends with/],
    ['a broken pattern', 'A | cms | |\nhtml /(x/ = x', /case.rules:2: Invalid regular expression/],
    ['a header without a name', 'A | cms | |\nheader /x/ = x', /case.rules:2: header needs name/],
    ['a bad CPE', 'A | cms | wordpress |', /not vendor:product/],
    ['prose', 'A | cms | |\nwhat = this', /case.rules:2: a rule ends with/],
  ])('%s', (_trick, text, message) => {
    expect(() => parseRules(text, 'case.rules')).toThrow(message)
  })
})
