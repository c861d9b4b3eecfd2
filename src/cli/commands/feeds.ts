/** `sonde feeds`: the knowledge that is data, its versions, and how to bring in newer ones. */
import { Command } from 'commander'
import type { CliDeps, FeedBundle, FeedChange, FeedLine, Feeds } from '../deps.ts'
import { EXIT, type ExitCode } from '../exit.ts'
import { clean, jsonText, table } from '../screen.ts'
import { examples, JSON_FLAG } from './options.ts'

export const feedsCommand = (deps: CliDeps, end: (code: ExitCode) => void): Command => {
  const { out } = deps.screen
  const feeds = new Command('feeds').description('vulnerability and end-of-life data: what is known, and since when')

  feeds
    .command('list')
    .description('list the feeds and their versions')
    .option(...JSON_FLAG)
    .addHelpText('after', examples('sonde feeds list'))
    .action(async (options: { json?: true }) => {
      const list = (await deps.feeds()).list()
      out(options.json ? jsonText(list) : listText(list))
    })

  feeds
    .command('import <path>')
    .description(
      'bring in a file, an archive (.zip, .tar, .tar.gz, .tar.xz), a folder or a git checkout; a feed with anything wrong is refused and the old one stays',
    )
    .option('--feed <feed>', 'which feed it is; recognised by its content when not given')
    .option('--key <key>', 'of a bundle: the public key of who made it, in place of the one in SONDE_FEEDS_KEY')
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      examples(
        'sonde feeds import known_exploited_vulnerabilities.json',
        'sonde feeds import --feed nvd nvd/',
        'sonde feeds import templates.tar.xz',
        'sonde feeds import feeds.bundle --key RWQx…',
      ),
    )
    .action(async (path: string, options: { feed?: string; key?: string; json?: true }) => {
      const known = await deps.feeds()
      if (options.feed === undefined && (await known.isBundle(path))) {
        const changes = await known.importBundle(path, options.key ?? null)
        return out(options.json ? jsonText(changes) : changes.map(changeText).join(''))
      }
      const made = await known.import(path, options.feed ?? null)
      out(options.json ? jsonText(made) : importedText(made))
    })

  feeds
    .command('bundle <file> [feeds...]')
    .description(
      'write all imported feeds, or the named ones, into one signed file for installations without a network',
    )
    .option(...JSON_FLAG)
    .addHelpText('after', examples('sonde feeds bundle feeds.bundle', 'sonde feeds bundle kev.bundle kev epss'))
    .action(async (path: string, names: readonly string[], options: { json?: true }) => {
      const made = await (await deps.feeds()).bundle(path, names)
      out(options.json ? jsonText(made) : bundleText(made))
    })

  feeds
    .command('update [feeds...]')
    .description(
      'fetch from their publishers, or from the mirror in SONDE_FEEDS, what has changed; the service does so every day',
    )
    .option('--due', 'only those that were not asked for in the last day')
    .option(...JSON_FLAG)
    .addHelpText('after', examples('sonde feeds update', 'sonde feeds update kev epss'))
    .action(async (names: readonly string[], options: { due?: true; json?: true }) => {
      const changes: FeedChange[] = []
      for await (const change of (await deps.feeds()).update(names, {
        due: options.due === true,
        signal: deps.signal,
      })) {
        changes.push(change)
        if (!options.json) out(changeText(change))
      }
      if (changes.some(({ error }) => error !== null)) end(EXIT.failed)
      if (options.json) out(jsonText(changes))
    })

  feeds
    .command('verify')
    .description('open every imported feed and read from it')
    .option(...JSON_FLAG)
    .addHelpText('after', examples('sonde feeds verify'))
    .action(async (options: { json?: true }) => {
      const results = (await deps.feeds()).verify()
      if (results.some(({ problem }) => problem !== null)) end(EXIT.failed)
      if (options.json) return out(jsonText(results))
      out(results.length === 0 ? 'No feed was imported.\n' : results.map(verifiedText).join(''))
    })
  return feeds
}

const listText = (list: readonly FeedLine[]): string =>
  table(
    ['FEED', 'VERSION', 'RECORDS', 'IMPORTED', 'ASKED', 'WHAT'],
    list.map(({ feed, version, records, imported_at, checked_at, problem, title, built_in }) => [
      feed,
      version ?? built_in?.version ?? 'not imported',
      String(records ?? built_in?.records ?? '-'),
      imported_at ?? '-',
      problem === null ? (checked_at ?? '-') : `not updated: ${clean(problem)}`,
      title,
    ]),
  )

const bundleText = ({ path, bytes, feeds, public_key }: FeedBundle): string =>
  `${clean(path)}  ${(bytes / 2 ** 20).toFixed(1)} MiB  ${feeds.join(', ')}
There: sonde feeds import ${clean(path)} --key ${public_key}
`

const importedText = ({ feed, version, records, revision }: FeedLine): string =>
  `${feed}  ${version}  ${records} records${revision === null ? '' : `, commit ${revision.slice(0, 12)}`}\n`

const changeText = ({ feed, line, error }: FeedChange): string => {
  if (error !== null) return `${feed}  not updated: ${clean(error)}\n`
  return line === null ? `${feed}  unchanged\n` : importedText(line)
}

const verifiedText = ({ feed, problem }: ReturnType<Feeds['verify']>[number]): string =>
  `${problem === null ? 'ok ' : 'bad'}  ${feed}${problem === null ? '' : `: ${clean(problem)}`}\n`
