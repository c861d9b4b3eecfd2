/** In which order the few requests of a form are spent where it names a host. */
import { expect, it } from 'vitest'
import { fakeProbe } from '../insertion-points/testing/fake-probe.ts'
import { type Asked, inOrder, soonest, type Way } from './order.ts'

const way: () => Way = () => async () => null
const NONE = { code: [], within: [], moreCode: async () => [], templates: [], commands: [], waits: [], calls: [] }
const asked: Asked = {
  ...{ ...NONE, promised: [way()], spellings: [], files: [], opened: [], likelyFiles: 0, silent: [], documents: [] },
  ...{ unseen: [way()], objects: [], built: [], operators: [way()] },
}

it('the first questions of such a place are all commands, of any other one', async () => {
  const commands = [way(), way(), way(), way()]
  const first = async (name: string, value: string) => {
    const { probe } = fakeProbe(() => ({ text: '' }), { name, value })
    // Its dots are those of names of files.
    return (await inOrder(probe, { ...asked, commands, likelyFiles: 2 }, 'first')).filter((one) =>
      commands.includes(one),
    ).length
  }
  expect([await first('host', '192.0.2.7'), await first('q', 'tent')]).toEqual([3, 1])
})

it.each([
  ['a name of a host', 'target', 'mail.example.org', true],
  ['a number of a host', 'target', '192.0.2.7', true],
  ['called so', '/host', 'castle-gate', true],
  ['called so, with an address', 'host', 'https://example.org/', false],
  ['anything else', 'feed', 'castle-gate', false],
])('%s: commands that wait come before addresses', (_what, name, value, isFirst) => {
  const { probe } = fakeProbe(() => ({ text: '' }), { name, value, request: { method: 'POST', bound: 40 } })
  const ways = soonest(probe, asked, false, 'whole')
  expect(ways.filter((one) => asked.unseen.includes(one))).toHaveLength(1)
  expect(ways.indexOf(asked.unseen[0] as Way) < ways.indexOf(asked.promised[0] as Way)).toBe(isFirst)
})
