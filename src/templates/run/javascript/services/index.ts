/** Modules of scripts that greet a service and read how it introduces itself. None signs in, none changes anything. */

import { ScriptError } from '../../../language/script/errors.ts'
import type { ModuleGiven } from '../../../language/script/in-sandbox/modules.ts'
import { type SkipKind, StepSkipped } from '../../executor.ts'
import type { NetParts } from '../net.ts'
import type { ModuleShape } from './asking.ts'
import { DATABASES } from './databases.ts'
import { GREETINGS } from './greetings.ts'
import { SMB } from './smb.ts'
import { SSH } from './ssh.ts'

const SHAPES: readonly ModuleShape[] = [...DATABASES, ...GREETINGS, SMB, SSH]

const UNSPOKEN = 'speaks a protocol that the services module recognises and this engine does not carry on'

/** Modules of the format that are not lent: by policy, or since the engine does not have them. */
const REFUSED: Readonly<Record<string, { readonly why: string; readonly kind: SkipKind }>> = {
  fs: { why: 'reads files of this machine', kind: 'policy' },
  goexec: { why: 'runs programs on this machine', kind: 'policy' },
  kerberos: { why: 'asks for user names and tickets', kind: 'policy' },
  ikev2: { why: 'opens a tunnel', kind: 'policy' },
  dcerpc: { why: 'calls procedures of the target', kind: 'policy' },
  ldap: { why: UNSPOKEN, kind: 'absent' },
  oracle: { why: UNSPOKEN, kind: 'absent' },
  rdp: { why: UNSPOKEN, kind: 'absent' },
}

/** What the sandbox makes modules of. */
export const SERVICE_MODULES: readonly ModuleGiven[] = SHAPES.map(({ name, client, bound, calls, refused }) => ({
  name,
  functions: [...Object.keys(calls), ...Object.values(refused ?? {}).flat()],
  client: client ?? null,
  bound: bound ?? false,
}))

/** `redis.GetServerInfo`. @throws StepSkipped for what policy does not lend, and what a call throws */
export const callService = async (parts: NetParts, name: string, args: readonly unknown[]): Promise<unknown> => {
  const [module, called = ''] = name.split('.')
  const shape = SHAPES.find((one) => one.name === module)
  const call = shape && Object.hasOwn(shape.calls, called) ? shape.calls[called] : undefined
  if (call !== undefined) return call(parts, args)
  for (const [why, names] of Object.entries(shape?.refused ?? {})) {
    if (names.includes(called)) throw new StepSkipped(`${name} ${why}`, 'policy')
  }
  throw new ScriptError(`${name} is not offered to scripts`)
}

/** Says why a module is not there. @throws StepSkipped always */
export const refuseModule = (name: string): never => {
  const refused = Object.entries(REFUSED).find(([id]) => name === `nuclei/${id}`)?.[1]
  if (refused !== undefined) throw new StepSkipped(`the module ${name} is not offered: it ${refused.why}`, refused.kind)
  throw new StepSkipped(`the module ${name.slice(0, 40)} is not offered to scripts`, 'unsupported')
}
