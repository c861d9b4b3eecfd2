/**
 * `npm run house [FOLDER…]`: the figures of the house, from its files and its import graph, one column for each checkout
 * that is named (this one where none is), and its functions over 100 lines. Tests and test beds are left out.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type AnyNode, parse } from 'acorn'
import { full } from 'acorn-walk'
import { type Import, importsOf, isTest } from '../tests/support/imports.ts'

interface Source {
  readonly file: string
  readonly text: string
}

export type Figures = ReadonlyMap<string, string>

/** Lines of a function that is too long to be read at once. */
const LONG = 100
/** What stands within such a function, as it is formatted, the end of its parameters too: files without are not parsed. */
const INDENTED = new RegExp(`(?:^(?:[ \\t)].*)?\\n){${LONG - 1}}`, 'm')

const sourcesOf = (root: string): readonly Source[] => {
  const sources = globSync('src/**/*.{ts,tsx}', { cwd: root })
    .filter((file) => !isTest(file))
    .map((file): Source => ({ file, text: readFileSync(join(root, file), 'utf8') }))
  if (sources.length === 0) throw new Error(`${root} holds no src`)
  return sources
}

const allFunctions = (sources: readonly Source[]): readonly Measured[] =>
  sources.filter(({ file }) => !file.endsWith('.d.ts')).flatMap(functionsOf)

/** `file:line, lines` of each function over 100 lines, the longest first. @throws Error as `figuresOf` */
export const longFunctionsOf = (root: string): readonly string[] =>
  allFunctions(sourcesOf(root).filter(({ text }) => INDENTED.test(text)))
    .filter(({ lines }) => lines > LONG)
    .toSorted((a, b) => b.lines - a.lines)
    .map(({ file, line, lines }) => `${file}:${line}, ${lines} lines`)

/** @throws Error where the folder holds no product, or a file of it is no TypeScript */
export const figuresOf = (root: string): Figures => {
  const sources = sourcesOf(root)
  const imports = sources.flatMap(({ file, text }) => importsOf(file, text))
  const lines = sources.map(({ text }) => text.split('\n').length - 1)
  const modules = betweenModules(root, imports)
  const functions = allFunctions(sources)
  const longest = functions.reduce((most, one) => (one.lines > most.lines ? one : most))
  return new Map<string, string>([
    ['files of the product', number(sources.length)],
    ['lines of the product', number(lines.reduce((sum, count) => sum + count, 0))],
    ['files of at most 40 lines', number(lines.filter((count) => count <= 40).length)],
    ['files imported by one file alone', number(importedOnce(imports))],
    ['imports from module to module', `${number(modules.all.length)} over ${pairs(modules.all)} pairs`],
    ['of these past the facts', `${number(modules.deep.length)} over ${pairs(modules.deep)} pairs`],
    ['pairs neither needed nor used', String(pairs(modules.undeclared))],
    ['circles of values', String(circles(imports.filter(({ typeOnly }) => !typeOnly)))],
    ['longest function, lines', `${longest.lines} (${basename(longest.file)}:${longest.line})`],
    ['functions over 100 lines', String(functions.filter((one) => one.lines > LONG).length)],
    ['files in the fullest folder', fullest(sources)],
    ...walksOf(root).map((walk) => [`walk: ${walk.name}, files`, number(walk.files.length)] as const),
    ['files that name auth_cookie', String(sources.filter(({ text }) => text.includes('auth_cookie')).length)],
    ['files that name template_full', String(sources.filter(({ text }) => text.includes('template_full')).length)],
  ])
}

export interface Walk {
  readonly name: string
  /** Below `src`, in their order; a file that is passed twice stands once. */
  readonly files: readonly string[]
  /** Where it leaves the process: index of the first file behind it. */
  readonly hops: readonly number[]
}

/**
 * The ways of a few things through the house, `walks.json`: files a function of which is handed the thing itself. What has a
 * space is no file but a hop between processes.
 */
export const walksOf = (root: string): readonly Walk[] => {
  const path = join(root, 'scripts/walks.json')
  if (!existsSync(path)) return []
  const walks = JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, readonly string[]>>
  return Object.entries(walks).map(([name, steps]) => ({
    name,
    files: steps.filter((step) => !step.includes(' ')),
    hops: steps.flatMap((step, at) =>
      step.includes(' ') ? [steps.slice(0, at).filter((one) => !one.includes(' ')).length] : [],
    ),
  }))
}

const number = (value: number): string => value.toLocaleString('en')

