import { expect, test } from 'vitest'
import { caseAnswer } from '../../testing/answers.ts'
import type { StandIns } from '../insertion-points/likes.ts'
import { openRecords } from './alike.ts'
import { readAnswer } from './answers.ts'
import type { Operation } from './operations.ts'
import type { Party } from './parties.ts'

const WORDS = 'ridge alder moss bracken zephyr willow heron fen tarn beck holm scree ghyll rowan'.split(' ')
const goods = WORDS.map(
  (word): Operation =>
    ({
      template: {
        id: word,
        method: 'GET',
        url: `https://shop.test/goods/${word}`,
        shape: `/goods/${word}`,
        headers: [],
        body: null,
        fields: [],
      },
      slots: [],
    }) as unknown as Operation,
)
const standIns: StandIns = new Map(WORDS.map((word) => [word, { asked: ['ridge', 'alder'], program: '/goods/*' }]))

const page = (word: string, more = ''): string =>
  `<!doctype html><html><body><nav><ul><li><a href="/">Home</a></li></ul></nav><main><h1>A good called ${word}</h1><p>It is made of oak.</p>
  <table><tr><th>Name</th><th>Price</th></tr><tr><td>${word}</td><td>7</td></tr></table>${more}</main></body></html>`

/** What nobody is shown for a word; null: it is sent to the sign-in. */
const askedOf = async (shown: (word: string) => string | null) => {
  const asked: string[] = []
  const nobody = {
    own: new Map(),
    ask: async ({ url }: { readonly url: string }) => {
      const word = url.split('/').at(-1) ?? ''
      asked.push(word)
      const body = shown(word)
      return readAnswer(caseAnswer({ path: `/goods/${word}`, status: body === null ? 403 : 200, body: body ?? '' }))
    },
  } as unknown as Party
  const side = async (some: readonly Operation[], work: (one: Operation) => Promise<void>) => {
    for (const one of some) await work(one)
  }
  const open = await openRecords(goods, standIns, nobody, side)
  return { open: open.map(({ operation }) => operation.template.id), asked }
}

test('records that nobody is shown as the two that stand for them are open to all', async () => {
  const { open, asked } = await askedOf(page)
  expect(open).toEqual(WORDS.slice(2))
  expect(asked).toEqual(WORDS)
})

test.each<[string, (word: string) => string | null]>([
  ['refused to nobody', (word) => (word === 'moss' ? null : page(word))],
  ['built otherwise', (word) => page(word, word === 'moss' ? '<form><button>Buy at cost</button></form>' : '')],
])('a record that is %s is asked as everybody', async (_name, shown) => {
  expect((await askedOf(shown)).open).toEqual(WORDS.slice(2).filter((word) => word !== 'moss'))
})

test.each<[string, (word: string) => string | null]>([
  ['are for few', () => null],
  ['differ themselves', (word) => page(word, word === 'ridge' ? '<form><button>Buy at cost</button></form>' : '')],
])('where those that stand for the rest %s, no other is asked as nobody alone', async (_name, shown) => {
  expect(await askedOf(shown)).toEqual({ open: [], asked: ['ridge', 'alder'] })
})
