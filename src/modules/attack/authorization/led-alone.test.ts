import { expect, test } from 'vitest'
import type { HttpRequest } from '../../../egress/door/egress.ts'
import { caseAnswer } from '../../testing/answers.ts'
import { caseContext } from '../../testing/judge-cases.ts'
import { caseRequest } from '../crawl/testing/crawl-facts.ts'
import { readAnswer } from './answers.ts'
import { type Case, judgeCase, type World } from './judging.ts'
import { ledAloneFlaws } from './led-alone.ts'
import { operationOf, requestWith, type Slot } from './operations.ts'
import type { Party, Reply } from './parties.ts'
import { stableLeaves } from './telling.ts'

const template = caseRequest({ method: 'GET', url: 'http://shop.test/plots/8/lease', sent: true })
const operation = operationOf(template, 'test')
const [slot] = operation.slots as readonly [Slot]
const page = (path: string, body: string, status = 200): Reply => readAnswer(caseAnswer({ path, status, body }))
const LEASE = '<h1>Lease</h1><dl><dt>Tenant<dd>ada.berg@mail.test<dt>Street<dd>7 Harbour Road</dl>'
const REFUSED = page('/plots/8/lease', '', 403)
const ctx = { ...caseContext(), evidence: () => ({ id: 'a', filename: 'a' }) } as unknown as Parameters<
  typeof judgeCase
>[0]

/** Both know of all plots. `plot`: what each is shown at the plot itself; `theirs`: what Ben is answered to the lease. */
const found = async (plot: (name: string) => string, theirs: Reply, nobody: Reply = REFUSED) => {
  const asked: string[] = []
  const party = (name: string): Party =>
    ({
      ...{ name, role: 'member', rank: 1, isNobody: false, left: null, own: new Map() },
      ...{ named: () => [], knows: () => false, knowsId: () => false, objects: () => ['7', '8', '9'] },
      ask: async ({ url }: HttpRequest) => {
        const { pathname } = new URL(url)
        asked.push(`${name} ${pathname}`)
        return page(pathname, `<h1>Plot 8</h1>${plot(name)}`)
      },
    }) as unknown as Party
  const [ada, ben] = [party('ada'), party('ben')]
  const stranger = { ...party(''), isNobody: true } as unknown as Party
  const mine = page('/plots/8/lease', LEASE) as Case['answers'][0]
  const values = new Map([[slot, '8']])
  const one: Case = {
    ...{ operation, victim: ada, answers: [mine, mine], stable: stableLeaves(mine, mine) },
    asked: { request: requestWith(operation, values), values, first: mine },
    replies: new Map<Party, Reply>([
      [stranger, nobody],
      [ben, theirs],
    ]),
  }
  const world: World = { identities: [ada, ben], nobody: stranger, operations: [operation] }
  expect(judgeCase(ctx, one, world, [one])).toEqual([])
  return { flaws: await ledAloneFlaws(ctx, [one], world, []), asked }
}
const ADAS = (name: string): string => (name === 'ada' ? '<a href="/plots/8/lease">My lease</a>' : '<p>Taken</p>')

test('what is below a known object is somebody’s where its page leads that one there alone', async () => {
  const { flaws, asked } = await found(ADAS, page('/plots/8/lease', LEASE))
  expect(flaws).toMatchObject([
    {
      kind: 'object',
      by: 'ben',
      confidence: 'confirmed',
      parameter: 'plots',
      values: ['ada.berg@mail.test', '7 Harbour Road'],
    },
  ])
  expect(asked).toEqual(['ada /plots/8', 'ben /plots/8'])
})

test.each<[string, (name: string) => string, Reply, Reply?]>([
  ['whose page leads both there', () => '<a href="/plots/8/lease">Lease</a>', page('/plots/8/lease', LEASE)],
  ['whose page leads nobody there', () => '', page('/plots/8/lease', LEASE)],
  [
    'that shows what the page of the object shows as well',
    (name) => `${ADAS(name)}<p>ada.berg@mail.test</p><p>7 Harbour Road</p>`,
    page('/plots/8/lease', LEASE),
  ],
  ['that is refused', ADAS, REFUSED],
  ['that shows another their own', ADAS, page('/plots/8/lease', '<h1>Lease</h1><p>ben@mail.test</p>')],
  ['that nobody is asked for', ADAS, page('/plots/8/lease', LEASE), page('/plots/8/lease', LEASE)],
])('a page %s is no flaw', async (_name, plot, theirs, nobody) => {
  expect((await found(plot, theirs, nobody)).flaws).toEqual([])
})
