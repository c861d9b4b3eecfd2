/**
 * `npm run check:new MODULE/NOUN`: the files of a new check, as CONTRIBUTING.md describes them; ROOM/MODULE/NOUN those of a new
 * module with its first check. What it writes has the right types and a test that fails until somebody says what is found and
 * where. Nothing that exists is overwritten.
 */
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nameOf, newModule, ROOMS, withImport } from './new-module.ts'
import { textsFile, withText } from './texts.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

export interface NewCheck {
  /** Path from the root to its text: files to make, and files with a line more. */
  readonly files: Readonly<Record<string, string>>
}

/** @throws Error in a sentence: no such id, no such module, a check that exists. */
export const newCheck = (id: string, root = ROOT): NewCheck => {
  const [, room, module, noun] = /^(?:([a-z]+)\/)?([a-z][a-z-]*)\/([a-z][a-z0-9-]*)$/.exec(id) ?? []
  if (module === undefined || noun === undefined) throw new Error(`"${id}" is no id: MODULE/NOUN, in small letters`)
  const [found] = globSync(`src/modules/{*,*/*}/module.ts`, { cwd: root }).filter(
    (path) => dirname(path).split('/').at(-1) === module,
  )
  if (found !== undefined) return checkIn(found, module, noun, (path) => readFileSync(join(root, path), 'utf8'), root)
  const inRoom = ROOMS.find((one) => one === room)
  if (inRoom === undefined)
    throw new Error(
      `there is no module "${module}"; ${ROOMS.map((one) => `${one}/${module}/${noun}`).join(', ')} makes one`,
    )
  const made = newModule(inRoom, module, root)
  const text = (path: string): string => made[path] ?? readFileSync(join(root, path), 'utf8')
  const { files } = checkIn(`src/modules/${inRoom}/${module}/module.ts`, module, noun, text, root)
  return { files: { ...made, ...files } }
}

const checkIn = (
  found: string,
  module: string,
  noun: string,
  textOf: (path: string) => string,
  root: string,
): NewCheck => {
  const id = `${module}/${noun}`
  const folder = dirname(found)
  const [check, test] = [`${folder}/${noun}.ts`, `${folder}/${noun}.test.ts`]
  if (existsSync(join(root, check))) throw new Error(`${check} exists`)
  const moduleText = textOf(found)
  const ratings = 'src/knowledge/ratings/checks.ratings'
  const needs = [...(/\bneeds: \[([^\]]*)\]/.exec(moduleText)?.[1] ?? '').matchAll(/'[^']+'/g)].join(' | ')
  const types = [`'${module}'`, needs].filter((type) => type !== '').join(', ')
  const name = nameOf(noun)
  const up = '../'.repeat(folder.split('/').length - 2)
  return {
    files: {
      [check]: checkText(id, name, types, up),
      [test]: testText(name, noun, module, needs !== '', up),
      [found]: withCheck(moduleText, name, noun),
      [ratings]: withRating(textOf(ratings), id, module),
      [textsFile(id)]: withText(textOf(textsFile(id)), { id: `${module}/${noun}`, ...ENGLISH }, GERMAN),
    },
  }
}

/** What stands there until somebody says what it finds; the German text is of these words, so it is asked for again then. */
const ENGLISH = {
  title: 'The name that the field has for it: what is wrong, as a fact',
  why: 'What an attacker or a visitor can do because of it, in one or two sentences.',
  remediation: 'The line to add, then where to add it.',
}
const GERMAN = {
  title: 'Der Name, den das Fach dafür hat: was falsch ist, als Tatsache',
  why: 'Was ein Angreifer oder ein Besucher deswegen tun kann, in ein oder zwei Sätzen.',
  remediation: 'Die Zeile, die zu ergänzen ist, dann die Stelle.',
}

const checkText = (
  id: string,
  name: string,
  types: string,
  up: string,
): string => `import type { Check, FindingDefinition } from '${up}module.ts'

const found: FindingDefinition = {
  id: '${id}',
  title: '${ENGLISH.title}',
  severity: 'info',
  cwe: null,
  why: '${ENGLISH.why}',
  remediation: '${ENGLISH.remediation}',
  references: ['https://cwe.mitre.org/'],
}

/** What is decided, and by which standard. */
export const ${name}: Check<${types}> = {
  findings: [found],
  // Where it is so: [{ definition: found, at: { url }, detail: 'What was seen, with the values.', confidence: 'firm' }]
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

/** The import, and the name at the end of the checks. */
const withCheck = (text: string, name: string, noun: string): string => {
  const whole = withImport(text, `import { ${name} } from './${noun}.ts'`)
  const listed = whole.replace(
    /(\bchecks: )([A-Z_]+),/,
    (_, start: string, list: string) => `${start}[...${list}, ${name}],`,
  )
  if (listed !== whole) return listed
  const start = whole.indexOf('checks: [') + 'checks: ['.length
  const end = endOfList(whole, start)
  const inside = whole.slice(start, end).trimEnd()
  const isLong = inside.includes('\n')
  const before = inside === '' ? '' : isLong ? `${inside.replace(/,$/, '')},\n    ` : `${inside}, `
  return `${whole.slice(0, start)}${before}${name}${isLong ? ',\n  ' : ''}${whole.slice(end)}`
}

/** Where the list ends that began before `start`; lists within it have ends of their own. @throws where it has none */
const endOfList = (text: string, start: number): number => {
  let depth = 1
  let at = start
  for (; depth > 0 && at < text.length; at += 1) depth += text[at] === '[' ? 1 : text[at] === ']' ? -1 : 0
  if (depth > 0) throw new Error('the module has no list of checks to put one into')
  return at - 1
}

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
      mkdirSync(dirname(join(ROOT, path)), { recursive: true })
      writeFileSync(join(ROOT, path), text)
      process.stdout.write(`${path}\n`)
    }
    process.stdout.write('Now say what it finds; then vitest run on its test, and npm run generate.\n')
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exitCode = 2
  }
}
