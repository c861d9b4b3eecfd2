import { parse } from 'acorn'
import { ScriptError } from './errors.ts'

/** @throws ScriptError where the grammar is not that of a script, with the place */
export const checkGrammar = (source: string): void => {
  try {
    parse(source, { ecmaVersion: 2022 })
  } catch (error) {
    throw new ScriptError(error instanceof Error ? error.message : String(error))
  }
}
