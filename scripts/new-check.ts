/**
 * `npm run check:new MODULE/NOUN`: the files of a new check, as CONTRIBUTING.md describes them. What it writes has the right
 * types and a test that fails until somebody says what is found and where. Nothing that exists is overwritten.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

export interface NewCheck {
  /** Path from the root to its text: files to make, and files with a line more. */
  readonly files: Readonly<Record<string, string>>
}

/** @throws Error in a sentence: no such id, no such module, a check that exists. */
export const newCheck = (id: string, root = ROOT): NewCheck => {
  const [, module, noun] = /^([a-z][a-z-]*)\/([a-z][a-z0-9-]*)$/.exec(id) ?? []
  if (module === undefined || noun === undefined) throw new Error(`"${id}" is no id: MODULE/NOUN, in small letters`)
  const [found] = globSync(`src/modules/{*,*/*}/module.ts`, { cwd: root }).filter(
    (path) => dirname(path).split('/').at(-1) === module,
  )
  if (found === undefined) throw new Error(`there is no module "${module}"`)
  const folder = dirname(found)
  const [check, test] = [`${folder}/${noun}.ts`, `${folder}/${noun}.test.ts`]
  if (existsSync(join(root, check))) throw new Error(`${check} exists`)
  const moduleText = readFileSync(join(root, found), 'utf8')
  const ratings = 'src/knowledge/ratings/checks.ratings'
  const needs = [...(/defineModule<([^>]*)>/.exec(moduleText)?.[1] ?? '').matchAll(/'[^']+'(?:\s*\|\s*'[^']+')*/g)]
  const types = needs
    .slice(0, 2)
    .map(([type]) => type)
    .join(', ')
  const name = noun.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
  const up = '../'.repeat(folder.split('/').length - 2)
  return {
    files: {
      [check]: checkText(id, name, types, up),
      [test]: testText(name, noun, module, needs.length > 1, up),
      [found]: withCheck(moduleText, name, noun),
      [ratings]: withRating(readFileSync(join(root, ratings), 'utf8'), id, module),
    },
  }
}

const checkText = (
  id: string,
  name: string,
  types: string,
  up: string,
): string => `import type { Check, FindingDefinition } from '${up}module.ts'

const found: FindingDefinition = {
  id: '${id}',
  title: 'The name that the field has for it: what is wrong, as a fact',
  severity: 'info',
  cwe: null,
  why: 'What an attacker or a visitor can do because of it, in one or two sentences.',
  remediation: 'The line to add, then where to add it.',
  references: ['https://cwe.mitre.org/'],
}

/** What is decided, and by which standard. */
export const ${name}: Check<${types}> = {
  findings: [found],
  judge: () => [],
}
`

const testText = (name: string, noun: string, module: string, needs: boolean, up: string): string =>
  `import type { Facts } from '${up}facts.ts'
import { judgeCases } from '${up}testing/judge-cases.ts'
import { ${name} } from './${noun}.ts'

/** Facts as the module collects them: see \`testing/\` of the module, or its other tests. */
const facts = (): Facts['${module}'] => {
  throw new Error('Say which facts the check is to decide over')
}

judgeCases(${name}, [
  { name: 'the trick by which it hides', facts: facts(), ${needs ? 'known: {} as never, ' : ''}expect: ['${module}/${noun}'] },
  { name: 'what looks like it and is none', facts: facts(), ${needs ? 'known: {} as never, ' : ''}expect: [] },
])
`

/** The import in its place in the alphabet as the linter sorts it, the name at the end of the checks. */
const withCheck = (text: string, name: string, noun: string): string => {
  const line = `import { ${name} } from './${noun}.ts'`
  const lines = text.split('\n')
  const after = lines.findIndex((one) => /from '\.\//.test(one) && pathOf(one) > `./${noun}.ts`)
  const last = lines.findLastIndex((one) => one.startsWith('import '))
  lines.splice(after < 0 ? last + 1 : after, 0, line)
  const withImport = lines.join('\n')
  const listed = withImport.replace(
    /(\bchecks: )([A-Z_]+),/,
    (_, start: string, list: string) => `${start}[...${list}, ${name}],`,
  )
  if (listed !== withImport) return listed
  return withImport.replace(/(\bchecks: \[)([^\]]*?)(,?\s*)\]/, (_, start: string, inside: string, end: string) => {
    const isLong = inside.includes('\n')
    return `${start}${inside},${isLong ? '\n    ' : ' '}${name}${isLong ? end : ''}]`
  })
}

const pathOf = (line: string): string => /from '([^']+)'/.exec(line)?.[1] ?? ''

/** Behind the last row of its module. */
const withRating = (text: string, id: string, module: string): string => {
  const lines = text.trimEnd().split('\n')
  const last = lines.findLastIndex((line) => line.startsWith(`${module}/`))
  lines.splice(last < 0 ? lines.length : last + 1, 0, `${id} hardening`)
  return `${lines.join('\n')}\n`
}

if (import.meta.main) {
  try {
    const { files } = newCheck(process.argv[2] ?? '')
    for (const [path, text] of Object.entries(files)) {
      writeFileSync(join(ROOT, path), text)
      process.stdout.write(`${path}\n`)
    }
    process.stdout.write('Now say what it finds; then vitest run on its test, and npm run generate.\n')
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exitCode = 2
  }
}
