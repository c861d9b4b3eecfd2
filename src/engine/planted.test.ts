import { describe, expect, it } from 'vitest'
import { type CaseAnswer, caseAnswer } from '../modules/testing/answers.ts'
import { createPlanted } from './planted.ts'

const upload = (name: string, content: string): CaseAnswer => ({
  path: '/send',
  method: 'POST',
  sent: `--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: image/png\r\n\r\n${content}\r\n--b--\r\n`,
  body: 'Thank you',
})

/** Which of the answers hand out what was given. */
const ours = (answers: readonly CaseAnswer[]): readonly string[] => {
  const planted = createPlanted()
  return answers.filter((answer) => planted.isOurs(caseAnswer(answer))).map(({ path = '/' }) => path)
}

describe('files of the run itself', () => {
  it.each<[string, CaseAnswer]>([
    ['by their name', { path: '/files/q3fa0b1c2d4.php', body: 'GIF89a;qv72vq' }],
    ['by a name that was put behind another', { path: '/files/2031-q3fa0b1c2d4.php', body: 'x' }],
    ['by their name in a query', { path: '/get?f=files%2Fq3fa0b1c2d4.php', body: 'x' }],
    ['by what they hold', { path: '/files/7.bin', body: "GIF89a;<?='qv'.(8*9).'vq'?>" }],
  ])('are known %s', (_name, answer) => {
    const given = upload('q3fa0b1c2d4.php', "GIF89a;<?='qv'.(8*9).'vq'?>")
    expect(ours([given, answer])).toEqual([answer.path])
    expect(ours([answer])).toEqual([])
  })

  it('are known where they were stored at an address of their own', () => {
    const put: CaseAnswer = { path: '/dav/q77a0c1d2e3.txt', method: 'PUT', sent: 'left by a scan', body: '' }
    expect(ours([put, { path: '/dav/q77a0c1d2e3.txt', body: 'left by a scan' }])).toEqual(['/dav/q77a0c1d2e3.txt'])
  })

  it('are no records that were written again: their pages are the site’s', () => {
    const record = '/api/users/3f2a9c11-0b5e-4f6a-9d01-7c2e8a4b6d90'
    const put: CaseAnswer = { path: record, method: 'PUT', sent: '{"name":"Ada","key":"sk_live_1"}', body: '' }
    expect(
      ours([put, { path: record, body: '{"name":"Ada","key":"sk_live_1"}' }, { path: record, body: 'x' }]),
    ).toEqual([])
  })

  it('are no files of the site: of a usual name, and pages that show what was given', () => {
    const given = upload('note.txt', 'a note of some words')
    expect(
      ours([
        given,
        { path: '/note.txt', body: 'password=Winter-7' },
        { path: '/list', body: '<p>a note of some words</p>' },
        { path: '/files/', body: 'note.txt' },
        { path: '/deadbeef01.js', body: 'run()' },
      ]),
    ).toEqual([])
  })
})
