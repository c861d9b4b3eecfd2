/** Modules of scripts that greet a service and read how it introduces itself. None signs in, none changes anything. */
import type { ScriptValue } from '../../../language/script/value.ts'
import type { SkipKind } from '../../executor.ts'
import type { NetParts } from '../net.ts'
import { type ModuleShape, moduleOf } from './asking.ts'
import { DATABASES } from './databases.ts'
import { DESKTOPS } from './desktops.ts'
import { GREETINGS, smtpModule } from './greetings.ts'
import { smbModule } from './smb.ts'
import { sshModule } from './ssh.ts'

const SHAPES: readonly ModuleShape[] = [...DATABASES, ...DESKTOPS, ...GREETINGS]

const OWN: Readonly<Record<string, (parts: NetParts) => ScriptValue>> = {
  ssh: sshModule,
  smb: smbModule,
  smtp: smtpModule,
}

const UNSPOKEN = 'speaks a protocol that the services module recognises and this engine does not carry on'

/** Modules of the format that are not lent: by policy, or since the engine does not have them. */
export const REFUSED: Readonly<Record<string, { readonly why: string; readonly kind: SkipKind }>> = {
  fs: { why: 'reads files of this machine', kind: 'policy' },
  goexec: { why: 'runs programs on this machine', kind: 'policy' },
  kerberos: { why: 'asks for user names and tickets', kind: 'policy' },
  ikev2: { why: 'opens a tunnel', kind: 'policy' },
  dcerpc: { why: 'calls procedures of the target', kind: 'policy' },
  ldap: { why: UNSPOKEN, kind: 'absent' },
  oracle: { why: UNSPOKEN, kind: 'absent' },
  rdp: { why: UNSPOKEN, kind: 'absent' },
}

/** Null for a name that is none of the format's services. */
export const serviceModule = (name: string, parts: NetParts): ScriptValue | null => {
  const id = name.replace(/^nuclei\//, '')
  const own = Object.hasOwn(OWN, id) ? OWN[id] : undefined
  if (own !== undefined) return own(parts)
  const shape = SHAPES.find((one) => one.name === id)
  return shape === undefined ? null : moduleOf(parts, shape)
}
