/** What deletes takes the page of a record with it, and every form there. */
import { afterEach, describe, expect, it } from 'vitest'
import { DELETES } from '../../../safety/deeds.ts'
import { caseRequest } from '../crawl/testing/crawl-facts.ts'
import { storingOf } from './elsewhere.ts'
import { DELETED } from './facts.ts'
import { inventoryOf } from './inventory.ts'
import { closeProbed, crawlOf, html, pointOf, probed } from './testing/probing.ts'

afterEach(closeProbed)

const form = (id: string, boundBy: string, names: readonly string[]) =>
  caseRequest({
    ...{ id, method: 'POST', url: `http://shop.test/notes/3/${id}`, encoding: 'urlencoded', bound: 40, boundBy },
    ...{ effect: 'unknown', fields: names.map((name) => ({ name, value: 'x', type: 'text' })) },
  })
const REMOVE = form('remove', DELETES, ['why'])
const CHANGE = form('change', 'what it does is not known yet', ['body'])
const crawl = crawlOf([pointOf('remove', 'form', 'why', 'x'), pointOf('change', 'form', 'body', 'x')], {
  requests: [REMOVE, CHANGE],
})

/** Forms in the order in which they were sent. */
const sentBeside = async (beside: number, plan: Parameters<typeof probed>[4] = {}, restAfter?: number) => {
  const sent: string[] = []
  const { facts } = await probed(
    (request, response) => {
      if (request.method === 'POST') sent.push(request.url?.split('/').at(-1) ?? '')
      response.end(html('Notes'))
    },
    crawl,
    null,
    null,
    plan,
    beside,
    undefined,
    restAfter,
  )
  return { sent, reasons: facts.points.flatMap(({ at, reason }) => (at.url.endsWith('/remove') ? (reason ?? []) : [])) }
}

describe('a request that deletes', () => {
  it('is asked behind all else, though it was found before', async () => {
    const { sent } = await sentBeside(0)
    expect([sent[0], sent.includes('remove')]).toEqual(['change', true])
  })

  it('waits until the others have nothing left but what deletes', async () => {
    const { sent, reasons } = await sentBeside(2, {}, 300)
    expect([sent.includes('change'), sent.includes('remove')]).toEqual([true, true])
    expect(reasons).toEqual([])
  })

  it('is not asked while another module asks, and that is said', async () => {
    const { sent, reasons } = await sentBeside(1, { time: { places: 2, grace: 1 } })
    expect([sent.includes('change'), sent.includes('remove')]).toEqual([true, false])
    expect(reasons).toEqual([DELETED])
  })
})

it('what people fill is looked for elsewhere before what names the record, and tokens are not', () => {
  const fields = [
    { name: '_method', value: 'patch', type: 'hidden' },
    { name: 'csrf_token', value: 'f3a91b7cd0e24c8899aa', type: 'hidden' },
    { name: 'phone', value: '040', type: 'text' },
  ]
  const request = caseRequest({ ...CHANGE, fields })
  const points = inventoryOf(
    crawlOf(
      [
        pointOf('change', 'form', '_method', 'patch'),
        pointOf('change', 'form', 'csrf_token', 'f3a91b7cd0e24c8899aa'),
        pointOf('change', 'form', 'phone', '040'),
      ],
      { requests: [request] },
    ),
  )
  expect(storingOf(points).asked.map(({ name }) => name)).toEqual(['phone', '_method'])
})
