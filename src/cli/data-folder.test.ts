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

test('every command takes a data folder', async () => {
  const { out } = await runWords(['--help'])
  const names = [...out.matchAll(/^ {2}([a-z][a-z-]*) /gm)].flatMap(([, name = '']) => (name === 'help' ? [] : [name]))
  expect(names.length).toBeGreaterThan(20)
  const without: string[] = []
  for (const name of names) {
    const help = await runWords([name, '--help'])
    const below = [...help.out.matchAll(/^ {2}([a-z][a-z-]*) /gm)].map(([, word = '']) => word)
    const leaves = /^Commands:/m.test(help.out)
      ? below.filter((word) => word !== 'help').map((word) => [name, word])
      : [[name]]
    for (const leaf of leaves) {
      if (!(await runWords([...leaf, '--help'])).out.includes('--data <folder>')) without.push(leaf.join(' '))
    }
  }
  expect(without).toEqual([])
})
