import { expect, test } from 'vitest'
import { extensionOf, isOfExtension } from './extensions.ts'

const SITE = 'https://club.test'

test.each([
  ['/content/plugins/ferry-desk/js/site.js?ver=2', 'ferry-desk'],
  ['/content/plugins/ferry_desk/', 'ferry-desk'],
  ['/modules/custom/Seat_Plan/plan.css', 'seat-plan'],
  ['/apps/calendar/img/icon.svg', 'calendar'],
  ['/plugins/site.js', null],
  ['/modules/core/main.js', null],
  ['/js/site.js', null],
  ['/components/x1/', null],
])('%s is of %s', (path, name) => {
  expect(extensionOf(`${SITE}${path}`)).toBe(name)
})

test('what is no address is of none', () => {
  expect(extensionOf('site.js')).toBe(null)
  expect(isOfExtension('site.js', new Set(['ferry-desk']))).toBe(false)
})

test.each([
  ['/json/ferry-desk/v1/departures', true],
  ['/tools.php?page=ferry-desk', true],
  ['/tools.php?page=ferry_desk_bookings&tab=open', true],
  ['/tools.php?page=ferry-deskwork', false],
  ['/tools.php?ferry-desk=1', false],
  ['/posts/7', false],
])('%s: %s', (path, expected) => {
  expect(isOfExtension(`${SITE}${path}`, new Set(['ferry-desk']))).toBe(expected)
})
