/** The files of a new module, for `npm run check:new ROOM/MODULE/NOUN`: it asks for the start page and keeps its status. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { newTexts, textsFile } from './texts.ts'

export const ROOMS = ['passive', 'network', 'attack'] as const
export type Room = (typeof ROOMS)[number]

export const nameOf = (id: string): string => id.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** The import in its place in the alphabet, as the linter sorts those of the same folder. */
export const withImport = (text: string, line: string): string => {
  const lines = text.split('\n')
  const after = lines.findIndex((one) => /from '\.\//.test(one) && pathOf(one) > pathOf(line))
  lines.splice(after < 0 ? lines.findLastIndex((one) => one.startsWith('import ')) + 1 : after, 0, line)
  return lines.join('\n')
}

const pathOf = (line: string): string => /from '([^']+)'/.exec(line)?.[1] ?? ''

/** Path to text, from the root. The module has no check yet. */
export const newModule = (room: Room, id: string, root: string): Readonly<Record<string, string>> => {
  const name = nameOf(id)
  const facts = `${name.charAt(0).toUpperCase()}${name.slice(1)}Facts`
  const folder = `src/modules/${room}/${id}`
  const [tables, index] = ['src/modules/facts.ts', 'src/modules/index.ts']
  const [titles, picture] = ['src/modules/titles.ts', 'docs/architecture.md']
  const key = /-/.test(id) ? `'${id}'` : id
  return {
    [`${folder}/facts.ts`]: factsText(facts),
    [`${folder}/collect.ts`]: collectText(room, facts),
    [`${folder}/module.ts`]: moduleText(room, id, name),
    [tables]: withImport(
      readFileSync(join(root, tables), 'utf8'),
      `import type { ${facts} } from './${room}/${id}/facts.ts'`,
    ).replace(/^(export interface Facts \{[^}]*)/m, `$1  ${key}: ${facts}\n`),
    [index]: withImport(
      readFileSync(join(root, index), 'utf8'),
      `import { ${name} } from './${room}/${id}/module.ts'`,
    ).replace(/^( {2}\/\/ one line a module)/m, `  ${name},\n$1`),
    [titles]: readFileSync(join(root, titles), 'utf8').replace(/^\}$/m, `  ${key}: '${TITLE}',\n}`),
    [textsFile(id)]: newTexts(id, TITLE, 'Überschrift im Bericht'),
    [picture]: drawn(readFileSync(join(root, picture), 'utf8'), room, id),
  }
}

const TITLE = 'Heading of the report'

/** The picture of the house with the module at the end of its room, in a line of its own. */
const drawn = (text: string, room: Room, id: string): string => {
  const lines = text.split('\n')
  const branch = lines.findIndex((line) => line.includes(`├─ ${room} `))
  const end = branch + 1 + lines.slice(branch + 1).findIndex((line) => /[├└]─/.test(line))
  const line = lines[branch] ?? ''
  const [rail, names] = [line.indexOf('├─'), line.search(/(?<=├─ \S+ +)\S/)]
  lines.splice(end, 0, `${' '.repeat(rail)}│${' '.repeat(names - rail - 1)}${id}`)
  return lines.join('\n')
}

const factsText = (facts: string): string => `/** What the module has seen: plain JSON, from which its checks judge. */
export interface ${facts} {
  readonly url: string
  readonly status: number
}
`

const siteFrom = (room: Room): string => (room === 'passive' ? '../site/facts.ts' : '../../passive/site/facts.ts')

const collectText = (room: Room, facts: string): string => `import type { CollectContext } from '../../module.ts'
import type { SiteFacts } from '${siteFrom(room)}'
import type { ${facts} } from './facts.ts'

/** The only step that touches the target. @throws EgressError where the site does not answer */
export const collect = async (ctx: CollectContext, site: SiteFacts): Promise<${facts}> => {
  const { status } = await ctx.egress.http({ url: site.baseUrl })
  return { url: site.baseUrl, status }
}
`

const moduleText = (room: Room, id: string, name: string): string => `import { defineModule } from '../../module.ts'
import { collect } from './collect.ts'

/** What it looks at, and what it never does. */
export const ${name} = defineModule<'${id}', 'site'>({
  id: '${id}',
  title: '${TITLE}',
  conduct: '${room === 'passive' ? 'passive' : 'active'}',
  needs: ['site'],
  budget: { requests: 5, seconds: 20 },
  collect: (ctx, { site }) => collect(ctx, site),
  checks: [],
})
`
