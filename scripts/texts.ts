/**
 * `npm run texts`: which definitions lack a German text, or have one of an English text that has changed since. `npm run texts ID…`
 * writes the blocks of these: a new one with the English texts to translate, of an existing one the hashes, which says that somebody
 * has looked at it.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hashOf, PARTS, parseTexts, type Texts } from '../src/knowledge/texts/texts.ts'
import type { FindingDefinition } from '../src/modules/module.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

export type Original = Pick<FindingDefinition, 'id' | 'title' | 'why' | 'remediation'>

/** From the root. */
export const textsFile = (id: string): string => `src/knowledge/texts/de/${id.split('/')[0]}.texts`

/** A sentence for each text that is missing, or that translates another English one. */
export const staleTexts = (definitions: readonly Original[], texts: Texts): readonly string[] =>
  definitions.flatMap((definition) => {
    const { id } = definition
    const known = texts.get(id)
    if (known === undefined)
      return [`${id} has no German text: "npm run texts ${id}" makes its block in ${textsFile(id)}`]
    return PARTS.filter((part, index) => known[index]?.of !== hashOf(definition[part])).map(
      (part) =>
        `${id}: its English ${part} has changed. Look at the German one in ${textsFile(id)}, then "npm run texts ${id}" says that you did`,
    )
  })

/** The file with the block of the definition: at its end, or with the hashes of now. */
export const withText = (
  source: string,
  definition: Original,
  texts: Readonly<Record<string, string>> = {},
): string => {
  const head = [definition.id, ...PARTS.map((part) => hashOf(definition[part]))].join(' ')
  const known = new RegExp(`^${RegExp.escape(definition.id)} .*$`, 'm')
  if (known.test(source)) return source.replace(known, head)
  return `${source.trimEnd()}\n\n${[head, ...PARTS.map((part) => texts[part] ?? definition[part])].join('\n')}\n`
}

/** The file of a module that has no text yet. */
export const newTexts = (module: string, english: string, title: string): string =>
  `# Texts of the module ${module} in German: see texts.ts.\n\n${module} ${hashOf(english)}\n${title}\n`

if (import.meta.main) {
  const { MODULES } = await import('../src/modules/index.ts')
  const definitions = MODULES.flatMap(({ checks }) => checks.flatMap(({ findings }) => findings))
  const named = process.argv.slice(2)
  for (const id of named) {
    const definition = definitions.find((one) => one.id === id)
    const file = join(ROOT, textsFile(id))
    if (definition === undefined || !existsSync(file)) throw new Error(`There is no definition ${id}`)
    writeFileSync(file, withText(readFileSync(file, 'utf8'), definition))
    process.stdout.write(`${textsFile(id)}\n`)
  }
  const { textFiles } = await import('../src/knowledge/texts/texts.ts')
  const texts = new Map(
    [...textFiles('de')].flatMap(([name, source]) => (name === 'sentences' ? [] : [...parseTexts(source)])),
  )
  for (const line of staleTexts(definitions, texts)) process.stdout.write(`${line}\n`)
}
