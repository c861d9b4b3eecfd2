/** What a list names to everybody, and an answer says is somebody's: that it may be asked for is meant, its secrets are not. */
import type { Answer, Leaf } from './answers.ts'
import type { Case, Found } from './judging.ts'
import { isUser } from './names.ts'
import type { Slot } from './operations.ts'
import type { Party } from './parties.ts'
import { carriedOf } from './telling.ts'

const OWNER = /^(?:owner|user|username|owned_?by|created_?by|holder|belongs_?to)(?:_?name)?$/
/** Members that are called after what others must not know, whatever else is shown to them. */
const SECRET = /secret|private|pass(?:word|phrase|code)|token|api_?key|^pin$|iban|card_?(?:no|number)|^ssn$/
const FEWEST = 4

/** `own`: what the other was shown by nothing else. */
export const ownedFlaw = (
  { asked, victim, answers: [first] }: Pick<Case, 'asked' | 'victim' | 'answers'>,
  party: Party,
  reply: Answer,
  own: readonly Leaf[],
): Found | null => {
  const slot = [...asked.values.keys()].at(-1)
  const owner = first.leaves.find(({ name, value }) => OWNER.test(name) && isCalled(victim, value))
  if (slot === undefined || isUser(slot) || owner === undefined || isCalled(party, owner.value)) return null
  const { leaves } = carriedOf(
    own.filter(({ name, value }) => SECRET.test(name) && value.length >= FEWEST),
    reply,
  )
  return leaves.length === 0
    ? null
    : { ...{ kind: 'object', confidence: 'firm', leaves, slot }, because: `its ${owner.name} is ${owner.value}` }
}

const NAMES = ['sub', 'username', 'name', 'login', 'user', 'email']

/** By its sign-in. */
const isCalled = (party: Party, value: string): boolean =>
  NAMES.some((name) => party.named({ place: 'json', at: '', name, of: null, value: '' } satisfies Slot).includes(value))
