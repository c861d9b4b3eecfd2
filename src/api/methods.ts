import { ENDPOINTS, type EndpointId } from '../contract/endpoints.ts'
import { DOC_PATHS } from './docs.ts'

/** Methods that the path takes, for 405's Allow; empty when the path is unknown. */
export const allowedMethods = (url: string): readonly string[] => {
  const path = url.split('?', 1)[0] ?? ''
  const methods = ROWS.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods: own }) => own)
  return [...new Set([...methods, ...(DOC_PATHS.includes(path) ? ['GET', 'HEAD'] : [])])]
}

const toPattern = (path: string): RegExp =>
  new RegExp(
    `^${path
      .replace(/[.]/g, '\\.')
      .replace('{key}', '.+')
      .replace(/\{\w+\}/g, '[^/]+')}$`,
  )

const ROWS = (Object.keys(ENDPOINTS) as EndpointId[]).map((id) => {
  const { path, method } = ENDPOINTS[id]
  const methods: readonly string[] = method === 'GET' && id !== 'streamScan' ? ['GET', 'HEAD'] : [method]
  return { pattern: toPattern(path), methods }
})
