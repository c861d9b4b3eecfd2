/** The language in which an organisation is written to, and in which its reports are made by themselves. */
import type { Language } from '../contract/language.ts'
import type { Queryable } from './database.ts'

export const getLanguage = async (db: Queryable, organisationId: string): Promise<Language> => {
  const [row] = await db.query<{ language: Language }>('select language from organisations where id = $1', [
    organisationId,
  ])
  return row?.language ?? 'en'
}

/** For mail and reports from now on; those that are there stay. */
export const setLanguage = async (db: Queryable, organisationId: string, language: Language): Promise<void> => {
  await db.query('update organisations set language = $2 where id = $1', [organisationId, language])
}
