/**
 * Reads the rule files. A product is a line `Name | kind | vendor:product, … | implied, …` and its rules, one a line:
 *
 *     header server /^nginx(?:\/([\d.]+))?/ = nginx/1.24.0 => 1.24.0
 *
 * that is source, name (of headers, meta tags and globals of the page), pattern, example, and the version in the example. A `?` after the
 * source makes the sign a weak one. Patterns ignore case. Shorthands for addresses:
 * `host DOMAIN[/PATH]`, `lib FILE` (a file or CDN folder of that name), `plugin SLUG` and `theme SLUG` (WordPress).
 */
import { KINDS, type Kind, type Product, type Rule, SOURCES, type Source } from './product.ts'

export class RuleError extends Error {
  constructor(file: string, line: number, message: string) {
    super(`${file}:${line}: ${message}`)
    this.name = 'RuleError'
  }
}

/** @throws RuleError with file and line */
export const parseRules = (text: string, file: string): readonly Product[] => {
  const products: (Product & { readonly rules: Rule[] })[] = []
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) continue
    const fail = (message: string): never => {
      throw new RuleError(file, index + 1, message)
    }
    const head = / \| /.test(line) && !RULE.test(line) ? parseHead(line, fail) : null
    if (head !== null) products.push(head)
    else (products.at(-1) ?? fail('a rule before any product')).rules.push(parseRule(line, fail))
  }
  return products
}

type Fail = (message: string) => never

const WORDS = [...SOURCES, 'host', 'lib', 'plugin', 'theme']
const RULE = new RegExp(`^(?:${WORDS.join('|')})\\?? `)

const list = (text: string | undefined): readonly string[] =>
  (text ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')

const parseHead = (line: string, fail: Fail): Product & { readonly rules: Rule[] } => {
  const [name = '', kind = '', cpe, implies, ...rest] = line.split('|').map((part) => part.trim())
  if (!(KINDS as readonly string[]).includes(kind)) fail(`“${kind}” is no kind of product`)
  if (name === '' || rest.length > 0) fail('a product is “Name | kind | cpe | implied”')
  for (const one of list(cpe)) if (!/^[^:\s]+:[^:\s]+$/.test(one)) fail(`“${one}” is not vendor:product`)
  return { name, kind: kind as Kind, cpe: list(cpe), implies: list(implies), rules: [] }
}

const parseRule = (line: string, fail: Fail): Rule => {
  const [, word = '', mark = '', rest = ''] = /^(\w+)(\??) (.*)$/.exec(line) ?? fail('neither a product nor a rule')
  const shorthand = SHORTHANDS[word]
  // A pattern ends with its slash, so an equals sign within it is its own.
  const cut = rest.indexOf(shorthand ? ' = ' : '/ = ')
  const cutAt = (cut < 0 ? fail('a rule ends with “ = example”') : cut) + (shorthand ? 0 : 1)
  const what = rest.slice(0, cutAt).trim()
  const [example = '', version] = rest.slice(cutAt + 3).split(' => ')
  const about = { weak: mark === '?', example: example.trim(), exampleVersion: version?.trim() ?? null }
  if (shorthand) return { source: 'asset', name: '', pattern: compile(shorthand(what), fail), ...about }
  if (!(SOURCES as readonly string[]).includes(word)) fail(`“${word}” is no source`)
  const [, name = '', pattern = ''] = /^([^/\s]*)\s*\/(.*)\/$/.exec(what) ?? fail('the pattern stands between slashes')
  if (NAMED.includes(word) !== (name !== '')) fail(`${word} ${name === '' ? 'needs' : 'has no'} name`)
  return {
    source: word as Source,
    name: word === 'global' ? name : name.toLowerCase(),
    pattern: compile(pattern, fail),
    ...about,
  }
}

const NAMED = ['header', 'meta', 'global']

const compile = (pattern: string, fail: Fail): RegExp => {
  try {
    return new RegExp(pattern, 'i')
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error))
  }
}

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const VERSION = '(\\d+(?:\\.\\d+){1,3}(?:-(?:alpha|beta|rc)[.\\d]*)?)'
const BUILDS = '(?:[.-](?:min|slim|pack|packed|bundle|all|umd|prod|production|esm|global|runtime|browser|core|full))*'

const SHORTHANDS: Readonly<Record<string, (what: string) => string>> = {
  host: (what) => {
    const slash = what.indexOf('/')
    const [host, path] = slash < 0 ? [what, '/'] : [what.slice(0, slash), what.slice(slash)]
    return `^(?:https?:)?//(?:[\\w-]+\\.)*${literal(host)}(?::\\d+)?${literal(path)}`
  },
  lib: (what) => {
    const name = literal(what)
    return [
      `/${name}[@/-]v?${VERSION}/`,
      `/${name}[.-]v?${VERSION}${BUILDS}\\.(?:m?js|css)(?:[?#]|$)`,
      `/${name}${BUILDS}\\.(?:m?js|css)(?:\\?(?:[^#]*&)?ver=${VERSION})?`,
    ].join('|')
  },
  plugin: (what) => wordpress('plugins', what),
  theme: (what) => wordpress('themes', what),
}

/** The number after `ver=` is the part's own, unless the file is a library that the part brings along. */
const wordpress = (folder: string, slug: string): string =>
  `/${folder}/${literal(slug)}/(?:(?![^?#]*/(?:libs?|vendor|packages|node_modules)/)[^?#]*\\?(?:[^#]*&)?ver=${VERSION})?`
