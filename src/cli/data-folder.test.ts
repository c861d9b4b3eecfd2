import { expect, test } from 'vitest'
import * as example from '../contract/examples.ts'
import { fakeService } from './testing/fake-service.ts'
import { runWords } from './testing/run-words.ts'

test('a data folder that is named is meant, whatever the environment says', async () => {
  const service = await fakeService(() => ({
    'GET /v1/scans': { json: { items: [example.runListItem], next_cursor: null } },
  }))
  const { url } = service
  const folders: string[] = []
  let named = false
  const result = await runWords(['runs', '--data', 'elsewhere'], {
    env: { SONDE_URL: 'http://127.0.0.1:1', SONDE_API_KEY: 'other' },
    chooseFolder: (folder) => {
      folders.push(folder)
      named = true
    },
    folderNamed: () => named,
    localService: async () => ({ url, apiKey: 'k' }),
  })
  expect(result).toMatchObject({ code: 0, out: expect.stringContaining(example.runListItem.domain) })
  expect([folders, service.seen[0]?.authorization]).toEqual([['elsewhere'], 'Bearer k'])
  await service.close()
  expect(await runWords(['runs', '--data', 'elsewhere'])).toMatchObject({
    code: 3,
    err: expect.stringContaining('No service runs on this data folder'),
  })
})

/** What prints for machines alone has no other form: a script of a shell, the protocol of agents. */
const OF_MACHINES = ['completion', 'mcp']

/** The commands below these words, each down to what takes no further one. */
const leavesOf = async (words: readonly string[]): Promise<string[][]> => {
  const { out } = await runWords([...words, '--help'])
  // The program's own are in groups.
  const [, below] = words.length === 0 ? ['', out] : out.split(/^Commands:$/m)
  if (below === undefined) return [[...words]]
  const names = [...below.matchAll(/^ {2}([a-z][a-z-]*) /gm)].flatMap(([, name = '']) =>
    name === 'help' ? [] : [name],
  )
  return (await Promise.all(names.map((name) => leavesOf([...words, name])))).flat()
}

test.each([
  ['a data folder', '--data <folder>', []],
  ['--json', '--json', OF_MACHINES],
  ['--help, with an example', '\nExamples:\n  $ ', []],
] as const)('every command takes %s', async (_, text, but) => {
  const leaves = await leavesOf([])
  expect(leaves.length).toBeGreaterThan(30)
  const without: string[] = []
  for (const leaf of leaves) if (!(await runWords([...leaf, '--help'])).out.includes(text)) without.push(leaf.join(' '))
  expect(without.toSorted()).toEqual(but)
})

test('help fits a terminal of 80 columns, and tells no default that says nothing', async () => {
  const leaves = await leavesOf([])
  const groups = leaves.flatMap((words) => words.map((_, index) => words.slice(0, index)))
  const commands = [...new Set([...leaves, ...groups].map((words) => words.join(' ')))]
  expect(commands).toEqual(expect.arrayContaining(['', 'domain', 'domain identity', 'domain identity add', 'scan']))
  for (const command of commands) {
    const { out } = await runWords([...command.split(' ').filter(Boolean), '--help'])
    expect(out, command).not.toMatch(/\(default: (?:false|\[\]|\{\})\)/)
    // Examples are lines to copy; what a person reads is wrapped.
    const [lists = ''] = out.split(/^Examples:$/m)
    const wide = lists.split('\n').filter((line) => line.startsWith('  ') && line.length > 80)
    expect(wide, command).toEqual([])
  }
})
