import { expect, test } from 'vitest'
import {
  circle,
  DRAWING_COMMANDS,
  drawing,
  line,
  outline,
  paragraph,
  rectangle,
  shape,
  within,
  words,
} from './drawing.ts'
import { PACKAGES } from './preamble.ts'

test('drawings need no package: one for them costs a report as much as its text', () => {
  expect(PACKAGES).not.toMatch(/tikz|pgf|pstricks/)
})

test('a drawing has its size, whatever is put into it and wherever its corner lies', () => {
  const bar = rectangle('accent', { x: 1, y: -2.004, width: 3, height: 4 })
  expect(bar).toBe('\\filled{accent}{1}{-2}{3}{4}')
  expect(drawing({ width: 10, height: 5, bottom: -2 }, [bar, '', bar])).toBe(
    `\\drawing{10}{5}{0}{2}{%\n${bar}%\n${bar}}`,
  )
})

test('words stand by the part of their box that is named', () => {
  expect(words({ x: 1, y: 2 }, 'A')).toBe('\\wordsat{1}{2}{0}{0.5}{0.5}{A}')
  expect(words({ x: 1, y: 2, across: 1, up: 1 }, 'A')).toBe('\\wordsat{1}{2}{1}{1}{0}{A}')
  expect(paragraph({ x: 1, y: 2, up: 0 }, 30, 'A')).toContain('\\parbox{30mm}')
})

test('colours of words end within their box, which is made before it is put', () => {
  expect(DRAWING_COMMANDS).toContain('\\hbox{{#6}}')
})

test('a circle is four curves that end where they begin, in big points', () => {
  const path = circle({ x: 0, y: 0, radius: 25.4 })
  expect(path.match(/ c(?= |$)/g)).toHaveLength(4)
  expect(path).toMatch(/^72 0 m 72 39\.766 39\.766 72 0 72 c .* 72 0 c h$/)
})

test('a shape holds what is drawn, one after the other, within what it is cut to', () => {
  const cross = outline(25.4, line({ x: 0, y: 0 }, { x: 25.4, y: 0 }))
  expect(cross).toBe('72 w 0 0 m 72 0 l S')
  expect(shape('ring', within('0 0 9 9 re'), cross)).toBe(`\\shape{ring}{0 0 9 9 re W n ${cross}}`)
})
