import { expect, test } from 'vitest'
import { caseAnswer } from '../../../testing/answers.ts'
import { caseRequest } from '../../crawl/testing/crawl-facts.ts'
import { requestOf } from '../../insertion-points/inventory.ts'
import { whereabouts } from './whereabouts.ts'

const URL_OF_FORM = 'https://shop.test/index.php?page=write'
const REPLY = { ...{ value: '', status: 200, text: 'Thank you', contentType: 'text/html', location: '' } } as const

const looking = async (pages: () => string, asked: string[] = []) => {
  const egress = {
    excludes: () => false,
    http: async ({ url }: { readonly url: string }) => {
      asked.push(url)
      return caseAnswer({ path: new URL(url).pathname, body: pages() })
    },
  }
  const request = requestOf(caseRequest({ method: 'POST', url: URL_OF_FORM, seenOn: [URL_OF_FORM] }))
  return whereabouts({ egress } as never, request, 'attachment')
}

test('a file that is handed out by a program is looked for in a folder that is called like it, by its new name', async () => {
  let body = '<p>Nothing yet</p>'
  const where = await looking(() => body)
  body = '<a href="index.php?page=attachment&amp;file=17_note.php">note.php</a>'
  const found = await where.of('note.php', REPLY as never)
  expect(found).toContain('https://shop.test/index.php?page=attachment&file=17_note.php')
  expect(found).toContain('https://shop.test/attachments/17_note.php')
  expect(found.filter((url) => url.endsWith('/note.php'))).toEqual([])
})

test('a place that held one is looked at again, whatever the next is called', async () => {
  const where = await looking(() => '<p>Nothing</p>')
  await where.held('https://shop.test/faces/u3.php')
  expect((await where.of('other.php', REPLY as never))[0]).toBe('https://shop.test/faces/u3.php')
})

test('the folder of a file that was found is opened once', async () => {
  const asked: string[] = []
  const where = await looking(() => '<p>Nothing</p>', asked)
  asked.length = 0
  for (const name of ['u3.png', 'u4.png', 'hand-out?file=u5.png']) await where.held(`https://shop.test/faces/${name}`)
  expect(asked).toEqual(['https://shop.test/faces/'])
})
