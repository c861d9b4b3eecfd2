import { describe, expect, test } from 'vitest'
import { answerBeside, answerIn } from './captcha.ts'

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

describe('a form that asks for a sum and holds what it comes to', () => {
  const beside = (body: string) =>
    answerBeside({ url: 'https://shop.test/contact', status: 200, body, module: 'crawl' })
  const form = (question: string, hidden: string) =>
    `<form method=post><input name=email><p>${question} <input name=said></p>${hidden}</form>`
  test('is told', () => {
    expect(beside(form('What is <b>7</b> + 4?', '<input type=hidden name=expected value=11>'))).toMatchObject({
      ...{ name: 'expected', isRight: true },
    })
  })
  test.each([
    ['another number', form('What is 7 + 4?', '<input type=hidden name=expected value=12>')],
    ['a number of a thing', form('What is 7 + 4?', '<input type=hidden name=product value=11>')],
    ['no sum', form('Open 9-17 on 2026-11-30', '<input type=hidden name=result value=-8>')],
    ['in another form', `${form('7 + 4?', '')}<form><input type=hidden name=expected value=11></form>`],
  ])('not: %s', (_name, body) => expect(beside(body)).toBeNull())
})
