/** Scripts of a template, checked when it is read: their grammar, and the steps that a flow names. */
import { parse } from 'acorn'
import type { Step } from '../template.ts'
import type { Fields } from './fields.ts'

export const checkScript = (fields: Fields, name: string): void => {
  const source = fields.text(name)
  if (source === null || source.trim() === '') return
  try {
    parse(source, { ecmaVersion: 2022 })
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    fields.error(name, `${name} is no script: ${error.message.replace(/ \((\d+):(\d+)\)$/, ', in line $1 of it')}`)
  }
}

const CALL = /\b(http|dns|ssl|tcp|network|headless|javascript)\s*\(\s*(\d+|["'][\w-]+["'])\s*\)/g

/** `http(3)` of a template with two http blocks can never run. */
export const checkFlow = (fields: Fields, steps: readonly Step[]): void => {
  checkScript(fields, 'flow')
  for (const [written, protocol = '', which = ''] of (fields.text('flow') ?? '').matchAll(CALL)) {
    const own = steps.filter((step) => step.protocol === (protocol === 'network' ? 'tcp' : protocol))
    const id = which.replace(/["']/g, '')
    const exists = /^\d+$/.test(which)
      ? Number(which) >= 1 && Number(which) <= own.length
      : own.some((one) => one.id === id)
    // What stands before it runs all the same.
    if (!exists) fields.defect('flow', `flow asks for ${written}, but there are ${own.length} such blocks`)
  }
}
