/** What locks and opens a backup, from the words of a command. */
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Lock, Unlock } from '../backup/archive.ts'
import type { BackupKey } from '../cli/deps.ts'
import { OperatorError } from '../contract/operator.ts'

/** Characters: whoever has the file can try passphrases for as long as he likes. */
const SHORTEST = 12

export const lockOf = async ({ recipients, passphraseFile }: BackupKey): Promise<Lock> => {
  if (recipients.length > 0 && passphraseFile !== null) {
    throw new OperatorError('--recipient and --passphrase-file exclude each other: age knows one or the other')
  }
  if (recipients.length > 0) return { recipients }
  const passphrase = passphraseFile === null ? await ask('Passphrase of the backup: ') : firstLine(passphraseFile)
  if (passphrase.length < SHORTEST) throw new OperatorError(`The passphrase has fewer than ${SHORTEST} characters`)
  if (passphraseFile === null && (await ask('The same again: ')) !== passphrase) {
    throw new OperatorError('The two passphrases differ')
  }
  return { passphrase }
}

export const unlockOf = async ({ identityFiles, passphraseFile }: BackupKey): Promise<Unlock> => {
  if (identityFiles.length === 0) {
    return { passphrase: passphraseFile === null ? await ask('Passphrase of the backup: ') : firstLine(passphraseFile) }
  }
  const lines = identityFiles.flatMap((file) => textOf(file).split('\n'))
  const identities = lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'))
  return { identities }
}

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new OperatorError(`The file ${file} cannot be read`, { cause })
  }
}

const firstLine = (file: string): string => (textOf(file).split('\n')[0] ?? '').replace(/\r$/, '')

/** On the terminal, without showing what is typed. */
const ask = async (question: string): Promise<string> => {
  if (!process.stdin.isTTY) {
    throw new OperatorError('Without a terminal say --passphrase-file, or keys of age by --recipient or --identity')
  }
  process.stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: process.stdin, output: silent, terminal: true })
  try {
    return await reader.question('')
  } finally {
    reader.close()
    process.stderr.write('\n')
  }
}
