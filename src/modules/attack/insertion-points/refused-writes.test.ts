import { expect, it } from 'vitest'
import type { ProbeRequest } from './inventory.ts'
import { isRefusedWrite } from './refused-writes.ts'

const FORM = 'http://shop.test/orders/new'
const request: ProbeRequest = {
  ...{
    id: 'order',
    method: 'POST',
    url: 'http://shop.test/orders',
    headers: [],
    body: 'name=Ida&items%5B0%5D=tent&send=1',
    effect: 'writes',
  },
  seenOn: [`${FORM}?from=cart`],
}
const THANKS = { status: 200, text: '<h1>Thank you</h1>' }
const AGAIN = {
  status: 200,
  text: '<form method=post><b>No name</b><input name="name"><input name=items[0] value=""></form>',
}
const LEADS_ON = { status: 302, location: '/orders/7' }

it.each([
  ['a status that says so', LEADS_ON, { status: 422 }, true],
  ['the same, of what nobody has taken yet', null, { status: 403 }, true],
  ['an error of the server, behind which something may be stored', LEADS_ON, { status: 500 }, false],
  ['no answer', LEADS_ON, { status: 0 }, false],
  ['the form once more, where what is taken leads on', LEADS_ON, { status: 200 }, true],
  ['back to the form, where what is taken leads on', LEADS_ON, { status: 302, location: FORM }, true],
  ['to another record', LEADS_ON, { status: 303, location: '/orders/8' }, false],
  ['to where it always leads', { status: 302, location: FORM }, { status: 302, location: `${FORM}?done` }, false],
  ['a page, where a page is what is always said', { status: 200 }, { status: 200 }, false],
  ['the form once more, where what is taken is thanked for', THANKS, AGAIN, true],
  ['the same, where that has the form as well', AGAIN, AGAIN, false],
  ['another word of thanks', THANKS, { status: 200, text: '<h1>Thank you, Ida</h1><input name="search">' }, false],
  ['a page, where it is not known what is said of what is taken', null, { status: 200 }, false],
] as const)('%s', (_what, accepted, answer, refused) => {
  expect(isRefusedWrite(request, accepted, answer)).toBe(refused)
})
