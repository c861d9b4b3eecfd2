/** `sonde backup` and `sonde restore`. */
import { Command } from 'commander'
import type { BackupKey, BackupReport, CliDeps } from '../deps.ts'
import { EXIT, type ExitCode } from '../exit.ts'
import { bytesText, counted, jsonText } from '../screen.ts'
import { examples, JSON_FLAG } from './options.ts'

interface Options {
  readonly passphraseFile?: string
  readonly json?: true
}

const PASSPHRASE = ['--passphrase-file <file>', 'file whose first line is the passphrase; asked for otherwise'] as const

export const backupCommands = (deps: CliDeps, end: (code: ExitCode) => void): readonly Command[] => [
  backupCommand(deps, end),
  restoreCommand(deps),
]

const backupCommand = ({ backup, screen }: CliDeps, end: (code: ExitCode) => void): Command =>
  new Command('backup')
    .description('write database and files of a service, running or stopped, into one encrypted file')
    .requiredOption('--to <file>', 'the file to make; one that exists is not replaced')
    .option(...PASSPHRASE)
    .option('--recipient <key...>', 'public key of age (age1…) whose owner can read it, instead of a passphrase')
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      examples(
        'sonde backup --to /backups/sonde-monday.age --passphrase-file /etc/sonde/backup-passphrase',
        'sonde backup --to sonde.age --recipient age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p',
      ),
    )
    .action(async (options: Options & { to: string; recipient?: string[] }) => {
      const key: BackupKey = {
        passphraseFile: options.passphraseFile ?? null,
        recipients: options.recipient ?? [],
        identityFiles: [],
      }
      const report = await backup(options.to, key)
      const whole = report.missing.length + report.altered.length === 0
      end(whole ? EXIT.clean : EXIT.failed)
      if (options.json) return screen.out(jsonText(report))
      screen.out(`${options.to} has ${countsOf(report)}.\n`)
      if (report.expired.length > 0)
        screen.out(`${counted(report.expired.length, 'file')} ended meanwhile by retention and will be marked so.\n`)
      for (const key of report.missing)
        screen.err(`The storage does not have ${key} any more: it is not in the backup.\n`)
      for (const key of report.altered)
        screen.err(`The storage has ${key} with other bytes than it was stored with: the backup has these.\n`)
    })

const restoreCommand = ({ restore, screen }: CliDeps): Command =>
  new Command('restore')
    .description('bring a backup back, into a data folder or PostgreSQL that is empty')
    .argument('<file>', 'what "sonde backup" has written')
    .option(...PASSPHRASE)
    .option('--identity <file...>', 'file with private keys of age (AGE-SECRET-KEY-1…), instead of a passphrase')
    .option('--held', 'under an emergency stop: nothing is scanned until "sonde release --everyone"', false)
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      examples(
        'sonde restore /backups/sonde-monday.age --data /var/lib/sonde --passphrase-file /etc/sonde/backup-passphrase',
        'DATABASE_URL=postgres://sonde@db.example/sonde sonde restore sonde.age --identity key.txt --held',
      ),
    )
    .action(async (file: string, options: Options & { identity?: string[]; held: boolean }) => {
      const key: BackupKey = {
        passphraseFile: options.passphraseFile ?? null,
        recipients: [],
        identityFiles: options.identity ?? [],
      }
      const report = await restore(file, key, options.held)
      if (options.json) return screen.out(jsonText(report))
      screen.out(`Restored ${countsOf(report)}.\n`)
      if (options.held) screen.out('Nothing is scanned until "sonde release --everyone".\n')
    })

const countsOf = ({ rows, files, bytes }: BackupReport): string => {
  const all = Object.values(rows).reduce((sum, count) => sum + count, 0)
  return `${counted(all, 'row')} of ${counted(Object.keys(rows).length, 'table')} and ${counted(files, 'file')} (${bytesText(bytes)})`
}
