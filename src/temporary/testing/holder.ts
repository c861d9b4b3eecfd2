/** Claims, makes three folders, says which, and ends when its standard input does. Arguments: mode, data folder. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { claimTemporary, temporaryFolder } from '../temporary.ts'

const [mode = '', folder = ''] = process.argv.slice(2)
const claim = mode === 'command' ? null : claimTemporary(folder, mode === 'alone')
const made = [
  await temporaryFolder('test'),
  await temporaryFolder('test', { shared: true }),
  claim ? (await claim.childFolder()).path : await temporaryFolder('test'),
]
for (const path of made) writeFileSync(join(path, 'file'), 'left')
process.stdout.write(`${JSON.stringify(made)}\n`)
process.stdin.resume().once('end', () => {
  claim?.close()
  process.exit(0)
})
