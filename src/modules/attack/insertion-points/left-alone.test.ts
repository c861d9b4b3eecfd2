/** What the crawl knows and nobody may send is there all the same. */
import { expect, test } from 'vitest'
import { caseCrawl, caseRequest } from '../crawl/testing/crawl-facts.ts'
import { noFormForFiles, nothingToAsk, takesObject } from './left-alone.ts'

const upload = (harm: string | null) =>
  caseRequest({
    ...{ method: 'POST', url: 'https://shop.test/nodes', encoding: 'multipart', harm },
    fields: [{ name: 'tarball', type: 'file', value: '' }],
  })

test('a form for files that is left alone is not one that is not there', () => {
  const left = caseCrawl({ requests: [upload('it uploads a file')] })
  expect(noFormForFiles(left)).toMatchObject({ state: 'not_tested' })
  expect(noFormForFiles(caseCrawl({ requests: [] }))).toMatchObject({ state: 'not_applicable' })
})

test('a document that is an object, and a list', () => {
  const reasons = { absent: 'none', left: 'left' }
  const sent = (body: string) =>
    caseCrawl({
      requests: [caseRequest({ method: 'POST', url: 'https://shop.test/flows', encoding: 'json', body, harm: 'x' })],
    })
  expect(nothingToAsk(sent('{"flows":1}'), takesObject, reasons)).toEqual({ state: 'not_tested', reason: 'left' })
  expect(nothingToAsk(sent('[1]'), takesObject, reasons)).toEqual({ state: 'not_applicable', reason: 'none' })
})
