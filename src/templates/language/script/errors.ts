/** What a script ends with. */

/** A script that cannot run here: its grammar, a bound of the sandbox, or something that the engine does not lend. */
export class ScriptError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ScriptError'
  }
}

/**
 * Not a mistake of the script: what it throws itself, a service that answers otherwise than asked, and what is looked for
 * in an answer that does not hold it (`match[1]` of no match). Thrown by what is lent, a script may catch it.
 */
export class ScriptAnswer extends ScriptError {}
