/** A folder of templates, read and compiled once: the result is kept in a file keyed by the hash of the folder. */
import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { linesOf } from './parse/payloads.ts'
import type { Problem, Refusal } from './parse/problem.ts'
import { LARGEST } from './parse/source.ts'
import { parseTemplate } from './parse/template.ts'
import type { Template, WorkflowStep } from './template.ts'

export interface Catalogue {
  /** Absolute. */
  readonly folder: string
  /** Of names, sizes and times of the files: equal for a folder that nobody touched. */
  readonly hash: string
  readonly templates: readonly Template[]
  readonly refused: readonly { readonly file: string; readonly id: string; readonly refusal: Refusal }[]
  readonly broken: readonly { readonly file: string; readonly problems: readonly Problem[] }[]
  /** Of templates that run all the same. */
  readonly warnings: readonly { readonly file: string; readonly problems: readonly Problem[] }[]
}

/** Changes whenever the compiled form or the classifier does, so that no old plan is taken for a new one. */
const PLAN = 'templates-4'
/** Bytes of one payload file. */
const LARGEST_LIST = 4 * 1024 * 1024
/** Plans that are kept beside the newest. */
const KEPT_PLANS = 3

/** Not templates: settings and maps that lie in the public catalogue. */
const BESIDE = /(?:^|\/)(?:profiles\/|helpers\/|\.|wappalyzer-mapping|contributors|cves\.json)/i

/**
 * `folder` may be a single template. `cache` is a folder for compiled plans; without it everything is read each time.
 * @throws when the folder cannot be read
 */
export const openCatalogue = (folder: string, cache: string | null = null): Catalogue => {
  const named = realpathSync(resolve(folder))
  const single = statSync(named).isFile()
  const home = single ? dirname(named) : named
  const files = single ? [basename(named)] : templateFiles(home)
  const hash = hashOf(home, files)
  const plan = cache === null ? null : join(cache, `${hash}.json`)
  if (plan !== null && existsSync(plan)) {
    const kept = readPlan(plan)
    if (kept !== null) return { ...kept, folder: home, hash }
  }
  const compiled = compileCatalogue(home, files)
  if (cache !== null && plan !== null) keepPlan(cache, plan, compiled)
  return { ...compiled, folder: home, hash }
}

type Compiled = Omit<Catalogue, 'folder' | 'hash'>

export const templateFiles = (home: string): readonly string[] => {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.ya?ml$/i.test(entry.name))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(home.length + 1)
        .split(sep)
        .join('/'),
    )
    .filter((file) => !BESIDE.test(file))
    .toSorted()
}

const hashOf = (home: string, files: readonly string[]): string => {
  const hash = createHash('sha256').update(PLAN)
  for (const file of files) {
    const { size, mtimeMs } = statSync(join(home, file))
    hash.update(`${file}\0${size}\0${mtimeMs}\n`)
  }
  return hash.digest('hex')
}

const compileCatalogue = (home: string, files: readonly string[]): Compiled => {
  const templates: Template[] = []
  const refused: Catalogue['refused'][number][] = []
  const broken: Catalogue['broken'][number][] = []
  const warnings: Catalogue['warnings'][number][] = []
  const readList = listReader(home)
  const seen = new Map<string, string>()
  for (const file of files) {
    if (statSync(join(home, file)).size > LARGEST) {
      broken.push({ file, problems: [{ level: 'error', line: 0, path: '', message: 'the file is larger than 4 MiB' }] })
      continue
    }
    const parsed = parseTemplate(readFileSync(join(home, file), 'utf8'), file, readList)
    if (parsed.kind === 'broken') broken.push({ file, problems: parsed.problems })
    else {
      if (parsed.warnings.length > 0) warnings.push({ file, problems: parsed.warnings })
      if (parsed.kind === 'refused') refused.push({ file, id: parsed.id, refusal: parsed.refusal })
      else if (seen.has(parsed.template.id)) {
        const { id } = parsed.template
        const message = `${seen.get(id)} has the id "${id}" already and is the one that counts; give this one its own`
        broken.push({ file, problems: [{ level: 'error', line: lineOfId(join(home, file)), path: 'id', message }] })
      } else {
        seen.set(parsed.template.id, file)
        // As the plan has it: texts of their own, in place of pieces that each keep the whole file.
        templates.push(JSON.parse(JSON.stringify(parsed.template)) as Template)
      }
    }
  }
  return { templates, refused, broken, warnings: [...warnings, ...deadEnds(templates, files)] }
}

