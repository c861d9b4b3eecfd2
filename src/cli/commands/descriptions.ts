/** `sonde domain describe` and what belongs to it: descriptions of a domain's interfaces, which its active runs ask. */
import { basename, dirname, relative, resolve, sep } from 'node:path'
import { Command } from 'commander'
import type { RawBody } from '../../contract/client-core.ts'
import type { Description } from '../../contract/description.ts'
import { Uuid } from '../../contract/run.ts'
import { connect, domainIdOf, knownDomainId } from '../client.ts'
import type { CliDeps } from '../deps.ts'
import { ownFile } from '../own-file.ts'
import { clean, jsonText, table } from '../screen.ts'
import { examples, JSON_FLAG, matching, removedText } from './options.ts'

const NAME = ['<domain>', 'name or id of the domain'] as const
/** Refusals that are printed; the JSON has a thousand. */
const MOST_SHOWN = 30

export const descriptionCommands = (deps: CliDeps): readonly Command[] => {
  const { out } = deps.screen

  const describe = new Command('describe')
    .description(
      'bring a description of an interface (OpenAPI, Postman, HAR, GraphQL, WSDL): active runs ask its operations',
    )
    .argument('<domain>', 'name or id of the domain; a name that is not registered yet is registered')
    .argument('<file...>', 'its files, or a zip of them')
    .option('--path <path>', 'where the interface is served, for formats that do not say so')
    .option('--name <name>', 'what it is called; without it, after its files')
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      examples(
        'sonde domain describe shop.example.com openapi.yaml',
        'sonde domain describe shop.example.com schema.graphql --path /api/graphql',
      ),
    )
    .action(
      async (domain: string, files: readonly string[], options: { path?: string; name?: string; json?: true }) => {
        const client = await connect(deps)
        const { id } = await domainIdOf(client, domain)
        const name = options.name ?? (files.length === 1 ? basename(files[0] ?? '') : undefined)
        const query = {
          ...(name === undefined ? {} : { name }),
          ...(options.path === undefined ? {} : { path: options.path }),
        }
        const made = await client.createDescription({ params: { id }, query, raw: await bodyOf(files) })
        out(options.json ? jsonText(made) : textOf(made))
      },
    )

  const list = new Command('descriptions')
    .description('list the descriptions that a domain keeps')
    .argument(...NAME)
    .option(...JSON_FLAG)
    .addHelpText('after', examples('sonde domain descriptions shop.example.com'))
    .action(async (domain: string, options: { json?: true }) => {
      const client = await connect(deps)
      const id = await knownDomainId(client, domain)
      const { items } = await client.listDescriptions({ params: { id } })
      const rows = items.map((one) => [
        ...[one.id, clean(one.name), one.kind, String(one.operations), String(one.described - one.operations)],
        one.created_at,
      ])
      out(options.json ? jsonText({ items }) : table(['ID', 'NAME', 'KIND', 'TAKEN', 'REFUSED', 'SINCE'], rows))
    })

  const forget = new Command('forget')
    .description('remove a description; runs that begin from now on do without it')
    .argument(...NAME)
    .argument('<id>', 'id of the description', matching(Uuid, 'It is the id of a description.'))
    .option(...JSON_FLAG)
    .addHelpText('after', examples('sonde domain forget shop.example.com 0198f2c4-5f7e-7c3a-9a51-2b8d1c6e4f00'))
    .action(async (domain: string, description: string, options: { json?: true }) => {
      const client = await connect(deps)
      const id = await knownDomainId(client, domain)
      await client.deleteDescription({ params: { id, description_id: description } })
      out(removedText(description, options.json))
    })
  return [describe, list, forget]
}

/** One file as it is; several as a form, each with its place below the folder that they share. */
const bodyOf = async (files: readonly string[]): Promise<RawBody> => {
  const read = await Promise.all(files.map(async (file) => ({ file, content: await ownFile(file) })))
  const [only] = read
  if (only && read.length === 1) return { type: 'application/octet-stream', content: only.content }
  const form = new FormData()
  const shared = sharedFolder(files.map((file) => resolve(file)))
  for (const { file, content } of read)
    form.append('file', new Blob([content]), relative(shared, resolve(file)).split(sep).join('/'))
  return form
}

/** The folder in which all of them lie. */
const sharedFolder = (files: readonly string[]): string =>
  files
    .map((file) => dirname(file))
    .reduce((shared, folder) => {
      let common = shared
      while (relative(common, folder).startsWith('..')) common = dirname(common)
      return common
    })

const textOf = ({ id, name, kind, operations, described, refused, left_out }: Description): string => {
  const more = described - operations - MOST_SHOWN
  return [
    `${id}  ${clean(name)}  ${kind}: ${operations} of ${described} operations are taken\n`,
    ...refused.slice(0, MOST_SHOWN).map(({ where, line, reason }) => {
      const at = line === null ? '' : ` (line ${line})`
      return `  refused: ${clean(where)}${at}: ${clean(reason)}\n`
    }),
    ...(more > 0 ? [`  … and ${more} more\n`] : []),
    ...left_out.map(({ where, reason }) => `  left out: ${clean(where)}: ${clean(reason)}\n`),
  ].join('')
}
