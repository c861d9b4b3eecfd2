import { expect, it } from 'vitest'
import { handlerOf, missingPageOf } from './handler.ts'

const frame = (line: number, code: string): string =>
  `<li class="frame" id="frame-${line}"><cite class="filename">"/app/${code}.py"</cite><pre class="line current">${code}</pre></li>`
const debuggerPage = (error: string, frames: readonly string[]): string =>
  `<body class="debugger dark"><h1 class=title>${error}</h1><div class="traceback detail"><ul class='frames'>${frames.join('')}</ul></div><div id="footer">x</div></body>`
const ONE = debuggerPage('near "\'": syntax error', [frame(1, 'search')])
const OTHER = debuggerPage('invalid literal for int()', [frame(7, 'order'), frame(12, 'invoice')])

it('is the same for one debugger, whatever the error and however deep', () => {
  expect(handlerOf({ status: 500, text: ONE })).toMatch(/^[0-9a-f]{16}$/)
  expect(handlerOf({ status: 500, text: OTHER })).toBe(handlerOf({ status: 500, text: ONE }))
})

it('is another for another page', () => {
  expect(handlerOf({ status: 500, text: ONE.replaceAll('traceback', 'exception') })).not.toBe(
    handlerOf({ status: 500, text: ONE }),
  )
})

it.each([
  ['an ordinary answer', 200, ONE],
  ['a plain message', 500, '<h1>Error</h1><p class="a">SQL syntax</p>'],
])('is nothing for %s', (_name, status, text) => expect(handlerOf({ status, text })).toBeNull())

it('tells the page for what is missing by how it is built, whatever it repeats', () => {
  const page = (value: string, more = ''): string => `<title>Not found</title>${more}<p>No page ${value}</p>`
  const of = (value: string, more = '', status = 404) => missingPageOf({ status, value, text: page(value, more) })
  expect(of('<svg onload=x>')).toBe(of('/cart'))
  expect(of('/cart', '<h2>No such item</h2>')).not.toBe(of('/cart'))
  expect(of('/cart', '', 200)).toBeNull()
})
