import { expect, test } from 'vitest'
import { renderHtml } from './html/page.ts'
import { renderMarkdown } from './markdown/page.ts'
import { renderTex } from './pdf/layout.ts'
import { sampleFile } from './testing/sample.ts'

const file = sampleFile()

test.each([
  ['page', renderHtml],
  ['Markdown', renderMarkdown],
  ['PDF', renderTex],
])('%s: how far the run came, and why not further; nothing of a run that has no reach', (_name, render) => {
  const said = (of: typeof file) => render(of).replaceAll(/\\ |~|\\allowbreak\{\}/g, ' ')
  expect(said(file)).toContain('412 insertion points known, 388 asked, 24 left out, 18 of them asked in part')
  expect(said(file)).toContain('it changes what belongs to the account')
  expect(said({ ...file, reach: undefined })).not.toContain('insertion points known')
})
