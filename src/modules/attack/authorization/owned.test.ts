import { expect, it } from 'vitest'
import { caseAnswer } from '../../testing/answers.ts'
import { readAnswer } from './answers.ts'
import type { Case } from './judging.ts'
import type { Slot } from './operations.ts'
import { ownedFlaw } from './owned.ts'
import type { Party } from './parties.ts'

const called = (name: string) =>
  ({ name, named: (slot: Slot) => (slot.name === 'sub' ? [name] : []) }) as unknown as Party
const SLOT: Slot = { place: 'path', at: '2', name: 'records', of: 'records', value: 'diary' }

const judged = (record: object, { by = 'gregor', slot = SLOT } = {}) => {
  const first = readAnswer(
    caseAnswer({ path: '/v1/records/diary', type: 'application/json', body: JSON.stringify(record) }),
  )
  const asked = { values: new Map([[slot, slot.value]]) }
  const one = { asked, victim: called('frida'), answers: [first, first] } as unknown as Case
  return ownedFlaw(one, called(by), first, first.leaves)
}

it("a secret of what its answer says is another one's", () => {
  const flaw = judged({ title: 'diary', owner: 'frida', secret: 'under the stone' })
  expect(flaw).toMatchObject({ kind: 'object', confidence: 'firm', because: 'its owner is frida' })
  expect(flaw?.leaves.map(({ name }) => name)).toEqual(['secret'])
})

it.each<[string, object, object]>([
  ['nothing is called a secret', { owner: 'frida', text: 'All are invited' }, {}],
  ['nobody owns it', { secret: 'under the stone' }, {}],
  ['somebody else owns it', { owner: 'hanna', secret: 'under the stone' }, {}],
  ['it is its own', { owner: 'frida', secret: 'under the stone' }, { by: 'frida' }],
  ['it is a profile', { user: 'frida', private: 'hidden away' }, { slot: { ...SLOT, name: 'users', of: 'users' } }],
])('none where %s', (_name, record, change) => {
  expect(judged(record, change)).toBeNull()
})
