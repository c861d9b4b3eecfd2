import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findProgram, requireProgram } from './programs.ts'

test('finds what is executable, and names the rest', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sonde-programs-test-'))
  try {
    await writeFile(join(folder, 'bwrap'), '#!/bin/sh\n')
    await chmod(join(folder, 'bwrap'), 0o755)
    await writeFile(join(folder, 'pdfinfo'), 'not executable')
    await chmod(join(folder, 'pdfinfo'), 0o644)
    const path = `relative:/nonexistent:${folder}`
    expect(findProgram('bwrap', path)).toBe(join(folder, 'bwrap'))
    expect(requireProgram('bwrap', path)).toBe(join(folder, 'bwrap'))
    expect(() => requireProgram('pdfinfo', path)).toThrow('The PDF report needs pdfinfo, which is not installed')
  } finally {
    await rm(folder, { recursive: true })
  }
})
