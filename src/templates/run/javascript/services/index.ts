/** Modules of scripts that greet a service and read how it introduces itself. None signs in, none changes anything. */
import type { ScriptValue } from '../../../language/script/value.ts'
import type { NetParts } from '../net.ts'
import { type ModuleShape, moduleOf } from './asking.ts'
import { DATABASES } from './databases.ts'
import { DESKTOPS } from './desktops.ts'
import { GREETINGS, smtpModule } from './greetings.ts'
import { ldapModule } from './ldap.ts'
import { smbModule } from './smb.ts'
import { sshModule } from './ssh.ts'

const SHAPES: readonly ModuleShape[] = [...DATABASES, ...DESKTOPS, ...GREETINGS]

const OWN: Readonly<Record<string, (parts: NetParts) => ScriptValue>> = {
  ssh: sshModule,
  smb: smbModule,
  ldap: ldapModule,
  smtp: smtpModule,
}

/** Modules of the format that are not lent, and the policy that says so. */
export const REFUSED: Readonly<Record<string, string>> = {
  fs: 'reads files of this machine',
  goexec: 'runs programs on this machine',
  kerberos: 'asks for user names and tickets',
  ikev2: 'opens a tunnel',
  dcerpc: 'calls procedures of the target',
}

/** Null for a name that is none of the format's services. */
export const serviceModule = (name: string, parts: NetParts): ScriptValue | null => {
  const id = name.replace(/^nuclei\//, '')
  const own = Object.hasOwn(OWN, id) ? OWN[id] : undefined
  if (own !== undefined) return own(parts)
  const shape = SHAPES.find((one) => one.name === id)
  return shape === undefined ? null : moduleOf(parts, shape)
}
