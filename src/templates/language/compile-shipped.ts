/** Compiles the templates that the product ships for modules of its own: what is wrong with one ends here, not in a run. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseTemplate } from './parse/template.ts'
import { SHIPPED, SHIPPED_FOLDERS, type ShippedFolder, type ShippedTemplate } from './shipped.ts'

/** The compiled file: one template a line. @throws Error naming the place in the template that is not whole */
export const renderShipped = (): string => {
  const folders = SHIPPED_FOLDERS.map((folder) => {
    const lines = compileFolder(folder).map((template) => `    ${JSON.stringify(template)}`)
    return `  ${JSON.stringify(folder)}: [\n${lines.join(',\n')}\n  ]`
  })
  return `{\n${folders.join(',\n')}\n}\n`
}

const compileFolder = (folder: ShippedFolder): readonly ShippedTemplate[] => {
  const home = fileURLToPath(new URL(`${folder}/`, SHIPPED))
  return readdirSync(home)
    .map((file) => compileShipped(readFileSync(`${home}${file}`, 'utf8'), `${folder}/${file}`))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/** Strict: what is a warning in a stranger's template is an error in ours. `file` is told with its folder. */
export const compileShipped = (text: string, file: string): ShippedTemplate => {
  const parsed = parseTemplate(text, file)
  if (parsed.kind === 'refused') throw new Error(`${file}:${parsed.refusal.line}: ${parsed.refusal.reason}`)
  const [problem] = parsed.kind === 'broken' ? parsed.problems : parsed.warnings
  if (problem !== undefined) throw new Error(`${file}:${problem.line}: ${problem.path}: ${problem.message}`)
  if (parsed.kind === 'broken') throw new Error(`${file}: no template`)
  const { template, metadata } = parsed
  if (`${file.split('/').at(-1)}` !== `${template.id}.yaml`) throw new Error(`${file}: its id is "${template.id}"`)
  const steps = template.steps.filter((step) => step.protocol === 'http')
  if (steps.length < template.steps.length) throw new Error(`${file}: it asks by another protocol than HTTP`)
  const { id, info } = template
  return { id, name: info.name, description: info.description, metadata, steps }
}