/** Workflows that name a file which is not there. */
const deadEnds = (templates: readonly Template[], files: readonly string[]): Catalogue['warnings'] => {
  const known = new Set(files)
  return templates.flatMap(({ file, workflow }) => {
    const missing = [...new Set(namedBy(workflow ?? []))].filter((name) => /\.ya?ml$/i.test(name) && !known.has(name))
    if (missing.length === 0) return []
    const message = `it names ${missing.slice(0, 5).join(', ')}, which the folder does not hold; paths begin at the folder`
    return [{ file, problems: [{ level: 'defect' as const, line: 0, path: 'workflows', message }] }]
  })
}

const namedBy = (steps: readonly WorkflowStep[]): readonly string[] =>
  steps.flatMap(({ template, subtemplates, matchers }) => [
    ...(template === null ? [] : [template.replace(/^\.?\//, '')]),
    ...namedBy(subtemplates),
    ...matchers.flatMap((matcher) => namedBy(matcher.subtemplates)),
  ])

const lineOfId = (path: string): number =>
  readFileSync(path, 'utf8')
    .split('\n')
    .findIndex((line) => /^id\s*:/.test(line)) + 1

/** Lines of a file inside the catalogue; null for anything else. */
export const listReader = (home: string) => {
  const known = new Map<string, readonly string[] | null>()
  return (file: string): readonly string[] | null => {
    const path = resolve(home, file)
    if (!path.startsWith(home + sep)) return null
    const kept = known.get(path)
    if (kept !== undefined) return kept
    const lines = readLines(path, home)
    if (known.size < 500) known.set(path, lines)
    return lines
  }
}

const readLines = (path: string, home: string): readonly string[] | null => {
  try {
    // A link may lead out of the folder although its name does not.
    if (!realpathSync(path).startsWith(home + sep)) return null
    const { size } = statSync(path)
    return size > LARGEST_LIST ? null : linesOf(readFileSync(path, 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EISDIR')) return null
    throw error
  }
}

/** Null when it is not whole: it is then made again. */
const readPlan = (path: string): Compiled | null => {
  try {
    const { plan, ...compiled } = JSON.parse(readFileSync(path, 'utf8')) as Compiled & { readonly plan?: string }
    return plan === PLAN && Array.isArray(compiled.templates) ? compiled : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** One template at a time: the whole text beside what it was made of would be the most that a first start holds. */
const writePlan = (path: string, { templates, ...rest }: Compiled): void => {
  const file = openSync(path, 'w', 0o600)
  try {
    writeSync(file, `${JSON.stringify({ plan: PLAN, ...rest }).slice(0, -1)},"templates":[`)
    for (const [index, template] of templates.entries())
      writeSync(file, `${index === 0 ? '' : ','}${JSON.stringify(template)}`)
    writeSync(file, ']}')
  } finally {
    closeSync(file)
  }
}

const keepPlan = (cache: string, path: string, compiled: Compiled): void => {
  mkdirSync(cache, { recursive: true, mode: 0o700 })
  const next = `${path}.${process.pid}.new`
  writePlan(next, compiled)
  renameSync(next, path)
  const plans = readdirSync(cache)
    .filter((name) => name.endsWith('.json'))
    .map((name) => ({ name, at: statSync(join(cache, name)).mtimeMs }))
    .toSorted((a, b) => b.at - a.at)
  for (const { name } of plans.slice(KEPT_PLANS)) rmSync(join(cache, name), { force: true })
}
