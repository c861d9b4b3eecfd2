import { describe, expect, test } from 'vitest'
import { answerIn } from './captcha.ts'

const told = (path: string, body: unknown, change: object = {}) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return answerIn({ url: `https://shop.test${path}`, status: 200, body: text, module: 'crawl', ...change })
}

describe('a captcha that tells its answer', () => {
  test.each([
    ['a sum', '/rest/captcha', { captchaId: 3, captcha: '3*4', answer: '12' }, true],
    ['a sum of three', '/captcha', { question: '2+3*4', result: 14 }, true],
    ['in an envelope', '/api/new', { data: { captchaImage: 'data:image/png;base64,AA', solution: 'x7Kq' } }, false],
    ['a text', '/captcha/text', { challenge: 'capital of France', expected: 'paris' }, false],
  ] as const)('%s', (_name, path, body, isRight) => expect(told(path, body)?.isRight).toBe(isRight))

  test.each([
    ['the question alone', '/captcha', { captchaId: 3, captcha: '3*4' }],
    ['an empty answer', '/captcha', { captcha: '3*4', answer: '' }],
    ['a question of people, and no captcha', '/faq', { question: 'Is it fair trade?', answer: 'Yes' }],
    [
      'an answer of many words',
      '/captcha/help',
      { question: 'Why?', answer: 'Because programs fill in forms as well.' },
    ],
    ['no JSON', '/captcha', '<p>captcha: 3*4, answer: 12</p>'],
    ['a broken one', '/captcha', '{"captcha":"3*4","answer":"12"'],
  ])('not: %s', (_name, path, body) => expect(told(path, body)).toBeNull())

  test('not what a probe was answered, nor an error', () => {
    const body = { captcha: '3*4', answer: '12' }
    expect(told('/captcha', body, { module: 'sqli' })).toBeNull()
    expect(told('/captcha', body, { status: 404 })).toBeNull()
  })
})
