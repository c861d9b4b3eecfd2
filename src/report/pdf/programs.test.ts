import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { reportPrograms, requireProgram } from './programs.ts'

test('finds what is executable, and says how to install the rest', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sonde-programs-test-'))
  try {
    await writeFile(join(folder, 'bwrap'), '#!/bin/sh\n')
    await chmod(join(folder, 'bwrap'), 0o755)
    await writeFile(join(folder, 'pdfinfo'), 'not executable')
    await chmod(join(folder, 'pdfinfo'), 0o644)
    const path = `relative:/nonexistent:${folder}`
    const found = Object.fromEntries(reportPrograms(path).map((state) => [state.program, state.path]))
    const none = { xelatex: null, prlimit: null, setpriv: null, unshare: null, pdfinfo: null, pdftoppm: null }
    expect(found).toEqual({ ...none, bwrap: join(folder, 'bwrap') })
    expect(() => requireProgram('pdfinfo', path)).toThrow(/needs pdfinfo, .* apt-get install .* poppler-utils/)
  } finally {
    await rm(folder, { recursive: true })
  }
})
