/** What a stream was opened with, as one word: a stream ends when that is revoked or over. */
import { isKeyValid } from '../store/api-keys.ts'
import type { Queryable } from '../store/database.ts'
import { isSessionValid } from '../store/sessions.ts'
import type { Caller } from './services.ts'

export const credentialOf = ({ actor, session }: Caller): string =>
  session === null ? `key ${actor.id}` : `session ${session.id}`

export const isCredentialValid = (db: Queryable, credential: string): Promise<boolean> => {
  const [kind, id = ''] = credential.split(' ')
  return kind === 'session' ? isSessionValid(db, id) : isKeyValid(db, id)
}
