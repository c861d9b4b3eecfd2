import { describe, expect, it } from 'vitest'
import { isUndrawn } from './browser.ts'

const timeout = Object.assign(new Error('page.screenshot: Timeout 3000ms exceeded.'), { name: 'TimeoutError' })

describe('a picture that could not be taken', () => {
  it.each([
    [
      'Chromium could not draw it',
      new Error('page.screenshot: Protocol error (Page.captureScreenshot): Unable to capture screenshot'),
    ],
    ['the page went away', new Error('page.screenshot: Target page, context or browser has been closed')],
    ['too slow', timeout],
  ])('%s', (_, error) => {
    expect(isUndrawn(error)).toBe(true)
  })

  it('is not one where something else failed', () => {
    expect(isUndrawn(new Error('the budget of 10 requests is spent'))).toBe(false)
    expect(isUndrawn('Unable to capture screenshot')).toBe(false)
  })
})