const importedOnce = (imports: readonly Import[]): number => {
  const by = new Map<string, Set<string>>()
  for (const { from, to } of imports) if (to.startsWith('src/')) by.set(to, (by.get(to) ?? new Set()).add(from))
  return [...by.values()].filter(({ size }) => size === 1).length
}

type Crossing = Import & { readonly own: string; readonly other: string }

const pairs = (crossings: readonly Crossing[]): number =>
  new Set(crossings.map(({ own, other }) => `${own} ${other}`)).size

/** A module is a folder with a `module.ts`; what several share has none and counts as a module that declares nothing. */
const betweenModules = (root: string, imports: readonly Import[]) => {
  const homes = new Map(
    globSync('src/modules/{*,*/*}/module.ts', { cwd: root }).map((file) => [
      dirname(file),
      declaredBy(readFileSync(join(root, file), 'utf8')),
    ]),
  )
  const rooms = new Set([...homes.keys()].map(dirname))
  const homeOf = (file: string): string | null => {
    const folders = file.split('/').slice(0, -1)
    for (let depth = folders.length; depth > 2; depth -= 1) {
      const folder = folders.slice(0, depth).join('/')
      const shared = rooms.has(dirname(folder)) && !rooms.has(folder) && basename(folder) !== 'testing'
      if (homes.has(folder) || shared) return folder
    }
    return null
  }
  const all = imports.flatMap((each): readonly Crossing[] => {
    const [own, other] = [homeOf(each.from), homeOf(each.to)]
    return own === null || other === null || own === other ? [] : [{ ...each, own, other }]
  })
  const deep = all.filter(({ to }) => !/^facts(?:-[\w-]+)?\.ts$/.test(basename(to)))
  const undeclared = all.filter(
    ({ own, other }) => homes.has(own) && homes.has(other) && !homes.get(own)?.includes(basename(other)),
  )
  return { all, deep, undeclared }
}

const declaredBy = (text: string): readonly string[] =>
  [...text.matchAll(/\b(?:needs|uses): \[([^\]]*)\]/g)].flatMap(([, names = '']) =>
    [...names.matchAll(/'([\w-]+)'/g)].map(([, name = '']) => name),
  )

/** Groups of files that import each other (Tarjan's strongly connected components of more than one file). */
export const circles = (imports: readonly Import[]): number => {
  const graph = new Map<string, string[]>()
  for (const { from, to } of imports) if (to.startsWith('src/')) graph.set(from, [...(graph.get(from) ?? []), to])
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  let found = 0
  const visit = (file: string): void => {
    index.set(file, index.size)
    low.set(file, index.get(file) ?? 0)
    stack.push(file)
    for (const next of graph.get(file) ?? []) {
      if (!index.has(next)) visit(next)
      else if (!stack.includes(next)) continue
      low.set(file, Math.min(low.get(file) ?? 0, low.get(next) ?? 0))
    }
    if (low.get(file) !== index.get(file)) return
    if (stack.splice(stack.indexOf(file)).length > 1) found += 1
  }
  for (const file of graph.keys()) if (!index.has(file)) visit(file)
  return found
}

interface Measured {
  readonly file: string
  readonly line: number
  readonly lines: number
}

const functionsOf = ({ file, text }: Source): readonly Measured[] => {
  const measured: Measured[] = []
  const tree = parse(stripTypeScriptTypes(text), { ecmaVersion: 'latest', sourceType: 'module', locations: true })
  full(tree, (node: AnyNode) => {
    if (!/^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type) || !node.loc) return
    measured.push({ file, line: node.loc.start.line, lines: node.loc.end.line - node.loc.start.line + 1 })
  })
  return measured
}

const fullest = (sources: readonly Source[]): string => {
  const counts = new Map<string, number>()
  for (const { file } of sources) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  const [folder = '', count = 0] = [...counts].reduce((most, one) => (one[1] > most[1] ? one : most))
  return `${count} (${folder})`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const named = process.argv.slice(2).filter((folder) => existsSync(folder))
  const roots =
    named.length > 0 ? named.map((folder) => resolve(folder)) : [fileURLToPath(new URL('..', import.meta.url))]
  const columns = roots.map(figuresOf)
  for (const name of columns[0]?.keys() ?? []) {
    process.stdout.write(`| ${[name, ...columns.map((column) => column.get(name) ?? '')].join(' | ')} |\n`)
  }
  for (const root of roots) {
    for (const long of longFunctionsOf(root)) process.stdout.write(`over ${LONG} lines: ${long}\n`)
  }
}
