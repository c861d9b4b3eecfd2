/** As whom a run looks: the options of every command that makes one. */
import type { Command } from 'commander'
import { IdentityName, type StartRun } from '../../contract/run.ts'
import { UsageError } from '../exit.ts'
import { gathered } from './options.ts'

export interface AsWhom {
  readonly storedLogin: boolean
  readonly identity: readonly string[]
  readonly signedOut: boolean
}

/** `otherwise`: as whom it looks without one of them. */
export const addAsWhom = (command: Command, otherwise: string): Command =>
  command
    .option(
      '--identity <name>',
      'as this identity of the domain, which has to be verified; repeatable: as the first, and what others alone see as those',
      gathered(IdentityName, 'It has small letters, digits, dots, hyphens and underscores.'),
      [],
    )
    .option('--stored-login', `as the identity "default", or not at all; ${otherwise}`, false)
    .option('--signed-out', 'as nobody, even where the domain has an identity "default"', false)

/** Throws a UsageError where two of them are given. */
export const asWhom = ({ storedLogin, identity, signedOut }: AsWhom): Pick<StartRun, 'auth_stored' | 'identities'> => {
  if ([storedLogin, signedOut, identity.length > 0].filter(Boolean).length > 1)
    throw new UsageError('Of --identity, --stored-login and --signed-out there can be one.')
  if (storedLogin) return { auth_stored: true }
  return signedOut || identity.length > 0 ? { identities: [...identity] } : {}
}
