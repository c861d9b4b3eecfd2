/** Where the window goes when keys go through a list. */
import { describe, expect, test } from 'vitest'
import { windowFor } from '../web/src/components/problems/follow.ts'

const ROW = 50
/** Of a window of 800 pixels that stands at `from`. */
const seen = (from: number, height = 800) => ({ scrollOffset: from, scrollRect: { height } })

describe('windowFor', () => {
  test('a row with two beyond it in sight moves nothing', () => {
    for (const top of [100, 300, 650]) expect(windowFor(seen(0), top, ROW), String(top)).toBeNull()
  })

  test('near the lower edge it brings five rows beyond the row, and says that the row can be seen already', () => {
    expect(windowFor(seen(0), 700, ROW)).toEqual({ top: 700 + 6 * ROW - 800, inSight: true })
  })

  test('near the upper edge likewise, and never above the page', () => {
    expect(windowFor(seen(1_000), 1_050, ROW)).toEqual({ top: 800, inSight: true })
    expect(windowFor(seen(60), 100, ROW)).toEqual({ top: 0, inSight: true })
  })

  test('a row out of sight is come to at once', () => {
    expect(windowFor(seen(0), 5_000, ROW)).toEqual({ top: 4_500, inSight: false })
    expect(windowFor(seen(5_000), 300, ROW)).toEqual({ top: 50, inSight: false })
  })

  test.each([60, 120, 200, 320])('in a window of %i pixels the row itself stays in sight', (height) => {
    for (let from = 0, top = 0; top < 3_000; top += ROW) {
      const wanted = windowFor(seen(from, height), top, ROW)
      from = wanted?.top ?? from
      expect(top).toBeGreaterThanOrEqual(from)
      expect(top + ROW).toBeLessThanOrEqual(from + height)
    }
  })

  test('a list that nobody has measured yet is left where it is', () => {
    expect(windowFor({ scrollOffset: null, scrollRect: null }, 0, ROW)).toBeNull()
    expect(windowFor(seen(0, 0), 0, ROW)).toBeNull()
  })
})
