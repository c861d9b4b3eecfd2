/**
 * Catalogues of templates (https://docs.projectdiscovery.io/templates/structure): that each file can be read as YAML and
 * names itself. What a template can do is judged when it is compiled, with a reason for each that cannot run.
 */
import { isMap, parseDocument } from 'yaml'
import { FeedError } from '../feed.ts'

const LONGEST = 4 * 1024 * 1024

/** @returns 1 for a template, 0 for the word lists, profiles and notes beside them. @throws FeedError */
export const checkTemplate = (text: string, file: string): number => {
  if (!/\.ya?ml$/.test(file)) return 0
  if (text.length > LONGEST) throw new FeedError(file, null, `it has more than ${LONGEST} characters`)
  const document = parseDocument(text, { logLevel: 'silent', prettyErrors: true, uniqueKeys: false })
  const [error] = document.errors
  if (error) {
    const line = error.linePos?.[0].line
    const record = line === undefined ? null : `line ${line}`
    throw new FeedError(file, record, `no YAML: ${error.message.split('\n')[0]?.replace(/ at line .*/, '')}`, {
      cause: error,
    })
  }
  const has = (key: string): boolean => document.has(key)
  if (!isMap(document.contents)) return refuseTemplate(file, 'it is no mapping')
  if (!has('id') && !has('info')) return /\.yaml$/.test(file) ? refuseTemplate(file, '“id” and “info” are missing') : 0
  const id: unknown = document.get('id')
  if (typeof id !== 'string' || id.trim() === '') return refuseTemplate(file, '“id” is missing')
  if (!isMap(document.get('info'))) return refuseTemplate(file, '“info” is missing')
  return 1
}

const refuseTemplate = (file: string, reason: string): never => {
  throw new FeedError(file, null, reason)
}
