/** Writes the generated documents: `npm run generate`. A test fails when one of them is stale. */
import { writeFileSync } from 'node:fs'
import { GENERATED } from './generated.ts'

const ROOT = new URL('../../', import.meta.url)

for (const { path, render } of GENERATED) writeFileSync(new URL(path, ROOT), render())
