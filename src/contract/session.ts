/** Who is signed in, by a key or as a member of the organisation. */
import { z } from 'zod'
import { Organisation, Role, Scope } from './organisation.ts'
import { Uuid } from './run.ts'
import { Timestamp } from './time.ts'

export const CreateSession = z.strictObject({ api_key: z.string().min(1).max(200) })
export type CreateSession = z.infer<typeof CreateSession>

export const Actor = z
  .strictObject({
    kind: z.enum(['key', 'member']),
    id: Uuid,
    name: z.string(),
    role: Role.nullable().describe('Of a member; null for a key'),
  })
  .describe('A key, or a person who signed in by OpenID Connect')
export type Actor = z.infer<typeof Actor>

export const Session = z.strictObject({
  actor: Actor,
  organisation: Organisation,
  scopes: z.array(Scope),
  csrf_token: z
    .string()
    .nullable()
    .describe('Sent back as X-CSRF-Token with every change; null where no cookie is in use'),
  expires_at: Timestamp.nullable().describe('Null where the request carried the key itself'),
})
export type Session = z.infer<typeof Session>

/** What a browser that is signed in sends with POST, PATCH and DELETE. */
export const CSRF_HEADER = 'X-CSRF-Token'

export const SignIn = z.strictObject({
  open_id: z
    .strictObject({ name: z.string(), path: z.string().describe('Where the browser goes to sign in') })
    .nullable()
    .describe('Null where the operator configured no provider'),
})
export type SignIn = z.infer<typeof SignIn>
