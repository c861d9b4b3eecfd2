/** Entry of the program `sonde`. */
import { runProgram } from '../cli/entry.ts'
import { commandsIn } from './commands.ts'

await runProgram(commandsIn)
