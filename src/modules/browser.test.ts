import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { isUndrawn, openTab } from './browser.ts'

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

describe('a tab', () => {
  const profile = (...errors: readonly string[]) => {
    const left = [...errors]
    return {
      newPage: async () => {
        const error = left.shift()
        if (error !== undefined) throw new Error(error)
        return {} as Page
      },
    }
  }

  it('whose process is lost before anything is asked of it is opened once more', async () => {
    const lost = 'browserContext.newPage: Target crashed'
    await expect(openTab(profile(lost))).resolves.toEqual({})
    await expect(openTab(profile(lost, lost))).rejects.toThrow(lost)
  })

  it('is not opened again where its browser is gone', async () => {
    const gone = 'browserContext.newPage: Target page, context or browser has been closed'
    await expect(openTab(profile(gone))).rejects.toThrow(gone)
  })
})
